"""What stands between a planned frame and its bus while faults are active on it.

    data -> effects falsify it -> counters and checksums -> effects decide what becomes of it -> bus, now or later

An effect draws once for each frame whether it hits this one. Several faults of one frame take effect together, in the
order in which they began: delays add up, copies multiply, and one that drops it drops all copies.
"""

from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import Frame
from hilbridge.faults.fault import HitSelector
from hilbridge.plan.planned import PlannedFrame

MOST_DELAYED: Final = 1024
"""Frames that wait at a time; what comes beyond is lost and counted."""


class Passage:
    """What becomes of one frame: its `data`, how many `copies` go, and how much later [ns]."""

    __slots__ = ("copies", "data", "delay")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.copies = 1
        self.delay = 0


class DelayLine:
    """Frames that go later: in the order of their times, among equals in the order in which they came."""

    def __init__(self) -> None:
        self.lost = 0
        self.waiting: Final[list[tuple[int, int, Bus, Frame]]] = []
        self._numbers: Final = count()

    def put(self, due: int, bus: Bus, frame: Frame) -> None:
        """Keeps a frame until `due` [ns]."""
        if len(self.waiting) < MOST_DELAYED:
            heappush(self.waiting, (due, next(self._numbers), bus, frame))
        else:
            self.lost += 1

    def release(self, t: int) -> None:
        """Sends what is due at `t` [ns]."""
        while self.waiting and self.waiting[0][0] <= t:
            _, _, bus, frame = heappop(self.waiting)
            bus.transmit(frame, None)


class FrameTarget(NamedTuple):
    """What an effect is aimed at: the frames of a plan's row that `draw` hits; `line` keeps those that go later."""

    frame: PlannedFrame
    draw: HitSelector
    line: DelayLine


class FrameEffect:
    """A fault of one frame; this one counts the frames that it hits, and does nothing to them."""

    def __init__(self, target: FrameTarget) -> None:
        self.draw: Final = target.draw
        self._target: Final = target

    def begin(self) -> None:
        """Joins the effects that are at work on the frame."""
        self._join((*self._others(), self))

    def end(self) -> None:
        """Leaves them; the last one sets the frame free."""
        self._join(self._others())

    def _others(self) -> "tuple[FrameEffect, ...]":
        present = self._target.frame.disturbance
        return tuple(one for one in present.effects if one is not self) if isinstance(present, FrameDisturbance) else ()

    def _join(self, effects: "tuple[FrameEffect, ...]") -> None:
        frame = self._target.frame
        frame.disturbance = FrameDisturbance(frame.bus, effects, self._target.line) if effects else None

    def falsify(self, data: bytes) -> bytes | None:
        """Other bytes for a frame that is to be protected; None: this frame is not hit."""
        return data if self.draw.strikes() else None

    def alter(self, passage: Passage) -> None:
        """What happens to a frame that was hit, when it is protected."""


class FrameDisturbance:
    """The disturbance of a frame by `effects`."""

    def __init__(self, bus: Bus, effects: tuple[FrameEffect, ...], line: DelayLine) -> None:
        self.effects: Final = effects
        self._bus: Final = bus
        self._line: Final = line
        self._struck: list[FrameEffect] = []

    def falsified(self, data: bytes) -> bytes:
        """What is protected in place of `data`."""
        self._struck = []
        for effect in self.effects:
            changed = effect.falsify(data)
            if changed is not None:
                data = changed
                self._struck.append(effect)
        return data

    def transmit(self, frame: Frame, t: int) -> None:
        """Puts on the bus what becomes of the protected frame, at `t` [ns] or later."""
        passage = Passage(frame.data)
        for effect in self._struck:
            effect.alter(passage)
        altered = frame._replace(data=passage.data)
        for _ in range(passage.copies):
            if passage.delay:
                self._line.put(t + passage.delay, self._bus, altered)
            else:
                self._bus.transmit(altered, None)
