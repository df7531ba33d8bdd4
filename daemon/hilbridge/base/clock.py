"""The beginning of each tick: at absolute deadlines on the real clock, at once on the virtual one.

`t = tick · period` [ns] since the start of the run. Time is a parameter everywhere in the tick; only this file reads a
clock for it.
"""

import gc
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from mypy_extensions import mypyc_attr

CATCH_UP: Final = 20_000_000
"""[ns] of missed ticks that the model makes up for; a longer gap is a time jump."""

_COLLECT_EVERY: Final = 1_000_000_000
_COLLECT_SLACK: Final = 400_000
_COLLECT_LATEST: Final = 10 * _COLLECT_EVERY

_RESERVE: Final = 100_000
"""[ns] before a deadline that belong to the sleep alone; what is done in idle time ends before."""

Idle: TypeAlias = Callable[[int, int], None]
"""A function for idle time: it gets the time `t` [ns] of the next tick, and how long it may take on the wall clock."""


def machine_date(zone: str | None = None) -> datetime:
    """Return date and time of this machine in a time zone, by default its own, without naming it.

    LookupError: there is no such zone here.
    """
    if zone is not None:
        return datetime.now(ZoneInfo(zone)).replace(tzinfo=None)
    time.tzset()  # the zone of the machine may be another one since
    return datetime.now()  # noqa: DTZ005 - clusters show local time


class StopRequest:
    """A request to end the loop: set by a signal handler, read before each tick."""

    def __init__(self) -> None:
        self.requested = False


@mypyc_attr(allow_interpreted_subclasses=True)
class Clock(ABC):
    """The clock of the loop.

    After `wait` returned True: `t` is the time of the tick to do, `missed` how many ticks before it were not done,
    `lateness` how long after its deadline it begins, `busy` how long the tick before it worked [ns]. A clock that waits
    calls `idle`, if it is given one, in place of the first part of its sleep.
    A period of the run is a `wall_period` of the wall clock.
    """

    def __init__(self, period: int, wall_period: int) -> None:
        """Begin before the first tick; both in ns."""
        self.period = period
        self.wall_period = wall_period
        self.t = -period
        self.missed = 0
        self.lateness = 0
        self.busy = 0

    @abstractmethod
    def wait(self) -> bool:
        """Wait for the next tick; return False when the duration of the run is over."""


@mypyc_attr(allow_interpreted_subclasses=True)
class VirtualClock(Clock):
    """A clock that is as fast as the machine: every tick follows at once, none is late, none is missed."""

    def __init__(self, period: int, duration: int | None = None) -> None:
        super().__init__(period, 0)
        self._duration = duration

    def wait(self) -> bool:
        self.t += self.period
        return self._duration is None or self.t < self._duration


class Timer(NamedTuple):
    """The machine's clock [ns] and its sleep [s]; tests replace both."""

    now: Callable[[], int]
    sleep: Callable[[float], None]


class RealClock(Clock):
    """A clock with the deadline start + k · period / pace for tick k, on the monotonic clock; no late tick moves it.

    A tick that begins a period or more after its deadline has missed ticks; the tick number follows the wall time.
    After the end of the run, `missed` is how many of its last ticks were not done.
    Where automatic garbage collection is off, garbage is collected here: all generations, once a second, when there is
    time before the next deadline (objects of the start are frozen, so that there is little to examine). Where there
    never is, as in an overloaded run or at a quick pace, it is collected every ten seconds all the same.
    `origin` is the deadline of tick 0 on the monotonic clock; 0 before it.
    """

    def __init__(
        self,
        period: int,
        duration: int | None = None,
        pace: float = 1.0,
        timer: Timer = Timer(time.monotonic_ns, time.sleep),  # noqa: B008 - a tuple of two functions
    ) -> None:
        super().__init__(period, max(1, round(period / pace)))
        self._duration = duration
        self.origin = 0
        self.idle: Idle | None = None
        self._now, self._sleep = timer
        self._tick = -1
        self._begun = 0
        self._next_collection = 0

    def wait(self) -> bool:
        now = self._now()
        if self._tick < 0:
            self.origin = self._begun = now
        self.busy = now - self._begun
        self._tick += 1
        deadline = self.origin + self._tick * self.wall_period
        slack = deadline - now
        overdue = now - self._next_collection
        if overdue > 0 and (slack > _COLLECT_SLACK or overdue > _COLLECT_LATEST):
            self._next_collection = now + _COLLECT_EVERY
            if not gc.isenabled():
                gc.collect()
            slack = deadline - self._now()
        following = self._tick * self.period
        if self.idle is not None and slack > _RESERVE and (self._duration is None or following < self._duration):
            self.idle(following, slack - _RESERVE)
            slack = deadline - self._now()
        if slack > 0:
            self._sleep(slack * 1e-9)  # clock_nanosleep to an absolute time inside (Python 3.11 and on)
        self._begun = self._now()
        while self._begun < deadline:  # no sleep ends too early; these are the nanoseconds to spin
            self._begun = self._now()
        self.lateness = self._begun - deadline
        self.missed = self.lateness // self.wall_period
        if self.missed > 0:
            self._tick += self.missed
            self.lateness -= self.missed * self.wall_period
        else:
            self.missed = 0
        self.t = self._tick * self.period
        if self._duration is None or self.t < self._duration:
            return True
        after_the_end = (self.t - self._duration) // self.period
        self.missed = max(0, self.missed - after_the_end)
        return False
