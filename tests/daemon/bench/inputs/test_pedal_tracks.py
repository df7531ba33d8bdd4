"""A pedal with two sensors: a goes from 0 to 1000, b from 500 down to 0."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.inputs.controls import find_control
from hilbridge.bench.inputs.pedal_tracks import PedalTracks
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE
from hilbridge.files.settings import InputSignal

from .conditioning import convert, refusal

TRACKS = [{"field": "a", "minimum": 0, "maximum": 1000}, {"field": "b", "minimum": 500, "maximum": 0}]


def pedal(**settings: Any) -> PedalTracks:
    control = find_control("Throttle")
    assert control is not None
    return PedalTracks(control, InputSignal.model_validate({"tracks": TRACKS, "limp": 0.2, **settings}))


def press(tracks: PedalTracks, a: float | None, b: float | None, times: Iterable[int]) -> list[int | None]:
    """Shares of the travel, at times [ms]."""
    raw = (None if a is None else a * 1000, None if b is None else 500 - b * 500)
    return [convert(tracks, raw, t * MILLISECOND) for t in times]


def failed(**settings: Any) -> PedalTracks:
    """A pedal whose tracks differed from 0 to 100 ms."""
    tracks = pedal(**settings)
    press(tracks, 0.5, 0.9, (0, 100))
    assert tracks.failed
    return tracks


def test_while_they_agree_the_first_track_counts() -> None:
    tracks = pedal()
    assert press(tracks, 0.50, 0.55, range(0, 1000, 10)) == [5000] * 100
    assert (tracks.failed, tracks.failures, tracks.changed) == (False, 0, False)


def test_when_they_differ_the_smaller_one_counts_and_after_the_time_only_the_limp_value() -> None:
    tracks = pedal()
    assert press(tracks, 0.9, 0.5, (0, 50, 99)) == [5000, 5000, 5000]
    assert not tracks.failed
    assert press(tracks, 0.9, 0.5, (100, 110)) == [2000, 2000]
    assert (tracks.failed, tracks.failures, tracks.changed) == (True, 1, True)


def test_a_difference_that_ends_in_time_is_forgotten() -> None:
    tracks = pedal()
    for start in range(0, 1000, 100):
        press(tracks, 0.9, 0.5, (start, start + 90))
        press(tracks, 0.9, 0.9, (start + 95,))
    assert not tracks.failed


def test_limping_never_gives_more_than_the_smaller_track() -> None:
    assert press(failed(), 0.05, 0.9, (110,)) == [500]


def test_agreement_alone_does_not_end_it_nor_does_a_short_one_with_the_pedal_released() -> None:
    tracks = failed()
    assert press(tracks, 0.5, 0.5, (110, 1500, 9000)) == [2000] * 3
    tracks = failed()
    assert press(tracks, 0.0, 0.0, (110, 1109)) == [0, 0]
    assert tracks.failed


def test_agreement_for_the_recovery_time_and_the_pedal_released_ends_it() -> None:
    tracks = failed()
    press(tracks, 0.5, 0.5, (110, 1500))
    assert press(tracks, 0.0, 0.0, (1510,)) == [0]
    assert (tracks.failed, tracks.failures) == (False, 1)
    assert press(tracks, 0.5, 0.5, (1520,)) == [5000]


def test_a_difference_during_the_recovery_begins_it_anew() -> None:
    tracks = failed()
    press(tracks, 0.0, 0.0, (110, 1000))
    press(tracks, 0.0, 0.5, (1010,))
    press(tracks, 0.0, 0.0, (1020, 2019))
    assert tracks.failed
    press(tracks, 0.0, 0.0, (2020,))
    assert not tracks.failed


def test_a_track_that_is_missing_differs_and_the_pedal_counts_as_released() -> None:
    tracks = pedal()
    assert press(tracks, 0.5, None, (0, 50, 100)) == [0, 0, 0]
    assert tracks.failed


def test_a_silence_is_no_difference_and_heals_nothing() -> None:
    tracks = pedal()
    press(tracks, 0.9, 0.5, (0,))
    tracks.reset()
    press(tracks, 0.9, 0.5, (5000,))
    assert not tracks.failed
    tracks = failed()
    tracks.reset()
    press(tracks, 0.0, 0.0, (9000,))
    assert tracks.failed


def test_a_curve_acts_on_what_counts() -> None:
    assert press(pedal(gamma=2.0), 0.5, 0.5, (0,)) == [2500]


@pytest.mark.parametrize(
    ("readings", "reason"),
    [((1.0, "x"), GARBAGE), ((1.0, float("inf")), OUT_OF_RANGE), ((-5e9, 7e9), None), ((None, 1.0), None)],
)
def test_words_and_infinities_spoil_the_sample_and_a_damaged_track_does_not(readings: Any, reason: str | None) -> None:
    assert refusal(pedal(), *readings) == reason


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100), st.integers(1, 300)), max_size=60))
def test_the_result_is_never_above_either_track_by_more_than_the_tolerance(presses: list[tuple[int, int, int]]) -> None:
    tracks = pedal()
    t = 0
    for a, b, gap in presses:
        t += gap
        (value,) = press(tracks, a / 100, b / 100, (t,))
        assert value is not None
        assert 0 <= value <= min(a, b) * 100 + 501
        if tracks.failed:
            assert value <= 2000


def test_a_track_far_beyond_its_ends_counts_as_missing() -> None:
    """A short to supply on one wire, though the pedal is fully pressed: the sum of both would agree."""
    tracks = pedal()
    assert press(tracks, 5.0, 1.0, (0, 99)) == [0, 0]
    assert not tracks.failed
    press(tracks, 5.0, 1.0, (100,))
    assert tracks.failed
