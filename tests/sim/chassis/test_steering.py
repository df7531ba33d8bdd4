"""The steering: Ackermann's geometry."""

from math import atan, atan2, degrees, radians, tan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim import (
    CHASSIS as CHASSIS_CHANNEL,
)
from vehiclesim import (
    ChassisData,
    ChassisSettings,
    InputData,
    SettingsData,
    Steering,
    SteeringSettings,
    Vehicle,
    VehicleSettings,
)

from ..road import FULL, run
from ..states import roll_at

CHASSIS = ChassisSettings(wheelbase=2.5, front_track=1.6)


def turned(steer: float, ackermann: float = 1.0) -> Steering:
    steering = Steering(SteeringSettings(ackermann=ackermann), CHASSIS)
    steering.steer_input = steer
    steering.update()
    return steering


def angles(steering: Steering) -> tuple[float, float]:
    """Of the left and the right wheel [deg]."""
    return (
        degrees(atan2(steering.left_sine, steering.left_cosine)),
        degrees(atan2(steering.right_sine, steering.right_cosine)),
    )


def test_the_wheels_point_straight_ahead_in_the_middle() -> None:
    steering = turned(0.0)
    assert angles(steering) == (0.0, 0.0)
    assert steering.curvature == 0.0
    assert steering.sensor_wheel_angle == 0.0


@given(st.floats(-1.0, 1.0))
def test_the_axes_of_all_wheels_meet_in_one_point(steer: float) -> None:
    """cot(right) - cot(left) = track/wheelbase to the left; a wheel in the middle turns by 35° of the travel."""
    left, right = angles(turned(steer))
    middle = radians(-35.0 * steer)
    expected = [atan(tan(middle) / (1.0 - y * tan(middle) / 2.5)) for y in (0.8, -0.8)]
    assert [radians(left), radians(right)] == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(("steer", "angle", "wheel"), [(-1.0, 35.0, 300.0), (1.0, -35.0, -300.0), (5.0, -35.0, -300.0)])
def test_full_lock(steer: float, angle: float, wheel: float) -> None:
    """-1 is full left, which counts positive: 35° of road wheels without Ackermann, 300° of the steering wheel."""
    steering = turned(steer, ackermann=0.0)
    assert angles(steering) == pytest.approx((angle, angle), rel=1e-12)
    assert steering.sensor_wheel_angle == wheel


def test_the_inner_wheel_turns_further() -> None:
    """To the left the left one, to the right the right one; half of Ackermann lies between."""
    left, right = angles(turned(-1.0))
    half_left, half_right = angles(turned(-1.0, ackermann=0.5))
    assert left > half_left > 35.0 > half_right > right > 0.0
    assert angles(turned(1.0)) == pytest.approx((-right, -left), rel=1e-12)


@given(st.floats(-1.0, 1.0))
def test_directions_are_unit_vectors(steer: float) -> None:
    """cos² + sin² = 1 for both wheels."""
    steering = turned(steer)
    assert steering.left_cosine**2 + steering.left_sine**2 == pytest.approx(1.0, rel=1e-15)
    assert steering.right_cosine**2 + steering.right_sine**2 == pytest.approx(1.0, rel=1e-15)


def test_the_curvature_is_that_of_the_path() -> None:
    """tan(35°)/2.5 m to the left: the middle of the rear axle follows a circle of 3.57 m."""
    assert turned(-1.0).curvature == pytest.approx(tan(radians(35.0)) / 2.5, rel=1e-12)


@pytest.mark.parametrize(("side", "sign"), [(-1.0, 1.0), (1.0, -1.0)], ids=["left", "right"])
def test_hands_hold_the_side_force_of_the_front_axle(side: float, sign: float) -> None:
    """In a steady turn the front axle carries its share of m·v²/R; T = F·n·(1 - s)/i, i = 300°/35°."""
    settings = VehicleSettings(
        steering=SteeringSettings(trail=0.05, assist=0.6), chassis=ChassisSettings(front_weight=0.6)
    )
    vehicle = Vehicle(settings)
    for index in (SettingsData.ESC_OVERRIDE, SettingsData.STEERING_AIDS_OVERRIDE):
        vehicle.data.settings[index] = 2
    vehicle.data.input[InputData.CLUTCH] = FULL
    vehicle.step(0.001)
    roll_at(vehicle, 25.0)
    vehicle.data.input[InputData.STEER] = round(side * 0.03 * FULL)
    run(vehicle, 2.5, 0.002)
    path = abs(vehicle.chassis.sensor_yaw_rate * vehicle.chassis.sensor_speed)
    expected = 0.6 * settings.body.mass * path * 0.05 * 0.4 * 35 / 300
    torque = vehicle.data.read(CHASSIS_CHANNEL, ChassisData.STEERING_TORQUE)
    assert sign * torque == pytest.approx(expected, rel=0.05)
    assert 1.0 < sign * torque < 10.0
