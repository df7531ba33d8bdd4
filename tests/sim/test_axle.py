"""The axle against closed formulas, and at rest."""

from itertools import pairwise
from math import atan, sqrt, tan
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vehiclesim import Axle, AxleSettings, Block, Body, BodySettings, Solver

from .blocks import Motor

GRAVITY = 9.80665
AIR_DENSITY = 1.225

WHEELS = AxleSettings(
    final_drive=4.0,
    wheel_radius=0.3,
    wheel_inertia=1.0,
    wheel_count=4,
    max_brake_torque=4000.0,
    handbrake_torque=2000.0,
)
FREE = BodySettings(mass=1000.0, drag_area=0.0, rolling_resistance=0.0, rolling_resistance_speed=0.0)
ROLLING = BodySettings(mass=1000.0, drag_area=0.6, rolling_resistance=0.01, rolling_resistance_speed=0.0)
INERTIA = 4 * 1.0 + 1000.0 * 0.3**2  # at the wheels [kg m²]
EQUIVALENT_MASS = INERTIA / 0.3**2  # [kg]


class Car:
    """An axle on a motor."""

    def __init__(self, body: BodySettings, speed: float = 0.0, **options: Any) -> None:
        self.motor = Motor()
        self.axle = Axle(WHEELS, Body(body))
        self.shaft = Block.connect(self.axle, self.motor)
        self.solver = Solver([self.motor, self.axle], **options)
        self.axle.set_state_vars(self.axle.get_state_vars()._replace(momentum=INERTIA * speed / 0.3))
        self.solver.update_shafts()

    @property
    def speed(self) -> float:
        return self.axle.sensor_speed

    def run(self, seconds: float, delta_time: float = 0.001) -> list[float]:
        """The speeds [m/s] from now on, one per step."""
        speeds = [self.speed]
        for _ in range(round(seconds / delta_time)):
            self.solver.step(delta_time)
            speeds.append(self.speed)
        return speeds


def distance(speeds: list[float], delta_time: float = 0.001) -> float:
    return sum(0.5 * (one + two) * delta_time for one, two in pairwise(speeds))


def test_the_shaft_turns_at_the_final_drives_multiple_of_the_wheels() -> None:
    """12 m/s on 0.3 m are 40 rad/s or 381.97 1/min at the wheels, 160 rad/s at the shaft; inertia falls with i²."""
    car = Car(FREE, speed=12.0)
    assert car.speed == pytest.approx(12.0, rel=1e-12)
    assert car.axle.sensor_rpm == pytest.approx(381.9718634205488, rel=1e-12)
    assert car.motor.speed == pytest.approx(160.0, rel=1e-12)
    inertia = car.shaft.I
    assert inertia == pytest.approx(INERTIA / 16.0, rel=1e-12)


def test_torque_accelerates_mass_and_wheels() -> None:
    """v = i·T·t/R / (m + n·I_wheel/R²)."""
    car = Car(FREE)
    car.motor.torque = 100.0
    car.run(2.0)
    assert car.speed == pytest.approx(4.0 * 100.0 / 0.3 * 2.0 / EQUIVALENT_MASS, rel=1e-12)


def test_terminal_velocity() -> None:
    """Where drive force = rolling resistance + drag: v = √((i·T/R - c0·m·g) / (½·ρ·cd·A))."""
    car = Car(ROLLING, speed=30.0, max_substep=0.05)
    car.motor.torque = 50.0
    car.run(1000.0, 0.05)
    force = 4.0 * 50.0 / 0.3 - 0.01 * 1000.0 * GRAVITY
    assert car.speed == pytest.approx(sqrt(force / (0.5 * AIR_DENSITY * 0.6)), rel=1e-6)


def test_coast_down() -> None:
    """v = √(a/b)·tan(atan(v0·√(b/a)) - √(ab)·t), a and b being rolling resistance and drag per mass."""
    car = Car(ROLLING, speed=40.0)
    speeds = car.run(100.0, 0.01)
    a = 0.01 * 1000.0 * GRAVITY / EQUIVALENT_MASS
    b = 0.5 * AIR_DENSITY * 0.6 / EQUIVALENT_MASS
    for second in (10, 50, 100):
        expected = sqrt(a / b) * tan(atan(40.0 * sqrt(b / a)) - sqrt(a * b) * second)
        assert speeds[100 * second] == pytest.approx(expected, rel=1e-4)


def test_braking_distance() -> None:
    """v²/(2a) with a = T/R per mass, on a road that does not resist."""
    car = Car(FREE, speed=30.0)
    car.axle.brake_input = 0.5
    speeds = car.run(6.0)
    assert speeds[-1] == 0.0
    assert distance(speeds) == pytest.approx(30.0**2 / (2.0 * 2000.0 / 0.3 / EQUIVALENT_MASS), rel=1e-6)


@pytest.mark.parametrize("delta_time", [0.001, 0.1])
@pytest.mark.parametrize("grade", [0.2, -0.2])
@pytest.mark.parametrize("brake", ["brake_input", "handbrake_input"])
def test_a_braked_car_does_not_creep(brake: str, grade: float, delta_time: float) -> None:
    """On a 20 % slope, brake on, the speed is exactly zero in each of 60 seconds."""
    car = Car(ROLLING)
    car.axle.body.slope = grade
    setattr(car.axle, brake, 1.0)
    assert set(car.run(60.0 if delta_time > 0.01 else 5.0, delta_time)) == {0.0}


@pytest.mark.parametrize("grade", [0.2, -0.2])
def test_a_braked_car_comes_to_a_complete_stop_on_a_slope(grade: float) -> None:
    """Speed falls to exactly zero, stays there, and never passes through it."""
    car = Car(ROLLING, speed=10.0)
    car.axle.body.slope = grade
    car.axle.brake_input = 1.0
    speeds = car.run(3.0)
    assert speeds[-1] == 0.0
    assert min(speeds) == 0.0
    assert all(two <= one for one, two in pairwise(speeds))


def test_a_brake_that_is_too_weak_slows_the_slide() -> None:
    """The car rolls back with what the slope pulls more than brake and rolling resistance hold."""
    car = Car(FREE)
    car.axle.body.slope = 0.2
    car.axle.brake_input = 0.1
    car.run(1.0)
    pull = 1000.0 * GRAVITY * 0.2 / sqrt(1.04) - 400.0 / 0.3
    assert car.speed == pytest.approx(-pull / EQUIVALENT_MASS, rel=1e-9)


def test_pedal_and_handbrake_add_up_and_end_at_their_travel() -> None:
    """Half a pedal and half a handbrake hold 3000 Nm; more than all, or less than nothing, does not exist."""
    car = Car(FREE, speed=30.0)
    car.axle.brake_input, car.axle.handbrake_input = 0.5, 0.5
    before, after = car.run(0.001)
    assert (before - after) * 1000.0 == pytest.approx(3000.0 / 0.3 / EQUIVALENT_MASS, rel=1e-9)
    car.axle.brake_input, car.axle.handbrake_input = 7.0, -1.0
    before, after = car.run(0.001)
    assert (before - after) * 1000.0 == pytest.approx(4000.0 / 0.3 / EQUIVALENT_MASS, rel=1e-9)


def test_rolling_resistance_brings_a_free_car_to_rest() -> None:
    """Without drive torque and brakes the speed falls to exactly zero, in the time that c0·g takes."""
    car = Car(ROLLING, speed=1.0)
    speeds = car.run(15.0, 0.01)
    assert speeds[-1] == 0.0
    assert speeds.index(0.0) * 0.01 == pytest.approx(EQUIVALENT_MASS / (0.01 * 1000.0 * GRAVITY), abs=0.05)


def test_the_car_starts_when_the_drive_torque_exceeds_what_holds_it() -> None:
    """Rolling resistance of 29.42 Nm at the wheels holds 7.35 Nm at the shaft, and not 7.36 Nm."""
    car = Car(ROLLING)
    car.motor.torque = 7.35
    assert set(car.run(1.0)) == {0.0}
    car.motor.torque = 7.36
    assert car.run(1.0)[-1] > 0.0


def test_forward_and_backward_are_mirror_images() -> None:
    """Bit by bit, brakes and resistances included."""
    forward, backward = Car(ROLLING, 20.0), Car(ROLLING, -20.0)
    forward.motor.torque, backward.motor.torque = 40.0, -40.0
    forward.axle.brake_input = backward.axle.brake_input = 0.2
    assert forward.run(5.0) == [-speed for speed in backward.run(5.0)]


@pytest.mark.parametrize("speed", [10.0, -10.0])
def test_the_brake_holds_with_runge_kutta_too(speed: float) -> None:
    """The speed falls to exactly zero and keeps its sign on the way."""
    car = Car(ROLLING, speed, rk4=True)
    car.axle.brake_input = 1.0
    speeds = car.run(2.0)
    assert speeds[-1] == 0.0
    assert all(one * speed >= 0.0 for one in speeds)


@given(
    speed=st.floats(-60.0, 60.0),
    torque=st.floats(-500.0, 500.0),
    brake=st.floats(0.0, 1.0),
    grade=st.floats(-0.3, 0.3),
)
def test_friction_only_takes_energy(speed: float, torque: float, brake: float, grade: float) -> None:
    """Rolling in one direction, work of drive, drag and slope minus the gain in kinetic energy is never negative."""
    car = Car(ROLLING, speed)
    car.motor.torque = torque
    car.axle.brake_input = brake
    body = car.axle.body
    body.slope = grade
    before, after = car.run(0.001)
    assume(before * after > 0.0 or before == 0.0)
    force = 4.0 * torque / 0.3 - body.drag_force(before) - body.slope_force()
    work = force * 0.5 * (before + after) * 0.001
    gain = 0.5 * EQUIVALENT_MASS * (after * after - before * before)
    assert work - gain >= -1e-9


def test_a_restored_axle_goes_on_exactly() -> None:
    """Another axle with the saved state has the same speeds, bit by bit."""
    one, other = Car(ROLLING, 20.0), Car(ROLLING)
    one.motor.torque = other.motor.torque = 100.0
    one.run(0.5)
    other.axle.set_state_vars(one.axle.get_state_vars())
    other.solver.update_shafts()
    assert other.run(0.5) == one.run(0.5)
