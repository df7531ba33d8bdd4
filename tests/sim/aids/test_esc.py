"""ESC: cars that would spin, and which wheel is braked when."""

import pytest

from vehiclesim import ChassisSettings, Steering
from vehiclesim.parameters.aids import AidsSettings, EscSettings

from ..four_wheels import GRAVITY
from .aided import NO_AIDS, AidedTrolley, place, set_road, sideslip

FL, FR, RL, RR = range(4)
WITH_ESC = AidsSettings(esc=EscSettings(enabled=True))
TAIL_HEAVY = ChassisSettings(front_weight=0.45)


@pytest.mark.parametrize(
    ("steer", "friction"), [(0.05, 0.3), (-0.1, 0.3), (0.1, 0.3), (-0.3, 0.3), (-0.1, 0.85), (0.1, 0.85)]
)
def test_a_step_steer_at_100_km_h_does_not_spin_the_car(steer: float, friction: float) -> None:
    """A tail-heavy car: its sideslip passes 28 degrees without ESC, and stays below 13 with it.

    It turns as it is steered all the while, by no less than 15 degrees in five seconds.
    """
    slips = []
    for settings in (WITH_ESC, NO_AIDS):
        trolley = AidedTrolley(settings, speed=27.8, chassis=TAIL_HEAVY)
        set_road(trolley, friction)
        worst = 0.0
        for _ in range(5000):
            trolley.advance(steer=steer)
            worst = max(worst, abs(sideslip(trolley)))
        slips.append(worst)
        assert trolley.chassis.pose.yaw * -steer > 0.0
        assert abs(trolley.chassis.pose.yaw) > 0.26
    assert slips[0] < 13.0
    assert slips[1] > 28.0


@pytest.mark.parametrize("friction", [0.3, 0.85])
def test_a_slalom_does_not_spin_the_car(friction: float) -> None:
    """One second to the left and one to the right: with ESC the car runs straight again, as it was steered."""
    angles = []
    for settings in (WITH_ESC, NO_AIDS):
        trolley = AidedTrolley(settings, speed=27.8, chassis=ChassisSettings(front_weight=0.5))
        set_road(trolley, friction)
        for step in range(6000):
            trolley.advance(steer=-0.1 if step < 1000 else 0.1 if step < 2000 else 0.0)
        angles.append(abs(sideslip(trolley)))
    assert angles[0] < 3.0
    assert angles[1] > 45.0


def braked(settings: AidsSettings, steer: float, speed: float, lateral: float, yaw_rate: float) -> list[float]:
    """What each wheel is braked with [N m], in a motion that is given."""
    trolley = AidedTrolley(settings)
    trolley.steering.steer_input = trolley.aids.steer_input = steer
    place(trolley, speed, lateral, yaw_rate)
    trolley.aids.step(0.001)
    assert trolley.aids.sensor_esc_engaged is (max(trolley.brakes.added) > 0.0)
    return trolley.brakes.added


@pytest.mark.parametrize(
    ("steer", "lateral", "yaw_rate", "wheel"),
    [
        (0.0, 0.0, 1.2, FR),  # turns left on its own
        (0.0, 0.0, -1.2, FL),
        (-0.2, 0.0, 1.8, FR),  # turns left more than it is steered
        (0.2, 0.0, -1.8, FL),
        (-0.5, 0.0, 0.0, RL),  # does not follow to the left
        (0.5, 0.0, 0.0, RR),
        (0.0, -1.6, 0.0, FR),  # the tail slides to the right
        (0.0, 1.6, 0.0, FL),
    ],
)
def test_one_wheel_is_braked_and_it_is_the_right_one(steer: float, lateral: float, yaw_rate: float, wheel: int) -> None:
    """Too much turn: the outer front wheel. Too little: the inner rear wheel. A skid: the front wheel on its inside."""
    speed = 8.0 if lateral == 0.0 else 11.0
    added = braked(WITH_ESC, steer, speed, lateral, yaw_rate)
    assert added[wheel] > 0.0
    assert sum(added) == added[wheel]


@pytest.mark.parametrize(
    ("speed", "lateral", "yaw_rate", "torque"),
    [
        (8.0, 0.0, 0.73, 0.0),
        (8.0, 0.0, 1.24, 500.0),
        (8.0, 0.0, 1.75, 1000.0),
        (5.9, 0.0, 1.75, 0.0),
        (20.0, -2.08, 0.0, 0.0),  # tan 5.94°
        (20.0, -3.5, 0.0, 484.6),  # (0.175 - tan 6°)/(tan 14° - tan 6°)
        (20.0, -5.0, 0.0, 1000.0),
        (9.9, -2.3, 0.0, 0.0),
    ],
)
def test_bounds_of_yaw_rate_and_slip_angle(speed: float, lateral: float, yaw_rate: float, torque: float) -> None:
    """From 0.74 to 1.74 rad/s over 6 m/s, and from 6 to 14 degrees over 10 m/s."""
    assert max(braked(WITH_ESC, 0.0, speed, lateral, yaw_rate)) == pytest.approx(torque, rel=0.02)


def test_no_more_turn_is_wanted_than_the_road_allows() -> None:
    """At full lock and 8 m/s the wheels point along 2.2 rad/s, and mu·g/v allows 1.04: the error is that, not 2.2."""
    torque = max(braked(WITH_ESC, -1.0, 8.0, 0.0, 0.0))
    assert torque == pytest.approx(1000.0 * (0.85 * GRAVITY / 8.0 - 0.74), rel=1e-6)


def test_the_braked_wheel_does_not_lock() -> None:
    """On ice 1000 Nm are far more than the tyre holds, and yet the wheel turns."""
    trolley = AidedTrolley(WITH_ESC, speed=27.8, chassis=TAIL_HEAVY)
    set_road(trolley, 0.15)
    engaged = 0
    for _ in range(3000):
        trolley.advance(steer=-0.1)
        engaged += trolley.aids.sensor_esc_engaged
        assert min(trolley.spins) > 0.0
    assert engaged > 300


def test_a_turn_within_the_tyres_is_left_alone() -> None:
    """A bend at 0.4 g is driven bit by bit as without."""
    with_aid, without = AidedTrolley(WITH_ESC, speed=20.0), AidedTrolley(NO_AIDS, speed=20.0)
    steering = Steering()
    steering.steer_input = -0.02
    steering.update()
    assert 20.0**2 * steering.curvature == pytest.approx(0.2 * GRAVITY, rel=0.1)
    for _ in range(3000):
        for trolley in (with_aid, without):
            trolley.advance(steer=-0.02)
        assert not with_aid.aids.sensor_esc_engaged
    assert with_aid.chassis.get_state_vars() == without.chassis.get_state_vars()
