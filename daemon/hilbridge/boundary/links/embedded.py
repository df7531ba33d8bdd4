"""The embedded bus: a bus without hardware, that other programs may join as SLCAN clients."""

from collections.abc import Sequence

from mypy_extensions import mypyc_attr

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.doors import Door, SlcanTerminal, open_all, open_port
from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.boundary.links.slcan_server import SlcanServer
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame


@mypyc_attr(allow_interpreted_subclasses=True)
class EmbeddedLink:
    """The link of an embedded bus. `ways` in are loopback TCP ports and "pty"; without any, no program can join."""

    def __init__(self, bus: Bus, ways: Sequence[int | str] = (), period: int = MILLISECOND) -> None:
        """`period` [ns] of a tick."""
        self.statistics = LinkStatistics()
        self._bus = bus
        self._server = SlcanServer(open_all(ways, _open_door), self._deliver, self.statistics, period) if ways else None
        self.descriptor = None if self._server is None else self._server.descriptor

    @property
    def trouble(self) -> str:
        return "" if self._server is None else self._server.trouble

    def accepts(self, can_id: int) -> bool:
        return True  # the bus is inside; that a client is behind concerns this client alone

    def poll(self, t: int) -> None:
        if self._server is not None:
            self._server.poll(t)

    def receive(self, frame: Frame, t: int) -> None:
        if self._server is not None and self._server.clients:
            self._server.send(frame, t)

    def flush(self, t: int) -> None:
        if self._server is not None and self._server.clients:
            self._server.flush()

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    def describe(self) -> str:
        return "embedded, without a way in" if self._server is None else f"slcan on {self._server.describe()}"

    def _deliver(self, frame: Frame) -> None:
        self._bus.transmit(frame, self)


def _open_door(way: int | str) -> Door:
    return SlcanTerminal() if way == "pty" else open_port(int(way), "SLCAN", ("slcan",))
