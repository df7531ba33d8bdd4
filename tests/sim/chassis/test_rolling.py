"""Pure rolling: the vehicle and its wheels are one mass, on the path that the steering lays."""

from itertools import pairwise
from math import atan, hypot, pi, sqrt, tan

import pytest

from vehiclesim import Chassis, RollingChassis, RollingWheel, TyreSettings, Wheel, WheelSettings

from ..four_wheels import (
    AIR_DENSITY,
    AIRY,
    EQUIVALENT_MASS,
    RESISTING,
    WEIGHT,
    RunningGear,
    Trolley,
    assert_restored_goes_on,
    distance,
    path_speed,
)

ROLLING = TyreSettings(tyre_dynamics=False)


def test_the_tyre_settings_choose() -> None:
    """`tyre_dynamics` false gives wheels and chassis that roll purely, true those that slip."""
    rolling, slipping = RunningGear(tyre=ROLLING), RunningGear()
    assert isinstance(rolling.chassis, RollingChassis)
    assert all(isinstance(wheel, RollingWheel) for wheel in rolling.wheels)
    assert not isinstance(slipping.chassis, RollingChassis)
    assert isinstance(slipping.chassis, Chassis)
    assert not any(isinstance(wheel, RollingWheel) for wheel in slipping.wheels)
    assert all(isinstance(wheel, Wheel) for wheel in slipping.wheels)


@pytest.mark.parametrize("driven", [(0, 1), (2, 3), (0, 1, 2, 3)])
def test_torque_accelerates_mass_and_wheels(driven: tuple[int, ...]) -> None:
    """v = sum T·t/R / (m + sum I/R²), and every wheel turns with v/R, exactly."""
    trolley = Trolley(*driven, tyre=ROLLING)
    trolley.drive(100.0)
    trolley.run(2.0)
    assert trolley.speed == pytest.approx(len(driven) * 100.0 / 0.3 * 2.0 / EQUIVALENT_MASS, rel=1e-12)
    assert trolley.spins == [trolley.speed / 0.3] * 4
    assert [wheel.sensor_slip for wheel in trolley.wheels] == pytest.approx([0.0] * 4, abs=1e-15)


@pytest.mark.parametrize("steer", [0.0, 0.7])
def test_the_shafts_together_say_what_the_vehicle_will_do(steer: float) -> None:
    """With equal torques the mean of (L + (T + Tr)·dt)/I is the mean speed of the driven wheels after the substep."""
    trolley = Trolley(0, 1, wheel=RESISTING, body=AIRY, tyre=ROLLING, speed=20.0)
    trolley.steering.steer_input = steer
    trolley.brakes.brake_input = 0.1
    trolley.drive(200.0)
    trolley.run(0.1)
    shafts = [motor.outputs[0] for motor in trolley.motors]
    expected = [(shaft.L + (200.0 + shaft.Tr) * 0.001) / shaft.I for shaft in shafts if shaft is not None]
    trolley.run(0.001)
    assert sum(trolley.spins[:2]) == pytest.approx(sum(expected), rel=1e-12)


def test_terminal_velocity() -> None:
    """Where drive force = rolling resistance + drag: v = √((sum T/R - c0·m·g) / (½·rho·cd·A))."""
    trolley = Trolley(2, 3, wheel=RESISTING, body=AIRY, tyre=ROLLING, speed=50.0, max_substep=0.05)
    trolley.drive(200.0)
    trolley.run(500.0, 0.05)
    force = 400.0 / 0.3 - 0.01 * WEIGHT
    assert trolley.speed == pytest.approx(sqrt(force / (0.5 * AIR_DENSITY * 0.6)), rel=1e-6)


def test_coast_down() -> None:
    """v = √(a/b)·tan(atan(v0·√(b/a)) - √(ab)·t), a and b being rolling resistance and drag per mass."""
    trolley = Trolley(wheel=RESISTING, body=AIRY, tyre=ROLLING, speed=40.0, max_substep=0.01)
    speeds = trolley.run(100.0, 0.01)
    a = 0.01 * WEIGHT / EQUIVALENT_MASS
    b = 0.5 * AIR_DENSITY * 0.6 / EQUIVALENT_MASS
    for second in (10, 50, 100):
        expected = sqrt(a / b) * tan(atan(40.0 * sqrt(b / a)) - sqrt(a * b) * second)
        assert speeds[100 * second] == pytest.approx(expected, rel=5e-4)


def test_braking_distance() -> None:
    """v²/(2a) with a = sum T/R per mass: the road holds whatever the brakes ask."""
    trolley = Trolley(tyre=ROLLING, speed=30.0)
    trolley.brakes.brake_input = 0.5
    speeds = trolley.run(6.0)
    assert speeds[-1] == 0.0
    assert distance(speeds) == pytest.approx(30.0**2 / (2.0 * 2000.0 / 0.3 / EQUIVALENT_MASS), rel=1e-6)


@pytest.mark.parametrize("grade", [0.2, -0.2])
def test_a_braked_car_stops_and_stands_on_a_slope(grade: float) -> None:
    """Speed falls to exactly zero, stays there, and never passes through it."""
    trolley = Trolley(tyre=ROLLING, speed=10.0)
    trolley.body.slope = grade
    trolley.brakes.brake_input = 1.0
    speeds = trolley.run(4.0)
    assert all(two <= one for one, two in pairwise(speeds))
    assert set(speeds[-500:]) == {0.0}
    assert trolley.spins == [0.0] * 4


def test_the_car_starts_when_the_torque_exceeds_what_holds_it() -> None:
    """Rolling resistance of 29.42 Nm of all wheels holds 14.7 Nm at each front wheel, and not 14.72 Nm."""
    trolley = Trolley(0, 1, wheel=RESISTING, tyre=ROLLING)
    trolley.drive(14.7)
    assert set(trolley.run(1.0)) == {0.0}
    trolley.drive(14.72)
    assert trolley.run(1.0)[-1] > 0.0


@pytest.mark.parametrize("steer", [-0.3, 1.0])
@pytest.mark.parametrize("speed", [2.0, 30.0])
def test_the_car_follows_ackermann_at_any_speed(steer: float, speed: float) -> None:
    """Circle of √((L·cot(delta))² + b²); the wheels turn as fast as their own circles are long."""
    trolley = Trolley(tyre=ROLLING, speed=speed)
    trolley.steering.steer_input = steer
    trolley.run(0.1)
    delta = 35.0 * -steer * pi / 180.0
    middle = 2.6 / tan(delta)
    assert path_speed(trolley) / abs(trolley.chassis.sensor_yaw_rate) == pytest.approx(hypot(middle, 1.56), rel=1e-9)
    for place, (x, y) in enumerate(((2.6, 0.75), (2.6, -0.75), (0.0, 0.75), (0.0, -0.75))):
        radius = hypot(x, middle - y)
        assert trolley.spins[place] * 0.3 == pytest.approx(abs(trolley.chassis.sensor_yaw_rate) * radius, rel=1e-9)


def test_loads_follow_the_motion() -> None:
    """Braking loads the front axle by h/wheelbase·m·a, a left turn the right wheels; the sum is the weight."""
    trolley = Trolley(tyre=ROLLING, speed=20.0)
    trolley.brakes.brake_input = 0.25
    trolley.run(0.5)
    deceleration = -trolley.chassis.sensor_acceleration
    assert deceleration == pytest.approx(1000.0 / 0.3 / EQUIVALENT_MASS, rel=1e-9)
    assert sum(trolley.loads[:2]) == pytest.approx(0.6 * WEIGHT + 0.5 / 2.6 * 1000.0 * deceleration, rel=1e-9)
    trolley.steering.steer_input = -0.1
    trolley.run(0.1)
    assert sum(trolley.loads) == pytest.approx(WEIGHT, rel=1e-12)
    assert trolley.loads[1] > trolley.loads[0]
    assert trolley.loads[3] > trolley.loads[2]


@pytest.mark.parametrize("steer", [0.0, 0.5])
def test_the_energy_ledger_balances(steer: float) -> None:
    """Work of the motors = losses of brakes, rolling and air + height + kinetic energy; none is negative."""
    trolley = Trolley(0, 1, wheel=WheelSettings(), body=AIRY, tyre=ROLLING)
    trolley.steering.steer_input = steer
    trolley.body.slope = 0.05
    chassis = trolley.chassis
    work = height = losses = 0.0
    for number in range(4000):
        second = number * 0.001
        trolley.drive(600.0 if second < 2.0 else 0.0)
        trolley.brakes.brake_input = 0.0 if second < 2.5 else 0.5
        trolley.solver.step(0.001)
        for place, motor in enumerate(trolley.motors):
            work += motor.torque * trolley.wheels[place].mean_spin * 0.001
        for loss in (
            *(wheel.sensor_brake_power for wheel in trolley.wheels),
            *(wheel.sensor_rolling_power for wheel in trolley.wheels),
            chassis.sensor_drag_power,
        ):
            assert loss >= 0.0
            losses += loss * 0.001
        height += chassis.sensor_slope_power * 0.001
    assert trolley.speed == 0.0
    assert work == pytest.approx(losses + height + chassis.sensor_kinetic_energy, rel=1e-9)


def test_a_restored_car_goes_on_exactly() -> None:
    """Another one with the saved states has the same speeds and sensors, bit by bit."""
    one = Trolley(0, 1, wheel=RESISTING, tyre=ROLLING, speed=20.0)
    assert_restored_goes_on(one, Trolley(0, 1, wheel=RESISTING, tyre=ROLLING))
