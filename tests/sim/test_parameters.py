"""Parameter sets: units, bounds, defaults, and what is refused."""

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pytest

from vehiclesim import (
    AxleSettings,
    BodySettings,
    ClutchSettings,
    EngineSettings,
    GearboxSettings,
    Quantity,
    VehicleSettings,
    quantities,
)

PARTS = (EngineSettings, ClutchSettings, GearboxSettings, AxleSettings, BodySettings)
NUMBERS = [
    (part, entry.name, quantity)
    for part in PARTS
    for entry, _, quantity in quantities(part)
    if isinstance(quantity, Quantity)
]
BOUNDED = [
    (part, name, step(bound))
    for part, name, quantity in NUMBERS
    for bound, step in (
        (quantity.minimum, lambda bound: bound - 0.5),
        (quantity.maximum, lambda bound: bound + 0.5),
        (quantity.above, float),
        (quantity.below, float),
    )
    if bound is not None
]


def wrapped(part: type[Any], name: str, value: float) -> Any:
    """The value as the field takes it: a tuple where the default is one."""
    return (value,) if isinstance(getattr(part(), name), tuple) else value


@pytest.mark.parametrize("part", [*PARTS, VehicleSettings])
def test_every_set_has_defaults(part: type[Any]) -> None:
    """All of them together are a vehicle, and sets with equal values are equal."""
    assert part() == part()


@pytest.mark.parametrize("part", PARTS)
def test_every_parameter_is_described(part: type[Any]) -> None:
    """Numbers by unit, text and bounds; switches and choices by a text."""
    for entry, kind, quantity in quantities(part):
        assert quantity is not None, entry.name
        is_number = kind in {int, float} or kind == tuple[float, ...]
        assert isinstance(quantity, Quantity) is is_number, entry.name
        text = quantity.text if isinstance(quantity, Quantity) else quantity
        assert text
        assert is_number or kind is bool or issubclass(kind, Enum), entry.name


@pytest.mark.parametrize(("part", "name", "value"), BOUNDED)
def test_a_value_out_of_bounds_is_refused_by_name(part: type[Any], name: str, value: float) -> None:
    """The message starts with the parameter and says the value."""
    with pytest.raises(ValueError, match=rf"{name}: {value} is (not )?(less|greater)"):
        part(**{name: wrapped(part, name, value)})


@pytest.mark.parametrize(("part", "name"), [(part, name) for part, name, _ in NUMBERS])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_none_is_refused(part: type[Any], name: str, value: float) -> None:
    """Also where nothing else bounds it."""
    with pytest.raises(ValueError, match=rf"{name}: .* is not a finite number"):
        part(**{name: wrapped(part, name, value)})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ratios": ()}, "ratios: at least one forward gear"),
        ({"ratios": (3.0, 3.0)}, "ratios: 3.0 after 3.0"),
        ({"ratios": (3.0, 2.0, 2.5)}, "ratios: 2.5 after 2.0"),
        ({"reverse_ratios": (-2.0, -3.0)}, "reverse_ratios: -3.0 after -2.0"),
    ],
)
def test_gears_follow_each_other_from_short_to_long(settings: dict[str, Any], message: str) -> None:
    """Forward and reverse alike; at least one goes forward."""
    with pytest.raises(ValueError, match=message):
        GearboxSettings(**settings)


def test_a_box_may_have_no_reverse_gear() -> None:
    """A motorcycle has none."""
    assert GearboxSettings(reverse_ratios=()).reverse_ratios == ()


def test_a_vehicle_consists_of_the_sets_of_its_parts() -> None:
    """And of a name."""
    parts = [type(getattr(VehicleSettings(), entry.name)) for entry in fields(VehicleSettings)]
    assert parts == [str, *PARTS]
    assert all(is_dataclass(part) for part in PARTS)
