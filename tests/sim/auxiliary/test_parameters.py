"""The parameters of the auxiliaries: bounds, and what cannot be built."""

from dataclasses import fields, replace
from typing import Any

import pytest

from vehiclesim.parameters import EngineSettings, Quantity, quantities
from vehiclesim.parameters.auxiliary import (
    AirPathSettings,
    AlternatorControlSettings,
    AuxiliarySettings,
    DistanceSettings,
    ElectricsSettings,
    LubricationSettings,
    TankSettings,
    ThermalSettings,
)

from .rig import Rig, at_idle, at_rest

PARTS: tuple[type[Any], ...] = (
    ThermalSettings,
    ElectricsSettings,
    TankSettings,
    DistanceSettings,
    AirPathSettings,
    LubricationSettings,
)
NESTED: tuple[type[Any], ...] = (AlternatorControlSettings,)
CONTROL = AlternatorControlSettings(enabled=True)
NUMBERS = [
    (part, entry.name, quantity)
    for part in PARTS + NESTED
    for entry, _, quantity in quantities(part)
    if isinstance(quantity, Quantity)
]


def test_every_field_says_what_it_means() -> None:
    for part in PARTS + NESTED:
        assert all(quantity is not None or kind in NESTED for _, kind, quantity in quantities(part))
    assert {type(getattr(AuxiliarySettings(), entry.name)) for entry in fields(AuxiliarySettings)} == set(PARTS)


@pytest.mark.parametrize(("part", "name", "quantity"), NUMBERS)
def test_a_value_out_of_bounds_is_refused_by_name(part: type[Any], name: str, quantity: Quantity) -> None:
    for bound, beyond in ((quantity.minimum, -1.0), (quantity.maximum, 1.0)):
        assert bound is not None
        with pytest.raises(ValueError, match=name):
            part(**{name: bound + beyond})


@pytest.mark.parametrize(
    ("part", "values", "name"),
    [
        (ThermalSettings, {"thermostat_open": 87.0}, "thermostat_open"),
        (ThermalSettings, {"fan_on": 90.0}, "fan_on"),
        (ThermalSettings, {"boiling": 99.5}, "boiling"),
        (ElectricsSettings, {"nominal_voltage": 24.0}, "alternator_voltage"),
        (ElectricsSettings, {"internal_resistance": 0.03}, "starter_current"),
        (ElectricsSettings, {"alternator_control": CONTROL, "alternator_voltage": 15.0}, "alternator_control"),
        (AlternatorControlSettings, {"charge_band": 0.8}, "charge_band"),
        (AlternatorControlSettings, {"rest_voltage": 14.8}, "rest_voltage"),
        (LubricationSettings, {"max_pressure": 100.0}, "max_pressure"),
    ],
)
def test_values_that_contradict_each_other_are_refused(part: type[Any], values: dict[str, float], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        part(**values)


def corner(part: type[Any], end: str) -> dict[str, Any]:
    """All numbers of a part at one end of their bounds."""
    return {name: getattr(quantity, end) for owner, name, quantity in NUMBERS if owner is part}


@pytest.mark.parametrize("end", ["minimum", "maximum"])
@pytest.mark.parametrize("part", [TankSettings, DistanceSettings, AirPathSettings])
def test_what_the_bounds_allow_can_be_driven(part: type[Any], end: str) -> None:
    name = {TankSettings: "tank", DistanceSettings: "distances", AirPathSettings: "air_path"}[part]
    settings = replace(AuxiliarySettings(), **{name: part(**corner(part, end))})
    rig = at_idle(settings)
    rig.auxiliaries.speed = 30.0
    rig.hold(100.0)
    assert all(isinstance(value, int) for value in rig.values)


@pytest.mark.parametrize("engine", [EngineSettings(max_fuel_per_rev=0.0), EngineSettings(max_fuel_per_rev=1e4)])
def test_an_engine_without_fuel_or_of_a_ship_has_auxiliaries_too(engine: EngineSettings) -> None:
    rig: Rig = at_rest(engine=engine)
    rig.run(1.0)
    rig.hold(100.0)
    assert all(isinstance(value, int) for value in rig.values)
