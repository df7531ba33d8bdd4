"""The outside of a virtual bench: a wire for each bus, on which listeners, testers and control units are nodes."""

from typing import Final

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import Frame
from hilbridge.links.link import LinkStatistics
from hilbridge.links.serial_port import SerialStatistics
from hilbridge.testing.frame_listener import Listener


class Wire:
    """A link without hardware, and `nodes`: the hub of those who are outside of the bench. A `listener` is there.

    What a node sends reaches the other nodes in the same tick, and the bench in the next one: `poll` reads the wire
    before anything else is done. What the bench sends is on the wire at the end of the tick.
    """

    trouble: Final = ""

    def __init__(self, bus: Bus) -> None:
        self.statistics = LinkStatistics()
        self.descriptor = None
        self.nodes: Final = Bus(bus.name)
        self._bus: Final = bus
        self._socket: Final = _Socket()
        self.listener: Final = Listener()
        self.nodes.attach(self.listener)
        self.nodes.attach(self._socket)

    def accepts(self, can_id: int) -> bool:
        return True

    def poll(self, t: int) -> None:
        self.nodes.exchange(t)
        arrived, self._socket.arrived = self._socket.arrived, []
        self.statistics.received += len(arrived)
        for frame in arrived:
            self._bus.transmit(frame, self)

    def receive(self, frame: Frame, t: int) -> None:
        self.statistics.sent += 1
        self.nodes.transmit(frame, self._socket)

    def flush(self, t: int) -> None:
        self.nodes.exchange(t)

    def close(self) -> None:
        """There is nothing to close."""

    def describe(self) -> str:
        return "the wire of a test"


class _Socket:
    """The bench's place on the wire."""

    def __init__(self) -> None:
        self.arrived: list[Frame] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.arrived.append(frame)


class FedPort:
    """A serial port whose bytes come from the test."""

    descriptor: Final = None
    trouble: Final = ""

    def __init__(self) -> None:
        self.statistics = SerialStatistics()
        self.waiting: Final = bytearray()

    def poll(self, t: int) -> bytes:
        data = bytes(self.waiting)
        self.waiting.clear()
        self.statistics.received += len(data)
        return data

    def close(self) -> None:
        """There is nothing to close."""

    def describe(self) -> str:
        return "the serial port of a test"
