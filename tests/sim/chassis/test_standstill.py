"""A vehicle on slipping tyres comes to rest, stands, and starts: no creep, no jitter, no turning back."""

from math import sqrt

import pytest

from vehiclesim import WheelSettings

from ..four_wheels import AIRY, EQUIVALENT_MASS, GRAVITY, RESISTING, WEIGHT, Trolley


@pytest.mark.parametrize("grade", [0.2, -0.2])
@pytest.mark.parametrize("brake", ["brake_input", "handbrake_input"])
@pytest.mark.parametrize("substep", [0.001, 0.005])
def test_a_braked_car_does_not_creep(brake: str, grade: float, substep: float) -> None:
    """On a 20 % slope it settles on its tyres within two seconds; then nothing moves, for 60 s, to the last bit."""
    trolley = Trolley(0, 1, wheel=WheelSettings(), body=AIRY, max_substep=substep)
    trolley.body.slope = grade
    setattr(trolley.brakes, brake, 1.0)
    trolley.run(2.0, substep)
    x = trolley.chassis.pose.x
    assert abs(x) < 0.03
    assert set(trolley.run(60.0 if substep > 0.001 else 5.0, substep)) == {0.0}
    assert trolley.spins == [0.0] * 4
    assert (trolley.chassis.pose.x, trolley.chassis.pose.y, trolley.chassis.pose.yaw) == (x, 0.0, 0.0)
    assert sum(wheel.force_x for wheel in trolley.wheels) == pytest.approx(trolley.body.slope_force(), rel=1e-3)


@pytest.mark.parametrize("brake", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("substep", [0.001, 0.005])
def test_a_braked_car_stops_and_stands_still(brake: float, substep: float) -> None:
    """Within two seconds of the stop all is exactly zero; on the way no wheel turns back.

    The tyres were deflected by the braking force, at most to their peak at 0.1·0.3 m, and spring back by that much.
    """
    trolley = Trolley(speed=5.0, max_substep=substep)
    trolley.brakes.brake_input = brake
    seconds = 5.0 / (brake * 4000.0 / 0.3 / EQUIVALENT_MASS) + 1.5 if brake < 0.5 else 3.0
    stopped = 0.0
    for _ in range(round(seconds / substep)):
        trolley.solver.step(substep)
        assert min(trolley.spins) >= 0.0
        stopped = max(stopped, trolley.chassis.pose.x)
    assert stopped - trolley.chassis.pose.x < 0.03
    assert set(trolley.run(1.0, substep)) == {0.0}


def test_a_car_that_slid_sideways_comes_to_rest_too() -> None:
    """After a spin on locked wheels: no speed, yaw rate or wheel speed is left, and position and heading stay."""
    trolley = Trolley(speed=15.0)
    trolley.steering.steer_input = 0.5
    trolley.run(0.5)
    trolley.brakes.brake_input = trolley.brakes.handbrake_input = 1.0
    trolley.run(5.0)
    pose = trolley.chassis.pose.get_state_vars()
    assert abs(pose["yaw"]) > 0.5
    assert abs(pose["y"]) > 0.5
    trolley.run(1.0)
    chassis = trolley.chassis
    assert (chassis.sensor_speed, chassis.sensor_lateral_speed, chassis.sensor_yaw_rate) == (0.0, 0.0, 0.0)
    assert chassis.pose.get_state_vars() == pose


def test_a_slope_beyond_the_grip_is_not_held() -> None:
    """On ice of 0.1 the locked car slides down a 20 % slope with g·(sin - 0.075·cos)."""
    trolley = Trolley()
    for wheel in trolley.wheels:
        wheel.road_friction = 0.1
    trolley.body.slope = 0.2
    trolley.brakes.brake_input = 1.0
    trolley.run(2.0)
    before, after = trolley.speed, trolley.run(1.0)[-1]
    assert trolley.spins == [0.0] * 4
    assert before - after == pytest.approx(GRAVITY * (0.2 - 0.075) / sqrt(1.04), rel=1e-3)


def test_rolling_resistance_brings_a_free_car_to_rest() -> None:
    """Without drive torque and brakes it comes to rest in the time that c0·g takes, exactly, and stays there."""
    trolley = Trolley(wheel=RESISTING, speed=1.0, max_substep=0.005)
    speeds = trolley.run(15.0, 0.005)
    rolling = next(number for number, speed in enumerate(speeds) if speed <= 0.0)
    assert rolling * 0.005 == pytest.approx(EQUIVALENT_MASS / (0.01 * WEIGHT), abs=0.1)
    assert set(speeds[-600:]) == {0.0}
    assert min(speeds) > -0.005


def test_the_car_starts_when_the_torque_exceeds_what_holds_it() -> None:
    """Rolling resistance of 0.01·2942 N·0.3 m at each front wheel holds 8.8 Nm there, and the others as much more."""
    trolley = Trolley(0, 1, wheel=RESISTING)
    trolley.drive(8.0)
    assert set(trolley.run(1.0)) == {0.0}
    trolley.drive(16.0)
    assert trolley.run(2.0)[-1] > 0.01
