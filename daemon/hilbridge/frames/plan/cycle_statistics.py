"""Cycle statistics: how exactly a cyclic frame kept its period, in the time of the tick.

    interval = t(k) - t(k - 1)          deviation = |interval - period| in ticks, rounded up

Frames go in ticks, and no tick begins before its time: what deviates here are ticks that were missed and frames that
had to wait. How late a tick itself began is known to the clock (clock.py) and is the same for all its frames.
"""

from typing import Final, NamedTuple

FARTHEST: Final = 31
"""Ticks; larger deviations count as this one more."""


class PeriodStatistics(NamedTuple):
    """Measured intervals: how many, shortest, mean and longest [ns]; the p99 of the deviation [ticks]."""

    intervals: int
    shortest: int
    mean: float
    longest: int
    deviation_p99: int


class CycleStatistics:
    """The intervals of one frame. Integers only, and two comparisons for an interval that is exact."""

    __slots__ = ("_deviations", "_exact", "_last", "_longest", "_period", "_shortest", "_tick", "_total")

    def __init__(self, period: int, tick: int) -> None:
        """`period` and `tick` in ns."""
        self._period = period
        self._tick = tick
        self._last: int | None = None
        self._exact = 0
        self._deviations = [0] * (FARTHEST + 2)
        self._shortest = self._longest = period
        self._total = 0  # [ns] of the intervals that were not exact

    def record(self, t: int) -> None:
        """Record that the frame is sent at `t` [ns]."""
        last, self._last = self._last, t
        if last is not None:
            interval = t - last
            if interval == self._period:
                self._exact += 1
            else:
                self._deviates(interval)

    def pause(self) -> None:
        """Skip the interval before the next frame: the frame is not due for a while."""
        self._last = None

    def _deviates(self, interval: int) -> None:
        ticks = -(-abs(interval - self._period) // self._tick)
        self._deviations[min(ticks, FARTHEST + 1)] += 1
        if not self._exact and sum(self._deviations) == 1:
            self._shortest = self._longest = interval
        self._shortest = min(self._shortest, interval)
        self._longest = max(self._longest, interval)
        self._total += interval

    def statistics(self) -> PeriodStatistics | None:
        """Return the measured intervals so far; None before the second frame."""
        counts = self._deviations.copy()
        counts[0] += self._exact
        count = sum(counts)
        if not count:
            return None
        shortest = min(self._shortest, self._period) if self._exact else self._shortest
        longest = max(self._longest, self._period) if self._exact else self._longest
        mean = (self._total + self._exact * self._period) / count
        below = 0
        for ticks, number in enumerate(counts):
            below += number
            if 100 * below >= 99 * count:
                return PeriodStatistics(count, shortest, mean, longest, ticks)
        raise AssertionError("all intervals are counted")
