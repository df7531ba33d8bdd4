"""The frames of a run as a BLF file."""

import contextlib
import resource
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import can
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.frames.frame import BRS, ERROR, EXTENDED, FD, REMOTE, Frame
from hilbridge.record.blf import BLOCK, ESI, SECOND, FrameFile

Entry = tuple[int, int, Frame, bool]
"""Run time [ns], bus, frame, received."""


def cell() -> memoryview:
    return memoryview(bytearray(8)).cast("Q")


def write(file: FrameFile, entries: list[Entry], first: int = 0) -> None:
    for ordinal, (t, bus, frame, received) in enumerate(entries, first):
        file.add(t, ordinal, bus, frame, received=received)


def recorded(path: Path, entries: list[Entry]) -> bytes:
    file = FrameFile(path, cell())
    write(file, entries)
    file.write_block()
    return path.read_bytes()


def messages(path: Path) -> list[can.Message]:
    with can.BLFReader(path) as reader:
        return list(reader)


def a_run(count: int, step: int = 700_000) -> list[Entry]:
    return [(n * step, n % 2, Frame(0x100 + n % 5, n.to_bytes(8, "little")), n % 3 == 0) for n in range(count)]


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    """Time, identifier, kind, direction, bus and data of every sort of frame."""
    path = tmp_path / "frames.blf"
    recorded(
        path,
        [
            (1_234_567_891, 0, Frame(0x123, b"\x01\x02"), True),
            (1_234_567_892, 1, Frame(EXTENDED | 0x18F00400, bytes(range(8))), False),
            (1_234_567_893, 0, Frame(0x7FF, b""), False),
            (2_000_000_000, 2, Frame(0x321, bytes(range(64)), FD | BRS), False),
            (2_000_000_001, 2, Frame(EXTENDED | 0x1ABCDEF0, bytes(range(12)), FD | ESI), True),
            (2_000_000_002, 0, Frame(REMOTE | 0x200, b""), True),
            (2_000_000_003, 0, Frame(ERROR | 0x40, bytes(8)), True),
        ],
    )
    first, second, third, fd, fd_extended, remote, error = messages(path)
    assert (first.timestamp, first.arbitration_id, bytes(first.data)) == (1.234567891, 0x123, b"\x01\x02")
    assert (first.is_rx, first.is_extended_id, first.is_fd, first.channel) == (True, False, False, 0)
    assert (second.timestamp, second.arbitration_id, second.is_extended_id) == (1.234567892, 0x18F00400, True)
    assert (second.is_rx, second.channel, bytes(second.data)) == (False, 1, bytes(range(8)))
    assert (third.arbitration_id, third.dlc) == (0x7FF, 0)
    assert (fd.is_fd, fd.bitrate_switch, fd.error_state_indicator, fd.is_rx) == (True, True, False, False)
    assert (bytes(fd.data), fd.channel) == (bytes(range(64)), 2)
    assert (fd_extended.is_extended_id, fd_extended.bitrate_switch, fd_extended.error_state_indicator) == (
        True,
        False,
        True,
    )
    assert (bytes(fd_extended.data), fd_extended.is_rx) == (bytes(range(12)), True)
    assert (remote.is_remote_frame, remote.arbitration_id, remote.timestamp) == (True, 0x200, 2.000000002)
    assert error.is_error_frame


@given(st.integers(0, 2**51))
def test_time_stamps_are_exact(t: int) -> None:
    """The nanosecond survives for 26 days: a frame of run time t is read back as the double nearest to t / 1e9."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "frames.blf"
        recorded(path, [(t, 0, Frame(1, b""), False)])
        (message,) = messages(path)
    assert message.timestamp == t / 1_000_000_000


def test_same_run_same_bytes(tmp_path: Path) -> None:
    """Two recordings of the same frames are equal to the byte; the file holds no date."""
    run = a_run(5000)
    assert recorded(tmp_path / "a.blf", run) == recorded(tmp_path / "b.blf", run)
    with can.BLFReader(tmp_path / "a.blf") as reader:
        assert (reader.start_timestamp, reader.stop_timestamp) == (0, 0)
        assert reader.object_count == 5000
        assert reader.file_size == (tmp_path / "a.blf").stat().st_size


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 2 * BLOCK), max_size=4), st.booleans())
def test_moment_of_writing_does_not_matter(cuts: list[int], advance: bool) -> None:
    """A writer that is replaced at any frame, and told of the time at any moment, leaves the same file."""
    run = a_run(2 * BLOCK)
    with TemporaryDirectory() as folder:
        whole = recorded(Path(folder) / "whole.blf", run)
        path, dropped = Path(folder) / "cut.blf", cell()
        for cut in [*sorted(cuts), len(run)]:
            file = FrameFile(path, dropped)
            # What its predecessor had not written comes again; so does some of what it had.
            again = max(0, file.frames - 10)
            write(file, run[again:cut], first=again)
            if cut == len(run):
                file.write_block()
            elif advance:
                file.advance(run[cut][0])
        assert path.read_bytes() == whole
        assert dropped[0] == 0


def test_blocks_end_with_the_second_or_when_full(tmp_path: Path) -> None:
    """Frames of one second form blocks of BLOCK frames; the next second begins a new one."""
    file = FrameFile(tmp_path / "frames.blf", cell())
    write(file, [(0, 0, Frame(1, b""), False)] * (BLOCK + 5))
    assert (file.frames, file.pending) == (BLOCK, 5)
    file.advance(SECOND - 1)
    assert file.pending == 5
    file.advance(SECOND)
    assert (file.frames, file.pending) == (BLOCK + 5, 0)


def test_largest_block_fits_into_one_container(tmp_path: Path) -> None:
    """A block of frames with 64 bytes is written as a whole, so no frame lies across two containers."""
    path = tmp_path / "frames.blf"
    run = [(n, 0, Frame(1, bytes(64), FD), False) for n in range(2 * BLOCK)]
    recorded(path, run)
    signature = path.read_bytes().count(b"LOBJ")
    assert signature == 2
    assert len(messages(path)) == 2 * BLOCK


def test_half_written_block_is_cut_off(tmp_path: Path) -> None:
    """What lies behind the size that the header states was left by a writer that was killed; it is written anew."""
    run = a_run(3 * BLOCK)
    whole = recorded(tmp_path / "whole.blf", run)
    path = tmp_path / "cut.blf"
    part = recorded(path, run[:BLOCK])
    for length in (1, 15, 16, 40, 5000):
        path.write_bytes(part + whole[len(part) : len(part) + length])
        file = FrameFile(path, cell())
        assert file.frames == BLOCK
        write(file, run[BLOCK:], first=BLOCK)
        file.write_block()
        assert path.read_bytes() == whole


@pytest.mark.parametrize("length", [0, 1, 143])
def test_file_without_a_header_is_begun_anew(tmp_path: Path, length: int) -> None:
    """A writer that was killed while it created the file leaves nothing that matters."""
    path = tmp_path / "frames.blf"
    path.write_bytes(bytes(length))
    assert recorded(path, a_run(3)) == recorded(tmp_path / "other.blf", a_run(3))


@contextlib.contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Files cannot grow beyond `size` bytes: what a full disk is to a program."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_full_disk_is_counted_and_survived(tmp_path: Path) -> None:
    """Blocks that find no space are dropped and counted; the file stays readable; with space it goes on."""
    path, dropped = tmp_path / "frames.blf", cell()
    run = a_run(5 * BLOCK, step=1)
    file = FrameFile(path, dropped)
    write(file, run[:BLOCK])
    with largest_file(path.stat().st_size + 100):
        write(file, run[BLOCK : 3 * BLOCK], first=BLOCK)
        assert file.trouble
        assert (file.frames, file.dropped, dropped[0]) == (BLOCK, 2 * BLOCK, 2 * BLOCK)
        assert len(messages(path)) == BLOCK
    write(file, run[3 * BLOCK :], first=3 * BLOCK)
    assert not file.trouble
    assert [message.timestamp for message in messages(path)] == [t / 1e9 for t, *_ in run[:BLOCK] + run[3 * BLOCK :]]


def test_successor_knows_what_a_full_disk_cost(tmp_path: Path) -> None:
    """Frames that were dropped are not asked for again by a writer that takes over; none is written twice."""
    path, dropped = tmp_path / "frames.blf", cell()
    run = a_run(3 * BLOCK, step=1)
    file = FrameFile(path, dropped)
    with largest_file(200):
        write(file, run[:BLOCK])
    write(file, run[BLOCK : 2 * BLOCK], first=BLOCK)
    successor = FrameFile(path, dropped)
    write(successor, run[500:], first=500)
    assert [message.timestamp for message in messages(path)] == [t / 1e9 for t, *_ in run[BLOCK:]]


def test_frames_that_never_arrived_are_counted(tmp_path: Path) -> None:
    """A jump of the ordinals means frames that the recording lacks."""
    file = FrameFile(tmp_path / "frames.blf", cell())
    write(file, a_run(2))
    write(file, a_run(2), first=10)
    file.write_block()
    assert (file.frames, file.dropped) == (4, 8)


def test_directory_that_vanished_is_counted(tmp_path: Path) -> None:
    """Frames for a file that somebody removed are dropped and counted."""
    path = tmp_path / "frames.blf"
    file = FrameFile(path, cell())
    path.unlink()
    write(file, a_run(2))
    file.write_block()
    assert (file.dropped, bool(file.trouble)) == (2, True)
