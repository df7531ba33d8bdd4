"""Full segments are packed while the next one is written; whoever takes over, and the bounds, know them."""

from pathlib import Path

from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import FRAME
from hilbridge.boundary.record.packed import growing_path, packed_path
from hilbridge.boundary.record.packer import Packer
from hilbridge.boundary.record.recording import BoundaryRecord, Recording
from hilbridge.boundary.record.segments import SegmentLimits, SegmentWriter, segment_path

FACTS = {"bench": "demo", "vehicle": "compact", "buses": ["can"]}


def some(count: int) -> list[BoundaryRecord]:
    return [BoundaryRecord(n, FRAME, n.to_bytes(4, "big") + bytes(6)) for n in range(count)]


def cells() -> tuple[memoryview, memoryview]:
    return memoryview(bytearray(8)).cast("Q"), memoryview(bytearray(8)).cast("Q")


def writer(folder: Path, packer: Packer, limits: SegmentLimits) -> SegmentWriter:
    return SegmentWriter(folder, *cells(), limits, packer=packer)


def write(to: SegmentWriter, rows: list[BoundaryRecord], packer: Packer) -> None:
    """Each by itself; the packer is quicker than the writer here."""
    for row in rows:
        to.add(row.t * 100, *row)
        to.write()
        packer.wait()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*record*"))


def test_all_but_the_last_segment_are_packed(tmp_path: Path) -> None:
    """The same records are read, and its size is what lies on the disk."""
    manifest.create(tmp_path, FACTS)
    packer = Packer()
    one = writer(tmp_path, packer, SegmentLimits(2000))
    write(one, some(200), packer)
    one.write()
    assert names(tmp_path) == [f"record.{n:06}.z" for n in range(len(names(tmp_path)) - 1)] + [
        f"record.{len(names(tmp_path)) - 1:06}"
    ]
    one.close()
    assert one.kept == sum(path.stat().st_size for path in tmp_path.glob("record.*"))
    recording = Recording(tmp_path)
    assert list(recording.records()) == some(200)
    assert (recording.damage, recording.stored) == ("", one.kept)
    assert recording.size > 2 * recording.stored


def test_a_successor_finds_the_packed_segments(tmp_path: Path) -> None:
    """Nothing is there twice, and what was half packed is gone; a segment that lies there twice is there once."""
    manifest.create(tmp_path, FACTS)
    packer, limits = Packer(), SegmentLimits(2000)
    plain = segment_path(tmp_path, 0)
    first = writer(tmp_path, packer, limits)
    write(first, some(100), packer)
    plain.write_bytes(b"as it was before a crash")
    growing_path(plain).write_bytes(b"half")
    first.close()
    packer = Packer()
    second = writer(tmp_path, packer, limits)
    write(second, some(150), packer)
    second.close()
    assert not plain.exists()
    assert not list(tmp_path.glob("new.*"))
    assert list(Recording(tmp_path).records()) == some(150)
    assert second.frames == 150


def test_a_successor_at_the_beginning_of_a_segment_knows_the_packed_one(tmp_path: Path) -> None:
    manifest.create(tmp_path, FACTS)
    packer, limits = Packer(), SegmentLimits(100)
    first = writer(tmp_path, packer, limits)
    write(first, some(3), packer)
    first.close()
    packer = Packer()
    second = writer(tmp_path, packer, limits)
    write(second, some(5), packer)
    second.close()
    assert list(Recording(tmp_path).records()) == some(5)


def test_the_bounds_hold_for_what_lies_on_the_disk(tmp_path: Path) -> None:
    """So more of the run is kept."""
    kept = []
    for number, pack in enumerate((True, False)):
        folder = tmp_path / str(number)
        manifest.create(folder, FACTS)
        packer = Packer()
        one = SegmentWriter(folder, *cells(), SegmentLimits(2000, size=8000), packer=packer if pack else None)
        write(one, some(1000), packer)
        one.close()
        assert sum(path.stat().st_size for path in folder.glob("record.*")) <= 8000 + 2000
        rows = list(Recording(folder).records())
        assert rows == some(1000)[-len(rows) :]
        kept.append(len(rows))
    assert kept[0] > 2 * kept[1]


def test_a_segment_that_is_removed_while_it_is_packed_does_not_come_back(tmp_path: Path) -> None:
    manifest.create(tmp_path, FACTS)
    packer = Packer()
    one = writer(tmp_path, packer, SegmentLimits(500, segments=2))
    for row in some(300):
        one.add(row.t * 100, *row)
        one.write()
    packer.wait()
    one.write()
    one.close()
    assert len({name.removesuffix(".z") for name in names(tmp_path)}) <= 3
    rows = list(Recording(tmp_path).records())
    assert rows == some(300)[-len(rows) :]


def test_without_room_the_segment_stays(tmp_path: Path) -> None:
    """And the recording goes on."""
    manifest.create(tmp_path, FACTS)
    packer = Packer()
    one = writer(tmp_path, packer, SegmentLimits(2000))
    growing = growing_path(segment_path(tmp_path, 0))
    growing.mkdir()  # where it would be written
    write(one, some(200), packer)
    one.close()
    assert segment_path(tmp_path, 0).exists()
    assert packed_path(segment_path(tmp_path, 1)).exists()
    assert list(Recording(tmp_path).records()) == some(200)
