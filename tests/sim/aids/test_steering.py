"""Steering aids: how far the front wheels are turned, and cars that they keep on their way."""

from math import atan, degrees

import pytest

from vehiclesim import Body, Brakes, Chassis, ChassisSettings, Engine, Steering, SteeringSettings, Wheel
from vehiclesim.aids import DrivingAids
from vehiclesim.parameters.aids import AidsSettings, SteeringAidsSettings

from ..four_wheels import GRAVITY
from ..states import change
from .aided import NO_AIDS, PEAK_SLIP, AidedTrolley, place, set_road, sideslip

LOCK = SteeringSettings().max_angle
WHEELBASE = ChassisSettings().wheelbase


def with_limit(ratio: float = 1.0, proportionality: float = 1.0) -> AidsSettings:
    limit = SteeringAidsSettings(limit=True, limit_ratio=ratio, limit_proportionality=proportionality)
    return AidsSettings(steering=limit)


def with_help(ratio: float = 1.0) -> AidsSettings:
    return AidsSettings(steering=SteeringAidsSettings(help=True, help_ratio=ratio))


def aided(
    settings: AidsSettings,
    steer: float,
    speed: float,
    lateral: float = 0.0,
    yaw_rate: float = 0.0,
    friction: float = 1.0,
) -> float:
    """Where the front wheels are put in a motion that is given."""
    trolley = AidedTrolley(settings)
    set_road(trolley, friction)
    place(trolley, speed, lateral, yaw_rate)
    trolley.aids.steer_input = steer
    trolley.aids.step(0.001)
    return trolley.steering.steer_input


def bound(speed: float, friction: float = 1.0) -> float:
    """atan(L·mu·g/v² + s_peak) as a share of the lock, above the speed at which the tyre is a spring with a damper."""
    tangent = WHEELBASE * 0.85 * friction * GRAVITY / speed**2 + PEAK_SLIP
    return degrees(atan(tangent)) / LOCK


@pytest.mark.parametrize(("speed", "friction"), [(10.0, 1.0), (20.0, 1.0), (40.0, 1.0), (10.0, 0.3), (30.0, 0.1)])
@pytest.mark.parametrize("steer", [-1.0, 1.0])
def test_full_lock_is_what_the_tyres_can_use(speed: float, friction: float, steer: float) -> None:
    """The angle of the tightest steady turn plus the tyre's slip angle of most grip."""
    expected = steer * bound(speed, friction)
    assert aided(with_limit(), steer, speed, friction=friction) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(("proportionality", "steer", "share"), [(1.0, 0.1, 0.1), (0.0, 0.1, None), (0.0, 0.5, 1.0)])
def test_proportionality(proportionality: float, steer: float, share: float | None) -> None:
    """1: each position leads to its share of the bound. 0: positions within the bound stay, those beyond end there."""
    expected = steer if share is None else share * bound(20.0)
    assert aided(with_limit(proportionality=proportionality), steer, 20.0) == pytest.approx(expected, rel=1e-3)


def test_the_default_is_nine_tenths_proportional() -> None:
    """0.9 of s·bound and 0.1 of s."""
    settings = AidsSettings(steering=SteeringAidsSettings(limit=True))
    expected = 0.9 * 0.1 * bound(20.0) + 0.1 * 0.1
    assert aided(settings, 0.1, 20.0) == pytest.approx(expected, rel=1e-3)


def test_the_ratio_loosens_the_bound() -> None:
    """Half of it leaves half of what it takes; none of it leaves all."""
    assert aided(with_limit(0.5), 1.0, 20.0) == pytest.approx(0.5 + 0.5 * bound(20.0), rel=1e-3)
    assert aided(with_limit(0.0), 1.0, 20.0) == 1.0


@pytest.mark.parametrize("speed", [0.0, 0.4, 2.0, 4.0, -3.0, -20.0])
def test_slow_and_backward_the_driver_steers_alone(speed: float) -> None:
    """To the last bit."""
    for steer in (-1.0, -0.3, 0.0, 0.7):
        assert aided(with_limit(), steer, speed) == steer
        assert aided(with_help(), steer, speed) == steer


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_driver_may_steer_into_a_skid(side: float) -> None:
    """The front axle moves at 20 degrees to the vehicle: so far the wheels may be turned, on that side only."""
    lateral = 20.0 * 0.36397
    into = aided(with_limit(), -side, 20.0, lateral * side)
    away = aided(with_limit(), side, 20.0, lateral * side)
    assert into == pytest.approx(-side * 20.0 / LOCK, rel=1e-3)
    assert away == pytest.approx(side * bound(20.0), rel=1e-3)


@pytest.mark.parametrize(
    ("slip", "ratio", "share"),
    [(0.09, 1.0, 0.0), (0.15, 1.0, 0.5), (0.2, 1.0, 1.0), (0.4, 1.0, 1.0), (0.2, 0.5, 0.5), (0.2, 0.0, 0.0)],
)
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_help_turns_the_front_wheels_along_the_path(slip: float, ratio: float, share: float, side: float) -> None:
    """From the rear tyres' peak on, and all the way at twice that; to the side on which the vehicle slides."""
    path = -side * degrees(atan(slip)) / LOCK
    steer = 0.3 * side
    expected = steer + share * (path - steer)
    assert aided(with_help(ratio), steer, 20.0, 20.0 * slip * side) == pytest.approx(expected, rel=1e-3)


def test_a_driver_who_steers_against_the_skid_is_not_held_back() -> None:
    """More counter-steering than the path asks for stays as it is."""
    assert aided(with_help(), 0.9, 20.0, -4.0) == 0.9


@pytest.mark.parametrize("speed", [15.0, 25.0])
def test_the_limit_keeps_front_tyres_within_their_peak(speed: float) -> None:
    """At full lock their lateral slip stays near their peak of 0.1; without, they plough at a multiple of it."""
    slips = []
    for settings in (with_limit(), NO_AIDS):
        trolley = AidedTrolley(settings, speed=speed, chassis=ChassisSettings(front_weight=0.65))
        worst = 0.0
        for _ in range(600):
            trolley.advance(steer=-1.0)
            worst = max(worst, *(abs(wheel.speed_y / wheel.speed_x) for wheel in trolley.wheels[:2]))
        slips.append(worst)
    assert slips[0] < 0.3
    assert slips[1] > 2.0 * slips[0]


@pytest.mark.parametrize(("steer", "friction"), [(-0.1, 0.3), (0.1, 0.3), (-0.3, 1.0)])
def test_help_keeps_a_car_from_spinning(steer: float, friction: float) -> None:
    """A step steer at 100 km/h: sideslip below 13 degrees, where it grows beyond 15 without."""
    slips = []
    for settings in (with_help(), NO_AIDS):
        trolley = AidedTrolley(settings, speed=27.8, chassis=ChassisSettings(front_weight=0.45))
        set_road(trolley, friction)
        worst = 0.0
        for _ in range(4000):
            trolley.advance(steer=steer)
            worst = max(worst, abs(sideslip(trolley)))
        slips.append(worst)
    assert slips[0] < 13.0
    assert slips[1] > 15.0


@pytest.mark.parametrize(
    ("lock", "speed", "expected"),
    [
        (0.0, 20.0, 1.0),
        (60.0, 4.0, degrees(atan(WHEELBASE * 0.85 * GRAVITY / 16.0 + PEAK_SLIP)) / 60.0),
        (60.0, 6.0, degrees(atan(WHEELBASE * 0.85 * GRAVITY / 36.0 + PEAK_SLIP)) / 60.0),
    ],
)
def test_any_lock(lock: float, speed: float, expected: float) -> None:
    """Where the wheels turn by 60 degrees the bound may lie beyond 45; where they cannot turn there is none."""
    body, steering = Body(), Steering(SteeringSettings(max_angle=lock))
    wheels = [Wheel() for _ in range(4)]
    chassis = Chassis(ChassisSettings(), body, wheels, steering, Brakes())
    change(chassis, _momentum_x=speed * body.mass)
    aids = DrivingAids(with_limit(), chassis, Engine(), ())
    aids.steer_input = 1.0
    aids.step(0.001)
    assert steering.steer_input == pytest.approx(expected, abs=1e-3)
