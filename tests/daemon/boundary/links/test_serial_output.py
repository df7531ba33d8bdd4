"""Ports of outputs take whole packets or none, and never wait."""

import os
import tty

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.links.serial_output import OutputTerminal, SerialOutputPort

from ....serial_board import Board

LINE = b"rpm=812 kmh=0.00 gear=0\r\n"


def open_terminal(port: OutputTerminal) -> int:
    descriptor = os.open(port.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(descriptor)
    return descriptor


def read_all(descriptor: int) -> bytes:
    heard = b""
    while True:
        try:
            heard += os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return heard


def test_a_pty_nobody_has_open_takes_nothing_and_keeps_nothing() -> None:
    """A program that comes later hears what is new."""
    port = OutputTerminal()
    assert not port.write(b"old\r\n", 0)
    program = open_terminal(port)
    assert port.write(LINE, 1)
    assert read_all(program) == LINE
    os.close(program)
    port.poll(2)
    assert not port.write(b"old\r\n", 2)
    assert port.trouble == ""
    program = open_terminal(port)
    assert port.write(LINE, 3)
    assert read_all(program) == LINE
    os.close(program)
    port.close()


def test_a_program_that_does_not_read_costs_packets_and_none_is_torn() -> None:
    """It reads on where it was: whole lines only; and the port says that it is stuck."""
    port = OutputTerminal()
    program = open_terminal(port)
    taken = [port.write(b"%05d %b" % (n, LINE), n) for n in range(10_000)]
    assert 0 < sum(taken) < 10_000
    assert port.trouble == ""
    assert not port.write(LINE, 10_000 + SECOND)
    assert "reads nothing" in port.trouble
    heard = read_all(program)
    while not port.write(b"last\r\n", 2 * SECOND):
        heard += read_all(program)
    heard += read_all(program)
    lines = heard.split(b"\r\n")
    expected = [b"%05d %b" % (n, LINE[:-2]) for n, one in enumerate(taken) if one]
    assert lines == [*expected, b"last", b""]
    assert port.trouble == ""
    assert port.statistics.sent == len(heard)
    os.close(program)
    port.close()


def test_a_board_is_pulled_out_and_plugged_in_again(board: Board) -> None:
    """Nothing raises while it is away, and no half line of before comes when it is back."""
    port = SerialOutputPort(str(board.path), 115200)
    assert port.write(LINE, 0)
    assert board.read() == LINE
    board.unplug()
    assert not port.write(LINE, SECOND)
    assert "unplugged" in port.trouble
    assert port.statistics.lost == 1
    port.poll(SECOND)
    board.plug()
    port.poll(3 * SECOND)
    assert port.trouble == ""
    assert port.write(LINE, 3 * SECOND)
    assert board.read() == LINE
    port.close()


def test_a_board_that_is_not_there_yet(board: Board) -> None:
    board.unplug()
    port = SerialOutputPort(str(board.path), 115200)
    assert not port.write(LINE, 0)
    assert "cannot be opened" in port.trouble
    board.plug()
    port.poll(2 * SECOND)
    assert port.write(LINE, 2 * SECOND)
    port.close()


def test_what_a_board_says_is_read(board: Board) -> None:
    port = SerialOutputPort(str(board.path), 115200)
    board.write(b"hello\n")
    heard = b""
    while not heard:
        heard = port.poll(0)
    assert heard == b"hello\n"
    port.close()
