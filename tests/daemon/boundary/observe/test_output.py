"""Text goes out, or is counted; the caller never waits and never fails."""

import contextlib
import fcntl
import os
import pty
import socket
import struct
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hilbridge.boundary.observe.output import QUEUE, Output, is_journal

LINE = "x" * 99 + "\n"


class Ends:
    """The reading end and the writing end of a connection, and the output in front of the latter."""

    def __init__(self, reader: int, writer: int) -> None:
        self.reader, self.writer = reader, writer
        self.output = Output(writer)

    def read(self) -> bytes:
        """What has arrived so far."""
        os.set_blocking(self.reader, False)
        parts = []
        with contextlib.suppress(OSError):  # nothing more at present, or the end of a terminal
            while part := os.read(self.reader, 1 << 16):
                parts.append(part)
        return b"".join(parts).replace(b"\r\n", b"\n")

    def read_to_the_end(self) -> bytes:
        """What arrives until the writing end is closed, which is done here."""
        self.output.close(0.0)
        os.close(self.writer)
        os.set_blocking(self.reader, True)
        parts = []
        with contextlib.suppress(OSError):
            while part := os.read(self.reader, 1 << 16):
                parts.append(part)
        return b"".join(parts).replace(b"\r\n", b"\n")

    def close(self) -> None:
        self.output.close(0.0)
        for descriptor in (self.reader, self.writer):
            with contextlib.suppress(OSError):
                os.close(descriptor)


def a_pipe() -> Ends:
    return Ends(*os.pipe())


def a_terminal() -> Ends:
    return Ends(*pty.openpty())


def a_socket() -> Ends:
    near, far = socket.socketpair()
    return Ends(near.detach(), far.detach())


@pytest.fixture(params=[a_pipe, a_terminal, a_socket])
def ends(request: pytest.FixtureRequest) -> Iterator[Ends]:
    made: Ends = request.param()
    yield made
    made.close()


def test_reader_that_reads_gets_everything(ends: Ends) -> None:
    """Text arrives as it was written."""
    ends.output.write("rpm · 850\n")
    assert ends.read_to_the_end() == "rpm · 850\n".encode()
    assert (ends.output.dropped, ends.output.gone) == (0, "")


def test_reader_that_does_not_read_costs_lines_not_time(ends: Ends) -> None:
    """Into a full pipe, terminal or socket `write` returns at once; whole lines are dropped and counted.

    When the reader goes on, what waited arrives first, without a cut line in between.
    """
    lines = 20_000
    for _ in range(lines):
        ends.output.write(LINE)
    assert ends.output.dropped > 0
    assert not ends.output.flush()
    received = b""
    while not ends.output.flush():
        received += ends.read()
    text = (received + ends.read_to_the_end()).decode()
    assert set(text.splitlines(keepends=True)) == {LINE}
    assert text.count("\n") + ends.output.dropped == lines


def test_shared_file_stays_blocking(ends: Ends) -> None:
    """The descriptor that a parent shares keeps its mode, and stays open."""
    ends.output.write("x")
    ends.output.close(0.0)
    assert os.get_blocking(ends.writer)


@pytest.mark.parametrize("make", [a_pipe, a_socket])
def test_reader_that_is_gone(make: Callable[[], Ends]) -> None:
    """A closed pipe or connection is reported in words; what follows is dropped and counted."""
    ends = make()
    os.close(ends.reader)
    for _ in range(3):
        ends.output.write(LINE)
    assert ends.output.gone
    assert ends.output.dropped == 3
    ends.close()


def test_full_disk() -> None:
    """Lines for which there is no space are dropped and counted; the next one is tried again."""
    with open("/dev/full", "w") as file:  # noqa: PTH123 (a device)
        output = Output(file.fileno())
        output.write(LINE)
        output.write(LINE)
        assert (output.dropped, output.gone) == (2, "")


def test_closed_standard_output() -> None:
    """A process that was started without the stream prints nothing and goes on."""
    reader, writer = os.pipe()
    os.close(reader)
    os.close(writer)
    output = Output(writer)
    output.write(LINE)
    output.close(1.0)
    assert output.gone
    assert output.dropped == 1


def test_queue_is_bounded() -> None:
    """What waits never exceeds QUEUE bytes."""
    ends = a_pipe()
    capacity = fcntl.fcntl(ends.writer, fcntl.F_SETPIPE_SZ, 4096)
    for _ in range(2 * QUEUE // len(LINE)):
        ends.output.write(LINE)
    received = b""
    while not ends.output.flush():
        received += ends.read()
    assert len(received + ends.read_to_the_end()) <= QUEUE + capacity
    ends.close()


def test_terminal() -> None:
    """A terminal is recognised, and its width is the one it has now."""
    ends = a_terminal()
    assert ends.output.is_terminal
    for columns in (132, 60):
        fcntl.ioctl(ends.writer, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        assert ends.output.width == columns
    ends.close()


def test_the_journal_is_known_by_device_and_inode(tmp_path: Path) -> None:
    """systemd.exec(5): another stream under the same variable is not the journal, nor is a closed one."""
    with (tmp_path / "stream").open("w") as stream, (tmp_path / "other").open("w") as other:
        status = os.fstat(stream.fileno())
        environment = {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}
        assert is_journal(stream.fileno(), environment)
        assert not is_journal(other.fileno(), environment)
        assert not is_journal(stream.fileno(), {})
        closed = stream.fileno()
    assert not is_journal(closed, environment)
