"""A control unit under test, on a bus of a virtual bench."""

from collections.abc import Iterable
from typing import Final, Protocol

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import Frame
from hilbridge.common.units import SECOND


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
