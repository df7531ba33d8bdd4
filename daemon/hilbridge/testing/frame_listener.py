"""What was heard on the buses of a virtual bench."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from hilbridge.codec.codec import CompiledMessage
from hilbridge.codec.frame import Frame
from hilbridge.common.units import SECOND

MOST: Final = 100_000
"""Frames of a bus that are kept, the newest: minutes of a full one."""


@dataclass(frozen=True, slots=True)
class HeardFrame:
    """A frame at the time `t` [s]; `signals`: its physical values by name, where the message is known."""

    t: float
    frame: Frame
    signals: Mapping[str, float] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        """The bytes."""
        return self.frame.data

    def __getitem__(self, signal: str) -> float:
        return self.signals[signal]


class Search:
    """Finds the first frame of a message, or the first one `where` something is true; `others` came before it."""

    def __init__(self, codec: CompiledMessage, where: Callable[[HeardFrame], bool] | None) -> None:
        self.found: HeardFrame | None = None
        self.others = 0
        self._codec: Final = codec
        self._where: Final = where

    def look(self, frame: Frame, t: int) -> None:
        if self.found is not None or frame.can_id & self._codec.mask != self._codec.matched:
            return
        heard = decoded(t, frame, self._codec)
        if self._where is None or self._where(heard):
            self.found = heard
        else:
            self.others += 1


class Listener:
    """A node of a wire: keeps every frame, and shows it to the `search` if there is one."""

    def __init__(self) -> None:
        self.frames: Final[deque[tuple[int, Frame]]] = deque(maxlen=MOST)
        self.search: Search | None = None

    def receive(self, frame: Frame, t: int) -> None:
        self.frames.append((t, frame))
        if self.search is not None:
            self.search.look(frame, t)


def decoded(t: int, frame: Frame, codec: CompiledMessage | None) -> HeardFrame:
    """A frame of time `t` [ns] with its signals; a frame that is too short for its message has none."""
    if codec is None or len(frame.data) < codec.length:
        return HeardFrame(t / SECOND, frame)
    return HeardFrame(t / SECOND, frame, codec.decode_available(frame.data))
