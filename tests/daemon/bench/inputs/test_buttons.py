"""Controls that buttons set: held, toggled, latched; an H-shifter, paddles, an ignition, a light."""

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.buttons import Buttons
from hilbridge.bench.inputs.controls import require_control
from hilbridge.bench.inputs.signal_conditioner import Reading, Refused
from hilbridge.files.settings import InputSignal


def buttons(control: str, **keys: object) -> Buttons:
    return Buttons(require_control(control), InputSignal.model_validate(keys))


def press(control: Buttons, *readings: Reading | None) -> int | None:
    """The position after a sample; None where it says nothing."""
    value = control.evaluate(readings)
    return None if value is None else control.to_bus(value, 0)


def test_a_shifter_is_in_the_gear_whose_button_is_held_and_else_in_neutral() -> None:
    lever = buttons("ManualGear", buttons={"BTN_A": 1, "BTN_B": 2, "BTN_C": "R"})
    assert [press(lever, *gate) for gate in ((0, 0, 0), (1, 0, 0), (0, 0, 0), (0, 1, 0), (0, 0, 1))] == [0, 1, 0, 2, -1]


def test_of_two_buttons_that_are_held_the_first_counts() -> None:
    lever = buttons("ManualGear", buttons={"BTN_A": 1, "BTN_B": 2})
    assert press(lever, 1, 1) == 1


def test_paddles_step_and_rest_between() -> None:
    paddles = buttons("GearShift", buttons={"BTN_TR": "up", "BTN_TL": "down"})
    assert [press(paddles, *both) for both in ((0, 0), (1, 0), (0, 0), (0, 1))] == [0, 1, 0, -1]


def test_a_toggle_changes_with_each_press_and_not_with_the_release() -> None:
    lights = buttons("body.DippedBeam", toggles={"BTN_X": "on"})
    samples = (1, 1, 0, 0, 1, 0, 1)
    assert [press(lights, sample) for sample in samples] == [1, 1, 1, 1, 0, 0, 1]


def test_before_the_first_press_a_toggle_says_nothing() -> None:
    """So a wheel that is plugged in turns no light off."""
    lights = buttons("body.DippedBeam", toggles={"BTN_X": "on"})
    assert press(lights, 0) is None
    assert press(lights, None) is None


def test_a_latch_stays_until_another_button_is_pressed() -> None:
    selector = buttons("AutomaticGear", latches={"BTN_A": "P", "BTN_B": "R", "BTN_C": "D"})
    assert [press(selector, *one) for one in ((0, 0, 1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 0, 0))] == [4, 4, 4, 2, 2]


def test_a_held_button_stands_over_what_was_toggled() -> None:
    """Ignition by a toggle, starter while another button is held."""
    key = buttons("Key", toggles={"BTN_MODE": "on"}, buttons={"BTN_START": "start"})
    assert [press(key, *one) for one in ((0, 1), (0, 0), (1, 0), (0, 0), (0, 1))] == [0, 0, 1, 0, -1]


def test_released_is_the_position_without_any_button() -> None:
    mode = buttons("body.DriveMode", buttons={"BTN_A": "sport"}, released="eco")
    assert [press(mode, 0), press(mode, 1)] == [1, 2]


def test_a_button_that_a_sample_lacks_is_as_it_was() -> None:
    lever = buttons("ManualGear", buttons={"BTN_A": 1, "BTN_B": 2})
    assert [press(lever, 0, 1), press(lever, 0, None), press(lever, None, 0)] == [2, 2, 0]


def test_after_a_silence_a_toggle_waits_for_a_press_again() -> None:
    lights = buttons("body.DippedBeam", toggles={"BTN_X": "on"})
    press(lights, 1)
    lights.reset()
    assert [press(lights, 0), press(lights, 1)] == [None, 1]


@pytest.mark.parametrize("reading", ["on", float("nan"), float("inf")])
def test_what_is_no_number_spoils_the_sample(reading: Reading) -> None:
    with pytest.raises(Refused):
        press(buttons("ManualGear", buttons={"BTN_A": 1}), reading)


@pytest.mark.parametrize(
    ("control", "keys", "message"),
    [
        ("ManualGear", {"buttons": {"BTN_A": "P"}}, "unknown position of ManualGear 'P'"),
        ("Key", {"toggles": {"BTN_A": "start"}}, "the starter must not stay on"),
        ("Key", {"latches": {"BTN_A": 1}}, "the starter must not stay on"),
        ("ManualGear", {"buttons": {"BTN_A": 1}, "released": 9999}, "9999 of ManualGear is not within"),
    ],
)
def test_a_position_must_exist_and_the_starter_must_not_stay_on(
    control: str, keys: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        buttons(control, **keys)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"buttons": {"A": 1}, "field": "A"}, "does not go with 'buttons'"),
        ({"toggles": {"A": 1}, "gamma": 2}, "does not go with 'toggles'"),
        ({"released": 1}, "needs 'buttons'"),
        ({"buttons": {"A": 1}, "latches": {"A": 1}}, "one part"),
    ],
)
def test_a_key_that_would_not_be_read_is_an_error(keys: dict[str, object], message: str) -> None:
    with pytest.raises((ConfigurationError, ValueError), match=message):
        InputSignal.model_validate(keys)
