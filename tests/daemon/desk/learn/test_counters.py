"""Counters of several kinds, among signals that only look like one."""

import random

import numpy as np
import pytest

from hilbridge.desk.learn.bits import bit_statistics
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.counters import Counter, find_counters

from .frames import protected


def counters(protection: object, count: int = 600) -> list[Counter]:
    data = protected(protection, count=count).data
    return find_counters(data, bit_statistics(data))


@pytest.mark.parametrize(
    "counter",
    [
        {"at": {"bit": 8, "width": 4}},
        {"at": {"bit": 52, "width": 4}, "maximum": 14},
        {"at": {"bit": 60, "width": 2}},
        {"at": {"bit": 16, "width": 8}},
        {"at": {"bit": 16, "width": 8}, "maximum": 254},
        {"at": {"bit": 0, "width": 4}, "minimum": 1, "maximum": 14},
        {"at": {"bit": 4, "width": 4}, "step": -1},
        {"at": {"bit": 4, "width": 4}, "step": 3},
        {"at": {"bit": 4, "width": 4}, "values": [0, 8, 3, 12, 1]},
        {"at": {"bit": 16, "width": 16}},
        {"at": {"bit": 23, "width": 16, "order": "big"}},
    ],
)
def test_a_counter_is_found_as_it_was_written(counter: dict[str, object]) -> None:
    """Place, byte order, range, step or table."""
    assert [one.settings() for one in counters({"counter": counter})] == [counter]


def test_a_counter_is_sure_when_it_has_gone_round_twice() -> None:
    wide = {"counter": {"at": {"bit": 0, "width": 8}}}
    assert counters(wide, count=600)[0].certainty is Certainty.SURE
    assert counters(wide, count=300)[0].certainty is Certainty.LIKELY


def test_lost_frames_do_not_hide_a_counter() -> None:
    data = protected({"counter": {"at": {"bit": 8, "width": 4}}}, count=900).data
    kept = data[[i for i in range(900) if i % 50]]
    (found,) = find_counters(kept, bit_statistics(kept))
    assert found.settings() == {"at": {"bit": 8, "width": 4}}


def test_two_counters_keep_their_distance() -> None:
    """As the second is the first and 134, in Nissan's frames of wheel speeds."""
    rows = [[(i + 134) % 256, i * 7 // 11 % 256, i % 256] for i in range(600)]
    data = np.array(rows, np.uint8)
    first, second = find_counters(data, bit_statistics(data))
    assert {"start": 134} not in (first.settings(), second.settings())
    assert (first.field.byte, second.field.byte) == (0, 2)
    assert second.settings() == {"at": {"bit": 16, "width": 8}, "start": 122}


def test_noise_and_ramps_are_no_counters() -> None:
    rng = random.Random(1)
    rows = [[rng.randrange(256), i // 3 % 256, rng.randrange(4), 7] for i in range(500)]
    data = np.array(rows, np.uint8)
    assert find_counters(data, bit_statistics(data)) == []
