"""A drive from start to end."""

from dataclasses import replace

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.drive.cycles import EXTRA_URBAN, URBAN, from_operations
from hilbridge.bench.drive.simulation import drive
from hilbridge.bench.drive.trace import Trace
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import Vehicle
from vehiclesim.parameters import AccessorySettings, ColdSettings

from .cars import MANUAL

TRIP = Trace("trip", (0.0, 3.0, 10.0, 14.0, 20.0, 23.0), (0.0, 0.0, 7.0, 7.0, 0.0, 0.0))


def test_the_compact_car_drives_the_nedc_in_its_gears_within_2_km_per_hour() -> None:
    """One urban and the extra-urban cycle: the other three urban ones are the same again."""
    trace = from_operations("nedc", (*URBAN, *EXTRA_URBAN))
    driven = drive(load_vehicle("compact").build(), trace, ledger=False)
    assert abs(driven.largest_deviation) < 2.0 / 3.6
    assert driven.time_outside == 0.0
    assert driven.distance == pytest.approx(trace.distance, rel=1e-3)
    assert 6.0 < driven.fuel / 745.0 / driven.distance * 1e5 < 12.0


def test_fuel_and_energy_belong_together() -> None:
    """Fuel per combustion work = m/(2π·T_raw): 277 g/kWh with the 166.6 Nm of idle, 176 with the highest 261 Nm."""
    settings = replace(MANUAL, engine=replace(MANUAL.engine, max_fuel_per_rev=0.08))
    driven = drive(Vehicle(settings), TRIP)
    assert driven.energy is not None
    assert abs(driven.energy.residual) < 1e-9 * driven.energy.throughput
    assert 176.0 < driven.fuel / (driven.energy.supply["combustion"] / 3.6e6) < 277.0


def test_the_ledger_does_not_change_where_the_drive_goes() -> None:
    """Its shorter steps give the same trip and the same fuel within a thousandth."""
    with_ledger, without = drive(Vehicle(MANUAL), TRIP), drive(Vehicle(MANUAL), TRIP, ledger=False)
    assert without.energy is None
    assert with_ledger.distance == pytest.approx(without.distance, rel=1e-3)
    assert with_ledger.fuel == pytest.approx(without.fuel, rel=2e-3)


def test_the_driver_makes_up_for_what_accessories_take() -> None:
    """1.5 kW from the crankshaft are 20 Nm at idle, of the 72 that the engine has: the car starts off and follows."""
    weak = replace(MANUAL.engine, idle_rpm=700.0, idle_rpm_torque=72.0, peak_rpm_torque=130.0, rotational_friction=0.02)
    engine = replace(weak, inertia=0.11)
    settings = replace(MANUAL, engine=engine, accessories=AccessorySettings(power_steering=1500.0))
    driven = drive(Vehicle(settings), TRIP, ledger=False)
    assert driven.time_outside == 0.0


def test_a_cold_engine_is_driven_through_its_gears_too() -> None:
    """With twice the friction that the driver knows, he brings it to the speed of the next gear all the same."""
    trace = Trace("trip", (0.0, 6.0, 24.0, 30.0), (0.0, 0.0, 12.0, 12.0))
    shipped = load_vehicle("mx5-nd").settings
    engine = replace(shipped.engine, starter_motor_bias=1.0)
    cold = replace(shipped, engine=engine, cold=ColdSettings(friction_exponent=3.5))
    driven = drive(Vehicle(cold), trace, ledger=False)
    assert max(driven.series.gear) >= 2
    assert driven.time_outside == 0.0
    assert driven.series.speed[-1] == pytest.approx(12.0, abs=0.2)


def test_a_trace_of_a_warm_engine_needs_less_than_that_of_a_cold_one() -> None:
    """With (363/293)^3.5 = 2.1 times the friction; with equal fuel an engine without cold running."""
    cold = replace(MANUAL, cold=ColdSettings(friction_exponent=3.5))
    trips = (TRIP, replace(TRIP, warm=True))
    first, second = (drive(Vehicle(cold), trip, ledger=False).fuel for trip in trips)
    assert second < 0.9 * first
    first, second = (drive(Vehicle(MANUAL), trip, ledger=False).fuel for trip in trips)
    assert first == second


def test_the_recording_has_a_value_per_tenth_of_a_second() -> None:
    data = drive(Vehicle(MANUAL), TRIP, ledger=False).series
    assert len(data.time) == 230
    for values in (data.target, data.speed, data.rpm, data.gear, data.throttle, data.brake, data.clutch, data.fuel):
        assert len(values) == 230
    assert data.fuel == sorted(data.fuel)
    assert {0, 1} <= set(data.gear)


def test_a_vehicle_is_driven_with_the_blocks_of_its_file() -> None:
    """Behind an overdrive of 0.8 the engine turns 0.8 times as fast, at the same speed in the same gear."""
    file = load_vehicle("overdrive")
    cruise = Trace("cruise", (0.0, 3.0, 8.0, 14.0), (0.0, 0.0, 6.0, 6.0))
    ours, plain = (
        drive(vehicle, cruise, ledger=False).series
        for vehicle in (file.build(), Vehicle(replace(file.settings, blocks=(), shafts=())))
    )
    assert ours.gear[-1] == plain.gear[-1] > 0
    assert ours.rpm[-1] / ours.speed[-1] == pytest.approx(0.8 * plain.rpm[-1] / plain.speed[-1], rel=1e-3)


def test_progress_is_told_in_ascending_times() -> None:
    heard: list[float] = []
    drive(Vehicle(MANUAL), TRIP, ledger=False, progress=heard.append)
    assert heard == sorted(heard)
    assert (heard[0], len(heard)) == (0.0, 230)


def test_a_drive_that_is_stopped_keeps_the_way_so_far() -> None:
    """The figures are of that way: 5 s of the trace, and no more than it asked for in them."""
    heard: list[float] = []
    driven = drive(Vehicle(MANUAL), TRIP, progress=heard.append, stopped=lambda: heard[-1] >= 5.0)
    assert driven.interrupted_at == driven.time == pytest.approx(5.0, abs=0.1)
    assert driven.series.time[-1] == driven.time
    assert driven.distance == pytest.approx(sum(driven.series.speed) * 0.1, abs=0.5)
    assert driven.energy is not None
    assert abs(driven.energy.residual) < 1e-9 * driven.energy.throughput


def test_what_the_car_cannot_do_is_counted_outside_the_tolerance() -> None:
    """From 0 to 30 m/s in 3 s it cannot: seconds outside, and a deviation with its sign."""
    driven = drive(Vehicle(MANUAL), Trace("leap", (0.0, 2.0, 5.0, 10.0), (0.0, 0.0, 30.0, 30.0)), ledger=False)
    assert driven.time_outside > 4.0
    assert driven.largest_deviation < -10.0
    assert 3.0 < driven.largest_deviation_at < 7.0


def test_an_engine_that_does_not_start_ends_the_drive() -> None:
    """A starter without any torque: an error instead of an endless wait."""
    dead = replace(MANUAL, engine=replace(MANUAL.engine, starter_motor_bias=0.0))
    with pytest.raises(ConfigurationError, match="the engine of 'manual' does not start within 10 s"):
        drive(Vehicle(dead), TRIP)
