"""The disturbance of a planned frame, or of a route of the gateway, while frame faults are active on it.

    data -> effects falsify it -> counters and checksums -> effects alter the protected frame -> bus, now or later

An effect decides once for each frame whether it hits it. Several faults of one frame act together, in the order in
which they began: delays add up, copies multiply, and a fault that drops the frame drops all copies.
"""

from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple, Protocol

from hilbridge.bench.faults.fault import HitSelector
from hilbridge.frames.bus.bus import Node
from hilbridge.frames.bus.disturbance import Disturbance, Way
from hilbridge.frames.codec.frame import Frame

MAX_DELAYED: Final = 1024
"""Delayed frames at a time; further ones are lost and counted."""


class Passage:
    """A protected frame on its way to the bus: its `data`, the number of `copies` to send, and their `delay` [ns]."""

    __slots__ = ("copies", "data", "delay")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.copies = 1
        self.delay = 0


class DelayLine:
    """Delayed frames, ordered by the time at which they are due, then by the order in which they were added."""

    def __init__(self) -> None:
        self.lost = 0
        self.waiting: Final[list[tuple[int, int, Way, Node | None, Frame]]] = []
        self._numbers: Final = count()

    def put(self, due: int, way: Way, origin: Node | None, frame: Frame) -> None:
        """Delay a frame of `origin` until `due` [ns]."""
        if len(self.waiting) < MAX_DELAYED:
            heappush(self.waiting, (due, next(self._numbers), way, origin, frame))
        else:
            self.lost += 1

    def release(self, t: int) -> None:
        """Send the frames that are due at `t` [ns]."""
        while self.waiting and self.waiting[0][0] <= t:
            _, _, way, origin, frame = heappop(self.waiting)
            way.transmit(frame, origin)


class Sender(Protocol):
    """A sender of frames: a planned frame, or a route of the gateway."""

    disturbance: Disturbance | None


class FrameTarget(NamedTuple):
    """The target of an effect: what sends, the selector of frames to hit, and the delay line for delayed ones."""

    sender: Sender
    selector: HitSelector
    line: DelayLine


class FrameEffect:
    """The effect of a frame fault. This base class counts the frames that it hits, and does not change them."""

    def __init__(self, target: FrameTarget) -> None:
        self.selector: Final = target.selector
        self._target: Final = target

    def begin(self) -> None:
        """Add the effect to those of the frame."""
        self._join((*self._others(), self))

    def end(self) -> None:
        """Remove the effect from those of the frame."""
        self._join(self._others())

    def _others(self) -> "tuple[FrameEffect, ...]":
        present = self._target.sender.disturbance
        return tuple(one for one in present.effects if one is not self) if isinstance(present, FrameDisturbance) else ()

    def _join(self, effects: "tuple[FrameEffect, ...]") -> None:
        self._target.sender.disturbance = FrameDisturbance(effects, self._target.line) if effects else None

    def falsify(self, data: bytes) -> bytes | None:
        """Return the data to protect in place of `data`; None if this frame is not hit."""
        return data if self.selector.selects() else None

    def alter(self, passage: Passage) -> None:
        """Alter a frame that was hit, after it was protected."""


class FrameDisturbance:
    """The disturbance of a frame by `effects`."""

    def __init__(self, effects: tuple[FrameEffect, ...], line: DelayLine) -> None:
        self.effects: Final = effects
        self._line: Final = line
        self._hitting: list[FrameEffect] = []

    def falsified(self, data: bytes) -> bytes:
        """Return the data to protect in place of `data`."""
        self._hitting = []
        for effect in self.effects:
            changed = effect.falsify(data)
            if changed is not None:
                data = changed
                self._hitting.append(effect)
        return data

    def transmit(self, frame: Frame, t: int, way: Way, origin: Node | None) -> None:
        """Send the altered copies of a protected frame, at `t` [ns] or later."""
        passage = Passage(frame.data)
        for effect in self._hitting:
            effect.alter(passage)
        altered = frame._replace(data=passage.data)
        for _ in range(passage.copies):
            if passage.delay:
                self._line.put(t + passage.delay, way, origin, altered)
            else:
                way.transmit(altered, origin)
