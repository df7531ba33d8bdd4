"""Integrals, odometer and pulses, running time, fuel tank."""

from fractions import Fraction
from math import fsum, tau
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.auxiliary.counters import MICROLITRES, STANDSTILL, Distances, Integral, RunTime, Tank
from vehiclesim.parameters.auxiliary import DistanceSettings, TankSettings

AMOUNTS = st.floats(0.0, 1e5, allow_nan=False)


@given(st.lists(AMOUNTS, max_size=200))
def test_the_count_is_the_sum_rounded_down(amounts: list[float]) -> None:
    """Compared with exact fractions: off by no more than the rounding of each single addition."""
    integral = Integral()
    grown = sum(integral.add(amount) for amount in amounts)
    exact = sum(map(Fraction, amounts), Fraction(0))
    assert grown == integral.count
    assert 0.0 <= integral.fraction < 1.0
    assert abs(integral.count + Fraction(integral.fraction) - exact) <= Fraction(2) ** -36 * len(amounts)


def test_millions_of_small_amounts_add_up() -> None:
    """A million times a tenth is a hundred thousand; a float that sums them up is 1e-6 off."""
    integral = Integral()
    for _ in range(1_000_000):
        integral.add(0.1)
    assert abs(integral.count + integral.fraction - 100_000.0) < 1e-9


@given(st.sampled_from([0.0, -0.0, -1.0, -1e300, float("nan"), float("inf"), float("-inf"), 1e300]))
def test_what_is_no_amount_adds_nothing(amount: float) -> None:
    integral = Integral(7)
    assert integral.add(amount) == 0
    assert (integral.count, integral.fraction) == (7, 0.0)


def test_a_count_has_no_upper_bound() -> None:
    """A truck's odometer in millimetres passes 32 bits after 2,147 km."""
    integral = Integral(2**62)
    integral.add(1.5)
    assert (integral.count, integral.fraction) == (2**62 + 1, 0.5)


def test_a_restored_integral_goes_on_with_its_fraction() -> None:
    one, two = Integral(), Integral()
    one.add(0.75)
    two.set_state_vars(one.get_state_vars())
    assert two.add(0.25) == 1


STILL = (0.0, 0.0, 0.0, 0.0)
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
    spins = (10.0 * tau, -10.0 * tau, 0.0, 2.5 * tau)
    for _ in range(10_000):
        distances.step(10.0, spins, 0.001)
    assert [wheel.count for wheel in distances.wheels] == pytest.approx([4800, 4800, 0, 1200], abs=1)
    assert (distances.wheels[2].count, distances.wheels[2].fraction) == (0, 0.0)


def test_nothing_creeps_at_standstill() -> None:
    """A speed that the bus shows as 0 counts nothing, however long it lasts."""
    distances = Distances(DistanceSettings())
    before = distances.get_state_vars()
    for _ in range(10_000):
        distances.step(0.0009, (0.002, -0.002, 0.0, float("nan")), 0.1)
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
        one.step(3.3, (1.1, 2.2, 3.3, 4.4), 0.001)
    two.set_state_vars(one.get_state_vars())
    for _ in range(777):
        one.step(3.3, (1.1, 2.2, 3.3, 4.4), 0.001)
        two.step(3.3, (1.1, 2.2, 3.3, 4.4), 0.001)
    assert one.get_state_vars() == two.get_state_vars()


def test_the_run_time_begins_with_the_key_and_stands_while_the_engine_does() -> None:
    """SAE J1979, PID 1F: it freezes when the engine stalls, and starts anew when the key is switched on."""
    clock = RunTime()
    for _ in range(1000):
        clock.step(True, True, 1000.0, 0.01)
    for _ in range(500):
        clock.step(True, False, 0.0, 0.01)
    assert clock.since_start.count == 10_000
    clock.step(False, False, 0.0, 0.01)
    assert clock.since_start.count == 10_000
    clock.step(True, False, 0.0, 0.01)
    assert clock.since_start.count == 0


def test_hours_and_revolutions_outlast_the_key() -> None:
    """An hour at 1800/min in two drives is 108,000 turns."""
    clock = RunTime()
    for _ in range(2):
        for _ in range(18_000):
            clock.step(True, True, 1800.0, 0.1)
        clock.step(False, False, 0.0, 0.1)
    assert clock.hours.count == pytest.approx(1_000_000, abs=1)
    assert clock.revolutions.count == pytest.approx(108_000, abs=1)


def test_an_engine_that_is_cranked_or_towed_turns_without_running() -> None:
    clock = RunTime()
    for _ in range(60):
        clock.step(True, False, 250.0, 1.0)
    assert clock.hours.count == 0
    assert clock.revolutions.count == pytest.approx(250, abs=1)


FLOWS = st.lists(st.floats(0.0, 0.05), max_size=100)


@given(FLOWS, st.floats(0.0, 1.0))
def test_what_is_left_and_what_is_used_are_one_constant(flows: list[float], share: float) -> None:
    """To the microlitre, with an empty tank too; neither runs back."""
    tank = Tank(TankSettings(capacity=0.5, initial_share=share))
    whole = tank.left
    for flow in flows:
        left, used = tank.left, tank.used.count
        tank.step(flow, 0.1)
        assert 0 <= tank.left <= left
        assert tank.used.count >= used
        assert tank.left + tank.used.count == whole


def test_hours_of_idling_are_accounted_for_to_the_microlitre() -> None:
    """0.8 l/h for five hours are four litres, in steps that each burn 2.2 of a microlitre."""
    tank = Tank(TankSettings(capacity=50.0))
    for _ in range(5 * 3600 * 100):
        tank.step(0.8 / 3600.0, 0.01)
    assert abs(tank.used.count - 4 * MICROLITRES) <= 1
    assert tank.left == 50 * MICROLITRES - tank.used.count


def test_an_empty_tank_gives_nothing() -> None:
    tank = Tank(TankSettings(capacity=0.1, initial_share=0.0))
    tank.step(0.01, 0.1)
    assert (tank.left, tank.used.count, tank.share) == (0, 0, 0.0)


def test_an_endless_tank_counts_what_is_used_and_keeps_its_level() -> None:
    tank = Tank(TankSettings(endless=True, initial_share=0.5))
    tank.step(0.01, 0.1)
    assert (tank.share, tank.used.count) == (0.5, 1000)


def test_no_more_goes_in_than_fits() -> None:
    tank = Tank(TankSettings(capacity=40.0))
    tank.fill(41 * MICROLITRES)
    assert tank.left == 40 * MICROLITRES
    tank.fill(-1)
    assert tank.left == 0
