"""Slices at rest and slices with load take turns."""

from types import SimpleNamespace
from typing import cast

import pytest

from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.rig import QUICK

from .turns import WakeUps, by_turns


class Counting:
    """A daemon that has done 100 ticks more each time it is asked, and missed the next number of its list."""

    def __init__(self, *missed: int) -> None:
        self._missed = list(missed)
        self._counted = {"ticks": 0, "missed": 0}

    def counted(self) -> SimpleNamespace:
        self._counted["missed"] += (missed := self._missed.pop(0))
        self._counted["ticks"] += 100 - missed
        return SimpleNamespace(**self._counted)


def test_what_is_missed_at_rest_and_what_under_load_is_counted_apart() -> None:
    """In percent of the ticks of each slice; what was missed between two turns belongs to neither."""
    daemon = Counting(50, 1, 4, 50, 0, 2)
    loads = iter("ab")
    turns = list(by_turns(QUICK._replace(slices=2, slice=0.0), cast(Daemon, daemon), lambda: next(loads)))
    assert turns == [("a", 1.0, 4.0), ("b", 0.0, 2.0)]


def test_wake_ups_of_cyclictest_are_missed_by_whole_periods() -> None:
    """Periods of 1 ms; two wake-ups 1.5 and 3 ms late miss one and three; one beyond the histogram 60 of them."""
    thread = {"cycles": 1000, "max": 60_500, "histogram": {"20": 997, "1500": 1, "3000": 1}}
    read = WakeUps.read({"thread": {"0": thread}}, 1_000_000)
    assert read == WakeUps(missed=64, due=1000, longest=60)
    assert read.together(WakeUps(6, 1000, 2)) == WakeUps(70, 2000, 60)


def test_the_daemon_may_miss_what_the_machine_explains() -> None:
    """Expected are 8 of 2,000; one burst of 4 has the variance 32, three standard deviations are 17."""
    machine = WakeUps(missed=4, due=1000, longest=4)
    assert machine.expected(2000) == 8
    assert machine.bound(2000) == pytest.approx(8 + 3 * 32**0.5)
    assert WakeUps(0, 1000).bound(1000) == 3, "of a machine that missed nothing no two bursts are known"
