"""Parameters of driving aids: units, bounds, and which belong together."""

from enum import Enum
from typing import Any

import pytest

from vehiclesim import Quantity, quantities
from vehiclesim.parameters.aids import (
    AbsSettings,
    AidsSettings,
    AsrSettings,
    EscSettings,
    SteeringAidsSettings,
    TcsSettings,
)

SETS = (AbsSettings, TcsSettings, EscSettings, AsrSettings, SteeringAidsSettings)
BOUNDED = [
    (part, entry.name, bound)
    for part in SETS
    for entry, _, quantity in quantities(part)
    if isinstance(quantity, Quantity) and quantity.minimum is not None and quantity.maximum is not None
    for bound in (quantity.minimum - 0.5, quantity.maximum + 0.5, float("nan"))
]


def test_a_vehicle_has_no_aids_unless_it_says_so() -> None:
    """All of them are left off."""
    aids = AidsSettings()
    assert not any((aids.abs.enabled, aids.tcs.enabled, aids.esc.enabled, aids.asr.enabled))
    assert not any((aids.steering.limit, aids.steering.help))


@pytest.mark.parametrize("part", SETS)
def test_every_parameter_is_described(part: type[Any]) -> None:
    """Numbers by unit, text and both bounds; switches and choices by a text."""
    for entry, kind, quantity in quantities(part):
        if kind is float:
            assert isinstance(quantity, Quantity), entry.name
            assert quantity.unit
            assert quantity.text
            assert quantity.minimum is not None
            assert quantity.maximum is not None
        else:
            assert kind is bool or issubclass(kind, Enum), entry.name
            assert isinstance(quantity, str)


@pytest.mark.parametrize(("part", "name", "value"), BOUNDED)
def test_a_value_out_of_bounds_is_refused_by_name(part: type[Any], name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"^{name}: {value} is "):
        part(**{name: value})


@pytest.mark.parametrize(
    ("part", "values", "message"),
    [
        (EscSettings, {"minimum_yaw_excess": 0.4}, "maximum_yaw_excess: 0.35 is not above minimum_yaw_excess 0.4"),
        (EscSettings, {"maximum_yaw_error": 0.5}, "maximum_yaw_error: 0.5 is not above minimum_yaw_error 0.74"),
        (EscSettings, {"minimum_slip_angle": 14.0}, "maximum_slip_angle: 10.0 is not above minimum_slip_angle 14.0"),
        (AsrSettings, {"maximum_difference": 100.0}, "maximum_difference: 100.0 is not above minimum_difference 100.0"),
    ],
)
def test_an_aid_acts_fully_at_more_than_where_it_begins(
    part: type[Any], values: dict[str, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        part(**values)
