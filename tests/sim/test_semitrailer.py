"""A tractor with a semitrailer of 40 t: axle loads, hill, stop, off-tracking, rearward amplification, jack-knife."""

from math import asin, atan, cos, hypot, pi, sin, sqrt

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import CHASSIS, FAULT, ROAD, ChassisData, FaultData, GearMode, InputData, RoadData, Vehicle, VehicleData
from vehiclesim.chassis.train import TrainChassis

from .linear_train import GRAVITY
from .road import FULL, read, run

pytestmark = pytest.mark.long

SETTINGS = load_vehicle("semitrailer").settings
OUTER, INNER = 12.5, 5.3
"""Directive 96/53/EC, annex I, 1.5: radii [m] of the circles between which a vehicle turns."""

HALF_WIDTH = 1.275
OVERHANG = 1.4
"""[m] of the tractor before its front axle."""


def train_of(vehicle: Vehicle) -> TrainChassis:
    chassis = vehicle.chassis
    assert isinstance(chassis, TrainChassis)
    return chassis


def rolling(speed: float) -> Vehicle:
    """Out of gear at a speed [m/s], with the engine off."""
    vehicle = Vehicle(SETTINGS)
    vehicle.data.input[InputData.AUTOMATIC_GEAR] = GearMode.NEUTRAL
    vehicle.step(0.001)
    vehicle.chassis.roll(speed, 0.0, 0.0)
    vehicle.solver.update_shafts()
    return vehicle


def started() -> Vehicle:
    """In D, with the brake pressed."""
    vehicle = Vehicle(SETTINGS)
    vehicle.auxiliaries.warm_up()
    controls = vehicle.data.input
    controls[InputData.BRAKE] = FULL
    controls[InputData.AUTOMATIC_GEAR] = GearMode.PARK
    controls[InputData.KEY] = 1
    run(vehicle, 2.0)
    controls[InputData.KEY] = 0
    controls[InputData.AUTOMATIC_GEAR] = GearMode.DRIVE
    run(vehicle, 1.0)
    controls[InputData.BRAKE] = 0
    return vehicle


def test_its_axles_bear_what_the_directive_allows() -> None:
    """40 t in all; at most 11.5 t on the driven axle and 24 t on three axles of the trailer (96/53/EC, annex I)."""
    vehicle = Vehicle(SETTINGS)
    run(vehicle, 0.1)
    chassis = vehicle.data
    rear = chassis.read(CHASSIS, ChassisData.REAR_AXLE_LOAD) / GRAVITY
    group = chassis.read(CHASSIS, ChassisData.TRAILER_AXLE_LOAD) / GRAVITY
    front = sum(wheel.load for wheel in vehicle.wheels[:2]) / GRAVITY
    assert front + rear + group == pytest.approx(40000.0, abs=1.0)
    assert 10000.0 < rear < 11500.0
    assert 22000.0 < group < 24000.0
    assert chassis.read(CHASSIS, ChassisData.TRAILER_CONNECTED) == 1


def test_it_climbs_six_percent_at_the_speed_of_its_power() -> None:
    """P·efficiency = (m·g·sin + rolling + drag)·v: at full throttle it goes at 80 to 100 % of that speed."""
    vehicle = started()
    vehicle.data.write(ROAD, RoadData.SLOPE, 0.06)
    vehicle.data.input[InputData.THROTTLE] = FULL
    run(vehicle, 100.0, 0.01)
    speeds = []
    for _ in range(2000):
        vehicle.step(0.01)
        speeds.append(read(vehicle, VehicleData.SPEED))
    power = SETTINGS.gearbox.efficiency * 330e3
    low, high = 1.0, 30.0
    while high - low > 1e-3:
        v = 0.5 * (low + high)
        resistance = 40000.0 * GRAVITY * (0.06 / sqrt(1.0036) + 0.0035 + 9e-5 * v) + 0.5 * 1.225 * 5.5 * v * v
        low, high = (v, high) if resistance * v < power else (low, v)
    assert 0.8 * low < sum(speeds) / len(speeds) < low


def mean_deceleration(lines: float) -> tuple[float, float]:
    """The mean fully developed deceleration, 0.8 to 0.1 of 80 km/h over distance, and the largest angle [rad].

    By its definition in GRRF-56-3, a proposal for annex 4 of UN R13.
    """
    vehicle = started()
    vehicle.chassis.roll(80.0 / 3.6, 0.0, 0.0)
    vehicle.solver.update_shafts()
    vehicle.data.input[InputData.AUTOMATIC_GEAR] = GearMode.NEUTRAL
    vehicle.data.write(FAULT, FaultData.TRAILER_BRAKE_LOSS, lines)
    run(vehicle, 1.0)
    begin = vehicle.chassis.sensor_speed
    vehicle.data.input[InputData.BRAKE] = FULL
    way, upper, lower, widest = 0.0, 0.0, 0.0, 0.0
    while vehicle.chassis.sensor_speed > 0.1 * begin:
        vehicle.step(0.001)
        way += 0.001 * vehicle.chassis.sensor_speed
        upper = way if vehicle.chassis.sensor_speed > 0.8 * begin else upper
        lower = way
        widest = max(widest, abs(train_of(vehicle).trailer.articulation))
    return (0.63 * begin * begin) / (2.0 * (lower - upper)), widest


def test_it_stops_as_the_regulation_asks() -> None:
    """At least 5 m/s² from 80 km/h (UN R13, annex 4), straight; without the trailer's brakes far less."""
    whole, angle = mean_deceleration(0.0)
    assert 5.0 <= whole < 0.75 * GRAVITY
    assert angle < 0.01
    unplugged, _ = mean_deceleration(1.0)
    assert unplugged < 0.6 * whole


def test_its_handbrake_holds_the_train_on_twelve_percent() -> None:
    """The parking brake of the tractor alone (UN R13, annex 4, 2.3.2)."""
    vehicle = Vehicle(SETTINGS)
    vehicle.data.input[InputData.HANDBRAKE] = FULL
    vehicle.data.write(ROAD, RoadData.SLOPE, 0.12)
    run(vehicle, 5.0)
    place = vehicle.chassis.pose.x
    run(vehicle, 2.0)
    assert vehicle.chassis.pose.x == place
    assert abs(place) < 0.1


def test_it_turns_between_the_circles_of_the_directive() -> None:
    """With the tractor's outer corner on 12.5 m the trailer's side stays outside 5.3 m, and where geometry has it.

    The side runs at √(R_k² - l²) less half its width, R_k that of the kingpin. What the directive has for the longest
    trailer, √((12.5 - 2.04)² - (5.3 + 1.275)²) = 8.13 m (recalled), is above 7.7 m.
    """
    rear = sqrt(OUTER**2 - (SETTINGS.chassis.wheelbase + OVERHANG) ** 2) - HALF_WIDTH
    angle = atan(SETTINGS.chassis.wheelbase / rear) * 180.0 / pi
    vehicle = started()
    controls = vehicle.data.input
    controls[InputData.STEER] = -round(angle / SETTINGS.steering.max_angle * FULL)
    for _ in range(6000):  # a circle of 64 m at walking pace
        controls[InputData.THROTTLE] = FULL // 8 if vehicle.chassis.sensor_speed < 2.0 else 0
        vehicle.step(0.01)
    chassis, trailer = train_of(vehicle), train_of(vehicle).trailer
    radius = chassis.sensor_speed / chassis.sensor_yaw_rate
    corner = hypot(radius + HALF_WIDTH, SETTINGS.chassis.wheelbase + OVERHANG)
    assert corner == pytest.approx(OUTER, rel=0.02)
    place = hypot(
        radius - trailer.to_axle * sin(-trailer.articulation),
        SETTINGS.trailer.hitch_ahead - trailer.to_axle * cos(trailer.articulation),
    )
    expected = sqrt(radius**2 + SETTINGS.trailer.hitch_ahead**2 - trailer.to_axle**2)
    assert place == pytest.approx(expected, rel=0.02)
    lag = asin(trailer.to_axle / hypot(radius, SETTINGS.trailer.hitch_ahead))
    assert trailer.articulation == pytest.approx(atan(SETTINGS.trailer.hitch_ahead / radius) - lag, rel=0.01)
    assert expected - HALF_WIDTH + OUTER - corner > INNER
    assert sqrt((OUTER - 2.04) ** 2 - (INNER + HALF_WIDTH) ** 2) > SETTINGS.trailer.hitch_to_axle


def test_the_trailer_hardly_amplifies_a_lane_change() -> None:
    """ISO 14791: a sine of 0.4 Hz at 80 km/h; acceleration of the trailer over that of the front axle.

    Tractors with one semitrailer have about 1 (Fancher and Winkler, UMTRI), trains of two trailers 2 and more.
    """
    vehicle = rolling(80.0 / 3.6)
    chassis, trailer = train_of(vehicle), train_of(vehicle).trailer
    front, rear = 0.0, 0.0
    last = (chassis.sensor_yaw_rate, trailer.yaw_rate)
    for tick in range(6000):
        steer = 0.025 * sin(2.0 * pi * 0.4 * tick * 0.001) if tick < 2500 else 0.0
        vehicle.data.input[InputData.STEER] = -round(steer * FULL)
        vehicle.step(0.001)
        r, r_t = chassis.sensor_yaw_rate, trailer.yaw_rate
        turn, trailer_turn = (r - last[0]) / 0.001, (r_t - last[1]) / 0.001
        last = (r, r_t)
        side = chassis.sensor_lateral_acceleration
        front = max(front, abs(side + chassis._to_front * turn))
        behind = side + chassis._hitch * turn - trailer.to_centre * trailer_turn
        rear = max(rear, abs(behind))
    assert 1.0 < front < 3.0
    assert 0.7 < rear / front < 1.2


def test_braked_rear_wheels_alone_jack_knife_it_on_ice() -> None:
    """In a bend, with the handbrake: the tractor turns round until it touches; with the pedal and ABS it does not."""
    angles = {}
    for control in (InputData.HANDBRAKE, InputData.BRAKE):
        vehicle = rolling(15.0)
        vehicle.data.write(ROAD, RoadData.FRICTION, 0.3)
        vehicle.data.input[InputData.STEER] = -round(0.03 * FULL)
        run(vehicle, 2.0)
        vehicle.data.input[control] = FULL
        widest = 0.0
        for _ in range(10000):
            vehicle.step(0.001)
            widest = max(widest, abs(train_of(vehicle).trailer.articulation))
        angles[control] = widest * 180.0 / pi
    assert angles[InputData.HANDBRAKE] > 60.0
    assert angles[InputData.BRAKE] < 30.0
