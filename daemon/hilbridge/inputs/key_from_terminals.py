"""The ignition key from the states of terminals (DIN 72552): S key inserted, R accessories, 15 ignition, 50 starter.

    50 and 15 → start (1)        15 → on (0)        else off (-1)

A starter relay without ignition is a fault of the wiring, not a wish to start. S and R are read so that a sample
without them is not taken for one; in the vehicle they make no difference.
"""

import math
from collections.abc import Sequence
from typing import Final

from hilbridge.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE, Reading

_ON: Final = 0.5
"""A terminal is on from here: flags are 0 or 1."""

_START: Final = 1
_IGNITION: Final = 0
_OFF: Final = -1


class KeyFromTerminals:
    """`terminals`: in the order of the readings. All must be in one sample; else it says nothing about the key."""

    def __init__(self, terminals: Sequence[str]) -> None:
        self._ignition: Final = terminals.index("15")
        self._starter: Final = terminals.index("50") if "50" in terminals else None

    def refuses(self, readings: Sequence[Reading | None]) -> str | None:
        if any(isinstance(reading, str) for reading in readings):
            return GARBAGE
        numbers = (reading for reading in readings if isinstance(reading, float | int))
        return None if all(map(math.isfinite, numbers)) else OUT_OF_RANGE

    def to_bus(self, readings: Sequence[Reading | None], t: int) -> int | None:
        numbers = [reading for reading in readings if isinstance(reading, float | int)]
        if len(numbers) < len(readings):
            return None
        if numbers[self._ignition] < _ON:
            return _OFF
        return _START if self._starter is not None and numbers[self._starter] >= _ON else _IGNITION

    def reset(self) -> None:
        """Nothing is remembered."""
