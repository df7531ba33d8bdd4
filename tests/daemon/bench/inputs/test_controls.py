"""Which controls there are, and where each goes when nobody holds it."""

import pytest

from hilbridge.bench.inputs.controls import CONTROLS, INPUT_CONTROLS, find_control
from vehiclesim.channels import (
    AUXILIARY,
    BODY,
    CHASSIS,
    FAULT,
    INPUT,
    NAN,
    REQUEST,
    ROAD,
    SETTINGS,
    VEHICLE,
    BodyData,
)
from vehiclesim.entries import ENTRIES

COMPUTED = range(BodyData.LEFT_TURN, BodyData.SELECTOR_SHOWN + 1)
"""Of the Body channel."""

PEDALS = ("Throttle", "Brake", "Clutch", "Steer", "Handbrake", "Retarder")


def test_every_entry_that_may_be_set_from_outside_is_a_control() -> None:
    for channel in (INPUT, SETTINGS, REQUEST, ROAD, FAULT, BODY):
        for index, entry in enumerate(ENTRIES[channel]):
            if channel == BODY and index in COMPUTED:
                continue
            control = find_control(entry.path)
            assert control is not None
            assert (control.channel, control.index, control.resolution) == (channel, index, entry.resolution)


def test_the_channel_may_be_left_away_for_the_input_channel_only() -> None:
    assert find_control("Throttle") is find_control("input.Throttle")
    assert find_control("AbsOverride") is None


@pytest.mark.parametrize(
    "entry",
    [*ENTRIES[VEHICLE], *ENTRIES[AUXILIARY], *ENTRIES[CHASSIS], *(ENTRIES[BODY][index] for index in COMPUTED)],
    ids=lambda entry: str(entry.path),
)
def test_what_the_vehicle_reports_cannot_be_set(entry: object) -> None:
    assert find_control(entry.path) is None  # type: ignore[attr-defined]


def test_at_rest_the_key_is_off_the_selector_in_neutral_and_all_else_zero() -> None:
    rest = {control.name: control.rest for control in INPUT_CONTROLS}
    assert (rest.pop("Key"), rest.pop("AutomaticGear")) == (-1, 3)
    assert set(rest.values()) == {0}


@pytest.mark.parametrize("name", PEDALS)
def test_a_pedal_without_a_source_is_released(name: str) -> None:
    control = find_control(name)
    assert control is not None
    assert control.after_loss(4711) == 0


@pytest.mark.parametrize("name", ["ManualGear", "AutomaticGear", "body.TurnSignal", "body.DippedBeam"])
def test_a_lever_without_a_source_stays_where_it_is(name: str) -> None:
    control = find_control(name)
    assert control is not None
    assert control.after_loss(1) == 1


@pytest.mark.parametrize(("before", "after"), [(1, 0), (0, 0), (-1, -1)])
def test_the_key_stays_too_but_the_starter_is_let_go(before: int, after: int) -> None:
    control = find_control("Key")
    assert control is not None
    assert control.after_loss(before) == after


def test_an_override_without_a_source_is_no_override() -> None:
    control = find_control("settings.AbsOverride")
    assert control is not None
    assert control.after_loss(2) == 0


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("request.EngineTorqueLimit", NAN),
        ("road.Slope", 0),
        ("road.Friction", 10000),
        ("road.FrictionRearRight", 10000),
        ("road.AmbientTemperature", 20_000),
        ("fault.Misfire", 0),
        ("fault.StuckThrottle", NAN),
    ],
)
def test_without_a_source_nothing_is_asked_for_the_road_is_plain_and_nothing_is_broken(name: str, rest: int) -> None:
    control = find_control(name)
    assert control is not None
    assert (control.rest, control.after_loss(4711)) == (rest, rest)


def test_a_control_with_codes_goes_over_all_of_them() -> None:
    control = find_control("body.DriveMode")
    assert control is not None
    assert (control.lowest, control.highest) == (0, 5)


def test_every_control_rests_inside_its_range() -> None:
    for control in CONTROLS:
        assert control.rest == NAN or control.lowest <= control.to_value(control.rest) <= control.highest
        assert control.to_bus(control.highest) < 2**31


def test_a_held_starter_is_let_go() -> None:
    control = find_control("Key")
    assert control is not None
    assert (control.hold(1), control.hold(-1)) == (0, -1)
