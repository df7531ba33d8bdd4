"""How often something may be reported."""

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.common.pace import BURST, INTERVAL, Pace


def test_a_burst_goes_through_and_then_one_per_interval() -> None:
    pace = Pace()
    taken = [t for t in range(0, 10 * INTERVAL, INTERVAL // 1000) if pace.take(t)]
    assert len([t for t in taken if t < INTERVAL]) == BURST
    assert taken[BURST:] == [INTERVAL * n for n in range(1, 10)]


def test_after_a_quiet_time_there_is_a_burst_again() -> None:
    pace = Pace()
    for start in (0, 1000 * INTERVAL):
        assert [pace.take(start + i) for i in range(BURST + 1)] == [True] * BURST + [False]


@given(st.lists(st.integers(0, 3 * INTERVAL), max_size=50))
def test_what_must_wait_may_go_when_it_is_due(gaps: list[int]) -> None:
    pace = Pace()
    t = 0
    for gap in gaps:
        t += gap
        if not pace.take(t):
            due = pace.due(t)
            assert t < due <= t + INTERVAL
            t = due
            assert pace.take(t)
