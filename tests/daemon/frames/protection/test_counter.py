"""Counters go round in the order that their settings say."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.protection import CounterSettings
from hilbridge.frames.protection.counter import Counter, Numbers
from hilbridge.frames.protection.position import Position

from ..codec.examples import signal


def numbers(highest: int = 15, **settings: Any) -> Numbers:
    return Numbers(CounterSettings(**settings), highest, ("counter",))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"maximum": 3}, [0, 1, 2, 3, 0, 1]),
        ({"maximum": 14, "start": 13}, [13, 14, 0, 1]),
        ({"minimum": 1, "maximum": 3}, [1, 2, 3, 1]),
        ({"step": 6, "maximum": 7}, [0, 6, 4, 2, 0]),
        ({"step": -1, "start": 2}, [2, 1, 0, 15, 14]),
        ({"values": [0, 1, 3, 2]}, [0, 1, 3, 2, 0]),
        ({"values": [15, 0]}, [15, 0, 15]),
    ],
)
def test_the_order_of_numbers(settings: dict[str, Any], expected: list[int]) -> None:
    """By hand: range, start, step in both directions, a Gray code."""
    counter = Counter(numbers(**settings), Position([signal("C", 0, 4)]))
    assert [counter.next() for _ in expected] == expected


@given(st.integers(0, 300), st.integers(1, 300), st.integers(0, 300), st.integers(-400, 400))
def test_a_step_is_taken_modulo_the_range(minimum: int, more: int, ahead: int, step: int) -> None:
    """Each number is the one before plus the step, held inside the range; and it tells its count."""
    assume(ahead <= more and step % (more + 1))
    walk = numbers(1000, minimum=minimum, maximum=minimum + more, start=minimum + ahead, step=step)
    expected = minimum + ahead
    met = set()
    for count in range(walk.size):
        assert walk.number(count) == expected
        assert walk.count(expected) == count
        met.add(expected)
        expected += step
        while expected > minimum + more:
            expected -= more + 1
        while expected < minimum:
            expected += more + 1
    assert expected == minimum + ahead
    assert all(walk.count(number) is None for number in range(1000) if number not in met)


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"maximum": 16}, "maximum"),
        ({"minimum": 15}, "minimum"),
        ({"start": 9, "maximum": 8}, "start"),
        ({"step": 16}, "step"),
        ({"values": [1, 99]}, "values"),
    ],
)
def test_what_does_not_fit_is_refused(settings: dict[str, Any], key: str) -> None:
    """In 4 bits; the error names the key."""
    with pytest.raises(ConfigurationError) as caught:
        numbers(**settings)
    assert caught.value.place == ("counter", key)
