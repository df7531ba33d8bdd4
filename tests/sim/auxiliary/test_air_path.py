"""Air mass flow, intake pressure, lambda and absolute load."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.auxiliary.air_path import FREE_AIR_LAMBDA, AirPath
from vehiclesim.engine.throttling import displacement_of
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind

ENGINE = EngineSettings(max_fuel_per_rev=0.08)
PETROL = AirPathSettings()
DIESEL = AirPathSettings(fuel=FuelKind.DIESEL, displacement=1.995, max_boost=150.0)
DIESEL_ENGINE = EngineSettings(idle_rpm=800.0, peak_rpm=2000.0, max_rpm=4800.0, max_fuel_per_rev=0.08)
SPEEDS = st.floats(600.0, 6500.0)
SHARES = st.floats(0.01, 1.0)


def settled(path: AirPath, rpm: float, fuel_rate: float, pressure: float = 101.325) -> AirPath:
    """The readings while all the air in the cylinders gets its fuel."""
    path.rpm, path.fuel_rate, path.air_fuel_rate, path.pressure = rpm, fuel_rate, fuel_rate, pressure
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


@given(SPEEDS, st.floats(20.0, 101.0), st.floats(-30.0, 60.0))
def test_without_fuel_the_air_is_the_gas_law_of_what_fills_the_cylinders(
    rpm: float, pressure: float, intake: float
) -> None:
    """Two litres at 95 %: fresh charge (p - p_r)·V/(R·T), beside the gas that stayed."""
    path = AirPath(AirPathSettings(displacement=2.0), ENGINE)
    path.intake_temperature = intake
    settled(path, rpm, 0.0, pressure)
    fresh = (pressure - 0.12 * 101.325) * 2.0 * 0.95 / (8.314 / 28.96 * (intake + 273.15))  # [g] of two turns
    assert path.flow == pytest.approx(fresh * rpm / 120.0, rel=2e-3)
    assert path.lambda_ == FREE_AIR_LAMBDA


def test_the_meter_sees_the_air_that_the_manifold_takes() -> None:
    path = AirPath(PETROL, ENGINE)
    path.inflow = 1.5
    assert settled(path, 2000.0, 1.0).flow == pytest.approx(1.5 * 14.7)
    assert path.lambda_ == pytest.approx(1.0)


def test_a_cut_of_half_the_cylinders_reads_lean() -> None:
    path = AirPath(PETROL, ENGINE)
    path.rpm, path.fuel_rate, path.air_fuel_rate = 3000.0, 0.5, 1.0
    path.step()
    assert path.lambda_ == pytest.approx(2.0)


def test_a_stopped_engine_shows_no_flow() -> None:
    path = AirPath(PETROL, ENGINE)
    settled(path, 0.0, 0.0)
    assert (path.flow, path.absolute_load, path.lambda_) == (0.0, 0.0, FREE_AIR_LAMBDA)


def test_absolute_load_is_air_per_stroke_over_displacement() -> None:
    """SAE J1979, PID 43: [g/stroke] / (1.184·[l])."""
    path = settled(AirPath(AirPathSettings(displacement=2.0), ENGINE), 3000.0, 1.2)
    assert path.absolute_load == pytest.approx(1.2 * 14.7 / (3000.0 / 120.0) / (1.184 * 2.0))


def test_full_load_of_a_naturally_aspirated_engine_breathes_its_displacement() -> None:
    """A two-litre engine with lambda 0.88 draws some 85 .. 95 % of it."""
    path = AirPath(PETROL, ENGINE)
    path.mixture = 0.88
    settled(path, 5000.0, 0.08 * 5000.0 / 60.0)
    assert 0.8 < path.absolute_load < 1.0


def test_a_diesel_at_idle_is_very_lean() -> None:
    path = settled(AirPath(DIESEL, DIESEL_ENGINE), 800.0, 0.12)
    assert 4.0 < path.lambda_ <= FREE_AIR_LAMBDA


def test_recirculated_exhaust_gas_takes_the_place_of_air_while_a_diesel_is_warm_and_lightly_loaded() -> None:
    settings = AirPathSettings(FuelKind.DIESEL, displacement=1.995, max_boost=150.0, exhaust_recirculation=0.4)
    path = settled(AirPath(settings, DIESEL_ENGINE), 800.0, 0.12)
    plain = settled(AirPath(DIESEL, DIESEL_ENGINE), 800.0, 0.12)
    assert path.recirculated == 0.4
    assert path.flow == pytest.approx(0.6 * plain.flow)
    path.load = 0.6
    assert settled(path, 800.0, 0.12).flow == plain.flow
    path.load, path.warm = 0.0, False
    assert settled(path, 800.0, 0.12).recirculated == 0.0
    path.warm = True
    assert settled(path, 800.0, 0.0).recirculated == 0.0  # overrun: fresh air


def test_a_missing_displacement_is_what_full_load_fills() -> None:
    """0.08 g per turn, 14.7·0.88 of air, 1.0 g of fresh charge per litre: some two litres; a given one is used."""
    assert displacement_of(PETROL, ENGINE) == pytest.approx(2.08, abs=0.1)
    assert displacement_of(DIESEL, ENGINE) == 1.995
    assert displacement_of(PETROL, EngineSettings(max_fuel_per_rev=0.0)) > 0.0
