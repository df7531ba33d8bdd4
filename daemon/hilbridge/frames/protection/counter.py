"""The counter of a frame: numbers that wrap, one further with every frame.

    number(count) = minimum + (start − minimum + count · step) mod (maximum − minimum + 1)

or `values[count]` of a table; `count` runs from 0 to `size` − 1 and begins again. With a step that does not share a
factor with the range, the counter meets every number of the range, else those that it can reach.
"""

from functools import cache
from math import gcd
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.protection import NumberSettings
from hilbridge.frames.protection.position import Position

_TABLE: Final = 256
"""Numbers that are kept ready: as many as a byte has."""


class Numbers:
    """The numbers of a counter in their order; `size` of them."""

    def __init__(self, settings: NumberSettings, highest: int, place: KeyPath) -> None:
        """`highest`: what the counter's bits hold. ConfigurationError: numbers beyond that, or a step of no effect."""
        self._values = tuple(settings.values)
        self._counts = {number: count for count, number in enumerate(self._values)}
        if self._values:
            if max(self._values) > highest:
                raise ConfigurationError(
                    f"{max(self._values)} does not fit: its bits hold {highest}", (*place, "values")
                )
            self.size = len(self._values)
            return
        self._minimum: Final = settings.minimum
        maximum = highest if settings.maximum is None else settings.maximum
        if maximum > highest:
            raise ConfigurationError(f"{maximum} does not fit: its bits hold {highest}", (*place, "maximum"))
        start = self._minimum if settings.start is None else settings.start
        for key, number in (("minimum", self._minimum), ("start", start)):
            if not self._minimum <= number <= maximum or self._minimum >= maximum:
                raise ConfigurationError(f"{number} is outside of {self._minimum}…{maximum}", (*place, key))
        self._range: Final = maximum - self._minimum + 1
        self._step: Final = settings.step % self._range
        if self._step == 0:
            raise ConfigurationError(
                f"{settings.step} leads back to the same of {self._range} numbers", (*place, "step")
            )
        self._first: Final = start - self._minimum
        self._factor: Final = gcd(self._step, self._range)
        self.size = self._range // self._factor
        self._inverse: Final = pow(self._step // self._factor, -1, self.size)

    def number(self, count: int) -> int:
        """Return the number that is sent."""
        if self._values:
            return self._values[count]
        return self._minimum + (self._first + count * self._step) % self._range

    def count(self, number: int) -> int | None:
        """Return the count of a number; None if the counter never takes it."""
        if self._values:
            return self._counts.get(number)
        beyond = number - self._minimum
        if not 0 <= beyond < self._range:
            return None
        steps, rest = divmod(beyond - self._first, self._factor)
        return None if rest else steps * self._inverse % self.size


@cache
def _same(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return numbers


def _table(numbers: Numbers) -> tuple[int, ...]:
    """Return all numbers in their order; counters that run alike share it."""
    return _same(tuple(map(numbers.number, range(numbers.size))))


class Counter:
    """Numbers at their position in the frame; `count` is that of the next frame and may be set."""

    __slots__ = ("_number", "count", "numbers", "position")

    def __init__(self, numbers: Numbers, position: Position) -> None:
        self.numbers: Final = numbers
        self.position: Final = position
        self.count = 0
        self._number: Final = numbers.number if numbers.size > _TABLE else _table(numbers).__getitem__

    def next(self) -> int:
        """Return the number of this frame, and advance."""
        count = self.count
        self.count = count + 1 if count + 1 < self.numbers.size else 0
        return self._number(count)
