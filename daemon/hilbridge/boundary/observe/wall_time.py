"""The time of day of a run time, through steps of the wall clock and sleep of the machine.

    wall(t) = origin + t / pace + (CLOCK_REALTIME - CLOCK_MONOTONIC)

`origin` is the time of t = 0 on the monotonic clock, which cannot be set and which slews with the wall clock. So the
difference of the two is constant until the wall clock is set (NTP, a user), or the machine sleeps, which the monotonic
clock does not count and CLOCK_BOOTTIME does. It is read whenever events are taken: an event gets the time of day of
the wall clock when it was taken, up to 15 ms after it happened.
"""

import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from hilbridge.boundary.observe.events import LogLevel, LogRecord

STEP: Final = 10_000_000
"""[ns] Least change of the difference that counts; reading two clocks takes less."""

_ATTEMPTS: Final = 3
_ATOMIC: Final = 1_000_000
"""[ns] Longest time for reading the clocks, if they are to be compared."""


class Clocks(NamedTuple):
    """The readings of three clocks at one moment [ns]."""

    wall: int
    monotonic: int
    boot: int


def read_clocks() -> Clocks:
    """Read all three one after the other, and again if that was interrupted."""
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

    `started` [ns since 1970] is the time of the preparation: it stands for t = 0 until the first tick has written its
    time on the monotonic clock [ns] into the cell `origin`.
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
        """Return the time of day [ns since 1970] of run time `t` [ns]."""
        return (self._origin[0] or self._prepared) + round(t / self._pace) + self._difference

    def changes(self) -> Iterator[LogRecord]:
        """Read the clocks, and return lines of the log about their changes since the last call."""
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
