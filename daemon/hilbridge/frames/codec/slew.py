"""A value that follows its source no faster than a limit per second: the float of a fuel sender, an oil temperature.

    sent(t) = sent(t') + d,  d = target(t) - sent(t') held between -down * (t - t') and up * (t - t')

t' is the time at which it was asked for last, by `clock.Elapsed`; the first value, and the first one after "not
available", is the target itself. So two frames never differ by more than the limit times the time between them,
however seldom they are sent.
"""

import math
from collections.abc import Callable
from typing import Final

from hilbridge.frames.codec.sources import Channels
from vehiclesim.channels import CLOCK, ClockData
from vehiclesim.entries import ENTRIES

_ELAPSED: Final = ClockData.ELAPSED
_RESOLUTION: Final = ENTRIES[CLOCK][ClockData.ELAPSED].resolution


class Slew:
    """A value that rises by `up` and falls by `down` a second at most."""

    __slots__ = ("_at", "_down", "_source", "_up", "_value")

    def __init__(self, source: Callable[[Channels], float], up: float, down: float) -> None:
        self._source: Final = source
        self._up: Final = up / _RESOLUTION
        self._down: Final = down / _RESOLUTION
        self._value = math.nan
        self._at = 0

    def value(self, channels: Channels) -> float:
        """Return the value now, NaN while it is not available."""
        target, now = self._source(channels), channels[CLOCK][_ELAPSED]
        before, elapsed = self._value, now - self._at
        self._at = now
        if target > before + self._up * elapsed:
            target = before + self._up * elapsed
        elif target < before - self._down * elapsed:
            target = before - self._down * elapsed
        self._value = target
        return target

    def take_over(self, before: object) -> None:
        """Continue from the value of another one."""
        if isinstance(before, Slew):
            self._value, self._at = before._value, before._at
