"""Rules of the speed limiter."""

from dataclasses import replace
from typing import Final

import pytest

from vehiclesim import InputData, SpeedLimiterSettings, Vehicle, VehicleSettings
from vehiclesim.parameters import AidsSettings, GearboxSettings, GearboxType

STEP: Final = 0.01
CAR: Final = VehicleSettings(gearbox=GearboxSettings(type=GearboxType.AUTOMATIC))
LIMITED: Final = replace(CAR, aids=AidsSettings(speed_limiter=SpeedLimiterSettings(speed=20.0)))


def driven(settings: VehicleSettings, seconds: float) -> Vehicle:
    """A vehicle after so long with the throttle to the floor, in D."""
    vehicle = Vehicle(settings)
    vehicle.data.input[InputData.KEY] = 0
    vehicle.data.input[InputData.AUTOMATIC_GEAR] = 4
    vehicle.data.input[InputData.THROTTLE] = 10_000
    for _ in range(round(seconds / STEP)):
        vehicle.step(STEP)
    return vehicle


def test_the_throttle_to_the_floor_ends_at_the_limit() -> None:
    """Within half a metre per second, and steadily."""
    vehicle = driven(LIMITED, 20.0)
    assert vehicle.chassis.sensor_speed == pytest.approx(20.0, abs=0.5)
    before = vehicle.chassis.sensor_speed
    for _ in range(500):
        vehicle.step(STEP)
    assert vehicle.chassis.sensor_speed == pytest.approx(before, abs=0.1)


def test_below_the_limit_it_does_nothing() -> None:
    """Until 19.5 m/s the vehicle is the same to the bit."""
    assert driven(LIMITED, 3.0).chassis.sensor_speed == driven(CAR, 3.0).chassis.sensor_speed


def test_a_restored_vehicle_goes_on_at_its_limit_to_the_bit() -> None:
    vehicle = driven(LIMITED, 15.0)
    other = Vehicle(LIMITED)
    other.data.input[:] = vehicle.data.input
    other.set_state_vars(vehicle.get_state_vars())
    assert other.data.vehicle[:] == vehicle.data.vehicle[:]
    for each in (vehicle, other):
        each.step(STEP)
    assert other.get_state_vars() == vehicle.get_state_vars()
