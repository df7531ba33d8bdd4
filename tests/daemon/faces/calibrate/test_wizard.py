"""The calibration of one control: hands and feet are made up, with noise of a known size."""

import random
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.inputs.controls import require_control
from hilbridge.faces.calibrate.wizard import RefusedCalibrationError, Wizard
from hilbridge.files.settings import InputSignal


def pedal(control: str = "Throttle", *fields: str, **keys: object) -> Wizard:
    return Wizard(require_control(control), InputSignal.model_validate(keys), fields or ("gas",))


def hold(wizard: Wizard, noise: float = 0.0, samples: int = 30, **at: float | str | None) -> None:
    """Hold the control for a step, every field at its value within ± `noise`."""
    source = random.Random(1)
    for _ in range(samples):
        raw: Mapping[str, float | str | None] = {
            field: value + source.uniform(-noise, noise) if isinstance(value, float | int) and noise else value
            for field, value in at.items()
        }
        wizard.observe(raw)
    wizard.advance()


def test_the_ends_are_where_it_was_let_go_and_where_it_was_pressed() -> None:
    """1 % is the least dead zone."""
    wizard = pedal()
    hold(wizard, gas=62)
    hold(wizard, gas=958)
    hold(wizard, gas=62)
    assert wizard.step is None
    assert wizard.keys() == {"minimum": 62, "maximum": 958, "dead_zone": 0.01}


def test_an_inverted_pedal_has_its_minimum_above_its_maximum() -> None:
    wizard = pedal()
    for at in (255, 0, 255):
        hold(wizard, gas=at)
    assert (wizard.keys()["minimum"], wizard.keys()["maximum"]) == (255, 0)


def test_the_dead_zone_covers_the_noise() -> None:
    """± 10 on a way of 1000 are 20 at most: 2 %; a spike now and then does not count."""
    wizard = pedal()
    for at in (0, 1000, 0):
        hold(wizard, noise=10, samples=200, gas=at)
    assert wizard.keys()["dead_zone"] == 0.02


def test_the_dead_zone_covers_what_a_pedal_does_not_come_back() -> None:
    """75 of 1000 away from where it was let go first."""
    wizard = pedal()
    for at in (0, 1000, 75):
        hold(wizard, gas=at)
    assert wizard.keys()["dead_zone"] == 0.08


def test_a_wheel_is_turned_to_both_sides_and_has_a_dead_middle() -> None:
    """Straight 1 % beside the middle of the ends: 2 % of each half."""
    wizard = pedal("Steer", "x")
    for at, words in ((0, "left"), (1000, "right"), (510, "straight")):
        assert wizard.step is not None
        assert words in wizard.step.words
        hold(wizard, x=at)
    assert wizard.keys() == {"minimum": 0, "maximum": 1000, "curve": [[0, 0], [0.02, 0], [1, 1]]}


def test_both_tracks_of_a_pedal_are_calibrated_at_once() -> None:
    """They disagree by 4 % of the travel when it is let go: twice that may they differ."""
    tracks = [{"field": field, "minimum": 0, "maximum": 1} for field in ("a", "b")]
    wizard = pedal("Throttle", "a", "b", tracks=tracks)
    hold(wizard, a=100, b=50)
    hold(wizard, a=900, b=450)
    hold(wizard, a=132, b=50)
    assert wizard.keys() == {
        "tracks": [{"field": "a", "minimum": 100, "maximum": 900}, {"field": "b", "minimum": 50, "maximum": 450}],
        "tolerance": 0.08,
    }


def test_small_ranges_keep_four_digits() -> None:
    wizard = pedal()
    for at in (0.1, 0.900004, 0.1):
        hold(wizard, gas=at)
    assert (wizard.keys()["minimum"], wizard.keys()["maximum"]) == (0.1, 0.9)


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([(512, 0), (513, 0)], "moved by 1 only"),
        ([(0, 0), (0, 0)], "moved by 0 only"),
        ([(500, 100), (900, 100)], "its noise is"),
        ([(0, 5), (1000, 40)], "swings by"),
        ([(0, 0), (1000, 0), (400, 0)], "came back to 400, 40% of the way"),
    ],
)
def test_what_cannot_be_a_pedal_is_refused_with_the_reason(steps: list[tuple[float, float]], reason: str) -> None:
    wizard = pedal()
    *before, (at, noise) = steps
    for value, swing in before:
        hold(wizard, noise=swing, gas=value)
    with pytest.raises(RefusedCalibrationError, match=reason):
        hold(wizard, noise=noise, gas=at)


@pytest.mark.parametrize(
    ("value", "reason"), [(None, "gas is silent"), ("on", "sends words"), (float("nan"), "silent")]
)
def test_a_field_without_numbers_is_refused(value: float | str | None, reason: str) -> None:
    with pytest.raises(RefusedCalibrationError, match=reason):
        hold(pedal(), gas=value)


def test_a_wheel_whose_ends_were_not_reached_is_refused() -> None:
    wizard = pedal("Steer", "x")
    hold(wizard, x=0)
    hold(wizard, x=1000)
    with pytest.raises(RefusedCalibrationError, match="straight is at 70% of the way"):
        hold(wizard, x=700)


def test_a_step_that_was_refused_begins_anew() -> None:
    wizard = pedal()
    hold(wizard, gas=62)
    with pytest.raises(RefusedCalibrationError):
        hold(wizard, gas=62)
    assert wizard.step is not None
    assert wizard.step.name == "pressed"
    hold(wizard, gas=958)
    assert wizard.shares({"gas": 510}) == [0.5]


@given(st.lists(st.lists(st.one_of(st.none(), st.floats(), st.integers(), st.text()), max_size=40), max_size=6))
def test_no_samples_break_it(steps: list[list[float | str | None]]) -> None:
    """It refuses, or its keys are those of a signal."""
    wizard = pedal()
    for samples in steps:
        for reading in samples:
            wizard.observe({"gas": reading})
        try:
            wizard.advance()
        except RefusedCalibrationError:
            continue
    wizard.shares({"gas": 1})
    if wizard.step is None:
        InputSignal.model_validate(wizard.keys())
