"""The primary record: what is written is read again, whatever happened to the writer, the disk or the file."""

import errno
import json
import os
import resource
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import COMMAND, FRAME, SERIAL, FrameRecord
from hilbridge.boundary.record.recording import BoundaryRecord, Recording
from hilbridge.boundary.record.segments import GAP, GAP_LAYOUT, HEADER, SegmentLimits, SegmentWriter
from hilbridge.frames.codec.frame import Frame

FACTS = {"bench": "demo", "vehicle": "compact", "buses": ["can"]}

contents = st.one_of(
    st.tuples(st.just(FRAME), st.binary(max_size=8).map(lambda data: FrameRecord(0, True, Frame(5, data)).encode())),
    st.tuples(st.just(SERIAL), st.binary(min_size=1, max_size=100)),
    st.tuples(st.just(COMMAND), st.text(max_size=30).map(lambda text: json.dumps({"command": text}).encode())),
)
records = st.lists(st.tuples(st.integers(0, 10**18), contents), max_size=20).map(
    lambda drawn: [BoundaryRecord(t, *content) for t, content in sorted(drawn, key=itemgetter(0))]
)
FIRST = "record.000000"


def cell() -> memoryview:
    return memoryview(bytearray(8)).cast("Q")


OPENED: list[SegmentWriter] = []


@pytest.fixture(autouse=True)
def writers_are_closed() -> Iterator[None]:
    """Those of writers that were killed, as far as their tests go, are closed behind the test."""
    yield
    while OPENED:
        with suppress(OSError):
            OPENED.pop().close()


class Disk:
    """A directory with a recording, and who writes to it."""

    def __init__(self, directory: Path, limits: SegmentLimits | None = None) -> None:
        manifest.create(directory, FACTS)
        self.directory = directory
        self.limits = limits
        self.unwritten, self.lost = cell(), cell()
        self.position = 0
        self.writer = self.open()

    def open(self) -> SegmentWriter:
        OPENED.append(SegmentWriter(self.directory, self.unwritten, self.lost, self.limits))
        return OPENED[-1]

    def write(self, crossings: list[BoundaryRecord]) -> None:
        for t, kind, payload in crossings:
            self.writer.add(self.position, t, kind, payload)
            self.position += 1 + len(payload)
        self.writer.write()

    def recording(self) -> Recording:
        return Recording(self.directory)

    def read(self) -> list[BoundaryRecord]:
        return list(self.recording().records())

    def segments(self) -> list[str]:
        return sorted(path.name for path in self.directory.glob("record.*"))


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def some(count: int, size: int = 10) -> list[BoundaryRecord]:
    return [BoundaryRecord(n, FRAME, n.to_bytes(4, "big") + bytes(size - 4)) for n in range(count)]


def test_a_record_as_documented(disk: Disk) -> None:
    """Header and record, byte by byte, with the checksum of zlib."""
    disk.position = 5
    disk.write([BoundaryRecord(1_000_000, COMMAND, b"{}")])
    content = (disk.directory / FIRST).read_bytes()
    assert content[:20] == b"hilrec1\n" + bytes(4) + bytes(8)
    assert content[20:24] == zlib.crc32(content[:20]).to_bytes(4, "little")
    body = (5).to_bytes(8, "little") + (1_000_000).to_bytes(8, "little") + bytes([COMMAND]) + b"{}"
    assert content[24:28] == len(body).to_bytes(4, "little")
    assert content[28:32] == zlib.crc32(body, 24).to_bytes(4, "little")
    assert content[32:] == body


@settings(max_examples=100)
@given(records, st.data())
def test_a_file_that_is_cut_off_anywhere_is_read_up_to_its_last_whole_record(
    crossings: list[BoundaryRecord], data: st.DataObject
) -> None:
    """And whoever takes it over goes on from there: the record that was cut in two is there once."""
    with TemporaryDirectory() as folder:
        disk = Disk(Path(folder))
        ends = [HEADER.size]
        for one in crossings:
            disk.write([one])
            ends.append((disk.directory / FIRST).stat().st_size)
        size = data.draw(st.integers(0, ends[-1]))
        os.truncate(disk.directory / FIRST, size)
        whole = sum(end <= size for end in ends[1:])
        assert disk.read() == crossings[:whole]

        disk.writer = disk.open()
        assert disk.writer.frames == sum(one.kind == FRAME for one in crossings[:whole])
        disk.position = 0
        disk.write(crossings)
        recording = disk.recording()
        assert list(recording.records()) == crossings
        assert recording.damage == ""


@settings(max_examples=150)
@given(records.filter(bool), st.data())
def test_a_flipped_bit_is_never_taken_for_a_record(crossings: list[BoundaryRecord], data: st.DataObject) -> None:
    """Everything before it is read, and all that follows the record that it is in; the damage is reported."""
    with TemporaryDirectory() as folder:
        disk = Disk(Path(folder))
        disk.write(crossings)
        content = bytearray((disk.directory / FIRST).read_bytes())
        bit = data.draw(st.integers(0, 8 * len(content) - 1))
        content[bit // 8] ^= 1 << bit % 8
        (disk.directory / FIRST).write_bytes(content)
        recording = disk.recording()
        read = [one for one in recording.records() if one.kind != GAP]
        in_header = bit // 8 < HEADER.size
        assert len(read) == len(crossings) - (not in_header)
        lost = next((i for i, one in enumerate(read) if one != crossings[i]), len(read))
        assert read == crossings[:lost] + (crossings[lost:] if in_header else crossings[lost + 1 :])
        assert recording.damage


def test_whoever_takes_over_cuts_a_torn_record_off(tmp_path: Path) -> None:
    """Of a long one more would stay than the successor writes, and be damage between its records and the end."""
    disk = Disk(tmp_path)
    disk.write([*some(3), *some(1, size=500)])
    path = tmp_path / FIRST
    os.truncate(path, path.stat().st_size - 1)
    disk.writer = disk.open()
    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    Disk(undisturbed).write(some(3))
    assert path.read_bytes() == (undisturbed / FIRST).read_bytes()


def test_a_record_in_another_place_of_the_file_is_none(disk: Disk) -> None:
    """Its checksum starts from its offset: a copy of a whole record, as a broken file system leaves one, is damage."""
    disk.write(some(3))
    content = (disk.directory / FIRST).read_bytes()
    size = (len(content) - HEADER.size) // 3
    (disk.directory / FIRST).write_bytes(content + content[-size:])
    recording = disk.recording()
    assert [one for one in recording.records() if one.kind != GAP] == some(3)
    assert recording.damage


def test_a_writer_that_closes_waits_for_the_disk(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that was added is in the file when it is synchronised, and an error of the disk is reported."""
    synchronised: list[tuple[str, int]] = []

    def fsync(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        synchronised.append((path.name, path.stat().st_size))
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fsync)
    disk.write(some(2))
    before = disk.writer.size
    disk.writer.add(disk.position, 0, COMMAND, b"{}")
    with pytest.raises(OSError, match="Input/output error"):
        disk.writer.close()
    assert synchronised == [(FIRST, disk.writer.size)]
    assert disk.writer.size > before


def test_segments_follow_each_other(tmp_path: Path) -> None:
    """A full segment is followed by a new one; a reader does not notice, and a successor finds the newest."""
    disk = Disk(tmp_path, SegmentLimits(segment=500))
    for one in some(50):
        disk.write([one])
    assert len(disk.segments()) > 3
    assert disk.read() == some(50)
    disk.writer = disk.open()
    disk.position = 0
    disk.write(some(50))
    assert disk.read() == some(50)
    assert disk.writer.frames == 50


def test_a_new_segment_that_was_not_even_begun_is_begun_again(tmp_path: Path) -> None:
    """The process was killed between making the file and writing its header."""
    disk = Disk(tmp_path, SegmentLimits(segment=500))
    for one in some(20):
        disk.write([one])
    newest = tmp_path / disk.segments()[-1]
    if newest.stat().st_size > HEADER.size:
        newest = tmp_path / f"record.{len(disk.segments()):06}"
    newest.write_bytes(b"hil")
    disk.writer = disk.open()
    disk.position = 0
    disk.write(some(25))
    assert disk.read() == some(25)
    assert disk.writer.frames == 25


def test_a_successor_at_the_beginning_of_a_segment_knows_the_records_before_it(tmp_path: Path) -> None:
    """A full segment is followed at once: what was in it lies nowhere twice."""
    disk = Disk(tmp_path, SegmentLimits(segment=100))
    disk.write(some(3))
    assert (tmp_path / disk.segments()[-1]).stat().st_size == HEADER.size
    disk.writer = disk.open()
    disk.position = 0
    disk.write(some(5))
    assert disk.read() == some(5)


def test_a_segment_without_room_for_its_header_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one grows until the disk has room again."""
    disk = Disk(tmp_path, SegmentLimits(segment=100))
    write = os.write

    def full(descriptor: int, content: memoryview) -> int:
        if len(content) == HEADER.size:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, content)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        for one in some(5):
            disk.write([one])
    assert disk.writer.trouble == "no new segment: No space left on device"
    assert disk.segments() == [FIRST]
    disk.write(some(1))
    assert len(disk.segments()) == 2
    assert disk.read() == [*some(5), *some(1)]


def test_a_closed_writer_holds_no_file(disk: Disk) -> None:
    """A bench records many times in one process."""
    disk.write(some(2))
    disk.writer.close()
    opened = [one.readlink() for one in Path("/proc/self/fd").iterdir() if one.is_symlink()]
    assert disk.directory / FIRST not in opened


@pytest.mark.parametrize("limits", [SegmentLimits(500, segments=3), SegmentLimits(500, size=2000)])
def test_the_oldest_segments_go_when_there_are_too_many(tmp_path: Path, limits: SegmentLimits) -> None:
    """By their number or their size; what is left is the newest, without a gap. It does not begin at the beginning."""
    disk = Disk(tmp_path, limits)
    for one in some(100):
        disk.write([one])
    assert len(disk.segments()) in {3, 4}
    recording = disk.recording()
    left = list(recording.records())
    assert left == some(100)[-len(left) :]
    assert "has lost its beginning" in recording.lacks_beginning
    assert disk.writer.frames == 100
    first = int(disk.segments()[0].partition(".")[2])
    assert disk.writer.removed == first > 0


def test_a_segment_that_cannot_be_removed_is_not_counted_as_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there and takes room, the reason is told, and the next segment brings another attempt."""
    disk = Disk(tmp_path, SegmentLimits(500, segments=3))
    with monkeypatch.context() as refused:
        refused.setattr(Path, "unlink", refuse)
        for one in some(60):
            disk.write([one])
    assert disk.writer.removed == 0
    assert disk.writer.unremoved == "Permission denied"
    assert len(disk.segments()) > 4
    assert disk.writer.kept == sum(path.stat().st_size for path in tmp_path.glob("record.*"))
    assert not disk.writer.trouble  # nothing is missing
    for one in some(100)[60:]:
        disk.write([one])
    assert (len(disk.segments()), disk.writer.unremoved) == (3, "")
    assert list(disk.recording().records())[-1] == some(100)[-1]


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_a_segment_that_is_missing_leaves_a_gap(tmp_path: Path) -> None:
    disk = Disk(tmp_path, SegmentLimits(segment=500))
    for one in some(60):
        disk.write([one])
    (tmp_path / "record.000002").unlink()
    recording = disk.recording()
    read = list(recording.records())
    before = next(i for i, one in enumerate(read) if one.kind == GAP)
    assert read[:before] == some(60)[:before]
    assert read[before + 1 :] == some(60)[-len(read) + before + 1 :]
    assert (recording.damage, recording.gaps) == ("segment 2 is missing", 1)


@contextmanager
def small_files() -> Iterator[None]:
    """A disk that takes no more than 2,000 bytes of a file, and part of what goes beyond."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_counted_and_leaves_a_mark(disk: Disk) -> None:
    """No half records; a GAP that tells how many are missing, before the first record after it."""
    with small_files():  # not longer: the test runner writes a file too
        disk.write(some(30))
        disk.write(some(40))
    assert disk.writer.trouble == "File too large"
    assert (disk.unwritten[0], disk.lost[0]) == (40, 40)
    disk.write(some(2))
    assert disk.writer.trouble == ""
    assert (disk.unwritten[0], disk.lost[0]) == (0, 40)
    gap = BoundaryRecord(0, GAP, GAP_LAYOUT.pack(40))
    assert disk.read() == [*some(30), gap, *some(2)]


def test_a_successor_tells_what_its_predecessor_could_not_write(disk: Disk) -> None:
    """How many are missing outlives the process that missed them."""
    with small_files():
        disk.write(some(100))
        disk.writer = disk.open()
        disk.write(some(1))
    assert disk.read() == [BoundaryRecord(0, GAP, GAP_LAYOUT.pack(100)), *some(1)]


def test_without_a_descriptor_for_a_new_segment_the_old_one_grows(tmp_path: Path) -> None:
    """Nothing is lost; it is announced; the next segment comes when there is a descriptor again."""
    disk = Disk(tmp_path, SegmentLimits(segment=500))
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))
    try:
        for one in some(50):
            disk.write([one])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert disk.writer.trouble == "no new segment: Too many open files"
    assert disk.segments() == [FIRST]
    disk.write(some(1))
    assert (disk.writer.trouble, len(disk.segments())) == ("", 2)
    assert disk.read() == [*some(50), *some(1)]
    assert disk.lost[0] == 0
