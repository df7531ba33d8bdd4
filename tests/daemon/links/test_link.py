"""How much a link reads in a tick, and when one that failed tries again."""

import pytest

from hilbridge.links.link import Allowance, Backoff

MILLISECOND = 1_000_000


def delays(count: int, lifetime: int = 0) -> list[int]:
    """[ms] between a failure and the next attempt, for attempts that each fail `lifetime` ms after they were made."""
    backoff = Backoff()
    t, found = 0, []
    for _ in range(count):
        t += lifetime * MILLISECOND
        backoff.failed(t)
        start = t
        while not backoff.due(t):
            t += MILLISECOND
        found.append((t - start) // MILLISECOND)
    return found


def test_the_first_attempt_is_due_at_once() -> None:
    assert Backoff().due(0)


def test_the_delay_doubles_from_100_ms_to_5_s() -> None:
    assert delays(8) == [100, 200, 400, 800, 1600, 3200, 5000, 5000]


def test_something_that_opens_and_fails_soon_is_not_hammered() -> None:
    """A link that lives for a second each time backs off like one that never opens."""
    assert delays(7, lifetime=1000) == [100, 200, 400, 800, 1600, 3200, 5000]


def test_a_link_that_was_good_for_a_while_starts_over() -> None:
    """Lost after more than 5 s of work, it is tried again after 100 ms."""
    assert delays(4, lifetime=5001) == [100, 100, 100, 100]


def test_times_are_whole_nanoseconds() -> None:
    """The next attempt is due exactly 100,000,000 ns after the failure, not a tick sooner."""
    backoff = Backoff()
    backoff.failed(7)
    assert not backoff.due(100_000_006)
    assert backoff.due(100_000_007)


@pytest.mark.parametrize(("period", "amount"), [(1, 64), (2, 128), (10, 640), (100, 6400)])
def test_a_slow_tick_may_read_more(period: int, amount: int) -> None:
    """The same amount per millisecond at every rate from 1000 Hz to 10 Hz."""
    allowance = Allowance(64)
    assert [allowance.at(tick * period * MILLISECOND) for tick in range(3)] == [64, amount, amount]


def test_a_late_tick_reads_at_most_four_ticks_worth() -> None:
    """More would make the next tick later still: a flood must not wind itself up. A sleep of an hour is the same."""
    allowance = Allowance(1)
    assert [allowance.at(tick * MILLISECOND) for tick in (20, 60, 260, 3_600_000)] == [20, 40, 80, 80]
