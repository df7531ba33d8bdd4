"""Throttle plate and manifold, against the closed solution of a choked plate and an integrator of another library."""

from math import exp, sqrt
from typing import Any

import pytest
from scipy.integrate import solve_ivp

from vehiclesim import Engine, EngineSettings
from vehiclesim.engine.intake import Intake, full_load_share, plate_flow, pressure_of
from vehiclesim.parameters.auxiliary import AirPathSettings

from ..dynamometer import GRIP, HEAVY, Load, Stand, spin

FILLING = 120.0 * 2.0 / (2.0 * 0.95)  # [s/min], tau·n of 2 l behind the plate of a 2 l engine
RESIDUAL, AIR, TOP_RPM = 12.0, 101.325, 6500.0
PETROL = EngineSettings(can_stall=True, max_fuel_per_rev=0.08)
MANIFOLD = AirPathSettings(displacement=2.0, volumetric_efficiency=0.95, intake_volume=2.0)


def settled(area: float, rpm: float, filling: float = FILLING) -> Intake:
    intake = Intake(filling, TOP_RPM)
    for _ in range(4000):
        intake.step(area, rpm, RESIDUAL, AIR, 0.001)
    return intake


@pytest.mark.parametrize("rpm", [1000.0, 3000.0, 6000.0])
def test_behind_a_choked_plate_the_pressure_is_an_exponential(rpm: float) -> None:
    """tau = 120·V/(V_d·eta·n): Guzzella and Onder, 2.3. The plate stays; the residual gas alone changes."""
    intake = settled(0.004 * rpm / 1000.0, rpm)
    start, tau = intake.pressure, FILLING / rpm
    for k in range(1, 200):
        intake.step(0.004 * rpm / 1000.0, rpm, RESIDUAL + 10.0, AIR, 1e-4)
        expected = start + 10.0 * (1.0 - exp(-k * 1e-4 / tau))
        assert intake.pressure == pytest.approx(expected, rel=1e-3)
        assert intake.pressure < 0.5 * AIR


@pytest.mark.parametrize("rpm", [900.0, 2000.0, 5000.0])
@pytest.mark.parametrize("area", [0.03, 0.3, 1.0])
def test_a_tip_in_is_the_solution_of_the_equations(rpm: float, area: float) -> None:
    """Plate with a lag of 35 ms, its area, isentropic flow by its approximation, speed density: by scipy."""
    closed, size, c = 0.008, TOP_RPM / 0.199, 0.253
    intake = settled(closed, rpm)
    opening = intake.opening
    end = 0.5 * (sqrt(c * c + 4.0 * (1.0 + c) * area) - c)

    def slope(t: float, y: Any) -> list[float]:
        x = end + (opening - end) * exp(-t / 0.035)
        open_share = (c * x + x * x) / (1.0 + c)
        ratio = min(y[0] / AIR, 1.0)
        flow = 1.0 if ratio < 0.5 else 2.0 * sqrt(ratio * (1.0 - ratio))
        return [(size * open_share * AIR * flow - rpm * (y[0] - RESIDUAL)) / FILLING]

    exact = solve_ivp(slope, (0.0, 0.4), [intake.pressure], "LSODA", rtol=1e-8, dense_output=True, max_step=1e-3)
    assert exact.sol is not None
    for k in range(1, 4000):
        intake.step(area, rpm, RESIDUAL, AIR, 1e-4)
        assert intake.pressure == pytest.approx(exact.sol(k * 1e-4)[0], abs=0.5)


def test_the_plate_reaches_90_percent_of_a_full_stroke_in_80_ms() -> None:
    intake = settled(0.0, 1000.0)
    openings = []
    for _ in range(199):
        intake.step(1.0, 1000.0, RESIDUAL, AIR, 0.001)
        openings.append(intake.opening)
    assert 70 < sum(opening < 0.9 for opening in openings) < 90


@pytest.mark.parametrize("filling", [0.0, FILLING])
@pytest.mark.parametrize("pressure", [20.0, 35.0, 60.0, 95.0])
def test_the_area_for_a_pressure_leads_to_it(pressure: float, filling: float) -> None:
    intake = Intake(filling, TOP_RPM)
    area = intake.area_for(pressure, RESIDUAL, AIR, 2500.0)
    assert settled(area, 2500.0, filling).pressure == pytest.approx(pressure, rel=1e-3)


def test_a_manifold_at_rest_fills_with_air_from_outside() -> None:
    intake = settled(0.005, 2000.0)
    assert intake.pressure < 30.0
    for _ in range(3000):
        intake.step(0.005, 0.0, RESIDUAL, AIR, 0.001)
    assert intake.pressure == pytest.approx(AIR, rel=1e-3)


def test_a_manifold_full_of_air_rests_to_the_last_bit() -> None:
    intake = Intake(FILLING, TOP_RPM)
    for _ in range(10_000):
        intake.step(0.0, 0.0, RESIDUAL, AIR, 0.001)
        assert intake.pressure == AIR


def test_the_flow_function_is_the_isentropic_one_within_its_approximation() -> None:
    """ψ of air, kappa 1.4, over its choked value (Heywood, C.8 and C.9): within 7 % over the whole range."""
    choked = 0.6847
    for ratio in (0.4, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99):
        isentropic = ratio ** (1 / 1.4) * sqrt(7.0 * (1.0 - ratio ** (0.4 / 1.4))) / choked if ratio > 0.528 else 1.0
        assert plate_flow(ratio) == pytest.approx(isentropic, rel=0.07)
    assert plate_flow(1.0) == plate_flow(1.2) == 0.0


def test_share_and_pressure_are_inverse() -> None:
    for share in (0.05, 0.5, 1.0):
        assert full_load_share(pressure_of(share, RESIDUAL, AIR), RESIDUAL, AIR) == pytest.approx(share)
    assert full_load_share(AIR, RESIDUAL, AIR) == 1.0


def held(rpm: float, throttle: float) -> Stand:
    engine = Engine(PETROL, GRIP, air=MANIFOLD)
    spin(engine, rpm, PETROL.inertia)
    engine.clutch_input = 1.0
    engine.throttle_input = throttle
    stand = Stand(engine, Load(HEAVY, rpm))
    stand.run(2.0)
    return stand


def test_throttle_air_and_torque_agree_at_every_load() -> None:
    """The rationality of an on-board monitor: opening, pressure and torque rise together, at any speed."""
    for rpm in (1000.0, 2500.0, 5000.0):
        rows = []
        for throttle in (0.05, 0.2, 0.4, 0.6, 0.8, 1.0):
            engine = held(rpm, throttle).engine
            torque = engine.sensor_flywheel_torque + engine.sensor_friction_torque
            rows.append((engine.sensor_throttle, engine.sensor_manifold_pressure, torque))
        for column in zip(*rows, strict=True):
            assert list(column) == sorted(column)
            assert len(set(column)) == len(column)


def test_a_limiter_keeps_the_plate_and_the_pressure_and_a_released_pedal_takes_both() -> None:
    stand = held(4000.0, 1.0)
    engine = stand.engine
    full = engine.sensor_manifold_pressure
    assert full > 98.0
    engine.rpm_limit = 2000.0
    stand.run(0.1)
    assert engine.sensor_fuel_rate == 0.0
    assert engine.sensor_manifold_pressure == pytest.approx(full)
    engine.rpm_limit = float("inf")
    engine.throttle_input = 0.0
    falling = [engine.sensor_manifold_pressure for _ in stand.steps(1.0)]
    assert falling == sorted(falling, reverse=True)
    assert 14.0 < falling[-1] < 25.0
    assert engine.sensor_fuel_rate == 0.0


def test_overrun_pressure_rises_as_the_speed_falls() -> None:
    pressures = [held(rpm, 0.0).engine.sensor_manifold_pressure for rpm in (5000.0, 3000.0, 2000.0, 1200.0)]
    assert pressures == sorted(pressures)
    assert pressures[-1] < 35.0


def test_a_late_spark_keeps_the_fuel_and_a_deep_cut_takes_it() -> None:
    """A gearbox that takes a third of the torque gets it by the spark; one that takes nearly all of it, by fuel."""
    stand = held(3000.0, 0.6)
    engine = stand.engine
    torque = engine.sensor_flywheel_torque + engine.sensor_friction_torque
    fuel = engine.sensor_fuel_rate
    engine.shift_torque = -0.33 * torque
    stand.run(0.001)
    assert engine.sensor_fuel_rate == pytest.approx(fuel, rel=1e-3)
    engine.shift_torque = -0.9 * torque
    stand.run(0.001)
    assert 0.1 * fuel < engine.sensor_fuel_rate < 0.25 * fuel
