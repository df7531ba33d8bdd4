"""The fuel that a drive owes its 12 V battery."""

from dataclasses import replace

import pytest

from hilbridge.bench.drive.charge_balance import owed
from vehiclesim import (
    AccessorySettings,
    AirPathSettings,
    AuxiliarySettings,
    ElectricsSettings,
    FuelKind,
    VehicleSettings,
)


def car(fuel: FuelKind, boost: float = 0.0, efficiency: float = 0.67) -> VehicleSettings:
    return VehicleSettings(
        accessories=AccessorySettings(alternator_efficiency=efficiency),
        auxiliary=replace(
            AuxiliarySettings(),
            air_path=AirPathSettings(fuel=fuel, max_boost=boost),
            electrics=ElectricsSettings(capacity=80.0),
        ),
    )


@pytest.mark.parametrize(
    ("vehicle", "litres"),
    [
        (car(FuelKind.PETROL), 0.264),
        (car(FuelKind.PETROL, 100.0), 0.280),
        (car(FuelKind.DIESEL, 100.0), 0.220),
    ],
)
def test_a_kilowatt_hour_at_the_crankshaft_costs_what_the_commission_says(
    vehicle: VehicleSettings, litres: float
) -> None:
    """1/0.67 of it is in the battery: 0.698 of 80 Ah at 12 V."""
    share = 0.67 * 1000.0 / (80.0 * 12.0)
    assert owed(vehicle, 0.9, 0.9 - share) == pytest.approx(litres)
    assert owed(vehicle, 0.9 - share, 0.9) == pytest.approx(-litres)


def test_current_that_costs_no_fuel_owes_none() -> None:
    assert owed(car(FuelKind.PETROL, efficiency=0.0), 0.9, 0.5) is None
