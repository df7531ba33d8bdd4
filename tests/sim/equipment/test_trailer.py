"""The anti-lock system of a trailer under overrides and faults, and what the bus says of it."""

import pytest

from vehiclesim import (
    CHASSIS,
    FAULT,
    ROAD,
    SETTINGS,
    AbsSettings,
    ChassisData,
    FaultData,
    InputData,
    RoadData,
    SettingsData,
    TrailerSettings,
    Vehicle,
    VehicleSettings,
)

from ..road import FULL
from ..states import roll_at

NONE, ON, OFF = 0, 1, 2
STRONG = TrailerSettings(mass=1200.0, brake_torque=3000.0, abs=AbsSettings(enabled=True))
PLAIN = TrailerSettings(mass=1200.0, brake_torque=3000.0)


@pytest.mark.parametrize(
    ("trailer", "override", "failure", "works"),
    [
        (STRONG, NONE, 0, True),
        (STRONG, OFF, 0, False),
        (STRONG, NONE, 1, False),
        (STRONG, ON, 1, False),
        (PLAIN, NONE, 0, False),
        (PLAIN, ON, 0, True),
    ],
)
def test_an_override_of_the_train_reaches_the_trailer_and_a_failure_is_its_own(
    trailer: TrailerSettings, override: int, failure: int, works: bool
) -> None:
    """Wheels lock within a second where it is off; where it works they turn, and the bus says that it acts."""
    vehicle = Vehicle(VehicleSettings(trailer=trailer))
    data = vehicle.data
    data.input[InputData.KEY] = -1
    data.write(ROAD, RoadData.FRICTION, 0.5)
    data.write(SETTINGS, SettingsData.ABS_OVERRIDE, override)
    data.write(FAULT, FaultData.TRAILER_ABS_FAILURE, failure)
    data.input[InputData.CLUTCH] = FULL
    vehicle.step(0.001)
    roll_at(vehicle, 20.0)
    data.input[InputData.BRAKE] = FULL
    acted = locked = 0
    for _ in range(1000):
        vehicle.step(0.001)
        acted += data.chassis[ChassisData.TRAILER_ABS_ENGAGED]
        locked += vehicle.named_blocks()["trailer_left"].spin == 0.0  # type: ignore[attr-defined]
    assert (acted > 500, locked == 0) == (works, works)


def test_the_bus_has_the_loads_of_all_axles() -> None:
    """On the flat, at rest: together the weight of both."""
    vehicle = Vehicle(VehicleSettings(trailer=STRONG))
    vehicle.step(0.001)
    axles = (ChassisData.FRONT_AXLE_LOAD, ChassisData.REAR_AXLE_LOAD, ChassisData.TRAILER_AXLE_LOAD)
    loads = [vehicle.data.read(CHASSIS, axle) for axle in axles]
    assert sum(loads) == pytest.approx(9.80665 * (vehicle.settings.body.mass + 1200.0), abs=3.0)
