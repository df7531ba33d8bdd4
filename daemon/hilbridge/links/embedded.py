"""The embedded bus: a bus without hardware, that other programs may join as SLCAN clients."""

from collections.abc import Sequence

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import Frame
from hilbridge.common.errors import LinkError
from hilbridge.common.units import MILLISECOND
from hilbridge.links.link import LinkStatistics
from hilbridge.links.loopback_port import LoopbackPort
from hilbridge.links.slcan_server import Door, SlcanServer
from hilbridge.links.slcan_terminal import SlcanTerminal


class EmbeddedLink:
    """The link of an embedded bus; `ways` in are loopback TCP ports and "pty". Without, nobody outside sees the bus."""

    def __init__(self, bus: Bus, ways: Sequence[int | str] = (), period: int = MILLISECOND) -> None:
        """`period` [ns] of a tick."""
        self.statistics = LinkStatistics()
        self._bus = bus
        self._doors: list[Door] = []
        try:
            for way in ways:
                self._doors.append(SlcanTerminal() if way == "pty" else LoopbackPort(int(way), "SLCAN", ("slcan",)))
        except LinkError:
            for door in self._doors:
                door.close()
            raise
        self._server = SlcanServer(self._doors, self._deliver, self.statistics, period) if ways else None
        self.descriptor = None if self._server is None else self._server.descriptor

    @property
    def trouble(self) -> str:
        return "; ".join(door.trouble for door in self._doors if door.trouble)

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
        ways = " and ".join(door.describe() for door in self._doors)
        return f"slcan on {ways}" if ways else "embedded, without a way in"

    def _deliver(self, frame: Frame) -> None:
        self._bus.transmit(frame, self)
