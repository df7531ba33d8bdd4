"""What a token bucket admits, and when."""

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.token_bucket import TokenBucket

BURST = 6
INTERVAL = 10_000


def reports() -> TokenBucket:
    return TokenBucket(BURST, 1, INTERVAL)


def test_a_burst_goes_through_and_then_one_per_interval() -> None:
    bucket = reports()
    taken = [t for t in range(0, 10 * INTERVAL, INTERVAL // 1000) if bucket.take(t)]
    assert len([t for t in taken if t < INTERVAL]) == BURST
    assert taken[BURST:] == [INTERVAL * n for n in range(1, 10)]


def test_after_a_quiet_time_there_is_a_burst_again() -> None:
    bucket = reports()
    for start in (0, 1000 * INTERVAL):
        assert [bucket.take(start + i) for i in range(BURST + 1)] == [True] * BURST + [False]


def test_what_was_not_used_does_not_pile_up() -> None:
    """However long nothing was taken."""
    bucket = TokenBucket(240, 1, 4)
    assert sum(bucket.take(0) for _ in range(1000)) == 240
    assert sum(bucket.take(100) for _ in range(1000)) == 25
    assert sum(bucket.take(1 << 40) for _ in range(1000)) == 240


def test_the_first_token_of_a_full_bucket_begins_the_interval() -> None:
    bucket = reports()
    assert bucket.take(INTERVAL - 1)
    bucket.drain(INTERVAL - 1)
    assert bucket.due(INTERVAL) == 2 * INTERVAL - 1


def test_all_tokens_are_taken_at_once() -> None:
    """`amount` for each interval that has ended, the capacity at most, and no fraction of an interval is lost."""
    bucket = TokenBucket(100, 10, 4, level=0)
    assert [bucket.drain(t) for t in (0, 3, 6, 8, 100, 100)] == [0, 0, 10, 10, 100, 0]


@given(st.lists(st.integers(0, 3 * INTERVAL), max_size=50))
def test_what_must_wait_may_go_when_it_is_due(gaps: list[int]) -> None:
    bucket = reports()
    t = 0
    for gap in gaps:
        t += gap
        if not bucket.take(t):
            due = bucket.due(t)
            assert t < due <= t + INTERVAL
            t = due
            assert bucket.take(t)


@given(st.lists(st.integers(0, 3 * INTERVAL), max_size=60))
def test_the_rate_is_bounded_in_every_window(gaps: list[int]) -> None:
    """What passes in a time T is the capacity and T / interval at most."""
    bucket = reports()
    passed, t = [], 0
    for gap in gaps:
        t += gap
        while bucket.take(t):
            passed.append(t)
    for first, begin in enumerate(passed):
        for last, end in enumerate(passed[first:], first):
            assert last - first + 1 <= BURST + (end - begin) // INTERVAL
