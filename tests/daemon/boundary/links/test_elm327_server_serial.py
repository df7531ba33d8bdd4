"""An ELM327 on a serial port that comes and goes; the scan tool is at the other end of it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.elm327_server import Elm327Server, open_doors

from ....serial_board import Board
from .devices import Echo, ServerBench


class Bench(ServerBench):
    """A server on a serial port."""

    def __init__(self, path: Path) -> None:
        super().__init__(open_doors([str(path)], 38_400))

    def said_to(self, tool: Board, count: int) -> bytes:
        """So many bytes, within 10,000 ticks."""
        data = b""
        for _ in range(10_000):
            data += tool.read()
            if len(data) >= count:
                return data
            self.tick()
            time.sleep(0.0001)  # the kernel carries bytes over in a thread of its own
        raise AssertionError(data)


@pytest.fixture
def tool(board: Board) -> Board:
    return board


@pytest.fixture
def bench(tool: Board) -> Iterator[Bench]:
    bench = Bench(tool.path)
    yield bench
    bench.server.close()


def test_a_scan_tool_talks_over_the_line(bench: Bench, tool: Board) -> None:
    """All bytes pass; the port is logged with its baud rate."""
    tool.write(bytes(range(256)))
    bench.tick(100)
    assert bench.said_to(tool, 2 * 256)
    assert bench.devices[0].heard == bytes(range(256))
    assert bench.server.describe() == f"serial {tool.path} at 38400 baud"
    assert bench.server.trouble == ""


def test_the_device_stays_as_it_was_set_while_the_line_is_there(bench: Bench, tool: Board) -> None:
    """A line does not tell one program from the next."""
    for _ in range(3):
        tool.write(b"x")
        assert bench.said_to(tool, 2) == b"xx"
        bench.tick(1_000)
    assert (bench.made, len(bench.devices)) == (1, 1)


@pytest.mark.parametrize("spoke", [True, False], ids=["after it spoke", "before"])
def test_a_line_that_goes_away_is_found_again(bench: Bench, tool: Board, spoke: bool) -> None:
    """Within two seconds; what hangs on it then gets a new device."""
    if spoke:
        tool.write(b"before")
        assert bench.said_to(tool, 12) == b"beforebefore"
    tool.unplug()
    bench.tick(200)
    assert bench.devices == []
    assert f"serial {tool.path} at 38400 baud" in bench.server.trouble
    tool.plug()
    bench.tick(2_000)
    assert bench.server.trouble == ""
    tool.write(b"ab")
    assert bench.said_to(tool, 4) == b"abab"
    assert bench.made == 1 + spoke
    assert bench.server.statistics.disconnected == spoke


def test_a_line_that_is_missing_at_start_is_waited_for(tmp_path: Path) -> None:
    tool = Board(tmp_path / "ttyUSB0")
    bench = Bench(tool.path)
    bench.tick(100)
    assert "No such file or directory" in bench.server.trouble
    tool.plug()
    bench.tick(2_000)
    tool.write(b"hello")
    assert bench.said_to(tool, 10) == b"hellohello"
    bench.server.close()
    tool.unplug()


def test_the_other_ways_in_work_on_without_the_line(tmp_path: Path) -> None:
    server = Elm327Server(open_doors([0, "pty", str(tmp_path / "ttyUSB0")]), Echo, lambda _: None)
    server.poll(0)
    assert server.describe().startswith("socket://127.0.0.1:")
    assert server.trouble.startswith(f"serial {tmp_path}/ttyUSB0 at 38400 baud cannot be opened")
    server.close()


def test_something_that_is_no_serial_port_is_an_error_at_start(tmp_path: Path) -> None:
    (tmp_path / "thing").write_bytes(b"")
    with pytest.raises(LinkError, match="thing is not a serial port") as error:
        open_doors([0, str(tmp_path / "thing")])
    assert error.value.place == ("ways",)
