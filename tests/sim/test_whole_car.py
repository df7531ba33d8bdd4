"""Whole cars on their four wheels against closed formulas, and what drivers of other models complain about."""

from dataclasses import replace
from itertools import pairwise
from math import atan, sqrt, tan

import pytest

from vehiclesim import (
    ROAD,
    SETTINGS,
    BodySettings,
    ClutchType,
    DifferentialType,
    DrivelineLayout,
    GearboxType,
    GearMode,
    InputData,
    RoadData,
    SettingsData,
    ShiftingSettings,
    Vehicle,
    VehicleData,
    WheelSettings,
)

from .automatic_cars import COARSE, SUBSTEP, drive, ready
from .automatic_cars import car as automatic
from .road import FULL, driving, idling, in_first_gear, read, run
from .whole_cars import car, rolling

pytestmark = pytest.mark.long

GRAVITY = 9.80665
EQUIVALENT_MASS = 1300.0 + 4 * 0.9 / 0.31**2  # [kg]
LAYOUT = pytest.mark.parametrize("layout", DrivelineLayout)
TYRES = pytest.mark.parametrize("tyre_dynamics", [True, False])

# -- closed formulas ----------------------------------------------------------------------------------------------


@TYRES
def test_coast_down(*, tyre_dynamics: bool) -> None:
    """v = √(a/b)·tan(atan(v0·√(b/a)) - √(ab)·t) within 0.5 %, a and b being rolling resistance and drag per mass."""
    even = WheelSettings(rolling_resistance=0.01, rolling_resistance_speed=0.0)
    vehicle = rolling(replace(car(tyre_dynamics=tyre_dynamics), wheels=even), 40.0)
    a = 0.01 * 1300.0 * GRAVITY / EQUIVALENT_MASS
    b = 0.5 * 1.225 * 0.65 / EQUIVALENT_MASS
    vehicle.solver.max_substep = SUBSTEP
    for second in (10, 20, 30, 40):
        run(vehicle, 10.0, COARSE)
        expected = sqrt(a / b) * tan(atan(40.0 * sqrt(b / a)) - sqrt(a * b) * second)
        assert vehicle.chassis.sensor_speed == pytest.approx(expected, rel=5e-3)


@pytest.mark.parametrize("friction", [1.0, 0.4])
def test_braking_distance(friction: float) -> None:
    """All wheels locked from 30 m/s: v²/(2·μ·g) with the tyre's 0.75, within 1 %, drag left out."""
    vehicle = rolling(replace(car(), body=BodySettings(drag_area=0.0)), 30.0)
    vehicle.data.write(ROAD, RoadData.FRICTION, friction)
    vehicle.data.input[InputData.BRAKE] = vehicle.data.input[InputData.HANDBRAKE] = FULL
    run(vehicle, 12.0)
    assert vehicle.chassis.sensor_speed == 0.0
    assert vehicle.chassis.pose.x == pytest.approx(30.0**2 / (2.0 * 0.75 * friction * GRAVITY), rel=0.01)


def test_terminal_velocity() -> None:
    """Out of gear down a slope of 10 %: pull = rolling resistance (c0 + c1·v)·N + ½·ρ·cd·A·v²."""
    vehicle = rolling(car(), 50.0)
    vehicle.solver.max_substep = 0.01
    vehicle.data.write(ROAD, RoadData.SLOPE, -0.1)
    run(vehicle, 400.0, 0.1)
    normal = 1300.0 * GRAVITY / sqrt(1.01)
    air, linear, constant = 0.5 * 1.225 * 0.65, 9e-5 * normal, (0.004 - 0.1) * normal
    expected = (-linear + sqrt(linear * linear - 4.0 * air * constant)) / (2.0 * air)
    assert vehicle.chassis.sensor_speed == pytest.approx(expected, rel=1e-3)


# -- at rest --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layout", "grade", "tyre_dynamics"),
    [
        (DrivelineLayout.FRONT, 0.2, True),
        (DrivelineLayout.REAR, -0.2, True),
        (DrivelineLayout.CENTRE_DIFFERENTIAL, 0.2, True),
        (DrivelineLayout.TORQUE_SPLITTER, -0.2, True),
        (DrivelineLayout.H_DRIVE, 0.2, False),
    ],
)
def test_nothing_moves_on_the_brake(layout: DrivelineLayout, grade: float, tyre_dynamics: bool) -> None:
    """On a slope of 20 %, engine idling, in gear with the clutch down: for a minute every speed is exactly zero."""
    vehicle = in_first_gear(car(layout, tyre_dynamics=tyre_dynamics), SUBSTEP)
    vehicle.solver.max_substep = SUBSTEP
    vehicle.data.write(ROAD, RoadData.SLOPE, grade)
    vehicle.data.input[InputData.BRAKE] = FULL
    run(vehicle, 3.0, SUBSTEP)
    place = vehicle.chassis.pose.get_state_vars()
    for _ in range(600):
        vehicle.step(0.1)
        assert {wheel.spin for wheel in vehicle.wheels} == {0.0}
        assert set(vehicle.data.chassis[:4]) == {0}
    assert vehicle.chassis.pose.get_state_vars() == place


@pytest.mark.parametrize("layout", [DrivelineLayout.REAR, DrivelineLayout.CENTRE_DIFFERENTIAL])
def test_nothing_moves_in_p(layout: DrivelineLayout) -> None:
    """The same in P, with the brake released."""
    vehicle = ready(car(layout, gearbox=GearboxType.AUTOMATIC), GearMode.PARK, 0.2)
    vehicle.data.input[InputData.BRAKE] = 0
    run(vehicle, 5.0, COARSE)
    place = vehicle.chassis.pose.get_state_vars()
    run(vehicle, 60.0, 0.1)
    assert vehicle.chassis.pose.get_state_vars() == place


def test_a_steered_car_at_rest_does_not_creep_sideways() -> None:
    """Wheels turned while it stands, on the flat and on a slope: place and heading stay."""
    for grade in (0.0, 0.1):
        vehicle = in_first_gear()
        vehicle.data.write(ROAD, RoadData.SLOPE, grade)
        vehicle.data.input[InputData.BRAKE] = FULL
        vehicle.data.input[InputData.STEER] = -FULL
        run(vehicle, 4.0)
        place = vehicle.chassis.pose.get_state_vars()
        run(vehicle, 5.0, 0.1)
        assert vehicle.chassis.pose.get_state_vars() == place


@TYRES
def test_rolling_resistance_acts_with_the_clutch_in(*, tyre_dynamics: bool) -> None:
    """In gear, clutch pedal down, from 1 m/s: c0·g stops the car in about 25 s, for good."""
    vehicle = rolling(car(tyre_dynamics=tyre_dynamics), 1.0)
    vehicle.solver.max_substep = SUBSTEP
    vehicle.data.input[InputData.CLUTCH] = FULL
    vehicle.data.input[InputData.MANUAL_GEAR] = 2
    run(vehicle, 20.0, COARSE)
    assert vehicle.chassis.sensor_speed > 0.1
    run(vehicle, 10.0, COARSE)
    assert vehicle.chassis.sensor_speed == 0.0


# -- on the move ----------------------------------------------------------------------------------------------------


def test_braked_wheels_do_not_spin() -> None:
    """Full throttle against a full brake, clutch slipping: the front wheels stand, and the car stays."""
    vehicle = in_first_gear()
    controls = vehicle.data.input
    controls[InputData.BRAKE] = controls[InputData.THROTTLE] = FULL
    for pedal in range(FULL, 4000, -10):
        controls[InputData.CLUTCH] = pedal
        vehicle.step(0.001)
        assert vehicle.wheels[0].spin == vehicle.wheels[1].spin == 0.0
    assert abs(vehicle.chassis.pose.x) < 0.02


@pytest.mark.parametrize("gear", [1, -1])
def test_rolled_backwards_the_engine_never_turns_backward(gear: int) -> None:
    """Down a slope of 20 % against the gear, clutch let in, engine off and engine idling."""
    for key in (-1, 0):
        vehicle = in_first_gear()
        controls = vehicle.data.input
        controls[InputData.MANUAL_GEAR] = gear
        controls[InputData.KEY] = key
        vehicle.data.write(ROAD, RoadData.SLOPE, 0.2 * gear)
        run(vehicle, 2.0)
        assert vehicle.chassis.sensor_speed * gear < -2.0
        for pedal in range(FULL, -1, -10):
            controls[InputData.CLUTCH] = pedal
            vehicle.step(0.001)
            assert vehicle.engine.sensor_rpm >= 0.0


@LAYOUT
def test_the_clutch_closes_without_hanging(layout: DrivelineLayout) -> None:
    """A launch with some throttle, the clutch let in within two seconds: then it is locked, and stays so."""
    vehicle = driving_of(layout)
    for _ in range(500):
        vehicle.step(0.001)
        assert read(vehicle, VehicleData.CLUTCH_LOCK) == 1
    assert read(vehicle, VehicleData.ENGINE_WORKING) == 1
    assert read(vehicle, VehicleData.SPEED) > 2.0


def driving_of(layout: DrivelineLayout, coupling: DifferentialType = DifferentialType.OPEN) -> Vehicle:
    vehicle = in_first_gear(car(layout, coupling))
    controls = vehicle.data.input
    controls[InputData.THROTTLE] = 3000
    for pedal in range(FULL, -1, -5):
        controls[InputData.CLUTCH] = pedal
        vehicle.step(0.001)
    return run(vehicle, 1.0)


@pytest.mark.parametrize("clutch", [ClutchType.FRICTION_DISC, ClutchType.TORQUE_CONVERTER, ClutchType.HYDRODYNAMIC])
def test_an_upshift_does_not_push_the_car(clutch: ClutchType) -> None:
    """The engine is taken along: at constant pedal no shift accelerates more than the gear before by 15 %."""
    vehicle = ready(automatic(clutch))
    drive(vehicle, 1.0, throttle=0.9)
    speeds, shifting = [], []
    for _ in range(1200):
        drive(vehicle, COARSE, throttle=0.9)
        speeds.append(vehicle.chassis.sensor_speed)
        shifting.append(read(vehicle, VehicleData.GEARBOX_SHIFTING) == 1)
    gains = [two - one for one, two in pairwise(speeds)]
    starts = [k for k in range(1, len(gains)) if shifting[k] and not shifting[k - 1]]
    assert len(starts) >= 2
    for start in starts:
        assert max(gains[start : start + 50]) < 1.15 * gains[start - 1]


def test_no_upshift_in_a_bend_or_with_spinning_wheels() -> None:
    """Above 0.25 g across, and while the driven wheels slip beyond their peak, the gear stays."""
    bend = ready(automatic(shifting=ShiftingSettings(interval=0.1)))
    drive(bend, 6.0, throttle=0.8)
    gear = read(bend, VehicleData.GEARBOX_GEAR)
    bend.data.settings[SettingsData.MAX_GEAR_OVERRIDE] = int(gear)
    bend.data.input[InputData.STEER] = -1600
    drive(bend, 2.0, throttle=0.8)
    assert abs(bend.chassis.sensor_lateral_acceleration) > 0.25 * GRAVITY
    bend.data.settings[SettingsData.MAX_GEAR_OVERRIDE] = 0
    drive(bend, 1.0, throttle=0.9)
    assert read(bend, VehicleData.GEARBOX_GEAR) == gear
    bend.data.input[InputData.STEER] = 0
    drive(bend, 4.0, throttle=0.9)
    assert read(bend, VehicleData.GEARBOX_GEAR) > gear

    ice = ready(automatic())
    ice.data.write(ROAD, RoadData.FRICTION, 0.1)
    drive(ice, 4.0, throttle=0.9)
    assert any(wheel.sensor_spinning for wheel in ice.wheels[:2])
    assert read(ice, VehicleData.GEARBOX_GEAR) == 1


# -- layouts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "layout"),
    [
        (SettingsData.DIFFERENTIAL_LOCK, DrivelineLayout.FRONT),
        (SettingsData.FRONT_DIFFERENTIAL_LOCK, DrivelineLayout.FRONT),
        (SettingsData.REAR_DIFFERENTIAL_LOCK, DrivelineLayout.REAR),
        (SettingsData.DIFFERENTIAL_LOCK, DrivelineLayout.H_DRIVE),
    ],
)
def test_a_lock_on_the_settings_channel_joins_the_wheels(entry: int, layout: DrivelineLayout) -> None:
    """In a bend the driven wheels turn at different speeds; with the lock at one."""
    vehicle = driving_of(layout)
    vehicle.data.input[InputData.STEER] = -3000
    run(vehicle, 1.0)
    left, right = (2, 3) if layout is DrivelineLayout.REAR else (0, 1)
    assert vehicle.wheels[right].spin - vehicle.wheels[left].spin > 0.5
    vehicle.data.set(SETTINGS, entry, 1)
    run(vehicle, 0.5)
    assert vehicle.wheels[right].spin == pytest.approx(vehicle.wheels[left].spin, abs=1e-6)


@pytest.mark.parametrize(
    ("layout", "coupling"),
    [
        (DrivelineLayout.FRONT, DifferentialType.OPEN),
        (DrivelineLayout.REAR, DifferentialType.LOCKED),
        (DrivelineLayout.CENTRE_DIFFERENTIAL, DifferentialType.LOCKED),
        (DrivelineLayout.H_DRIVE, DifferentialType.TORQUE_BIAS),
    ],
)
def test_a_quarter_of_the_substep_gives_the_same_drive(layout: DrivelineLayout, coupling: DifferentialType) -> None:
    """A launch, a bend and a shift: speed, engine speed and way within half a percent of those of 1 ms."""
    results = []
    for substep in (0.001, 0.00025):
        vehicle = idling(car(layout, coupling))
        vehicle.solver.max_substep = substep
        controls = vehicle.data.input
        controls[InputData.MANUAL_GEAR] = 1
        run(vehicle, 0.4, COARSE)
        controls[InputData.THROTTLE] = 3000
        for pedal in range(FULL, -1, -100):
            controls[InputData.CLUTCH] = pedal
            vehicle.step(COARSE)
        controls[InputData.STEER] = -1000
        run(vehicle, 1.0, COARSE)
        controls[InputData.STEER] = 0
        controls[InputData.GEAR_SHIFT] = 1
        controls[InputData.CLUTCH] = FULL
        run(vehicle, 0.3, COARSE)
        controls[InputData.CLUTCH] = 0
        run(vehicle, 1.0, COARSE)
        results.append((vehicle.chassis.sensor_speed, vehicle.engine.sensor_rpm, vehicle.chassis.pose.x))
    usual, fine = results
    assert fine == pytest.approx(usual, rel=5e-3)


def test_a_locked_axle_of_a_car_that_never_slips_stays_open() -> None:
    """Pure rolling wheels turn as the road wants, whatever the locks say."""
    vehicle = run(in_first_gear(car(tyre_dynamics=False)), 0.1)
    vehicle.data.settings[SettingsData.DIFFERENTIAL_LOCK] = 1
    vehicle.data.input[InputData.STEER] = -5000
    vehicle.data.input[InputData.THROTTLE] = 3000
    vehicle.data.input[InputData.CLUTCH] = 9000
    run(vehicle, 2.0)
    assert vehicle.wheels[1].spin > 1.05 * vehicle.wheels[0].spin > 0.0


def test_it_drives_along_a_circle() -> None:
    """Steered, the car turns left with a yaw rate of v/R, and says so on the bus."""
    vehicle = driving(throttle=2000, seconds=1.0)
    vehicle.data.input[InputData.STEER] = -2000
    run(vehicle, 2.0)
    chassis = vehicle.chassis
    radius = chassis.sensor_speed / chassis.sensor_yaw_rate
    assert radius == pytest.approx(2.6 / tan(0.2 * 35.0 * 3.141592653589793 / 180.0), rel=0.1)
