"""Rules of a cold engine: friction, idle speed and fuel over the temperature of its coolant."""

from dataclasses import replace

import pytest

from vehiclesim import (
    AUXILIARY,
    ROAD,
    AuxiliaryData,
    AuxiliarySettings,
    ColdSettings,
    EngineSettings,
    InputData,
    RoadData,
    Vehicle,
    VehicleSettings,
)
from vehiclesim.auxiliary.cold import ColdRunning

WARM = 87.0


def at(coolant: float, **settings: float | bool) -> ColdRunning:
    cold = ColdRunning(ColdSettings(**settings), WARM, 800.0)  # type: ignore[arg-type]
    cold.step(coolant, 1.0)
    return cold


@pytest.mark.parametrize(
    ("coolant", "factor"),
    [(-20.0, (360.15 / 253.15) ** 3.5), (20.0, (360.15 / 293.15) ** 3.5), (60.0, (360.15 / 333.15) ** 3.5)],
)
def test_friction_follows_the_absolute_temperature(coolant: float, factor: float) -> None:
    """(T_warm/T)^3.5: 3.43 times that of the warm engine at -20 °C, 2.06 times at 20 °C, 1.31 times at 60 °C."""
    assert at(coolant, friction_exponent=3.5).friction_factor == pytest.approx(factor, rel=1e-4)


@pytest.mark.parametrize("coolant", [WARM, 110.0])
def test_a_warm_engine_has_its_own_friction(coolant: float) -> None:
    assert at(coolant, friction_exponent=3.5).friction_factor == 1.0


@pytest.mark.parametrize(("coolant", "rise"), [(-40.0, 400.0), (-20.0, 400.0), (20.0, 200.0), (60.0, 0.0), (90.0, 0.0)])
def test_idle_rises_in_the_cold(coolant: float, rise: float) -> None:
    """1200 instead of 800/min at -20 °C, in a straight line down to 60 °C."""
    assert at(coolant, idle_rpm=1200.0).idle_rise == pytest.approx(rise, abs=1e-9)


def test_a_cold_idle_below_the_warm_one_changes_nothing() -> None:
    assert at(-20.0, idle_rpm=700.0).idle_rise == 0.0


def test_the_rich_mixture_of_a_cold_engine_is_paid_for() -> None:
    """Lambda 0.8 takes 1/0.8 of the fuel."""
    cold = ColdRunning(ColdSettings(enrichment=True), WARM, 800.0)
    cold.step(-20.0, 0.8)
    assert cold.enrichment == pytest.approx(1.25, rel=1e-12)


COLD = VehicleSettings(
    engine=EngineSettings(can_stall=True, starter_motor_bias=1.0),
    cold=ColdSettings(friction_exponent=3.5, idle_rpm=1400.0, enrichment=True),
)


def started(settings: VehicleSettings, temperature: float, seconds: float) -> Vehicle:
    vehicle = Vehicle(settings)
    vehicle.data.write(ROAD, RoadData.AMBIENT_TEMPERATURE, temperature)
    vehicle.data.input[InputData.KEY] = 1
    for k in range(round(seconds / 0.01)):
        vehicle.step(0.01)
        if k == 800:
            vehicle.data.input[InputData.KEY] = 0
    return vehicle


def test_a_car_idles_fast_and_rich_in_the_cold_and_at_its_own_speed_when_warm() -> None:
    """At -20 °C: 1400/min, three times the fuel per revolution at least, lambda below 0.9; warm as without cold."""
    cold, warm = started(COLD, -20.0, 15.0), started(replace(COLD, cold=ColdSettings()), -20.0, 15.0)
    assert cold.engine.sensor_rpm == pytest.approx(1400.0, rel=0.02)
    assert warm.engine.sensor_rpm == pytest.approx(1000.0, rel=0.001)
    cold_charge = cold.engine.sensor_fuel_rate / cold.engine.sensor_rpm
    assert cold_charge > 3.0 * warm.engine.sensor_fuel_rate / warm.engine.sensor_rpm
    assert cold.data.read(AUXILIARY, AuxiliaryData.LAMBDA) < 0.9
    friction = cold.data.read(AUXILIARY, AuxiliaryData.FRICTION_TORQUE)
    assert friction == pytest.approx(cold.engine.sensor_friction_torque, rel=0.01)
    cold.auxiliaries.warm_up()
    for _ in range(300):
        cold.step(0.01)
    assert cold.engine.sensor_rpm == pytest.approx(1000.0, rel=0.001)
    assert cold.engine.friction_factor == 1.0


def test_cold_oil_brakes_the_starter_once_only() -> None:
    """With cold friction the flywheel is hard to turn, and the share of the starter's torque is that of the battery."""
    plain, cold = Vehicle(replace(COLD, cold=ColdSettings())), Vehicle(COLD)
    for vehicle in (plain, cold):
        vehicle.data.write(ROAD, RoadData.AMBIENT_TEMPERATURE, -20.0)
        for _ in range(10):
            vehicle.step(0.01)
    assert plain.auxiliaries.starter_supply == pytest.approx(cold.auxiliaries.starter_supply / 1.24, rel=1e-6)


def test_an_engine_without_cold_is_the_same_at_any_temperature() -> None:
    """The default of every block of the vehicle file."""
    assert VehicleSettings().cold == ColdSettings()
    settings = replace(COLD, cold=ColdSettings(), auxiliary=AuxiliarySettings())
    assert started(settings, -20.0, 15.0).engine.friction_factor == 1.0
