"""The pose: dead reckoning."""

from math import cos, pi, sin

import pytest

from vehiclesim import Pose


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
