"""Periods, jitter and send types, from times that are made by hand."""

import random

import numpy as np

from hilbridge.base.common.units import MILLISECOND
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.timing import timing


def times(*milliseconds: float) -> np.ndarray:
    return np.round(np.array(milliseconds) * MILLISECOND).astype(np.int64)


def never(count: int) -> np.ndarray:
    return np.zeros(count - 1, np.bool_)


def test_a_period_with_jitter_is_rounded_to_what_was_meant() -> None:
    """A logger's clock is some thousandths off, and frames wait for the bus."""
    rng = random.Random(1)
    found = timing(times(*(i * 20.03 + rng.gauss(0, 1) for i in range(500))), never(500))
    assert (found.kind, found.period, found.certainty) == ("cyclic", 20, Certainty.SURE)
    assert found.jitter is not None
    assert 1 < found.jitter < 2  # of differences of two: 1 ms times the root of 2


def test_lost_frames_and_pauses_do_not_change_the_period() -> None:
    kept = [i * 100.0 for i in range(100) if i % 17 and not 40 < i < 60]
    found = timing(times(*kept), never(len(kept)))
    assert (found.kind, found.period) == ("cyclic", 100)
    assert found.longest == 2000


def test_changes_between_the_frames_of_a_cycle_do_not_hide_it() -> None:
    at = sorted([(i * 100.0, False) for i in range(60)] + [(i * 230.0 + 31, True) for i in range(25)])
    found = timing(times(*(t for t, _ in at)), np.array([changed for _, changed in at[1:]]))
    assert (found.kind, found.period) == ("cyclic and on change", 100)


def test_frames_that_only_come_with_a_change_go_on_change() -> None:
    rng = random.Random(2)
    at = np.cumsum([rng.expovariate(1 / 300) + 5 for _ in range(60)])
    assert timing(times(*at), np.ones(59, np.bool_)).kind == "on change"


def test_what_has_no_rule_is_not_known() -> None:
    rng = random.Random(3)
    at = np.cumsum([rng.expovariate(1 / 300) + 5 for _ in range(60)])
    assert timing(times(*at), never(60)).certainty is Certainty.UNKNOWN
    assert timing(times(5), never(1)).kind == "once"
