"""On change, on events, and in cycles too: each frame against its table of moments."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .planning import Solo

Row = tuple[dict[str, Any], dict[int, int], list[tuple[int, int]]]

TABLE: dict[str, Row] = {
    "the first content is told, then changes alone": (
        {"kind": "on-change"},
        {0: 5, 10: 6, 11: 7, 20: 7},
        [(0, 5), (10, 6), (11, 7)],
    ),
    "what an event message holds at first is no event": ({"kind": "event"}, {0: 5, 10: 6}, [(10, 6)]),
    "a change within the minimum delay waits": (
        {"kind": "on-change", "minimum_delay": 10},
        {0: 1, 4: 2, 12: 3, 15: 4},
        [(0, 1), (10, 2), (20, 4)],
    ),
    "what went back before it could go is no change any more": (
        {"kind": "on-change", "minimum_delay": 10},
        {0: 1, 4: 2, 7: 1},
        [(0, 1)],
    ),
    "an event is repeated": (
        {"kind": "event", "repetitions": 3, "repetition_period": 5},
        {10: 1},
        [(10, 1), (15, 1), (20, 1), (25, 1)],
    ),
    "a further event starts the repetitions anew": (
        {"kind": "event", "repetitions": 2, "repetition_period": 5},
        {10: 1, 17: 2},
        [(10, 1), (15, 1), (17, 2), (22, 2), (27, 2)],
    ),
    "repetitions keep the minimum delay too": (
        {"kind": "event", "repetitions": 2, "repetition_period": 5, "minimum_delay": 8},
        {10: 1},
        [(10, 1), (18, 1), (26, 1)],
    ),
    "a change does not move the cycle": (
        {"kind": "cyclic-and-on-change", "period": 20, "phase": 5},
        {0: 1, 8: 2},
        [(5, 1), (8, 2), (25, 2), (45, 2)],
    ),
    "a cycle within the minimum delay waits for it": (
        {"kind": "cyclic-and-on-change", "period": 20, "phase": 5, "minimum_delay": 10},
        {18: 2},
        [(5, 0), (18, 2), (28, 2), (45, 2)],
    ),
    "one frame serves cycle, change and repetition": (
        {"kind": "cyclic-and-on-change", "period": 20, "repetitions": 1, "repetition_period": 10},
        {10: 1, 40: 2},
        [(0, 0), (10, 1), (20, 1), (40, 2), (50, 2)],
    ),
    "a wake-up goes at once, cycle or not": (
        {"kind": "cyclic-and-on-change", "period": 20, "phase": 5, "wake_up": True},
        {},
        [(0, 0), (5, 0), (25, 0), (45, 0)],
    ),
}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE.keys())
def test_moments_and_contents(row: Row) -> None:
    """Settings, contents by tick, and what goes in 55 ticks."""
    settings, contents, expected = row
    solo = Solo(**settings)
    solo.play(range(55), contents)
    assert solo.sent == expected


@given(
    changes=st.dictionaries(st.integers(0, 199), st.integers(0, 3), max_size=40),
    missed=st.sets(st.integers(1, 199), max_size=60),
    delay=st.integers(1, 20),
    repetitions=st.integers(0, 3),
    kind=st.sampled_from(["on-change", "event", "cyclic-and-on-change"]),
)
def test_no_change_that_stays_is_lost(
    changes: dict[int, int], missed: set[int], delay: int, repetitions: int, kind: str
) -> None:
    """Whatever changes when, and whatever ticks are missed: frames keep their distance, and the end is told."""
    times: dict[str, Any] = {"period": 20, "phase": 3} if kind == "cyclic-and-on-change" else {}
    solo = Solo(kind, minimum_delay=delay, repetitions=repetitions, repetition_period=4, **times)
    solo.play([tick for tick in range(300) if tick not in missed], changes)
    assert all(later - earlier >= delay for earlier, later in zip(solo.times, solo.times[1:], strict=False))
    if solo.sent:
        assert solo.sent[-1][1] == solo.content
    elif kind == "event":
        assert solo.content == changes.get(0, 0)
    if kind == "cyclic-and-on-change":
        for due in range(203, 300, 20):
            assert any(due <= tick < due + delay for tick in solo.times)


@given(gaps=st.lists(st.integers(1, 30), min_size=60, max_size=60), repetitions=st.integers(1, 5))
def test_repetitions_are_counted_not_timed_away(gaps: list[int], repetitions: int) -> None:
    """Missed ticks delay them; none is lost, none comes in a burst."""
    ticks = [0]
    for gap in gaps:
        ticks.append(ticks[-1] + gap)
    solo = Solo("event", repetitions=repetitions, repetition_period=5)
    solo.play(ticks, {ticks[3]: 1})
    assert len(solo.sent) == 1 + repetitions
    assert len(set(solo.times)) == 1 + repetitions


@pytest.mark.parametrize(
    ("settings", "contents", "expected"),
    [
        ({"kind": "on-change"}, {0: 1, 26: 0, 40: 3}, [(0, 1), (26, 0)]),
        ({"kind": "on-change", "after_run": 20}, {0: 1, 26: 0, 40: 3, 50: 4}, [(0, 1), (26, 0), (40, 3)]),
        ({"kind": "on-change", "minimum_delay": 30}, {0: 1, 26: 0, 40: 3}, [(0, 1), (30, 0)]),
        ({"kind": "event", "repetitions": 2, "repetition_period": 5}, {26: 1}, [(26, 1), (31, 1), (36, 1)]),
        ({"kind": "cyclic-and-on-change", "period": 20}, {26: 1, 45: 2}, [(0, 0), (20, 0), (26, 1), (40, 1)]),
    ],
)
def test_after_the_terminals_went_off(
    settings: dict[str, Any], contents: dict[int, int], expected: list[tuple[int, int]]
) -> None:
    """Off at 26: what still has to be told is told, a cycle ends with its next frame, and then there is silence."""
    solo = Solo(**settings)
    solo.play(range(80), contents, key={0: True, 26: False})
    assert solo.sent == expected


def test_on_waking_up_the_content_is_told_again() -> None:
    """Receivers may have slept too."""
    solo = Solo("on-change")
    solo.play(range(60), {0: 1}, key={0: True, 20: False, 40: True})
    assert solo.sent == [(0, 1), (40, 1)]


def test_a_change_waits_for_a_lost_link() -> None:
    """It is told as soon as the link is back, with the content of then."""
    solo = Solo("on-change")
    solo.play(range(10), contents={0: 1})
    solo.line.works = False
    solo.play(range(10, 30), contents={12: 2, 20: 3}, key={})
    solo.line.works = True
    solo.play(range(30, 40), key={})
    assert solo.sent == [(0, 1), (30, 3)]
