"""Forces of air, road and slope; wheel loads; position and heading."""

from math import atan, cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim import Body, BodySettings, ChassisSettings, Pose
from vehiclesim.chassis.body import WheelLoads

CAR = BodySettings(mass=1000.0, drag_area=0.5)
WEIGHT = 1000.0 * 9.80665


@pytest.mark.parametrize(("speed", "force"), [(0.0, 0.0), (20.0, 122.5), (-20.0, -122.5)])
def test_drag_opposes_the_motion_and_grows_with_its_square(speed: float, force: float) -> None:
    """½·1.225 kg/m³·0.5 m²·v², backward when driving forward and forward when driving backward."""
    assert Body(CAR).drag_force(speed) == pytest.approx(force, rel=1e-12)


@pytest.mark.parametrize(("wind", "force"), [(-20.0, 0.0), (10.0, 275.625), (-30.0, -30.625)])
def test_wind_adds_to_the_speed_against_the_air(wind: float, force: float) -> None:
    """At 20 m/s: none with as much tail wind, more with head wind, a push with more tail wind."""
    body = Body(CAR)
    body.wind = wind
    assert body.drag_force(20.0) == pytest.approx(force, rel=1e-12)


@pytest.mark.parametrize("grade", [0.0, 0.2, -0.2, 1.0])
def test_a_slope_divides_the_weight(grade: float) -> None:
    """Sine and cosine of atan(grade): the pull along the road, and the load on it."""
    body = Body(CAR)
    body.slope = grade
    assert body.slope == grade
    assert body.slope_force() == pytest.approx(WEIGHT * sin(atan(grade)), rel=1e-12, abs=1e-12)
    assert body.normal_force() == pytest.approx(WEIGHT * cos(atan(grade)), rel=1e-12)


def test_the_road_bears_what_does_not_pull() -> None:
    """Load and pull are the two sides of the weight: N² + F² = (m·g)²."""
    body = Body(CAR)
    body.slope = 0.2
    assert body.normal_force() ** 2 + body.slope_force() ** 2 == pytest.approx(WEIGHT**2, rel=1e-12)


LOAD = 10_000.0
FORCE = st.floats(-30_000.0, 30_000.0)
CHASSIS = ChassisSettings(
    wheelbase=2.5,
    front_track=1.6,
    rear_track=1.4,
    front_weight=0.6,
    centre_of_gravity_height=0.5,
    front_roll_stiffness=0.6,
)


def loads(force_x: float, force_y: float, weight: float = LOAD) -> list[float]:
    """Front left, front right, rear left, rear right [N]."""
    result = WheelLoads(CHASSIS)
    result.distribute(weight, force_x, force_y)
    return [result.front_left, result.front_right, result.rear_left, result.rear_right]


@given(FORCE, FORCE)
def test_loads_sum_up_to_the_weight(force_x: float, force_y: float) -> None:
    """Whatever the forces, and none is negative."""
    assert sum(loads(force_x, force_y)) == pytest.approx(LOAD, rel=1e-12)
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


def test_straight_ahead_is_along_x() -> None:
    """And sideways is along y."""
    pose = Pose()
    for _ in range(100):
        pose.advance(10.0, 0.0, 0.0, 0.01)
    pose.advance(0.0, 3.0, 0.0, 1.0)
    assert (pose.x, pose.y, pose.yaw) == pytest.approx((10.0, 3.0, 0.0), rel=1e-12)


@pytest.mark.parametrize("yaw_rate", [0.5, -0.5])
def test_a_constant_turn_is_a_circle(yaw_rate: float) -> None:
    """With radius v/r: x = R·sin(r·t), y = R·(1 - cos(r·t))."""
    pose = Pose()
    radius = 10.0 / yaw_rate
    for k in range(1, 1001):
        pose.advance(10.0, 0.0, yaw_rate, 0.01)
        angle = yaw_rate * 0.01 * k
        assert pose.yaw == pytest.approx(angle, rel=1e-9)
        assert pose.x == pytest.approx(radius * sin(angle), abs=1e-4)
        assert pose.y == pytest.approx(radius * (1.0 - cos(angle)), abs=1e-4)


def test_a_thousand_turns_end_where_they_began() -> None:
    """The heading is as exact then as in the first, and the yaw counts the turns."""
    pose = Pose()
    for _ in range(100_000):
        pose.advance(1.0, 0.0, 2.0 * pi / 100.0, 1.0)
    assert pose.yaw == pytest.approx(2000.0 * pi, rel=1e-9)
    assert (pose.x, pose.y) == pytest.approx((0.0, 0.0), abs=1e-6)
    pose.advance(1.0, 0.0, 0.0, 1.0)
    assert (pose.x, pose.y) == pytest.approx((1.0, 0.0), abs=1e-6)


def test_sliding_sideways_through_a_turn() -> None:
    """A vehicle that heads to the middle of its circle moves to its right: the velocity turns with it."""
    pose = Pose()
    for _ in range(1000):
        pose.advance(0.0, -10.0, 0.5, 0.01)
    assert pose.x == pytest.approx(20.0 * (1.0 - cos(5.0)), abs=1e-3)
    assert pose.y == pytest.approx(-20.0 * sin(5.0), abs=1e-3)


def test_a_restored_pose_goes_on_exactly() -> None:
    one, other = Pose(), Pose()
    for _ in range(50):
        one.advance(3.0, 0.2, 0.3, 0.01)
    other.set_state_vars(one.get_state_vars())
    for pose in (one, other):
        pose.advance(3.0, 0.2, 0.3, 0.01)
    assert other.get_state_vars() == one.get_state_vars()
