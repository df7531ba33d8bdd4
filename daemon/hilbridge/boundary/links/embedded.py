"""The embedded bus: a bus without hardware, that other programs may join as SLCAN or socketcand clients."""

import select
from collections.abc import Sequence

from mypy_extensions import mypyc_attr

from hilbridge.base.common.errors import LinkError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.doors import Door, SlcanTerminal, open_all, open_port
from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.boundary.links.slcan_server import SlcanServer
from hilbridge.boundary.links.socketcand_server import SocketcandServer
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame


@mypyc_attr(allow_interpreted_subclasses=True)
class EmbeddedLink:
    """The link of an embedded bus. `ways` in are loopback TCP ports and "pty" for SLCAN; `socketcand` is a TCP port.

    Without any, no program can join.
    """

    def __init__(
        self, bus: Bus, ways: Sequence[int | str] = (), period: int = MILLISECOND, socketcand: int | None = None
    ) -> None:
        """`period` [ns] of a tick."""
        self.statistics = LinkStatistics()
        self._bus = bus
        self._t = 0
        self._poll: select.epoll | None = None
        self._slcan = SlcanServer(open_all(ways, _open_door), self._of_slcan, self.statistics, period) if ways else None
        self._socketcand: SocketcandServer | None = None
        if socketcand is not None:
            self._socketcand = self._open_socketcand(socketcand, period)
        descriptors = [one.descriptor for one in (self._slcan, self._socketcand) if one is not None]
        self._descriptor = descriptors[0] if descriptors else None
        if len(descriptors) > 1:
            self._poll = select.epoll()
            for one in descriptors:
                self._poll.register(one, select.EPOLLIN)
            self._descriptor = self._poll.fileno()

    @property
    def descriptor(self) -> int | None:
        """None, for every tick, while a client's job or subscription waits for its time."""
        waits = self._socketcand is not None and self._socketcand.waits_for_time
        return None if waits else self._descriptor

    @property
    def trouble(self) -> str:
        servers = (self._slcan, self._socketcand)
        return "; ".join(one.trouble for one in servers if one is not None and one.trouble)

    def accepts(self, can_id: int) -> bool:
        return True  # the bus is inside; that a client is behind concerns this client alone

    def poll(self, t: int) -> None:
        self._t = t
        if self._slcan is not None:
            self._slcan.poll(t)
        if self._socketcand is not None:
            self._socketcand.poll(t)

    def receive(self, frame: Frame, t: int) -> None:
        if self._slcan is not None and self._slcan.clients:
            self._slcan.send(frame, t)
        if self._socketcand is not None and self._socketcand.clients:
            self._socketcand.send(frame, t)

    def flush(self, t: int) -> None:
        if self._slcan is not None and self._slcan.clients:
            self._slcan.flush()
        if self._socketcand is not None and self._socketcand.clients:
            self._socketcand.flush(t)

    def close(self) -> None:
        if self._poll is not None:
            self._poll.close()
        if self._slcan is not None:
            self._slcan.close()
        if self._socketcand is not None:
            self._socketcand.close()

    def describe(self) -> str:
        ways = [] if self._slcan is None else [f"slcan on {self._slcan.describe()}"]
        if self._socketcand is not None:
            ways.append(f"socketcand on {self._socketcand.describe()}")
        return "; ".join(ways) or "embedded, without a way in"

    def _open_socketcand(self, port: int, period: int) -> SocketcandServer:
        try:
            door = open_port(port, "socketcand", ("socketcand",))
            return SocketcandServer([door], self._bus.name, self._of_socketcand, self.statistics, period)
        except LinkError:
            if self._slcan is not None:
                self._slcan.close()
            raise

    def _of_slcan(self, frame: Frame) -> None:
        """Put a frame of an SLCAN client on the bus, and before the clients of the other port."""
        self._bus.transmit(frame, self)
        if self._socketcand is not None:
            self._socketcand.send(frame, self._t)

    def _of_socketcand(self, frame: Frame) -> None:
        """Put a frame of a socketcand client on the bus, and before the clients of the other port."""
        self._bus.transmit(frame, self)
        if self._slcan is not None:
            self._slcan.send(frame, self._t)


def _open_door(way: int | str) -> Door:
    return SlcanTerminal() if way == "pty" else open_port(int(way), "SLCAN", ("slcan",))
