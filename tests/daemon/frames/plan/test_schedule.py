"""Phases that keep frames apart."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.frames.plan.schedule import busiest, spread


def most_in_a_tick(periods: list[int], ticks: int) -> int:
    phases = spread(periods)
    assert all(0 <= phase < period for period, phase in zip(periods, phases, strict=True))
    return most(periods, phases, ticks)


def most(periods: list[int], phases: list[int], ticks: int) -> int:
    """Counted one by one."""
    due: Counter[int] = Counter()
    for period, phase in zip(periods, phases, strict=True):
        due.update(range(phase, ticks, period))
    return max(due.values())


@pytest.mark.parametrize(
    ("periods", "most"),
    [
        ([10] * 10, 1),
        ([10] * 11, 2),
        ([10, 20, 20, 100, 100, 1000], 1),
        ([1, 1, 5], 3),
        ([7, 11, 13], 3),
        ([1000] * 40, 1),
        ([10] * 10 + [20] * 10 + [50] * 5 + [100] * 10 + [1000] * 5, 2),
    ],
)
def test_as_few_frames_as_possible_share_a_tick(periods: list[int], most: int) -> None:
    """Where the load allows it none do; periods without common divisor meet somewhere."""
    assert most_in_a_tick(periods, 20_000) <= most


def test_forty_frames_of_mixed_periods_never_bunch() -> None:
    """10 to 1000 ms at 1 kHz: never more than three in a tick, over whatever mix."""
    usual = [10, 20, 25, 40, 50, 100, 200, 250, 500, 1000]
    for seed in range(5):
        periods = random.Random(seed).choices(usual, k=40)
        assert most_in_a_tick(periods, 20_000) <= 3


def test_phases_are_the_same_every_time_and_divide_the_period() -> None:
    """Two frames of 100 ms lie half a period apart, four a quarter."""
    assert spread([100] * 4) == spread([100] * 4) == [0, 50, 25, 75]
    assert spread([10, 10]) == [0, 5]
    assert spread([]) == []


def test_a_long_period_does_not_delay_the_first_frame() -> None:
    """However rare a frame is, it goes within the first thousand ticks."""
    assert max(spread([3_600_000] * 30)) < 1000


def test_given_phases_stand_and_the_others_avoid_them() -> None:
    """Two frames of 10 ticks are given the ticks 0 and 5, then eight further ones find the free ticks."""
    phases = spread([10] * 10, [0, 5, *[None] * 8])
    assert phases[:2] == [0, 5]
    assert sorted(phases) == list(range(10))
    assert spread([20, 10], [7, 7]) == [7, 7]


def test_what_stands_in_the_way_of_a_better_order_is_moved() -> None:
    """Frames of 4, 6 and 12 ticks with a total of one each tick fit without two in any."""
    periods = [4, 4, 6, 6, 12, 12]
    assert sum(12 // period for period in periods) == 12
    assert most_in_a_tick(periods, 240) == 1


@given(st.lists(st.sampled_from([10, 20, 25, 40, 50, 100, 200, 250, 500, 1000]), min_size=1, max_size=40))
def test_the_busiest_tick_is_the_one_that_counting_finds(periods: list[int]) -> None:
    """Once all frames have begun, and over whole rounds of all periods."""
    phases = spread(periods)
    assert busiest(periods, phases) == most(periods, phases, 4000)
