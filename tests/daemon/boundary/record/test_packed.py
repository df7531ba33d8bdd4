"""A packed segment is read as the segment that it was; what is damaged of it costs the records of its block."""

import os
import struct
import zlib
from contextlib import suppress
from pathlib import Path

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.record import manifest, packed
from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.packed import BLOCK, HEADER, growing_path, open_segment, pack, packed_path, segment_size
from hilbridge.boundary.record.recording import BoundaryRecord, Recording
from hilbridge.boundary.record.segments import GAP, header, record, segment_path
from hilbridge.frames.codec.frame import Frame

from ....faulty_files import FAULTS, fault_name, faulty_files

FACTS = {"bench": "demo", "vehicle": "compact", "buses": ["can"]}
COUNT = 24_000
LENGTH = 40
"""[byte] of a record."""


def rows() -> list[BoundaryRecord]:
    """One frame in each ms, 1.1 MB of records."""
    return [
        BoundaryRecord(n * MILLISECOND, FRAME, FrameRecord(0, True, Frame(n % 2048, n.to_bytes(8, "big"))).encode())
        for n in range(COUNT)
    ]


@pytest.fixture
def segment(tmp_path: Path) -> Path:
    manifest.create(tmp_path, FACTS)
    content = bytearray(header(0, 0))
    for number, row in enumerate(rows()):
        content += record(len(content), number, *row)
    path = segment_path(tmp_path, 0)
    path.write_bytes(content)
    return path


def test_the_bytes_as_documented(segment: Path) -> None:
    """By struct and zlib alone, as a foreign reader would do it."""
    plain = segment.read_bytes()
    size = pack(segment)
    assert not segment.exists()
    content = packed_path(segment).read_bytes()
    assert size == len(content) < len(plain) / 2
    found, number = b"", 0
    while content:
        magic, named, whole, length, check = struct.unpack_from("<4sIQII", content)
        assert (magic, named, whole) == (b"hilz", number, len(plain))
        assert check == zlib.crc32(content[:20])
        found += zlib.decompress(content[24 : 24 + length])
        content, number = content[24 + length :], number + 1
    assert found == plain
    assert number == -(-len(plain) // BLOCK)


def test_it_is_read_at_the_offsets_that_it_had(segment: Path) -> None:
    """Any part of it, from any place."""
    plain = segment.read_bytes()
    pack(segment)
    assert segment_size(segment) == len(plain)
    with open_segment(segment) as file:
        for begin in (0, 1, BLOCK - 1, BLOCK, 3 * BLOCK - 7, len(plain) - 5, len(plain), len(plain) + 9):
            assert file.seek(begin) == begin
            assert file.read(2 * BLOCK + 3) == plain[begin : begin + 2 * BLOCK + 3]


def test_a_span_is_found_in_it(segment: Path) -> None:
    pack(segment)
    begin, end = 20_000 * MILLISECOND, 20_009 * MILLISECOND
    assert list(Recording(segment.parent).between(begin, end)) == rows()[20_000:20_010]


def offsets(content: bytes) -> list[int]:
    """Of the blocks."""
    found = [0]
    while found[-1] < len(content):
        _, _, _, length, _ = HEADER.unpack_from(content, found[-1])
        found.append(found[-1] + HEADER.size + length)
    return found


@pytest.mark.parametrize("where", [0, 9, HEADER.size, HEADER.size + 5000], ids=["magic", "size", "first", "middle"])
def test_damage_costs_one_block(segment: Path, where: int) -> None:
    """All records before and behind it are read, and it is told where."""
    whole = rows()
    pack(segment)
    path = packed_path(segment)
    content = bytearray(path.read_bytes())
    content[offsets(bytes(content))[2] + where] ^= 0xFF
    path.write_bytes(content)
    recording = Recording(segment.parent)
    read = list(recording.records())
    hole = next(index for index, row in enumerate(read) if row.kind == GAP)
    behind = read[hole + 1 :]
    assert read[:hole] == whole[:hole]
    assert behind == whole[-len(behind) :]
    assert 0 <= len(whole) - hole - len(behind) - BLOCK / LENGTH < 3
    assert recording.damage.startswith("record.000000 is unreadable from byte ")


@pytest.mark.parametrize("place", [(3, 0), (3, 100), (1, HEADER.size), (0, 10), (0, 0)])
def test_what_is_cut_off_is_missing(segment: Path, place: tuple[int, int]) -> None:
    """At a border of blocks too: each tells how long the segment is. A second segment follows it."""
    pack(segment)
    path = packed_path(segment)
    content = path.read_bytes()
    path.write_bytes(content[: offsets(content)[place[0]] + place[1]])
    last = BoundaryRecord(COUNT * MILLISECOND, *rows()[0][1:])
    segment_path(segment.parent, 1).write_bytes(header(1, COUNT) + record(24, COUNT, *last))
    recording = Recording(segment.parent)
    read = list(recording.records())
    assert read[-1] == last
    assert [row.kind for row in read].count(GAP) == 1
    assert read[:-2] == rows()[: len(read) - 2]
    assert len(read) - 2 == max(0, place[0] * BLOCK - 24) // LENGTH
    assert recording.damage


def test_a_size_that_cannot_be_is_not_believed(segment: Path) -> None:
    """Nothing is read for ever, and no memory is taken for it."""
    path = packed_path(segment)
    fields = HEADER.pack(packed.MAGIC, 0, 1 << 62, 8, 0)[:-4]
    path.write_bytes(fields + zlib.crc32(fields).to_bytes(4, "little") + b"hilz" * 2)
    segment.unlink()
    assert segment_size(segment) < 1 << 16
    assert [row.kind for row in Recording(segment.parent).records()] in ([], [GAP])


def test_a_block_that_unpacks_to_more_is_none(segment: Path) -> None:
    """Not more than a block is unpacked."""
    segment.unlink()
    bomb = packed.block(0, 100, bytes(50 << 20))
    packed_path(segment).write_bytes(bomb)
    with open_segment(segment) as file:
        assert file.read() == bytes(100)


def test_many_places_that_look_like_blocks_end_the_search(segment: Path) -> None:
    segment.unlink()
    packed_path(segment).write_bytes(b"hilz" * 200_000)
    assert segment_size(segment) == 0


def test_a_full_disk_leaves_the_segment(segment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = segment.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            pack(segment)
    assert [path.name for path in segment.parent.glob("*record*")] == [segment.name]
    assert segment.read_bytes() == plain


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("fault", FAULTS, ids=fault_name)
def test_no_call_that_fails_costs_a_record(segment: Path, fault: int, lasting: bool) -> None:
    """Whichever it is, the segment is there, or what it was packed into."""
    plain, number = segment.read_bytes(), 0
    while True:
        segment.write_bytes(plain)
        packed_path(segment).unlink(missing_ok=True)
        with faulty_files(segment.parent, number, fault, lasting=lasting) as layer, suppress(OSError):
            pack(segment)
        with open_segment(segment) as file:
            assert file.read() == plain, f"{number} {layer.failed}"
        if not layer.failed:
            break
        number += 1
    assert number > 12


def test_packing_that_is_given_up_leaves_the_segment(segment: Path) -> None:
    answers = iter([False, False, True])
    assert pack(segment, lambda: next(answers)) is None
    assert [path.name for path in segment.parent.glob("*record*")] == [segment.name]


def test_both_are_read_as_the_segment_itself(segment: Path) -> None:
    """A crash between the renaming and the removal leaves both."""
    plain = segment.read_bytes()
    pack(segment)
    segment.write_bytes(plain)
    growing_path(segment).write_bytes(b"half")
    recording = Recording(segment.parent)
    assert recording.segments == [0]
    assert list(recording.records()) == rows()
    assert recording.damage == ""
