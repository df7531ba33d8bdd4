"""Air mass flow, intake pressure, lambda and absolute load."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.auxiliary.air_path import FREE_AIR_LAMBDA, AirPath
from vehiclesim.engine.charge import displacement_of
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind

ENGINE = EngineSettings(max_fuel_per_rev=0.08)
PETROL = AirPathSettings()
DIESEL = AirPathSettings(fuel=FuelKind.DIESEL, displacement=1.995, max_boost=150.0)
DIESEL_ENGINE = EngineSettings(idle_rpm=800.0, peak_rpm=2000.0, max_rpm=4800.0, max_fuel_per_rev=0.08)
SPEEDS = st.floats(600.0, 6500.0)
SHARES = st.floats(0.01, 1.0)


def settled(path: AirPath, rpm: float, fuel_rate: float, throttle: float = 0.0) -> AirPath:
    path.rpm, path.fuel_rate, path.throttle = rpm, fuel_rate, throttle
    path.step()
    return path


@given(SPEEDS, SHARES, st.floats(0.8, 1.02))
def test_air_is_fuel_times_stoichiometric_ratio_times_lambda(rpm: float, share: float, lambda_: float) -> None:
    path = AirPath(PETROL, ENGINE)
    path.mixture = lambda_
    rate = 0.08 * rpm / 60.0 * share
    settled(path, rpm, rate)
    assert path.flow == pytest.approx(rate * 14.7 * lambda_)
    assert path.lambda_ == pytest.approx(lambda_)


@given(SPEEDS, SHARES)
def test_a_diesel_shows_the_lambda_that_its_air_and_fuel_have(rpm: float, share: float) -> None:
    rate = 0.08 * rpm / 60.0 * share
    path = settled(AirPath(DIESEL, DIESEL_ENGINE), rpm, rate)
    assert path.lambda_ == pytest.approx(min(path.flow / (rate * 14.5), FREE_AIR_LAMBDA))
    assert path.lambda_ >= 1.3 - 1e-9


@given(SPEEDS, st.floats(0.05, 0.95), st.floats(-30.0, 60.0))
def test_intake_pressure_is_the_gas_law_of_what_fills_the_cylinders(rpm: float, share: float, intake: float) -> None:
    """Two litres at 95 %: fresh charge V·p/(R·T), on top of the gas that stayed; up to air pressure."""
    path = AirPath(AirPathSettings(displacement=2.0), ENGINE)
    path.intake_temperature = intake
    rate = 0.07 * rpm / 60.0 * share
    settled(path, rpm, rate)
    per_cycle = rate * 14.7 / (rpm / 120.0)  # [g]
    fresh = per_cycle * 8.314 / 28.96 * (intake + 273.15) / (2.0 * 0.95)  # universal constant, molar mass of air
    assert path.pressure == pytest.approx(min(0.12 * 101.325 + fresh, 101.325), rel=2e-3)


@given(SPEEDS, st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.sampled_from([PETROL, DIESEL]))
def test_intake_pressure_keeps_between_vacuum_and_boost(
    rpm: float, share: float, throttle: float, settings: AirPathSettings
) -> None:
    path = AirPath(settings, ENGINE)
    path.charge_pressure = 101.325 + share * settings.max_boost
    settled(path, rpm, 0.08 * rpm / 60.0 * share, throttle)
    assert 10.0 < path.pressure <= path.charge_pressure


def test_a_stopped_engine_shows_air_pressure_and_no_flow() -> None:
    path = AirPath(PETROL, ENGINE)
    path.air_pressure = path.charge_pressure = 84.0
    settled(path, 0.0, 0.0)
    assert path.pressure == pytest.approx(84.0, abs=1e-3)
    assert (path.flow, path.absolute_load, path.lambda_) == (0.0, 0.0, FREE_AIR_LAMBDA)


def test_overrun_pulls_the_lowest_pressure() -> None:
    """15 .. 25 kPa at cruising speed on closed throttle, lower the faster; air flows, and there is no fuel in it."""
    slow = settled(AirPath(PETROL, ENGINE), 2000.0, 0.0)
    fast = settled(AirPath(PETROL, ENGINE), 4000.0, 0.0)
    assert 12.0 < fast.pressure < slow.pressure < 25.0
    assert slow.flow > 0.0
    assert slow.lambda_ == FREE_AIR_LAMBDA


def test_an_injection_cut_at_full_throttle_leaves_the_manifold_full() -> None:
    assert settled(AirPath(PETROL, ENGINE), 6000.0, 0.0, 1.0).pressure == pytest.approx(101.325)


def test_full_load_of_a_naturally_aspirated_engine_is_near_air_pressure() -> None:
    """A two-litre engine with lambda 0.88 then breathes some 85 .. 95 % of its displacement."""
    path = AirPath(PETROL, ENGINE)
    path.mixture = 0.88
    settled(path, 5000.0, 0.08 * 5000.0 / 60.0)
    assert 97.0 < path.pressure <= 101.325
    assert 0.8 < path.absolute_load < 1.0


def test_absolute_load_is_air_per_stroke_over_displacement() -> None:
    """SAE J1979, PID 43: [g/stroke] / (1.184·[l])."""
    path = settled(AirPath(AirPathSettings(displacement=2.0), ENGINE), 3000.0, 1.2)
    assert path.absolute_load == pytest.approx(1.2 * 14.7 / (3000.0 / 120.0) / (1.184 * 2.0))


def test_a_diesel_at_idle_is_very_lean_and_at_air_pressure() -> None:
    path = settled(AirPath(DIESEL, DIESEL_ENGINE), 800.0, 0.12)
    assert 95.0 < path.pressure < 115.0
    assert 4.0 < path.lambda_ <= FREE_AIR_LAMBDA


def test_a_missing_displacement_is_what_full_load_fills() -> None:
    """0.08 g per turn, 14.7·0.88 of air, 1.0 g of fresh charge per litre: some two litres; a given one is used."""
    assert displacement_of(PETROL, ENGINE) == pytest.approx(2.08, abs=0.1)
    assert displacement_of(DIESEL, ENGINE) == 1.995
    assert displacement_of(PETROL, EngineSettings(max_fuel_per_rev=0.0)) > 0.0
