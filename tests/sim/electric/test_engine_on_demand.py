"""Engine on demand: when the engine of a P2 hybrid is started and stopped."""

import pytest

from vehiclesim.electric.engine_on_demand import EngineOnDemand
from vehiclesim.engine.stop_start import CRANK, RUN, STOP
from vehiclesim.parameters import HybridSettings

STEP = 0.1


def on_demand(*, running: bool = False) -> EngineOnDemand:
    """One in gear, with 12 kW and 30 m/s for the motor alone and a band from 0.4 to 0.7; its engine may run already."""
    system = EngineOnDemand(HybridSettings())
    system.in_gear, system.charge, system.charging = True, 0.55, True
    if running:
        system.power = 13e3
        system.step(STEP)
        system.running = True
        system.step(STEP)
        assert system.command == RUN
    return system


def advance(system: EngineOnDemand, seconds: float, **inputs: float) -> int:
    for name, value in inputs.items():
        setattr(system, name, value)
    for _ in range(round(seconds / STEP)):
        system.step(STEP)
    return system.command


def test_the_motor_drives_alone_within_its_limits() -> None:
    assert advance(on_demand(), 10.0, power=11.9e3, speed=29.0) == STOP


@pytest.mark.parametrize("beyond", [{"power": 12.1e3}, {"speed": 30.1}, {"enough": False}, {"charge": 0.39}])
def test_each_limit_starts_the_engine(beyond: dict[str, float]) -> None:
    assert advance(on_demand(), STEP, **beyond) == CRANK


@pytest.mark.parametrize("without", [{"in_gear": False}, {"fuel": False}])
def test_out_of_gear_or_fuel_no_limit_does(without: dict[str, float]) -> None:
    assert advance(on_demand(), 1.0, power=50e3, **without) == STOP


def test_a_low_charge_starts_it_only_on_the_move() -> None:
    """A vehicle at rest turns no gearbox, so the engine could not charge."""
    assert advance(on_demand(), 5.0, charge=0.3, charging=False) == STOP


def test_a_started_engine_runs_for_three_seconds() -> None:
    """Then it stops, well below the limit: at four fifths of 12 kW."""
    system = on_demand(running=True)
    assert advance(system, 2.8, power=1e3) == RUN
    assert advance(system, 0.5) == STOP
    assert advance(on_demand(running=True), 5.0, power=0.85 * 12e3) == RUN


def test_it_charges_to_the_middle_of_the_band() -> None:
    system = on_demand(running=True)
    assert advance(system, 10.0, power=0.0, charge=0.54) == RUN
    assert advance(system, 0.1, charge=0.56) == STOP


def test_a_cold_engine_warms_up() -> None:
    """Below `warm_up` it runs; by default none is that cold."""
    system = EngineOnDemand(HybridSettings(warm_up=40.0))
    system.in_gear, system.charge, system.coolant = True, 0.55, 39.0
    assert advance(system, STEP) == CRANK
    assert advance(system, 60.0, running=True) == RUN
    assert advance(system, STEP, coolant=41.0) == STOP
    assert advance(on_demand(), 60.0, coolant=-40.0) == STOP


def test_where_nothing_can_stop_it_a_running_engine_goes_on() -> None:
    """Unless it stalls; and nothing starts it."""
    assert advance(on_demand(running=True), 60.0, power=0.0, in_gear=False, held=True) == RUN
    assert advance(on_demand(running=True), STEP, in_gear=False, held=True, running=False) == STOP
    assert advance(on_demand(), 60.0, power=50e3, in_gear=False, held=True) == STOP


def test_the_starter_gives_up_and_tries_again() -> None:
    """After 5 s, for 10 s: a dead engine drains no battery."""
    system = on_demand()
    assert advance(system, 4.0, power=20e3) == CRANK
    assert advance(system, 1.5) == STOP
    assert advance(system, 9.0) == STOP
    assert advance(system, 1.0) == CRANK
