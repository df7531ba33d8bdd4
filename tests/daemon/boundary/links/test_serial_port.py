"""A serial port that comes and goes; pseudo-terminals stand in for it."""

import random
import select
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.serial_port import BYTES_PER_TICK, SerialPort

from ....serial_board import Board

PATIENCE = 10.0
"""[s]"""


@pytest.fixture
def port(board: Board) -> Iterator[SerialPort]:
    opened = SerialPort(str(board.path), 115_200)
    yield opened
    opened.close()


def hear(port: SerialPort, t: int) -> bytes:
    """What is read once the port's descriptor says that there is something."""
    ready, _, _ = select.select([port.descriptor], [], [], PATIENCE)
    assert ready
    return port.poll(t)


def test_bytes_arrive_as_they_were_written(port: SerialPort, board: Board) -> None:
    """No line discipline: CR, LF, XON, interrupt and end-of-file characters are bytes like others."""
    everything = bytes(range(256))
    board.write(everything)
    assert hear(port, 0) == everything
    assert port.statistics.received == 256


def test_without_bytes_nothing_arrives_and_nothing_is_lost(port: SerialPort) -> None:
    assert port.poll(0) == b""
    assert (port.statistics.lost, port.trouble) == (0, "")


def test_a_flood_is_read_by_the_piece_and_complete(port: SerialPort, board: Board) -> None:
    """One megabyte of random bytes, in the order in which they were written."""
    noise = random.Random(4).randbytes(1_000_000)
    written, found, t = 0, bytearray(), 0
    while len(found) < len(noise):
        assert t < 100_000 * MILLISECOND
        written += board.write(noise[written : written + 10_000])
        piece = hear(port, t)
        assert len(piece) <= BYTES_PER_TICK
        found += piece
        t += MILLISECOND
    assert found == noise


def test_an_unplugged_port_is_opened_again_when_it_is_back(port: SerialPort, board: Board) -> None:
    """It is looked for after 100 ms; what came before is not delivered twice."""
    board.write(b"before")
    assert hear(port, 0) == b"before"
    board.unplug()
    assert hear(port, MILLISECOND) == b""
    assert port.statistics.lost == 1
    assert "was unplugged" in port.trouble
    board.plug()
    assert port.poll(2 * MILLISECOND) == b""
    assert port.statistics.opened == 1
    port.poll(101 * MILLISECOND)
    assert (port.statistics.opened, port.trouble) == (2, "")
    board.write(b"after")
    assert hear(port, 102 * MILLISECOND) == b"after"


def test_a_port_that_stays_away_is_looked_for_and_never_raises(port: SerialPort, board: Board) -> None:
    board.unplug()
    for t in range(0, 60_000, 10):
        assert port.poll(t * MILLISECOND) == b""
    assert (port.statistics.lost, port.statistics.opened) == (1, 1)
    assert "No such file or directory" in port.trouble


def test_a_port_that_is_missing_at_start_is_waited_for(tmp_path: Path) -> None:
    board = Board(tmp_path / "ttyUSB0")
    port = SerialPort(str(board.path), 115_200)
    assert "No such file or directory" in port.trouble
    board.plug()
    for t in range(200):
        port.poll(t * MILLISECOND)
    board.write(b"hello")
    assert hear(port, 200 * MILLISECOND) == b"hello"
    assert port.statistics.opened == 1
    port.close()
    board.unplug()


def test_it_says_what_it_is(port: SerialPort, board: Board) -> None:
    assert port.describe() == f"serial {board.path} at 115200 baud"
