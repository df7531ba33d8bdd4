"""Levers and switches by name."""

from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.binding import bind, build_conditioner
from hilbridge.bench.inputs.controls import find_control
from hilbridge.bench.inputs.positions import KeyFromTerminals, by_names, mapped, names_of, position_of
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE
from hilbridge.files.settings import InputSignal

from .conditioning import refusal


def control(name: str) -> Any:
    found = find_control(name)
    assert found is not None
    return found


def test_the_selector_has_the_positions_of_the_data_bus_reference() -> None:
    """0, 1, 2, 3, 4 = M, P, R, N, D and 5 to 9 = D1 to D5."""
    names = names_of(control("AutomaticGear"))
    assert [names[name] for name in ("m", "p", "r", "n", "d", "d1", "d2", "d3", "d4", "d5")] == list(range(10))


@pytest.mark.parametrize(
    ("name", "word", "raw"),
    [
        ("body.TurnSignal", "Left", 1),
        ("body.DriveMode", "sport plus", 3),
        ("body.Selector", "p", 1),
        ("body.HazardLights", "on", 1),
        ("body.BeltDriver", "fastened", 1),
        ("settings.AbsOverride", "off", 2),
        ("Key", "acc", -1),
        ("Throttle", "on", 10000),
    ],
)
def test_a_position_has_the_name_of_its_code(name: str, word: str, raw: int) -> None:
    assert position_of(control(name), word) == raw


def test_a_sender_without_description_may_write_names_or_numbers() -> None:
    """A lever on a serial line; what is neither is garbage, a number without position out of range."""
    lever = build_conditioner(bind({"body.TurnSignal": InputSignal()}, ())[0])
    assert [lever.evaluate((reading,)) for reading in ("LEFT", "off", 2.0)] == [1, 0, 2]
    assert [refusal(lever, reading) for reading in ("sideways", 3.0)] == [GARBAGE, OUT_OF_RANGE]


def test_a_map_says_what_values_and_words_stand_for() -> None:
    lever = mapped(control("AutomaticGear"), {"0": "P", "7": "d", "low": 5, "Rev": "R"}, None, ())
    readings = (0.0, 7.0, "LOW", "rev", 3.0, "neutral")
    assert [lever.evaluate((reading,)) for reading in readings] == [1, 4, 5, 2, None, None]


def test_values_outside_the_map_say_nothing_and_spoil_nothing() -> None:
    """A lever on its way from P to R."""
    lever = mapped(control("AutomaticGear"), {"0": "P"}, None, ())
    assert [refusal(lever, reading) for reading in (15.0, "moving", None)] == [None, None, None]


def test_a_map_may_use_the_databases_names_and_only_those() -> None:
    lever = mapped(control("AutomaticGear"), {"Stellung_P": "P", "9": "D"}, {"Stellung_P": 3.0}, ())
    assert (lever.evaluate((3.0,)), lever.evaluate((9.0,))) == (1, 4)
    with pytest.raises(ConfigurationError, match="unknown value 'Stellung_R': did you mean Stellung_P") as error:
        mapped(control("AutomaticGear"), {"Stellung_R": "R"}, {"Stellung_P": 3.0}, ("signals", "AutomaticGear"))
    assert error.value.place == ("signals", "AutomaticGear", "values", "Stellung_R")


@pytest.mark.parametrize(("position", "message"), [("X", "unknown position of AutomaticGear 'X'"), (12, "within 0..9")])
def test_a_position_that_the_control_lacks_is_refused(position: float | str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        mapped(control("AutomaticGear"), {"0": position}, None, ())


def test_a_switch_may_work_a_pedal_all_or_nothing() -> None:
    brake = mapped(control("Handbrake"), {"applied": "on", "released": 0, "half": 0.5}, None, ())
    assert [brake.evaluate((word,)) for word in ("Applied", "released", "half")] == [10000, 0, 5000]


def test_known_names_of_a_database_decide_and_unknown_ones_say_nothing() -> None:
    """A selector that counts from P on, with a position S that the vehicle does not know."""
    lever = by_names(control("AutomaticGear"), {"Park": 0.0, "Reverse": 1.0, "Neutral": 2.0, "Drive": 3.0, "S": 4.0})
    assert lever is not None
    assert [lever.evaluate((float(raw),)) for raw in range(5)] == [1, 2, 3, 4, None]
    assert refusal(lever, 4.0) is None


def test_values_without_a_name_are_positions() -> None:
    """-1 R, 0 N, and the gears have no names."""
    lever = by_names(control("ManualGear"), {"R": 7.0, "N": 0.0})
    assert lever is not None
    assert [lever.evaluate((float(raw),)) for raw in (7, 0, 3)] == [-1, 0, 3]
    assert (refusal(lever, 500.0), refusal(lever, "x")) == (OUT_OF_RANGE, GARBAGE)


def test_names_that_mean_nothing_to_the_control_leave_the_numbers() -> None:
    assert by_names(control("ManualGear"), {"First": 1.0, "Second": 2.0}) is None


def test_the_key_by_names() -> None:
    key = by_names(control("Key"), {"Lock": 0.0, "Acc": 1.0, "Run": 2.0, "Crank": 3.0})
    assert key is not None
    assert [key.evaluate((float(raw),)) for raw in range(4)] == [-1, -1, 0, 1]


@pytest.mark.parametrize(
    ("inserted", "ignition", "starter", "key"),
    [(0, 0, 0, -1), (1, 0, 0, -1), (1, 1, 0, 0), (1, 1, 1, 1), (0, 1, 1, 1), (1, 0, 1, -1), (0, 0, 1, -1)],
)
def test_the_starter_needs_the_ignition(inserted: float, ignition: float, starter: float, key: int) -> None:
    assert KeyFromTerminals(["S", "15", "50"]).evaluate((inserted, ignition, starter)) == key


def test_without_terminal_50_nothing_cranks() -> None:
    assert KeyFromTerminals(["15"]).evaluate((1.0,)) == 0


def test_a_sample_that_lacks_a_terminal_says_nothing_about_the_key() -> None:
    assert KeyFromTerminals(["15", "50"]).evaluate((1.0, None)) is None


def test_words_and_infinities_spoil_the_sample() -> None:
    terminals = KeyFromTerminals(["50", "15"])
    assert refusal(terminals, 1.0, "on") == GARBAGE
    assert refusal(terminals, float("inf"), 1.0) == OUT_OF_RANGE
    assert refusal(terminals, None, 1.0) is None
