"""A bus with somebody listening on it, and the ticks of its links."""

import pytest

from hilbridge.frames.bus import Bus

from .bench import Bench, Listener


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
