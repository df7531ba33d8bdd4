"""A value that takes its numbers in turn, frame after frame: the page of a rotating multiplexer, a short sequence.

    value of the frame number n = numbers[n // frames mod count]

Frames are counted that are sent, so that no number is left out while a link is lost.
"""

from collections.abc import Sequence
from typing import Final

from hilbridge.frames.codec.sources import Channels


class Turns:
    """The numbers in turn, each for `frames` frames."""

    __slots__ = ("_index", "now", "numbers")

    def __init__(self, numbers: Sequence[float], frames: int) -> None:
        self.numbers: Final = tuple(number for number in numbers for _ in range(frames))
        self._index = 0
        self.now = self.numbers[0]

    def value(self, _channels: Channels) -> float:
        """Return the value of the frame that is next."""
        return self.now

    def advance(self) -> None:
        """Go on: the frame was sent."""
        index = self._index + 1
        self._index = index if index < len(self.numbers) else 0
        self.now = self.numbers[self._index]

    def take_over(self, before: object) -> None:
        """Continue where another one was, if it has the same numbers."""
        if isinstance(before, Turns) and before.numbers == self.numbers:
            self._index, self.now = before._index, before.now
