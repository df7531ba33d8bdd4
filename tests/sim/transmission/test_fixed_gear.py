"""The gear of a power split, which is always in mesh."""

import pytest

from vehiclesim import ElectricData, Vehicle, VehicleData
from vehiclesim.transmission.fixed_gear import FixedGear

from ..electric.hybrids import DRIVE, NEUTRAL, PARK, SPLIT, read, ready, run

REVERSE = 2


def gear_of(vehicle: Vehicle) -> FixedGear:
    assert isinstance(vehicle.gearbox, FixedGear)
    return vehicle.gearbox


def turns_together(vehicle: Vehicle) -> bool:
    """The motor, on a gear of 3, and the wheels behind a final drive, both in the same direction."""
    final = SPLIT.driveline.total_ratio
    driven = [wheel.spin for wheel in vehicle.wheels if wheel.inputs[0] is not None]
    wheels = sum(driven) / len(driven) * 30.0 / 3.14159265
    return read(vehicle, ElectricData.MOTOR_RPM) == pytest.approx(3.0 * final * wheels, rel=1e-3, abs=0.5)


def test_in_every_position_it_turns_with_the_wheels() -> None:
    """Forward in D, and in N after it; backward in R. The gear that is shown is the direction of the drive."""
    vehicle = run(ready(SPLIT), 3.0, throttle=2500)
    assert gear_of(vehicle).sensor_gear == 1
    assert turns_together(vehicle)
    run(vehicle, 1.0, automatic_gear=NEUTRAL, throttle=0)
    assert gear_of(vehicle).sensor_gear == 0
    assert read(vehicle, ElectricData.MOTOR_RPM) > 500.0
    assert turns_together(vehicle)
    run(vehicle, 6.0, brake=5000)
    run(vehicle, 0.5, automatic_gear=REVERSE)
    run(vehicle, 3.0, brake=0, throttle=1500)
    assert vehicle.data.vehicle[VehicleData.GEARBOX_GEAR] == -1
    assert read(vehicle, ElectricData.MOTOR_RPM) < -100.0
    assert turns_together(vehicle)


def test_a_gear_against_the_motion_waits() -> None:
    """R is not engaged at 4 m/s forward."""
    vehicle = run(ready(SPLIT), 4.0, throttle=4000)
    assert vehicle.chassis.sensor_speed > 4.0
    run(vehicle, 0.5, automatic_gear=REVERSE, throttle=0)
    assert gear_of(vehicle).sensor_gear == 0
    assert vehicle.chassis.sensor_speed > 2.0


def test_the_pawl_holds_both_shafts() -> None:
    vehicle = run(ready(SPLIT), 0.5, brake=10_000)
    run(vehicle, 0.5, automatic_gear=PARK)
    run(vehicle, 1.0, brake=0, throttle=10_000)
    assert vehicle.chassis.sensor_speed == pytest.approx(0.0, abs=1e-5)
    assert read(vehicle, ElectricData.MOTOR_RPM) == 0.0
    run(vehicle, 2.0, automatic_gear=DRIVE, throttle=2000)
    assert vehicle.chassis.sensor_speed > 1.0
