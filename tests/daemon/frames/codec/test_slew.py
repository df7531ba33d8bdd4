"""A value that follows its source no faster than a limit per second."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.frames.codec.slew import Slew
from vehiclesim.channels import ClockData
from vehiclesim.databus import DataBus

MILLISECOND = 1_000
"""A millisecond on the entry `clock.Elapsed`."""


class Follower:
    """A slew whose source is a number of the test."""

    def __init__(self, up: float, down: float) -> None:
        self.target = 0.0
        self.slew = Slew(lambda _: self.target, up, down)
        self.data = DataBus()

    def at(self, milliseconds: int, target: float) -> float:
        self.target = target
        self.data.clock[ClockData.ELAPSED] = milliseconds * MILLISECOND
        return self.slew.value(self.data.channels)


STEPS = st.lists(st.tuples(st.integers(1, 5000), st.floats(-1e4, 1e4)), min_size=2, max_size=40)


@given(STEPS, st.floats(0.01, 1e4), st.floats(0.01, 1e4))
def test_it_never_changes_faster_and_never_overshoots(steps: list[tuple[int, float]], up: float, down: float) -> None:
    """Between any two frames, however far apart; and it ends between where it was and where it wants to go."""
    follower = Follower(up, down)
    t, before = 0, follower.at(0, steps[0][1])
    assert before == steps[0][1]
    for milliseconds, target in steps[1:]:
        t += milliseconds
        now = follower.at(t, target)
        slack = 1e-9 * max(1.0, abs(before), up, down) * 5
        assert -down * milliseconds / 1000 - slack <= now - before <= up * milliseconds / 1000 + slack
        assert min(before, target) - slack <= now <= max(before, target) + slack
        before = now


def test_it_reaches_its_source_in_the_time_that_the_limit_asks_for() -> None:
    """10 at 2 a second: 5 s, in frames of any distance; how often it is asked for within a tick does not matter."""
    follower = Follower(2, 1)
    assert [follower.at(t, 0 if t == 0 else 10) for t in (0, 1000, 1000, 4500, 5000, 9000)] == [0, 2, 2, 9, 10, 10]
    assert [follower.at(t, 0) for t in (10_000, 18_500, 30_000)] == [9, pytest.approx(0.5), 0]


def test_one_direction_may_be_free() -> None:
    """A limit downwards only: it rises at once."""
    follower = Follower(math.inf, 1)
    assert [follower.at(0, 0), follower.at(1, 50), follower.at(2001, 0)] == [0, 50, 48]


def test_what_is_not_available_stays_so_and_then_begins_anew() -> None:
    """No value creeps up from the one before the gap."""
    follower = Follower(1, 1)
    follower.at(0, 5)
    assert math.isnan(follower.at(1000, math.nan))
    assert follower.at(2000, 80) == 80


def test_another_one_continues_where_it_was() -> None:
    """As after a reload, with another limit."""
    first, second = Follower(1, 1), Follower(10, 10)
    first.at(1000, 0)
    second.slew.take_over(first.slew)
    assert second.at(1500, 100) == 5
