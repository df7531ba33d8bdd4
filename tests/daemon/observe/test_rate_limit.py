"""A flood of one event does not drown the others, and is told by its number."""

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.observe.rate_limit import MOST, RateLimit

SECOND = 1_000_000_000


def test_so_many_lines_of_an_event_in_a_second() -> None:
    """Another event passes meanwhile; in the next second the first one does again."""
    limit = RateLimit()
    assert [limit.passes(n, "flood") for n in range(MOST + 3)] == [True] * MOST + [False] * 3
    assert limit.passes(5, "other")
    (told,) = limit.left_out(SECOND)
    assert (told.level.name, told.fields) == ("WARNING", {"about": "flood", "lines": 3})
    assert limit.passes(SECOND, "flood")
    assert limit.left_out(2 * SECOND) == []


def test_what_is_left_at_the_end_is_told() -> None:
    limit = RateLimit()
    for n in range(MOST + 1):
        limit.passes(n, "flood")
    assert limit.left_out(SECOND - 1) == []
    assert [told.fields["lines"] for told in limit.rest()] == [1]
    assert limit.rest() == []


@given(st.lists(st.tuples(st.integers(0, 5 * SECOND), st.sampled_from("abc")), max_size=600).map(sorted))
def test_every_line_is_printed_or_counted(lines: list[tuple[int, str]]) -> None:
    """And in no second are there more than MOST of one event."""
    limit = RateLimit()
    printed: list[tuple[int, str]] = []
    counted = 0
    for t, event in lines:
        counted += sum(told.fields["lines"] for told in limit.left_out(t))
        if limit.passes(t, event):
            printed.append((t // SECOND, event))
    counted += sum(told.fields["lines"] for told in limit.rest())
    assert len(printed) + counted == len(lines)
    assert all(printed.count(one) <= MOST for one in printed)
