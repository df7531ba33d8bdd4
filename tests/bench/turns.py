"""Missed ticks of a daemon at rest and under load, in slices that take turns (A B A B ...), and those of cyclictest.

Other load of the machine affects all.
"""

import time
from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any, NamedTuple, Self, TypeVar

from hilbridge.base.common.units import MICROSECOND
from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.rig import Effort

Outcome = TypeVar("Outcome")


class Missed(NamedTuple):
    """Missed ticks of a daemon since its start, and the ticks that were due."""

    ticks: int
    due: int

    @classmethod
    def read(cls, daemon: Daemon) -> Self:
        """Read the daemon's own counters."""
        counted = daemon.counted()
        return cls(counted.missed, counted.missed + counted.ticks)

    def share_since(self, earlier: "Missed") -> float:
        """Return the missed ticks since an earlier count [%]."""
        return 100 * (self.ticks - earlier.ticks) / (self.due - earlier.due)


class WakeUps(NamedTuple):
    """Wake-ups of cyclictest: missed ones, all, and how many were missed at once."""

    missed: int = 0
    due: int = 0
    longest: int = 1

    @classmethod
    def read(cls, report: dict[str, Any], period: int) -> Self:
        """Read its report; `period` [ns]. What is later than its histogram counts as the latest."""
        thread = report["thread"]["0"]
        longest = thread["max"] * MICROSECOND // period
        beyond = thread["cycles"] - sum(thread["histogram"].values())
        late = sum(count * (int(us) * MICROSECOND // period) for us, count in thread["histogram"].items())
        return cls(late + beyond * longest, thread["cycles"], max(1, longest))

    def together(self, other: "WakeUps") -> "WakeUps":
        """Return both as one run."""
        return WakeUps(self.missed + other.missed, self.due + other.due, max(self.longest, other.longest))

    def expected(self, ticks: int) -> float:
        """Return how many of so many ticks the machine missed, as far as one can tell."""
        return self.missed * ticks / self.due if self.due else 0.0

    def bound(self, ticks: int) -> float:
        """Return how many may be missed within three standard deviations.

        They are missed in bursts, one for each time that the machine was away, so that the variance is at most the
        expected number times the longest burst (a compound Poisson process).
        """
        expected = self.expected(ticks)
        return expected + 3 * sqrt(max(1.0, expected) * self.longest)


def by_turns(effort: Effort, daemon: Daemon, load: Callable[[], Outcome]) -> Iterator[tuple[Outcome, float, float]]:
    """Yield the result of `load`, which lasts a slice, and the missed ticks [%] at rest before it and meanwhile."""
    for _ in range(effort.slices):
        begin = Missed.read(daemon)
        time.sleep(effort.slice)
        middle = Missed.read(daemon)
        outcome = load()
        end = Missed.read(daemon)
        yield outcome, middle.share_since(begin), end.share_since(middle)
