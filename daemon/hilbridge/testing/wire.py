"""The outside of a virtual bench: a wire for each bus, whose nodes are listeners, testers and units under test."""

from collections.abc import Iterable
from typing import Final, Protocol

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import Frame
from hilbridge.common.units import SECOND
from hilbridge.links.link import LinkStatistics
from hilbridge.links.serial_port import SerialStatistics
from hilbridge.testing.frame_listener import Listener


class Unit(Protocol):
    """What a control unit does, without threads and clocks: frames in, frames out. `t` [s] since the bench's start."""

    def receive(self, frame: Frame, t: float) -> Iterable[Frame]:
        """A frame of the bus; what the unit sends in answer."""

    def tick(self, t: float) -> Iterable[Frame]:
        """Time has gone on; what the unit sends by itself."""


class Mounted:
    """A unit as a node of a wire. What it sends in answer to a frame is there in the same tick."""

    def __init__(self, unit: Unit, nodes: Bus) -> None:
        self._unit: Final = unit
        self._nodes: Final = nodes
        nodes.attach(self)

    def receive(self, frame: Frame, t: int) -> None:
        for answer in self._unit.receive(frame, t / SECOND):
            self._nodes.transmit(answer, self)

    def tick(self, t: int) -> None:
        for frame in self._unit.tick(t / SECOND):
            self._nodes.transmit(frame, self)


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
