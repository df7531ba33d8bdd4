"""Periods in whole ticks, and phases that keep frames apart."""

import random
from collections import Counter

import pytest

from hilbridge.errors import ConfigurationError
from hilbridge.frames.schedule import in_whole_ticks, spread

MILLISECOND = 1_000_000


@pytest.mark.parametrize(
    ("period", "tick", "nanoseconds"),
    [(10, MILLISECOND, 10_000_000), (2.5, MILLISECOND // 2, 2_500_000), (1000, 100 * MILLISECOND, 1_000_000_000)],
)
def test_a_multiple_of_the_tick_is_a_period(period: float, tick: int, nanoseconds: int) -> None:
    """In exact nanoseconds."""
    assert in_whole_ticks(period, tick) == nanoseconds


@pytest.mark.parametrize(
    ("period", "tick", "nearest"),
    [(15, 10, "make it 10 ms or 20 ms"), (3, 10, "make it 10 ms"), (2.5, 1, "2 ms or 3 ms")],
)
def test_any_other_is_refused_with_the_nearest_ones(period: float, tick: int, nearest: str) -> None:
    """Below the tick there is only the tick itself."""
    with pytest.raises(ConfigurationError, match=nearest) as raised:
        in_whole_ticks(period, tick * MILLISECOND, ("x",))
    assert raised.value.place == ("x",)


def most_in_a_tick(periods: list[int], ticks: int) -> int:
    due: Counter[int] = Counter()
    for period, phase in zip(periods, spread(periods), strict=True):
        assert 0 <= phase < period
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
