"""How much a link reads in a tick."""

import pytest

from hilbridge.links.link import Allowance

MILLISECOND = 1_000_000


@pytest.mark.parametrize(("period", "amount"), [(1, 64), (2, 128), (10, 640), (100, 6400)])
def test_a_slow_tick_may_read_more(period: int, amount: int) -> None:
    """The same amount per millisecond at every rate from 1000 Hz to 10 Hz."""
    allowance = Allowance(64, period * MILLISECOND)
    assert [allowance.at(tick * period * MILLISECOND) for tick in range(3)] == [64, amount, amount]


def test_a_late_tick_reads_at_most_four_ticks_worth() -> None:
    """More would make the next tick later still: a flood must not wind itself up. A sleep of an hour is the same."""
    allowance = Allowance(1, 20 * MILLISECOND)
    assert [allowance.at(tick * MILLISECOND) for tick in (20, 60, 260, 3_600_000)] == [20, 40, 80, 80]
