"""The histogram of durations."""

import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.statistics import LIMIT, RELATIVE_ERROR, SIZE, Histogram, counters

durations = st.integers(0, LIMIT) | st.integers(0, 200) | st.integers(0, 40).map(lambda bits: 1 << bits)
percents = st.floats(0.0, 100.0)


def filled(values: list[int]) -> Histogram:
    histogram = Histogram()
    for value in values:
        histogram.record(value)
    return histogram


def exact(values: list[int], percent: float) -> int:
    """The nearest-rank percentile."""
    return sorted(values)[max(1, math.ceil(percent / 100 * len(values))) - 1]


@given(st.lists(durations, min_size=1), percents)
def test_percentile_is_never_below_the_true_value_and_less_than_one_part_in_32_above(
    values: list[int], percent: float
) -> None:
    """true <= answer <= true * (1 + 1/32), for any values and any percentage."""
    true = exact([min(value, LIMIT) for value in values], percent)
    answer = filled(values).percentile(percent)
    assert true <= answer <= max(true * (1 + RELATIVE_ERROR), true)


@given(st.integers(0, 63))
def test_values_below_64_are_exact(value: int) -> None:
    """Up to 63 ns a bucket holds one value."""
    histogram = filled([value, 1000])
    assert histogram.percentile(50) == value


def test_figures_of_a_known_series() -> None:
    """Of 1..1000 µs: p50 is 500 µs and p99 is 990 µs within the stated error, count and maximum are exact."""
    histogram = filled([1000 * n for n in range(1, 1001)])
    summary = histogram.summary()
    assert histogram.count == 1000
    assert summary["max"] == 1_000_000
    assert 500_000 <= summary["p50"] <= 500_000 * (1 + RELATIVE_ERROR)
    assert 990_000 <= summary["p99"] <= 990_000 * (1 + RELATIVE_ERROR)
    assert summary["p99_9"] <= summary["max"]


@given(st.lists(durations, min_size=1), st.lists(percents, min_size=1))
def test_several_percentiles_at_once_are_those_of_one_by_one(values: list[int], wanted: list[float]) -> None:
    """In the order in which they are asked for."""
    histogram = filled(values)
    assert list(histogram.percentiles(*wanted)) == [histogram.percentile(percent) for percent in wanted]


def test_empty_answers_zero() -> None:
    """Without a value every figure is 0."""
    assert {Histogram().count, *Histogram().summary().values()} == {0}


def test_values_outside_the_range_are_counted() -> None:
    """A negative value counts as 0, one above LIMIT in the last bucket; the maximum stays exact."""
    histogram = filled([-5, 3 * LIMIT])
    assert histogram.count == 2
    assert histogram.percentile(50) == 0
    assert histogram.percentile(100) == histogram.maximum == 3 * LIMIT


@given(st.lists(durations), st.lists(durations))
def test_merging_is_recording_both(first: list[int], second: list[int]) -> None:
    """merge(a, b) equals the histogram of a followed by b."""
    merged = filled(first)
    merged.merge(filled(second))
    assert merged.to_list() == filled(first + second).to_list()


@given(st.lists(durations), st.lists(durations, min_size=1), percents)
def test_since_a_copy_holds_what_came_after(first: list[int], second: list[int], percent: float) -> None:
    """A copy does not change, and the difference to it counts the later values only."""
    histogram = filled(first)
    copy = histogram.copy()
    for value in second:
        histogram.record(value)
    later = histogram.since(copy)
    assert copy.to_list() == filled(first).to_list()
    assert later.count == len(second)
    assert exact(second, percent) <= later.percentile(percent) <= exact(second, percent) * (1 + RELATIVE_ERROR)


@given(st.lists(durations))
def test_round_trips(values: list[int]) -> None:
    """Bytes and list give the same histogram back."""
    histogram = filled(values)
    assert Histogram.from_bytes(histogram.to_bytes()).to_list() == histogram.to_list()
    assert Histogram.from_list(histogram.to_list()).to_bytes() == histogram.to_bytes()


def test_counts_lie_in_the_memory_that_was_given() -> None:
    """A second histogram over the same memory sees what the first records; memory of another size is refused."""
    memory = bytearray(SIZE)
    writer, reader = Histogram(memoryview(memory)), Histogram(memoryview(memory))
    writer.record(12_345)
    assert (reader.count, reader.maximum) == (1, 12_345)
    with pytest.raises(ValueError, match="bytes"):
        Histogram(memoryview(bytearray(SIZE - 8)))


@dataclass(slots=True)
class _Few:
    first: int = 1
    none: int = 0


@dataclass(slots=True)
class _More(_Few):
    second: int = 2


def test_counters_are_those_of_the_base_too() -> None:
    """In their order, without those that are 0."""
    assert list(counters(_More()).items()) == [("first", 1), ("second", 2)]
