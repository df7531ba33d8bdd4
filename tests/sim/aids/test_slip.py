"""Slip as aids see it: signs, peaks of the tyre's tables, and what the road leaves of its friction."""

from dataclasses import replace

import pytest

from vehiclesim import TyreSettings, Wheel, WheelSettings
from vehiclesim.aids.slip import SlipMeter

TYRE = TyreSettings(
    longitudinal_slip=(-0.4, -0.12, 0.0, 0.08, 0.3),
    longitudinal_friction=(-0.7, -0.9, 0.0, 1.0, 0.8),
    lateral_slip=(-0.3, -0.2, 0.0, 0.15, 0.4),
    lateral_friction=(-0.6, -0.8, 0.0, 1.1, 0.9),
)


def meter(speed: float, rim: float) -> SlipMeter:
    """For speeds of ground and rim [m/s]."""
    wheel = Wheel(WheelSettings(radius=0.5), TYRE)
    wheel.speed_x, wheel.spin = speed, rim / 0.5
    return SlipMeter(wheel)


@pytest.mark.parametrize(
    ("speed", "rim", "braking", "driving"),
    [(20.0, 18.0, 2.0, -2.0), (-20.0, -18.0, 2.0, -2.0), (20.0, 25.0, -5.0, 5.0), (-2.0, 1.0, 3.0, 3.0)],
)
def test_slip_is_counted_in_the_direction_of_travel(speed: float, rim: float, braking: float, driving: float) -> None:
    """Braking against the ground, driving against the rim; a wheel that turns the wrong way does both."""
    measured = meter(speed, rim)
    assert measured.braking() == pytest.approx(braking)
    assert measured.driving() == pytest.approx(driving)
    assert measured.is_spinning() is (driving > 2.0)


@pytest.mark.parametrize("speed", [20.0, -20.0])
def test_peaks_come_from_the_tables(speed: float) -> None:
    """The slip ratio of the highest coefficient on each side, times the speed; across, the lesser of both sides."""
    measured = meter(speed, speed)
    assert measured.braking_peak() == pytest.approx(0.12 * 20.0)
    assert measured.driving_peak() == pytest.approx(0.08 * 20.0)
    assert measured.lateral_peak == 0.15
    assert measured.lateral_friction() == 0.8


def test_at_standstill_a_tyre_still_bears_slip() -> None:
    """Below v_e = ½·√(sigma·g·dmu/ds), as if the wheel moved with v_e."""
    slowest = 0.5 * (0.3 * 9.80665 * 1.0 / 0.08) ** 0.5
    assert meter(0.0, 0.0).driving_peak() == pytest.approx(0.08 * slowest)
    assert meter(0.5, 0.5).braking_peak() == pytest.approx(0.12 * slowest)


def test_the_road_takes_its_share() -> None:
    """Of the friction, 0..2; a longer relaxation moves no peak."""
    wheel = Wheel(WheelSettings(), replace(TYRE, relaxation_length=1.0))
    for friction, expected in ((0.5, 0.4), (-1.0, 0.0), (5.0, 1.6)):
        wheel.road_friction = friction
        assert SlipMeter(wheel).lateral_friction() == pytest.approx(expected)
    assert SlipMeter(wheel).lateral_peak == 0.15
