"""What time it was: run time to the time of day, through steps of the wall clock and sleep of the machine.

    wall(t) = origin + t / pace + (CLOCK_REALTIME - CLOCK_MONOTONIC)

`origin` is when t = 0 was on the monotonic clock, which nobody sets and which slews with the wall clock. So the
difference of the two is constant until the wall clock is set (NTP, a user), or the machine has slept, which the
monotonic clock does not count and CLOCK_BOOTTIME does. It is looked at whenever events are taken: an event has the time
of day that the wall clock went by when it was taken, 15 ms after it happened.
"""

import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from hilbridge.observe.events import LogLevel, LogRecord

STEP: Final = 10_000_000
"""[ns] by which the difference must change to count; reading two clocks takes less."""

_ATTEMPTS: Final = 3
_ATOMIC: Final = 1_000_000
"""[ns] within which the clocks must have been read to be compared."""


class Clocks(NamedTuple):
    """The clocks of one moment [ns]."""

    wall: int
    monotonic: int
    boot: int


def read_clocks() -> Clocks:
    """All three, read one after the other; again when somebody came between."""
    clocks = Clocks(0, 0, 0)
    for _ in range(_ATTEMPTS):
        before = time.monotonic_ns()
        wall, boot = time.time_ns(), time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        after = time.monotonic_ns()
        clocks = Clocks(wall, (before + after) // 2, boot)
        if after - before < _ATOMIC:
            break
    return clocks


class WallTime:
    """The time of day of a run in real time.

    `started` is when the run was being prepared [ns since 1970]: it stands for t = 0 until the first tick has put its
    moment on the monotonic clock [ns] into the cell `origin`.
    """

    def __init__(
        self, started: int, origin: memoryview, pace: float = 1.0, read: Callable[[], Clocks] = read_clocks
    ) -> None:
        self._read: Final = read
        self._origin: Final = origin
        self._pace: Final = pace
        now = read()
        self._difference = now.wall - now.monotonic
        self._slept = now.boot - now.monotonic
        self._prepared: Final = started - self._difference

    def at(self, t: int) -> int:
        """[ns since 1970] of run time `t` [ns]."""
        return (self._origin[0] or self._prepared) + round(t / self._pace) + self._difference

    def look(self) -> Iterator[LogRecord]:
        """Follows the clocks, and tells what has happened to them."""
        now = self._read()
        slept = now.boot - now.monotonic - self._slept
        step = now.wall - now.monotonic - self._difference
        if slept >= STEP:
            self._slept += slept
            yield LogRecord(LogLevel.WARNING, "the machine slept", {"seconds": _seconds(slept)})
        else:
            slept = 0
        if abs(step) >= STEP:
            self._difference += step
            if abs(step - slept) >= STEP:
                yield LogRecord(LogLevel.WARNING, "wall clock stepped", {"by_s": _seconds(step - slept)})


def _seconds(nanoseconds: int) -> float:
    return round(nanoseconds / 1e9, 3)
