"""Slices at rest and slices with load take turns."""

from typing import Any, cast

from hilbridge.benchmarks.daemon import Daemon
from hilbridge.benchmarks.rig import QUICK

from .turns import by_turns


class Counting:
    """A daemon that has done 100 ticks more each time it is asked, and missed the next number of its list."""

    def __init__(self, *missed: int) -> None:
        self._missed = list(missed)
        self._counted = {"ticks": 0, "missed_ticks": 0}

    def statistics(self) -> dict[str, Any]:
        self._counted["missed_ticks"] += (missed := self._missed.pop(0))
        self._counted["ticks"] += 100 - missed
        return self._counted.copy()


def test_what_is_missed_at_rest_and_what_under_load_is_counted_apart() -> None:
    """In percent of the ticks of each slice; what was missed between two turns belongs to neither."""
    daemon = Counting(50, 1, 4, 50, 0, 2)
    loads = iter("ab")
    turns = list(by_turns(QUICK._replace(slices=2, slice=0.0), cast(Daemon, daemon), lambda: next(loads)))
    assert turns == [("a", 1.0, 4.0), ("b", 0.0, 2.0)]
