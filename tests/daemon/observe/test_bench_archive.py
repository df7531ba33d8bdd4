"""What the manifest and the bench folder of a recording are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.observe.bench_archive import Dossier, archive_of

FACTS = {"bench": "demo", "seed": 3}


@pytest.fixture
def dossier() -> Dossier:
    made = Dossier.create(FACTS)
    made.put(archive_of({"a": b"first"}))
    return made


def test_whoever_has_its_descriptor_finds_an_entry(dossier: Dossier) -> None:
    other = Dossier(dossier.descriptor)
    assert other.get(dossier.newest) == (FACTS, {"a": b"first"})
    dossier.close()


def test_what_is_proposed_stands_beside_what_runs_until_it_is_kept(dossier: Dossier) -> None:
    """One that is not kept leaves its place to the next; the facts are those of the run."""
    child = Dossier(dossier.descriptor, newest=dossier.newest)
    refused = child.propose(archive_of({"a": b"refused", "b": bytes(1000)}))
    kept = child.propose(archive_of({"a": b"kept"}))
    assert kept.offset == refused.offset
    assert dossier.get(dossier.newest) == (FACTS, {"a": b"first"})
    dossier.newest = kept
    assert dossier.get(dossier.newest) == (FACTS, {"a": b"kept"})
    dossier.close()


@given(st.dictionaries(st.text("abc", min_size=1), st.binary(max_size=100)), st.integers(1, 50))
def test_its_archive_can_be_read_in_pieces(files: dict[str, bytes], size: int) -> None:
    archive = archive_of(files)
    dossier = Dossier.create(FACTS)
    dossier.put(archive)
    where = dossier.newest.archive
    pieces = [dossier.read(where[begin : begin + size]) for begin in range(0, len(where), size)]
    assert b"".join(pieces) == archive
    dossier.close()
