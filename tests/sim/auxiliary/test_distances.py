"""Odometer, trip and pulses."""

from math import fsum, tau
from random import Random

import pytest

from vehiclesim.auxiliary.distances import STANDSTILL, Distances
from vehiclesim.parameters.auxiliary import DistanceSettings

STILL = [0.0, 0.0, 0.0, 0.0]
DAY = 86_400.0


@pytest.mark.parametrize("speed", [13.9, -2.7, 0.3])
def test_after_a_day_at_constant_speed_the_odometer_is_one_count_off_at_most(speed: float) -> None:
    distances = Distances(DistanceSettings())
    for _ in range(round(DAY / 0.1)):
        distances.step(speed, STILL, 0.1)
    assert abs(distances.odometer.count - 1000.0 * abs(speed) * DAY) <= 1.0


def test_the_odometer_is_the_integral_of_any_speed() -> None:
    """And the pulses are k times that way: both one count off at most, whatever was driven."""
    settings = DistanceSettings(pulses_per_metre=7.9)
    distances = Distances(settings)
    choose = Random(1)
    ways: list[float] = []
    speed = 0.0
    for k in range(200_000):
        if k % 100 == 0:
            speed = choose.choice([0.0, choose.uniform(-5.0, 60.0), choose.uniform(0.0, 0.5)])
        delta_time = choose.choice([0.001, 0.01])
        distances.step(speed, STILL, delta_time)
        if abs(speed) >= STANDSTILL:
            ways.append(abs(speed) * delta_time)
    way = fsum(ways)
    assert abs(distances.odometer.count - 1000.0 * way) <= 1.0
    assert abs(distances.pulses.count - settings.pulses_per_metre * way) <= 1.0


def test_pulses_never_run_back_and_never_jump() -> None:
    """At 50 m/s and 4 pulses per metre there are 0.2 in a step of 1 ms: each step adds none or one."""
    distances = Distances(DistanceSettings())
    before = 0
    for k in range(20_000):
        distances.step(50.0 if k % 7 else -50.0, STILL, 0.001)
        assert distances.pulses.count - before in {0, 1}
        before = distances.pulses.count
    assert before == 4000


def test_each_wheel_counts_the_teeth_that_pass() -> None:
    """48 teeth a turn; a wheel that stands while others turn counts nothing; backwards counts like forwards."""
    distances = Distances(DistanceSettings())
    spins = [10.0 * tau, -10.0 * tau, 0.0, 2.5 * tau]
    for _ in range(10_000):
        distances.step(10.0, spins, 0.001)
    assert [wheel.count for wheel in distances.wheels] == pytest.approx([4800, 4800, 0, 1200], abs=1)
    assert (distances.wheels[2].count, distances.wheels[2].fraction) == (0, 0.0)


def test_nothing_creeps_at_standstill() -> None:
    """A speed that the bus shows as 0 counts nothing, however long it lasts."""
    distances = Distances(DistanceSettings())
    before = distances.get_state_vars()
    for _ in range(10_000):
        distances.step(0.0009, [0.002, -0.002, 0.0, float("nan")], 0.1)
    assert distances.get_state_vars() == before


def test_the_trip_counts_from_its_reset_and_leaves_the_odometer_alone() -> None:
    distances = Distances(DistanceSettings(initial_odometer=123_456.789))
    assert distances.odometer.count == 123_456_789_000
    assert distances.trip == 0
    distances.step(10.0, STILL, 0.1)
    distances.reset_trip()
    distances.step(10.0, STILL, 0.05)
    assert (distances.odometer.count, distances.trip) == (123_456_790_500, 500)


def test_a_restored_counter_goes_on_exactly() -> None:
    one, two = Distances(DistanceSettings()), Distances(DistanceSettings())
    for _ in range(777):
        one.step(3.3, [1.1, 2.2, 3.3, 4.4], 0.001)
    two.set_state_vars(one.get_state_vars())
    for _ in range(777):
        one.step(3.3, [1.1, 2.2, 3.3, 4.4], 0.001)
        two.step(3.3, [1.1, 2.2, 3.3, 4.4], 0.001)
    assert one.get_state_vars() == two.get_state_vars()
