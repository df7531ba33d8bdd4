"""Faults of a counter or checksum on its way into the frame. What is right goes on beneath.

| kind | what is sent |
|---|---|
| value | `amount` |
| offset | the right number + `amount`, modulo what its bits hold |
| freeze | the number of the last frame before the fault, again and again |
| random | another number than the right one, drawn from `random` |
"""

from random import Random
from typing import Literal, TypeAlias

FaultKind: TypeAlias = Literal["value", "offset", "freeze", "random"]


class Fault:
    """Disturbs the numbers of the next `frames` frames, or of all until it is removed (None)."""

    __slots__ = ("amount", "frames", "kind", "random")

    def __init__(
        self, kind: FaultKind, amount: int = 0, frames: int | None = None, random: Random | None = None
    ) -> None:
        """`random` belongs to the kind of that name; it is seeded by whoever makes the fault."""
        if kind == "random" and random is None:
            raise ValueError("a random fault needs a source of random numbers")
        self.kind = kind
        self.amount = amount
        self.frames = frames
        self.random = random

    def applied(self, number: int, last: int, highest: int) -> int:
        """What is sent in place of `number`; `last` was sent before, `highest` is what the bits hold."""
        if self.frames is not None:
            if self.frames == 0:
                return number
            self.frames -= 1
        if self.kind == "value":
            return self.amount & highest
        if self.kind == "offset":
            return (number + self.amount) % (highest + 1)
        if self.kind == "freeze" or self.random is None:
            return last
        drawn = self.random.randrange(highest)
        return drawn if drawn < number else drawn + 1
