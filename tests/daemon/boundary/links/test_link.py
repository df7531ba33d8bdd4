"""How much a link reads in a tick."""

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.link import read_allowance


@pytest.mark.parametrize(("period", "amount"), [(1, 64), (2, 128), (10, 640), (100, 6400)])
def test_a_slow_tick_may_read_more(period: int, amount: int) -> None:
    """The same amount per millisecond at every rate from 1000 Hz to 10 Hz."""
    allowance = read_allowance(64, period * MILLISECOND)
    assert [allowance.drain(tick * period * MILLISECOND) for tick in range(3)] == [64, amount, amount]


def test_a_late_tick_reads_at_most_four_ticks_worth() -> None:
    """More would make the next tick later still: a flood must not wind itself up. A sleep of an hour is the same."""
    allowance = read_allowance(1, 20 * MILLISECOND)
    times = (0, 20, 60, 260, 3_600_000)
    assert [allowance.drain(tick * MILLISECOND) for tick in times] == [1, 20, 40, 80, 80]


def test_a_period_with_a_fraction_of_a_millisecond_loses_nothing() -> None:
    """At 800 Hz five milliseconds have four ticks, and the shares of five milliseconds."""
    allowance = read_allowance(64, 1_250_000)
    assert sum(allowance.drain(tick * 1_250_000) for tick in range(801)) == 64 * 1001
