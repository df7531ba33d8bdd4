"""The loads: they hold the vehicle in balance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim import ChassisSettings
from vehiclesim.chassis.loads import WheelLoads

WEIGHT = 10_000.0
FORCE = st.floats(-30_000.0, 30_000.0)
CHASSIS = ChassisSettings(
    wheelbase=2.5,
    front_track=1.6,
    rear_track=1.4,
    front_weight=0.6,
    centre_of_gravity_height=0.5,
    front_roll_stiffness=0.6,
)


def loads(force_x: float, force_y: float, weight: float = WEIGHT) -> list[float]:
    """Front left, front right, rear left, rear right [N]."""
    result = WheelLoads(CHASSIS)
    result.distribute(weight, force_x, force_y)
    return [result.front_left, result.front_right, result.rear_left, result.rear_right]


@given(FORCE, FORCE)
def test_loads_sum_up_to_the_weight(force_x: float, force_y: float) -> None:
    """Whatever the forces, and none is negative."""
    assert sum(loads(force_x, force_y)) == pytest.approx(WEIGHT, rel=1e-12)
    assert min(loads(force_x, force_y)) >= 0.0


def test_at_rest_the_weight_is_that_of_the_axles() -> None:
    """60 % in front, left and right alike."""
    assert loads(0.0, 0.0) == pytest.approx([3000.0, 3000.0, 2000.0, 2000.0], rel=1e-12)


def test_braking_shifts_load_to_the_front() -> None:
    """h/wheelbase·F: 5000 N at 0.5 m on 2.5 m are 1000 N."""
    assert loads(-5000.0, 0.0) == pytest.approx([3500.0, 3500.0, 1500.0, 1500.0], rel=1e-12)
    assert loads(5000.0, 0.0) == pytest.approx([2500.0, 2500.0, 2500.0, 2500.0], rel=1e-12)


def test_a_left_turn_shifts_load_to_the_right() -> None:
    """The moment h·F_y = 2000 Nm is carried by the axles as 0.6 : 0.4, over their tracks."""
    front, rear = 0.6 * 2000.0 / 1.6, 0.4 * 2000.0 / 1.4
    expected = [3000.0 - front, 3000.0 + front, 2000.0 - rear, 2000.0 + rear]
    assert loads(0.0, 4000.0) == pytest.approx(expected, rel=1e-12)
    left = loads(0.0, -4000.0)
    assert left == pytest.approx([expected[1], expected[0], expected[3], expected[2]], rel=1e-12)


def test_moments_about_the_centre_of_gravity_vanish() -> None:
    """Pitch: a·F_front - b·F_rear = -h·F_x. Roll: sum of (right - left)·track/2 = h·F_y."""
    front_left, front_right, rear_left, rear_right = loads(-3000.0, 2500.0)
    a, b = 2.5 * 0.4, 2.5 * 0.6
    assert a * (front_left + front_right) - b * (rear_left + rear_right) == pytest.approx(0.5 * 3000.0, rel=1e-9)
    roll = (front_right - front_left) * 0.8 + (rear_right - rear_left) * 0.7
    assert roll == pytest.approx(0.5 * 2500.0, rel=1e-9)


def test_a_wheel_that_would_lift_carries_nothing() -> None:
    """The other one of its axle carries all of it."""
    assert loads(0.0, 29_000.0) == pytest.approx([0.0, 6000.0, 0.0, 4000.0], rel=1e-12)
    assert loads(29_000.0, 0.0)[:2] == pytest.approx([100.0, 100.0], rel=1e-9)
    assert loads(31_000.0, 0.0) == pytest.approx([0.0, 0.0, 5000.0, 5000.0], rel=1e-12)
