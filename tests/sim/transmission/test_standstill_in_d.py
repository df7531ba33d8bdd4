"""Neutral at standstill on the road, and the start interlock. The car is the shipped one with a converter."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import ROAD, GearboxType, GearMode, InputData, RoadData, Vehicle, VehicleData
from vehiclesim.parameters.operation import ColdSettings

from ..automatic_cars import COARSE, DISC, car, drive, gears, ready
from ..road import FULL, read, run

SHIPPED = load_vehicle(str(Path(__file__).parents[3] / "config" / "vehicles" / "320d-g20.yaml")).settings
SALOON = replace(SHIPPED, cold=ColdSettings())
"""It idles at its warm speed, however cold it is."""

WEIGHT = SALOON.body.mass * 9.80665
STALL_TORQUE = (SALOON.engine.idle_rpm / SALOON.clutch.capacity_factor[0]) ** 2 * SALOON.clutch.torque_ratio[0]
CREEP_FORCE = (
    STALL_TORQUE
    * SALOON.gearbox.ratios[0]
    * SALOON.gearbox.efficiency
    * SALOON.driveline.total_ratio
    / SALOON.wheels.radius
)
"""[N], of the stalled converter at idle in first gear."""

STEEPEST = CREEP_FORCE / WEIGHT
"""The sine of the slope that it holds."""


@pytest.mark.parametrize("grade", [0.0, 0.02, 0.05, 0.1, -0.05])
def test_a_brake_let_go_brings_one_gear_and_no_jerk(grade: float) -> None:
    """From neutral on the brake to first gear, once in 20 s; what it rolls back meanwhile is less than 10 cm."""
    vehicle = ready(SALOON, grade=grade)
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 0
    assert gears(drive(vehicle, 0.02)) == [0, 1]
    start = vehicle.chassis.pose.x
    for _ in range(40):
        assert gears(drive(vehicle, 0.5)) == [1]
        assert vehicle.chassis.pose.x > start - 0.1
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 1


@pytest.mark.parametrize("throttle", [0.0, 0.3, 1.0])
def test_gears_and_lock_up_engage_without_a_jolt(throttle: float) -> None:
    """Jerk from step to step at most what a blended shift has, 160 m/s³, from neutral on the brake to second gear.

    A lock-up clutch that closed in one step had 2000 m/s³, a gear that met the turbine at its speed 800.
    """
    vehicle = ready(SALOON)
    vehicle.solver.max_substep = 0.001
    controls = vehicle.data.input
    controls[InputData.BRAKE], controls[InputData.THROTTLE] = 0, round(throttle * FULL)
    accelerations = [0.0]
    for _ in range(2500):
        vehicle.step(0.001)
        accelerations.append(vehicle.chassis.sensor_acceleration)
    assert max(abs(b - a) / 0.001 for a, b in pairwise(accelerations)) < 160.0


def test_it_creeps_on_the_flat() -> None:
    """At the pace of a walker, 3 to 9 km/h; and the brake brings it back to neutral."""
    vehicle = ready(SALOON)
    drive(vehicle, 20.0)
    assert 3.0 < 3.6 * vehicle.chassis.sensor_speed < 9.0
    drive(vehicle, 3.0, brake=0.3)
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 0
    assert vehicle.chassis.sensor_speed == 0.0


def test_it_creeps_off_as_cars_do() -> None:
    """With 0.5 to 0.8 m/s² at most; the stalled converter, with its gear there at once, would give CREEP_FORCE/m."""
    vehicle = ready(SALOON)
    speeds = [0.0]
    for _ in range(700):
        drive(vehicle, 0.01)
        speeds.append(vehicle.chassis.sensor_speed)
    assert 0.5 < max((b - a) / 0.05 for a, b in zip(speeds, speeds[5:], strict=False)) < 0.8
    assert CREEP_FORCE / SALOON.body.mass > 2.0
    assert speeds[100] > 0.05
    assert speeds[500] > 1.4


@pytest.mark.parametrize("direction", [1, -1])
def test_it_holds_a_hill_as_far_as_the_converter_does(direction: int) -> None:
    """At idle that is T = (n/K)²·TR of the stalled converter, times the ratios: up below it, back above.

    Between the two the gears' friction holds: forward they give η of the torque, backward they take 1/η.
    """
    sine = 0.9 * STEEPEST if direction > 0 else 1.1 * STEEPEST / SALOON.gearbox.efficiency**2
    vehicle = ready(SALOON, grade=sine / (1.0 - sine * sine) ** 0.5)
    start = vehicle.chassis.pose.x
    assert gears(drive(vehicle, 10.0))[-1] == 1
    assert (vehicle.chassis.pose.x - start) * direction > 0.5


# -- start interlock ----------------------------------------------------------------------------------------------


def crank(vehicle: Vehicle, **controls: int) -> bool:
    """Whether the starter motor turns, a moment after the key."""
    for name, value in controls.items():
        vehicle.data.input[getattr(InputData, name)] = value
    run(vehicle, 0.5, COARSE)
    vehicle.data.input[InputData.KEY] = 1
    run(vehicle, 0.05, COARSE)
    return read(vehicle, VehicleData.ENGINE_STARTING) == 1


@pytest.mark.parametrize(
    ("mode", "starts"),
    [
        (GearMode.MANUAL, True),
        (GearMode.PARK, True),
        (GearMode.NEUTRAL, True),
        (GearMode.REVERSE, False),
        (GearMode.DRIVE, False),
        (GearMode.DRIVE_5, False),
    ],
)
@pytest.mark.parametrize("neutral_at_standstill", [False, True])
def test_an_automatic_is_started_in_p_and_n(mode: int, *, starts: bool, neutral_at_standstill: bool) -> None:
    """In D not even where it stands in neutral on its brake; M without a gear is neutral."""
    parameters = car()
    shifting = replace(parameters.shifting, neutral_at_standstill=neutral_at_standstill)
    vehicle = Vehicle(replace(parameters, shifting=shifting))
    assert crank(vehicle, AUTOMATIC_GEAR=mode, BRAKE=FULL) is starts


@pytest.mark.parametrize(
    ("gear", "clutch", "interlock", "starts"),
    [(0, 0, True, True), (1, 0, True, False), (-1, 0, True, False), (1, FULL, True, True), (1, 0, False, True)],
)
def test_a_manual_car_is_started_in_neutral_or_on_its_clutch(
    gear: int, clutch: int, *, interlock: bool, starts: bool
) -> None:
    """An old car without the switch starts in gear too, and moves."""
    parameters = car(DISC)
    box = replace(parameters.gearbox, type=GearboxType.MANUAL, start_interlock=interlock)
    vehicle = Vehicle(replace(parameters, gearbox=box))
    assert crank(vehicle, MANUAL_GEAR=gear, CLUTCH=clutch) is starts
    assert (vehicle.chassis.sensor_speed > 0.0) is (starts and gear != 0 and clutch == 0)


def test_a_refused_start_becomes_one_in_p() -> None:
    """The key may stay where it is."""
    vehicle = Vehicle(SALOON)
    assert not crank(vehicle, AUTOMATIC_GEAR=GearMode.DRIVE, BRAKE=FULL)
    crank(vehicle, AUTOMATIC_GEAR=GearMode.PARK)
    assert read(vehicle, VehicleData.ENGINE_WORKING) == 1


def test_a_rolling_car_is_bumped_to_life_in_gear() -> None:
    """The interlock is one of the starter motor, not of the ignition."""
    parameters = car(DISC)
    vehicle = Vehicle(replace(parameters, gearbox=replace(parameters.gearbox, type=GearboxType.MANUAL)))
    vehicle.data.write(ROAD, RoadData.SLOPE, -0.2)
    vehicle.data.input[InputData.CLUTCH] = FULL
    vehicle.data.input[InputData.MANUAL_GEAR] = 2
    run(vehicle, 4.0, COARSE)
    vehicle.data.input[InputData.CLUTCH] = 0
    run(vehicle, 2.0, COARSE)
    assert read(vehicle, VehicleData.ENGINE_WORKING) == 1
