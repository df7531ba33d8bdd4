"""Missed ticks of a daemon at rest and under load, in slices that take turns (A B A B ...).

Other load of the machine affects both.
"""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, Self, TypeVar

from hilbridge.benchmarks.daemon import Daemon
from hilbridge.benchmarks.rig import Effort

Outcome = TypeVar("Outcome")


class Missed(NamedTuple):
    """Missed ticks of a daemon since its start, and the ticks that were due."""

    ticks: int
    due: int

    @classmethod
    def read(cls, daemon: Daemon) -> Self:
        """Read the daemon's own counters."""
        statistics = daemon.statistics()
        return cls(statistics["missed_ticks"], statistics["missed_ticks"] + statistics["ticks"])

    def share_since(self, earlier: "Missed") -> float:
        """Return the missed ticks since an earlier count [%]."""
        return 100 * (self.ticks - earlier.ticks) / (self.due - earlier.due)


def by_turns(effort: Effort, daemon: Daemon, load: Callable[[], Outcome]) -> Iterator[tuple[Outcome, float, float]]:
    """Yield the result of `load`, which lasts a slice, and the missed ticks [%] at rest before it and meanwhile."""
    for _ in range(effort.slices):
        begin = Missed.read(daemon)
        time.sleep(effort.slice)
        middle = Missed.read(daemon)
        outcome = load()
        end = Missed.read(daemon)
        yield outcome, middle.share_since(begin), end.share_since(middle)
