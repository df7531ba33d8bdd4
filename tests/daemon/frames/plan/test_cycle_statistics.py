"""Measured intervals of a cyclic frame, against the statistics of the intervals themselves."""

import math
from statistics import mean

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.frames.plan.cycle_statistics import FARTHEST, CycleStatistics

TICK = 1_000_000


@given(st.lists(st.integers(1, 60), min_size=1, max_size=200), st.integers(1, 30))
def test_intervals_are_summed_up(intervals: list[int], period: int) -> None:
    """Shortest, mean and longest; and the deviation that at least 99 % do not exceed, up to the farthest counted."""
    cycles = CycleStatistics(period * TICK, TICK)
    t = 0
    cycles.record(t)
    for interval in intervals:
        t += interval * TICK
        cycles.record(t)
    found = cycles.statistics()
    assert found is not None
    assert (found.intervals, found.shortest, found.longest) == (
        len(intervals),
        min(intervals) * TICK,
        max(intervals) * TICK,
    )
    assert math.isclose(found.mean, mean(intervals) * TICK)
    deviations = sorted(min(abs(interval - period), FARTHEST + 1) for interval in intervals)
    assert found.deviation_p99 == deviations[math.ceil(0.99 * len(intervals)) - 1]


def test_a_pause_is_no_interval() -> None:
    """A frame whose terminals were off for a second has not been late."""
    cycles = CycleStatistics(10 * TICK, TICK)
    assert cycles.statistics() is None
    for t in (0, 10, 20):
        cycles.record(t * TICK)
    cycles.pause()
    for t in (1000, 1010):
        cycles.record(t * TICK)
    assert cycles.statistics() == (3, 10 * TICK, 10 * TICK, 10 * TICK, 0)
