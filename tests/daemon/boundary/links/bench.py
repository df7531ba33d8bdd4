"""Somebody who listens on a bus, and ticks that go by until something has happened."""

import time
from collections.abc import Callable
from typing import Protocol

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.bus.bus import Bus


class Link(Protocol):
    def poll(self, t: int) -> None: ...

    def flush(self, t: int) -> None: ...


class Bench:
    """Buses and their links, ticking at 1 kHz."""

    def __init__(self) -> None:
        self.t = 0
        self._pairs: list[tuple[Bus, Link]] = []

    def add(self, bus: Bus, link: Link) -> None:
        self._pairs.append((bus, link))

    def remove(self, link: Link) -> None:
        self._pairs = [pair for pair in self._pairs if pair[1] is not link]

    def tick(self, count: int = 1, pause: float = 0.0) -> None:
        for _ in range(count):
            for bus, link in self._pairs:
                link.poll(self.t)
                bus.exchange(self.t)
                link.flush(self.t)
            self.t += MILLISECOND
            time.sleep(pause)

    def until(self, condition: Callable[[], object], ticks: int = 10_000) -> None:
        """Lets ticks go by, with pauses for the other side, until the condition holds; fails after `ticks`."""
        for _ in range(ticks):
            if condition():
                return
            self.tick(pause=0.0005)
        pytest.fail("it did not happen")
