"""All auxiliaries together: what agrees with what, what is kept, and what no input can break."""

import json
from dataclasses import replace
from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vehiclesim.auxiliary import AuxiliaryMemory
from vehiclesim.auxiliary.counters import MICROLITRES
from vehiclesim.channels import AUXILIARY, AuxiliaryData
from vehiclesim.entries import ENTRIES
from vehiclesim.parameters.auxiliary import AirPathSettings, AuxiliarySettings, DistanceSettings, FuelKind, TankSettings

from ..dynamometer import idling
from .rig import PETROL, Rig, at_idle, at_rest, driving

DIESEL = AuxiliarySettings(air_path=AirPathSettings(fuel=FuelKind.DIESEL, max_boost=120.0))
INTEGRALS = (
    AuxiliaryData.FUEL_USED,
    AuxiliaryData.ODOMETER,
    AuxiliaryData.DISTANCE_PULSES,
    AuxiliaryData.PULSES_FRONT_LEFT,
    AuxiliaryData.PULSES_REAR_RIGHT,
    AuxiliaryData.ENGINE_HOURS,
    AuxiliaryData.ENGINE_REVOLUTIONS,
)


def test_every_value_of_the_channel_is_published() -> None:
    """But for the indicator lamp, which is not the model's, and the engine's stop and start."""
    rig = at_rest()
    rig.values[:] = [-12345] * len(ENTRIES[AUXILIARY])
    rig.step()
    rig.run(0.02, 0.001)
    untouched = [index for index, value in enumerate(rig.values) if value == -12345]
    assert untouched == [AuxiliaryData.INDICATOR_LAMP, AuxiliaryData.AUTO_STOP]


def test_fuel_flow_tank_and_fuel_rate_are_one() -> None:
    """With the mass balance as correction: litres = grams / (1000·density), on the gauge as in the engine."""
    rig = driving(2500.0, 0.3)
    before = rig.auxiliaries.memory()
    grams = []
    for k in range(3000):
        rig.engine.throttle_input = 0.1 + 0.2 * (k % 300) / 300.0
        rig.step(0.01)
        grams.append(rig.engine.sensor_fuel_rate * 0.01)
        assert rig.read(AuxiliaryData.FUEL_FLOW) == pytest.approx(grams[-1] * 100.0 * 3.6 / 0.745, abs=0.001)
    after = rig.auxiliaries.memory()
    used = after.fuel_used - before.fuel_used
    assert abs(used - fsum(grams) / 745.0 * MICROLITRES) <= 1.0
    assert before.fuel_left - after.fuel_left == used


def test_the_tank_agrees_with_the_consumption_that_a_cluster_shows() -> None:
    """Under any correction of the engine's: l/100 km times the way is what the tank loses."""
    engine = replace(PETROL, fuel_consumption_correction=3.0)
    rig = driving(2500.0, 0.3, 25.0, engine=engine)
    before = rig.auxiliaries.tank.left
    litres_per_100_km = rig.engine.calculate_instant_fuel_consumption(25.0)
    rig.run(40.0)
    assert (before - rig.auxiliaries.tank.left) / MICROLITRES == pytest.approx(litres_per_100_km / 100.0, rel=1e-5)


def test_an_empty_tank_stops_the_engine_and_fuel_is_conserved() -> None:
    """0.02 l at about 1.2 l/h last for a minute; a canister more, and it starts again."""
    rig = at_idle(AuxiliarySettings(tank=TankSettings(initial_share=0.0004)))
    rig.run(80.0)
    auxiliaries = rig.auxiliaries
    assert not auxiliaries.fuel_left
    assert not rig.engine.sensor_working
    assert rig.read(AuxiliaryData.FUEL_SHARE) == 0.0
    assert auxiliaries.tank.used.count == 20_000
    auxiliaries.tank.fill(5 * MICROLITRES)
    rig.engine.ignition_input = 1
    rig.run(2.0, 0.001)
    assert rig.engine.sensor_working


@pytest.mark.parametrize("kind", [AuxiliarySettings(), DIESEL])
def test_air_fuel_and_lambda_on_the_bus_are_one(kind: AuxiliarySettings) -> None:
    """MAF = fuel·stoichiometric ratio·lambda in every step with fuel, within the bus's resolution."""
    ratio = 14.7 if kind.air_path.fuel is FuelKind.PETROL else 14.5
    rig = driving(2000.0, 0.4, settings=kind)
    for k in range(500):
        rig.engine.throttle_input = 0.2 + 0.8 * (k % 100) / 100.0
        rig.step(0.001)
        lambda_ = rig.read(AuxiliaryData.LAMBDA)
        fuel = rig.engine.sensor_fuel_rate
        assert rig.read(AuxiliaryData.AIR_MASS_FLOW) == pytest.approx(fuel * ratio * lambda_, abs=0.001 + fuel * 0.002)


def test_a_warm_idling_engine_reads_like_one() -> None:
    """A two-litre petrol engine: 30 .. 40 kPa, 2 .. 5 g/s, timing 5 .. 20 degrees, 14.2 V, oil over 1 bar."""
    rig = at_idle()
    rig.auxiliaries.step(0.01)
    rig.auxiliaries.thermal.soak(90.0)
    rig.auxiliaries.thermal.catalyst = 450.0
    rig.run(5.0)
    assert 30.0 <= rig.read(AuxiliaryData.INTAKE_PRESSURE) <= 40.0
    assert 2.0 <= rig.read(AuxiliaryData.AIR_MASS_FLOW) <= 5.0
    assert 5.0 <= rig.read(AuxiliaryData.IGNITION_ADVANCE) <= 20.0
    assert 13.7 <= rig.read(AuxiliaryData.BATTERY_VOLTAGE) <= 14.7
    assert 100.0 <= rig.read(AuxiliaryData.OIL_PRESSURE) <= 200.0
    assert rig.read(AuxiliaryData.LAMBDA) == pytest.approx(1.0, abs=0.02)
    assert rig.read(AuxiliaryData.FRICTION_TORQUE) == pytest.approx(31.57, abs=0.05)


def test_key_on_engine_off_reads_like_a_standing_car() -> None:
    rig = at_rest()
    rig.auxiliaries.air_pressure = 95.0
    rig.run(1.0)
    assert rig.read(AuxiliaryData.INTAKE_PRESSURE) == pytest.approx(95.0, abs=0.01)
    for index in (AuxiliaryData.AIR_MASS_FLOW, AuxiliaryData.FUEL_FLOW, AuxiliaryData.RUN_TIME):
        assert rig.read(index) == 0.0


def test_temperatures_and_charge_do_not_depend_on_the_step() -> None:
    coarse, fine = driving(3000.0, 0.5), driving(3000.0, 0.5)
    coarse.hold(120.0, 0.1)
    fine.hold(120.0, 0.01)
    for index in (AuxiliaryData.COOLANT_TEMPERATURE, AuxiliaryData.CATALYST_TEMPERATURE, AuxiliaryData.BATTERY_CHARGE):
        assert coarse.read(index) == pytest.approx(fine.read(index), rel=0.005)


def test_the_trip_stays_at_zero_while_its_reset_is_held() -> None:
    rig = at_rest(AuxiliarySettings(distances=DistanceSettings(initial_odometer=10.0)))
    rig.auxiliaries.speed = 20.0
    rig.auxiliaries.trip_reset = True
    rig.run(1.0)
    assert rig.read(AuxiliaryData.TRIP) == pytest.approx(0.2)  # the way of the step in which the bus shows it
    rig.auxiliaries.trip_reset = False
    rig.run(1.0)
    assert rig.read(AuxiliaryData.TRIP) == pytest.approx(20.2)
    assert rig.read(AuxiliaryData.ODOMETER) == pytest.approx(10_040.0, abs=0.001)


def test_a_restart_from_stored_numbers_loses_no_fraction() -> None:
    """Driven in one go, or switched off every second and restored from a file: the same counters, to the count."""
    through, restarted = driving(3000.0, 0.3, 13.37), driving(3000.0, 0.3, 13.37)
    for _ in range(10):
        through.hold(1.0, 0.001)
        restarted.hold(1.0, 0.001)
        stored = json.dumps(restarted.auxiliaries.memory()._asdict())
        restarted = driving(3000.0, 0.3, 13.37)
        restarted.auxiliaries.start_from(AuxiliaryMemory(**json.loads(stored)))
        through.run(0.5)
        restarted.run(0.5)
    one, two = through.auxiliaries.memory(), restarted.auxiliaries.memory()
    assert (one.odometer, one.odometer_fraction) == (two.odometer, two.odometer_fraction)
    assert (one.engine_revolutions, one.engine_hours) == (two.engine_revolutions, two.engine_hours)
    assert (one.fuel_left, one.fuel_used) == (two.fuel_left, two.fuel_used)


def test_a_stored_tank_that_no_longer_fits_is_full() -> None:
    rig = at_rest()
    rig.auxiliaries.start_from(rig.auxiliaries.memory()._replace(fuel_left=10**12, battery_charge=7.0))
    assert rig.auxiliaries.tank.share == 1.0
    assert rig.auxiliaries.electrics.charge == 1.0


@pytest.mark.parametrize("steps", [1, 7, 1234])
def test_a_restored_state_goes_on_bit_by_bit(steps: int) -> None:
    """Between two steps of the slow group as well as on one."""
    one, two = driving(2500.0, 0.3), Rig(idling(PETROL))
    one.auxiliaries.wheel_spins = two.auxiliaries.wheel_spins = (40.0, 41.0, 42.0, 43.0)
    one.run(steps * 0.001, 0.001)
    two.engine.set_state_vars(one.engine.get_state_vars())
    two.engine.throttle_input = 0.3
    two.auxiliaries.speed = 15.0
    two.auxiliaries.publish(two.channel)  # what is on the bus before
    two.auxiliaries.set_state_vars(one.auxiliaries.get_state_vars())
    two.auxiliaries.publish(two.channel)
    assert two.values == one.values
    for _ in range(200):
        one.auxiliaries.step(0.001)
        two.auxiliaries.step(0.001)
        one.auxiliaries.publish(one.channel)
        two.auxiliaries.publish(two.channel)
        assert one.auxiliaries.get_state_vars() == two.auxiliaries.get_state_vars()
        assert one.values == two.values


ANYTHING = st.one_of(st.floats(-1e6, 1e6), st.sampled_from([float("nan"), 0.0, 1.0, -1.0]))
SHARE = st.floats(0.0, 1.0)
PHASES = st.lists(
    st.fixed_dictionaries(
        {
            "key": st.sampled_from([-1, 0, 1]),
            "throttle": SHARE,
            "speed": st.floats(-30.0, 90.0),
            "spin": ANYTHING,
            "head_wind": ANYTHING,
            "ambient_temperature": ANYTHING,
            "air_pressure": ANYTHING,
            "transmission_heat": ANYTHING,
            "cooling_loss": ANYTHING,
            "charging_loss": ANYTHING,
            "battery_loss": ANYTHING,
            "lean_mixture": ANYTHING,
            "misfire": ANYTHING,
        }
    ),
    min_size=1,
    max_size=10,
)


@settings(max_examples=40)
@given(PHASES, st.sampled_from([AuxiliarySettings(), DIESEL]), st.sampled_from([0.1, 0.037]))
def test_minutes_of_anything_stay_finite_and_in_bounds(
    phases: list[dict[str, float]], kind: AuxiliarySettings, delta_time: float
) -> None:
    """Integrals never fall; temperatures, voltage, pressures and lambda keep to what such parts can have."""
    rig = at_rest(kind)
    before = [0] * len(rig.values)
    for phase in phases:
        controls = dict(phase)
        rig.engine.ignition_input = int(controls.pop("key"))
        rig.engine.throttle_input = controls.pop("throttle")
        spin = controls.pop("spin")
        rig.auxiliaries.wheel_spins = (spin, spin, spin, spin)
        for name, value in controls.items():
            setattr(rig.auxiliaries, name, value)
        rig.run(0.5, delta_time)
        for _ in range(30):
            rig.hold(1.0)
            for index in INTEGRALS:
                assert rig.values[index] >= before[index]
            before = list(rig.values)
            check_bounds(rig, kind.air_path.max_boost)


def check_bounds(rig: Rig, max_boost: float) -> None:
    """What a vehicle can show at all."""
    assert -61.0 <= rig.read(AuxiliaryData.COOLANT_TEMPERATURE) <= 129.0
    assert -61.0 <= rig.read(AuxiliaryData.OIL_TEMPERATURE) <= 250.0
    assert -61.0 <= rig.read(AuxiliaryData.INTAKE_TEMPERATURE) <= 130.0
    assert 0.0 <= rig.read(AuxiliaryData.BATTERY_VOLTAGE) <= 15.0
    assert 0.0 <= rig.read(AuxiliaryData.BATTERY_CHARGE) <= 1.0
    assert 1.0 <= rig.read(AuxiliaryData.INTAKE_PRESSURE) <= 200.0 + max_boost
    assert 0.5 <= rig.read(AuxiliaryData.LAMBDA) <= 10.0
    assert 0.0 <= rig.read(AuxiliaryData.OIL_PRESSURE) <= 450.0
    assert 0.0 <= rig.read(AuxiliaryData.AIR_MASS_FLOW) <= 1000.0
    assert 0.0 <= rig.auxiliaries.starter_supply <= 1.0
