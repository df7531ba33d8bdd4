"""What scan tools talk to in the tests of their ways in, and the server between."""

from collections.abc import Sequence

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.doors import Door
from hilbridge.boundary.links.elm327_server import Elm327Server


class Echo:
    """Says everything twice."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.heard = b""
        self.times: list[int] = []

    def feed(self, data: bytes, t: int) -> None:
        self.heard += data
        self.output += 2 * data
        self.times.append(t)


class ServerBench:
    """A server behind doors, its ticks of `period` milliseconds, and its devices; `made`: so many so far."""

    def __init__(self, doors: Sequence[Door], period: int = 1) -> None:
        self.devices: list[Echo] = []
        self.made = 0
        self.server = Elm327Server(doors, self._plug_in, self.devices.remove)
        self.period = period
        self.t = 0

    def _plug_in(self) -> Echo:
        self.made += 1
        self.devices.append(Echo())
        return self.devices[-1]

    def tick(self, count: int = 1) -> None:
        for _ in range(count):
            self.server.poll(self.t)
            self.server.flush(self.t)
            self.t += self.period * MILLISECOND
