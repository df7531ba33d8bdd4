"""Listening to a bus: every frame, the first frame that satisfies a condition, the newest signals of a message."""

import math
from collections.abc import Callable, Iterable
from typing import Final

from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.transport.reassembly import Reassembly

Receiver = Callable[[Frame, int], None]
"""A function that takes a frame and the time [ns] of the tick in which it was on the bus."""


class FrameListener:
    """A node of a bus that passes every frame, from inside and outside, to its `receivers`. It sends nothing.

    A message that came in packets of J1939 is passed on behind its last packet, as one frame.
    """

    def __init__(self) -> None:
        self.receivers: Final[list[Receiver]] = []
        self._reassembly: Final = Reassembly(self._pass)

    def receive(self, frame: Frame, t: int) -> None:
        """Pass a frame on to all receivers."""
        self._pass(frame, t)
        self._reassembly.receive(frame, t)

    def _pass(self, frame: Frame, t: int) -> None:
        for receive in self.receivers:
            receive(frame, t)


def long_messages(frames: Iterable[tuple[int, Frame]]) -> list[tuple[int, Frame]]:
    """Return the messages that came in packets of J1939 among frames with their times [ns]."""
    found: list[tuple[int, Frame]] = []
    reassembly = Reassembly(lambda frame, t: found.append((t, frame)))
    for t, frame in frames:
        reassembly.receive(frame, t)
    return found


class FrameSearch:
    """A search for the first frame of a message that satisfies a condition.

    `found` is this frame and its time [ns]. `others` counts the frames of the message that came before it and did not
    satisfy the condition; `last` is the last of them.
    """

    def __init__(self, belongs: Callable[[Frame], bool], satisfies: Callable[[Frame, int], bool]) -> None:
        """`belongs` returns whether a frame is one of the message, `satisfies` whether it meets the condition."""
        self.found: tuple[Frame, int] | None = None
        self.others = 0
        self.last: Frame | None = None
        self._belongs: Final = belongs
        self._satisfies: Final = satisfies

    def receive(self, frame: Frame, t: int) -> None:
        """Examine a frame of the bus; nothing changes once the frame is found."""
        if self.found is not None or not self._belongs(frame):
            return
        if self._satisfies(frame, t):
            self.found = (frame, t)
        else:
            self.others += 1
            self.last = frame


class NewestSignals:
    """The signals of a message, from the newest of its frames. They are decoded when they are read."""

    def __init__(self, codec: CompiledMessage) -> None:
        codec.prepare()
        self.codec: Final = codec
        self._frame: Frame | None = None
        self._values: dict[str, float] | None = {}

    def receive(self, frame: Frame, t: int) -> None:
        """Keep a frame of the message that is long enough for it."""
        data = self.codec.content(frame)
        if data is not None and len(data) >= self.codec.length:
            self._frame, self._values = frame, None

    def value(self, signal: str) -> float:
        """Return the physical value of a signal; NaN if it is not available, or before the first frame."""
        if self._values is None:
            self._values = {} if self._frame is None else decode_signals(self.codec, self._frame)
        return self._values.get(signal, math.nan)


def is_frame_of(codec: CompiledMessage, frame: Frame) -> bool:
    """Return whether a frame has the identifier of a message, or is its container and holds it."""
    return codec.content(frame) is not None


def decode_signals(codec: CompiledMessage, frame: Frame) -> dict[str, float]:
    """Return the available physical values of a frame by signal; none if it is too short for its message."""
    data = codec.content(frame)
    return codec.decode_available(data) if data is not None and len(data) >= codec.length else {}
