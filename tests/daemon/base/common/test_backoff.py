"""When something that failed is tried again."""

from hilbridge.base.common.backoff import Backoff
from hilbridge.base.common.units import MILLISECOND


def delays(count: int, lifetime: int | None = None) -> list[int]:
    """[ms] between a failure and the next attempt; each attempt opens and holds for `lifetime` ms, or does not open."""
    backoff = Backoff()
    t, found = 0, []
    for _ in range(count):
        if lifetime is not None:
            backoff.succeeded(t)
            t += lifetime * MILLISECOND
        backoff.failed(t)
        start = t
        while not backoff.due(t):
            t += MILLISECOND
        found.append((t - start) // MILLISECOND)
    return found


def test_the_first_attempt_is_due_at_once() -> None:
    assert Backoff().due(0)


def test_the_delay_doubles_from_50_ms_to_1_s() -> None:
    assert delays(7) == [50, 100, 200, 400, 800, 1000, 1000]


def test_something_that_opens_and_fails_soon_is_not_hammered() -> None:
    """A link that lives for a second each time backs off like one that never opens."""
    assert delays(6, lifetime=1000) == [50, 100, 200, 400, 800, 1000]


def test_something_that_was_good_for_a_while_starts_over() -> None:
    """Lost after more than a second of work, it is tried again after 50 ms."""
    assert delays(4, lifetime=1001) == [50, 50, 50, 50]


def test_an_attempt_that_takes_long_to_fail_does_not_start_over() -> None:
    """Two seconds until an adapter answers "no" are no success."""
    backoff = Backoff()
    t = 0
    for delay in (50, 100, 200, 400):
        t += 2_000 * MILLISECOND
        backoff.failed(t)
        assert not backoff.due(t + delay * MILLISECOND - 1)
        assert backoff.due(t + delay * MILLISECOND)
