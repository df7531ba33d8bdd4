"""What the manifest and the bench folder of a recording are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.boundary.observe.bench_archive import BenchArchive, archive_of

FACTS = {"bench": "demo", "seed": 3}


@pytest.fixture
def bench_archive() -> BenchArchive:
    made = BenchArchive.create(FACTS)
    made.put(archive_of({"a": b"first"}))
    return made


def test_whoever_has_its_descriptor_finds_an_entry(bench_archive: BenchArchive) -> None:
    other = BenchArchive(bench_archive.descriptor)
    assert other.get(bench_archive.newest) == (FACTS, {"a": b"first"})
    bench_archive.close()


def test_what_is_proposed_stands_beside_what_runs_until_it_is_kept(bench_archive: BenchArchive) -> None:
    """One that is not kept leaves its place to the next; the facts are those of the run."""
    child = BenchArchive(bench_archive.descriptor, newest=bench_archive.newest)
    refused = child.propose(archive_of({"a": b"refused", "b": bytes(1000)}))
    kept = child.propose(archive_of({"a": b"kept"}))
    assert kept.offset == refused.offset
    assert bench_archive.get(bench_archive.newest) == (FACTS, {"a": b"first"})
    bench_archive.newest = kept
    assert bench_archive.get(bench_archive.newest) == (FACTS, {"a": b"kept"})
    bench_archive.close()


@given(st.dictionaries(st.text("abc", min_size=1), st.binary(max_size=100)), st.integers(1, 50))
def test_its_archive_can_be_read_in_pieces(files: dict[str, bytes], size: int) -> None:
    archive = archive_of(files)
    bench_archive = BenchArchive.create(FACTS)
    bench_archive.put(archive)
    where = bench_archive.newest.archive
    pieces = [bench_archive.read(where[begin : begin + size]) for begin in range(0, len(where), size)]
    assert b"".join(pieces) == archive
    bench_archive.close()
