"""A result says what was found, how far it scatters, and whether it keeps its aim."""

import pytest

from hilbridge.base.common.statistics import RELATIVE_ERROR, Histogram
from hilbridge.runs.benchmarks.result import Aim, Quantity, Spread

FAST = Quantity("fast", "a fast thing", "µs", Aim("at most", 5.0))
STRONG = Quantity("strong", "a strong thing", "x", Aim("at least", 10.0))


def counted(*microseconds: float) -> Histogram:
    histogram = Histogram()
    for each in microseconds:
        histogram.record(round(1000 * each))
    return histogram


@pytest.mark.parametrize(
    ("quantity", "value", "met"), [(FAST, 5.0, True), (FAST, 5.1, False), (STRONG, 10.0, True), (STRONG, 9.9, False)]
)
def test_an_aim_is_a_limit_that_the_value_may_reach(quantity: Quantity, value: float, met: bool) -> None:
    assert quantity.median([value]).is_met is met


def test_without_aim_or_value_nothing_is_met_or_missed() -> None:
    assert Quantity("free", "", "µs").median([1.0]).is_met is None
    assert FAST.missing("no clock").is_met is None


def test_the_spread_is_the_middle_half_of_the_repetitions() -> None:
    """Of 1, 2, 3, 4, 100 a quarter lies below 2 and a quarter above 4."""
    result = FAST.median([100.0, 1.0, 3.0, 2.0, 4.0])
    assert (result.value, result.spread, result.samples) == (3.0, Spread(2.0, 4.0), 5)
    assert FAST.median([3.0]).spread is None


def test_a_percentile_is_that_of_all_slices_and_its_spread_that_of_the_slices() -> None:
    """The 99th percentile of 99 short and one long sample is short, though one slice holds little but the long one."""
    slices = [counted(*[10.0] * 98), counted(10.0, 500.0)]
    result = FAST.percentile(99, slices)
    assert result.value == pytest.approx(10, rel=RELATIVE_ERROR)
    assert result.samples == 100
    assert result.spread is not None
    assert result.spread.low < result.spread.high < 500


def test_a_ratio_compares_slices_that_followed_each_other() -> None:
    """Twice as late in every pair of slices, though something disturbed one pair."""
    quiet, disturbed = counted(*[20.0] * 3), counted(*[80.0] * 3)
    half_quiet, half_disturbed = counted(*[10.0] * 3), counted(*[40.0] * 3)
    result = STRONG.ratio(50, [quiet, disturbed], [half_quiet, half_disturbed])
    assert result.value == pytest.approx(2, rel=2 * RELATIVE_ERROR)
    assert result.spread == pytest.approx((2, 2), rel=2 * RELATIVE_ERROR)
    assert result.samples == 2


def test_what_is_missing_has_a_reason_and_no_value() -> None:
    """The keys are those of any other result."""
    missing = FAST.missing("no clock").fields()
    assert (missing["value"], missing["note"]) == (None, "no clock")
    assert missing.keys() == FAST.median([1.0]).fields().keys()
