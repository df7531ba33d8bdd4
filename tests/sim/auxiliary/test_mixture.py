"""Lambda control of a petrol engine."""

from itertools import pairwise
from math import tanh

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.auxiliary.mixture import CLOSED, OFF, OPEN_COLD, OPEN_DRIVING, Mixture


def warm(load: float = 0.3) -> Mixture:
    mixture = Mixture(0.88)
    mixture.running = mixture.burning = True
    mixture.coolant, mixture.catalyst, mixture.load = 90.0, 500.0, load
    return mixture


def run(mixture: Mixture, seconds: float) -> None:
    for _ in range(round(seconds / 0.01)):
        mixture.step(0.01)


def test_a_warm_engine_is_in_closed_loop_around_lambda_one() -> None:
    """A two-point control swings: within 2 %, one to five times in two seconds, with the mean at 1."""
    mixture = warm()
    run(mixture, 20.0)
    lambdas = []
    for _ in range(1000):
        mixture.step(0.01)
        lambdas.append(mixture.lambda_)
    rising = sum(a < 1.0 <= b for a, b in pairwise(lambdas))
    assert mixture.status == CLOSED
    assert max(lambdas) < 1.02
    assert min(lambdas) > 0.98
    assert 5 <= rising <= 25
    assert sum(lambdas) / len(lambdas) == pytest.approx(1.0, abs=0.002)


def frequency(rpm: float) -> float:
    """Return how often the two-point signal swings [Hz] at a speed [1/min]."""
    mixture = warm()
    mixture.rpm = rpm
    run(mixture, 20.0)
    lambdas = []
    for _ in range(2000):
        mixture.step(0.01)
        lambdas.append(mixture.lambda_)
    assert max(abs(value - 1.0) for value in lambdas) < 0.02
    return sum(a < 1.0 <= b for a, b in pairwise(lambdas)) / 20.0


def test_the_sensor_swings_the_quicker_the_faster_the_engine_turns() -> None:
    """At 2500 1/min at least 8 times in 10 s (Toyota, "Oxygen sensor signal checks"), and up to 3 Hz at idle (Kia).

    Between: u = h/rate + lag·tanh(u/lag), u a quarter of the period, of a triangle behind a lag with a hysteresis.
    """
    for rpm in (800.0, 2500.0):
        lag, quarter = 0.05 + 120.0 / rpm, 1.0
        for _ in range(100):
            quarter = 0.003 / (0.03 * rpm / 800.0) + lag * tanh(quarter / lag)
        assert frequency(rpm) == pytest.approx(0.25 / quarter, rel=0.08)
    assert 0.5 < frequency(800.0) < 3.0
    assert frequency(2500.0) > max(0.8, 1.7 * frequency(800.0))
    assert frequency(6000.0) > frequency(2500.0)


@pytest.mark.parametrize("fault", [0.05, 0.15, 0.2])
def test_the_trims_make_up_for_unmetered_air(fault: float) -> None:
    """Short at once, long for good; together they are what is missing, and lambda is 1 again."""
    mixture = warm()
    run(mixture, 20.0)
    mixture.fault = fault
    mixture.step(0.01)
    assert mixture.lambda_ == pytest.approx(1.0 + fault, abs=0.02)
    run(mixture, 10.0)
    assert mixture.lambda_ == pytest.approx(1.0, abs=0.02)
    assert mixture.short_trim > 0.01
    run(mixture, 300.0)
    assert mixture.long_trim == pytest.approx(fault, abs=0.02)
    assert abs(mixture.short_trim) < 0.02
    mixture.fault = 0.0
    run(mixture, 600.0)
    assert mixture.long_trim == pytest.approx(0.0, abs=0.02)


def test_combustions_that_fail_read_lean() -> None:
    """A tenth of them leaves a tenth of the oxygen: lambda 1/0.9, and the trims enrich by as much, 1.11."""
    mixture = warm()
    run(mixture, 20.0)
    mixture.missed = 0.1
    run(mixture, 300.0)
    assert 1.0 + mixture.short_trim + mixture.long_trim == pytest.approx(1.0 / 0.9, abs=0.02)
    assert mixture.exhaust == pytest.approx(1.0, abs=0.02)
    assert mixture.lambda_ == pytest.approx(0.9, abs=0.02)


def test_trims_have_an_end() -> None:
    """Beyond 25 % each the mixture stays lean, which is what a monitor has to find."""
    mixture = warm()
    mixture.fault = 1.0
    run(mixture, 600.0)
    assert [mixture.short_trim, mixture.long_trim] == pytest.approx([0.25, 0.25])
    assert mixture.lambda_ == pytest.approx(2.0 / 1.5)


def test_a_cold_engine_is_rich_in_open_loop() -> None:
    mixture = warm()
    mixture.coolant = 0.0
    run(mixture, 1.0)
    assert (mixture.status, mixture.short_trim) == (OPEN_COLD, 0.0)
    assert 0.75 < mixture.commanded < 0.95


def test_full_load_is_rich_in_open_loop() -> None:
    mixture = warm(1.0)
    run(mixture, 1.0)
    assert mixture.status == OPEN_DRIVING
    assert mixture.commanded == pytest.approx(0.88)


def test_overrun_and_standstill_have_their_own_status() -> None:
    mixture = warm()
    run(mixture, 1.0)
    mixture.burning = False
    mixture.step(0.01)
    assert mixture.status == OPEN_DRIVING
    mixture.running = False
    mixture.step(0.01)
    assert mixture.status == OFF


def test_the_rear_sensor_is_steady_behind_a_working_catalyst() -> None:
    """0.6 .. 0.7 V in closed loop, under 0.2 V after seconds of air, over 0.8 V at full load, 0.45 V when cold."""
    mixture = warm()
    run(mixture, 30.0)
    for _ in range(300):
        mixture.step(0.01)
        assert 0.6 < mixture.rear_voltage < 0.7
    mixture.burning = False
    run(mixture, 3.0)
    assert mixture.rear_voltage < 0.2
    mixture.burning, mixture.load = True, 1.0
    run(mixture, 20.0)
    assert mixture.rear_voltage > 0.8
    mixture.catalyst = 100.0
    assert mixture.rear_voltage == 0.45


@given(
    st.lists(
        st.tuples(st.booleans(), st.booleans(), st.floats(0.0, 1.0), st.floats(-40.0, 130.0), st.floats(0.0, 1.0)),
        max_size=50,
    )
)
def test_whatever_happens_stays_in_bounds(phases: list[tuple[bool, bool, float, float, float]]) -> None:
    mixture = warm()
    for running, burning, load, coolant, fault in phases:
        mixture.running, mixture.burning = running, burning
        mixture.load, mixture.coolant, mixture.fault = load, coolant, fault
        run(mixture, 1.0)
        assert 0.5 < mixture.lambda_ < 4.0
        assert abs(mixture.short_trim) <= 0.25
        assert abs(mixture.long_trim) <= 0.25
        assert 0.1 <= mixture.rear_voltage <= 0.9
