"""Figures read off time series that can be worked out by hand."""

import pytest

from hilbridge.bench.drive.series import TimeSeries
from hilbridge.desk.perform.reading import (
    DEGREE,
    consumption_at_rest,
    highest_lateral_acceleration,
    stopping_distance,
    time_between,
    time_to_distance,
    time_to_speed,
    understeer_gradient,
)

G = 9.80665
TENTHS = [0.1 * i for i in range(201)]


def even(speed: float, acceleration: float) -> TimeSeries:
    """v = v0 + a·t and s = v0·t + a·t²/2 for 20 s, or to rest."""
    series = TimeSeries()
    for t in TENTHS:
        v = speed + acceleration * t
        if v >= -1e-9:
            series.time.append(t)
            series.speed.append(max(v, 0.0))
            series.distance.append(speed * t + 0.5 * acceleration * t * t)
            series.fuel.append(0.2 * t)
    return series


def test_times_are_those_of_an_even_acceleration() -> None:
    """2.5 m/s² from rest: 25 m/s after 10 s, 125 m after 10 s; 20 to 30 m/s in 4 s. 60 m/s is never reached."""
    series = even(0.0, 2.5)
    assert time_to_speed(series, 25.05) == pytest.approx(10.02)
    assert time_to_distance(series, 125.0) == pytest.approx(10.0)
    assert time_between(series, 20.0, 30.0) == pytest.approx(4.0)
    assert time_to_speed(series, 60.0) is None
    assert time_between(series, 20.0, 60.0) is None


def test_a_way_to_rest_begins_at_the_speed_in_question() -> None:
    """v²/2a = 25²/20 m, from wherever the braking began."""
    assert stopping_distance(even(30.0, -10.0), 25.0) == pytest.approx(31.25, abs=0.05)
    assert stopping_distance(even(30.0, -0.1), 29.0) is None


def test_a_time_while_it_slows_down() -> None:
    """From 20 to 10 m/s at 2 m/s²."""
    assert time_between(even(25.0, -2.0), 20.0, 10.0) == pytest.approx(5.0)


def test_idle_consumption_is_in_litres_an_hour() -> None:
    """0.2 g/s of 0.8 kg/l are 0.9 l/h."""
    assert consumption_at_rest(even(0.0, 0.0), 0.8) == pytest.approx(0.9)


def test_a_lateral_acceleration_must_last() -> None:
    """A peak of a tenth of a second counts with a tenth; a turn to the right is as good as one to the left."""
    series = TimeSeries(time=TENTHS, lateral_acceleration=[-0.8 * G] * 201)
    series.lateral_acceleration[100] = -9.0 * G
    assert highest_lateral_acceleration(series) == pytest.approx(0.8 + 8.2 / 10)
    series.lateral_acceleration[100] = -0.8 * G
    assert highest_lateral_acceleration(series) == pytest.approx(0.8)


@pytest.mark.parametrize("gradient", [2.5, 0.0, -1.0])
def test_the_understeer_gradient_is_what_is_steered_beyond_the_curve(gradient: float) -> None:
    """δ = L/R + K·a, the steering wheel turned 16 times as far; what tyres do beyond 0.4 g does not count."""
    shares = [0.005 * i for i in range(160)]
    angles = [2.7 * share * G / 400.0 * DEGREE + gradient * share + (5.0 if share > 0.41 else 0.0) for share in shares]
    series = TimeSeries(
        speed=[20.0] * 160,
        lateral_acceleration=[-share * G for share in shares],
        steering_wheel=[-16.0 * angle for angle in angles],
    )
    assert understeer_gradient(series, 2.7, 16.0) == pytest.approx(gradient)


def test_without_a_curve_there_is_no_gradient() -> None:
    assert understeer_gradient(TimeSeries(), 2.7, 16.0) is None
