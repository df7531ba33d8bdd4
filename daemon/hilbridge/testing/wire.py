"""The outside of a bench: a wire for each bus, whose nodes are listeners, testers and units under test."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.links.input_port import PortStatistics
from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.boundary.links.serial_output import OutputPortStatistics
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.frame_listener import FrameListener, decode_signals
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.plan.carrier import BusCarrier

MOST: Final = 100_000
"""Newest frames of a bus that are kept: minutes of a fully loaded one."""


@dataclass(frozen=True, slots=True)
class HeardFrame:
    """A frame on the bus at the time `t` [s]. `signals`: its physical values by name, if the message is known."""

    t: float
    frame: Frame
    signals: Mapping[str, float] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        """The bytes."""
        return self.frame.data

    def __getitem__(self, signal: str) -> float:
        return self.signals[signal]


def heard_frame(t: int, frame: Frame, codec: CompiledMessage | None = None) -> HeardFrame:
    """Return a frame of time `t` [ns] with its signals; without `codec`, or if it is too short, it has none."""
    return HeardFrame(t / SECOND, frame, {} if codec is None else decode_signals(codec, frame))


class Unit(Protocol):
    """A control unit under test, without threads and clocks: frames in, frames out. `t` [s] since the bench's start."""

    def receive(self, frame: Frame, t: float) -> Iterable[Frame]:
        """Take a frame of the bus; return the frames that the unit sends in answer."""

    def tick(self, t: float) -> Iterable[Frame]:
        """Return the frames that the unit sends on its own at time `t`; called once a tick."""


class Mounted:
    """A unit under test as a node of a wire. Its answers to a frame are sent in the same tick."""

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
    """The outside of a bus. `nodes` is the hub of all nodes of the test; `frames` has the frames on it so far."""

    def __init__(self, name: str) -> None:
        self.nodes: Final = Bus(name)
        self.frames: Final[deque[tuple[int, Frame]]] = deque(maxlen=MOST)
        self.listener: Final = FrameListener()
        self._socket: Final = _Socket()
        self._carrier: BusCarrier | None = None
        self.nodes.attach_observer(lambda t, _bus, _received, frame: self.frames.append((t, frame)))
        self.nodes.attach(self.listener)
        self.nodes.attach(self._socket)

    def send(self, frame: Frame) -> None:
        """Send a foreign frame; what no classic frame holds goes in packets of J1939, unless it is one of CAN FD."""
        if len(frame.data) <= CLASSIC_LENGTH or frame.flags:
            self.nodes.transmit(frame, None)
            return
        if self._carrier is None:
            self._carrier = BusCarrier(self.nodes)
        self._carrier.transmit(frame, None)

    def carry(self, t: int) -> None:
        """Send the packets that are due at `t` [ns]."""
        if self._carrier is not None:
            self._carrier.poll(t)


class VirtualWire(Wire):
    """A link without hardware.

    Frames of a node reach the other nodes in the same tick, and the bench in the next one: `poll` reads the wire before
    everything else. Frames of the bench are on the wire at the end of the tick.
    """

    trouble: Final = ""

    def __init__(self, bus: Bus) -> None:
        super().__init__(bus.name)
        self.statistics = LinkStatistics()
        self.descriptor = None
        self._bus: Final = bus

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
        """Do nothing: there is no hardware."""

    def describe(self) -> str:
        return "a wire inside this process"


class _Socket:
    """The node of the bench on the wire."""

    def __init__(self) -> None:
        self.arrived: list[Frame] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.arrived.append(frame)


class FedPort:
    """A serial port whose bytes come from the test."""

    descriptor: Final = None
    trouble: Final = ""

    def __init__(self) -> None:
        self.statistics = PortStatistics()
        self.waiting: Final = bytearray()

    def poll(self, t: int) -> bytes:
        data = bytes(self.waiting)
        self.waiting.clear()
        self.statistics.received += len(data)
        return data

    def close(self) -> None:
        """Do nothing: there is no hardware."""

    def describe(self) -> str:
        return "the serial port of a test"


class HeardPort(FedPort):
    """A port of an output; the test hears what goes out, and may answer as a board does."""

    is_open: Final = True
    statistics: OutputPortStatistics

    def __init__(self) -> None:
        super().__init__()
        self.statistics = OutputPortStatistics()
        self.heard: Final = bytearray()

    def write(self, packet: bytes, t: int) -> bool:
        self.heard.extend(packet)
        self.statistics.sent += len(packet)
        return True

    def set_break(self, on: bool, t: int) -> bool:
        return self.write(b"\0", t) if on else True
