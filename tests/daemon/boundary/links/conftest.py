"""A bus with somebody listening on it, the ticks of its links, and a serial device."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.frames.bus.bus import Bus

from ....benches import Listener
from ....serial_board import Board
from .bench import Bench


@pytest.fixture
def bus() -> Bus:
    return Bus("powertrain")


@pytest.fixture
def listener(bus: Bus) -> Listener:
    node = Listener()
    bus.attach(node)
    return node


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    """A device that is plugged in."""
    plugged = Board(tmp_path / "ttyACM0")
    plugged.plug()
    yield plugged
    plugged.unplug()
