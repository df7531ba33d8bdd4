"""The embedded bus: a bus without hardware, that other programs may join through an SLCAN port."""

from hilbridge.frames.bus import Bus
from hilbridge.frames.frame import Frame
from hilbridge.links.link import LinkStatistics
from hilbridge.links.slcan_server import ADDRESS, SlcanServer


class EmbeddedLink:
    """The link of an embedded bus; without a port nobody outside sees the bus."""

    def __init__(self, bus: Bus, port: int | None = None) -> None:
        self.statistics = LinkStatistics()
        self._bus = bus
        self._server = None if port is None else SlcanServer(port, self._deliver, self.statistics)

    @property
    def trouble(self) -> str:
        return ""  # the port stays open whatever its clients do

    def poll(self, t: int) -> None:
        if self._server is not None:
            self._server.poll(t)

    def receive(self, frame: Frame, t: int) -> None:
        if self._server is not None:
            self._server.send(frame, t)

    def flush(self, t: int) -> None:
        if self._server is not None:
            self._server.flush()

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    def describe(self) -> str:
        if self._server is None:
            return "embedded, without a way in"
        return f"slcan on socket://{ADDRESS}:{self._server.port}"

    def _deliver(self, frame: Frame) -> None:
        self._bus.transmit(frame, self)
