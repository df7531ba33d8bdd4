"""The work of throttling: the area of the gas exchange in the p-V diagram, nothing at full load, seen in the fuel."""

from dataclasses import replace
from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import Engine, EngineSettings, InputData
from vehiclesim.engine.throttling import Throttling
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind

from ..dynamometer import GRIP, HEAVY, Load, Stand, spin

MOTORED = AirPathSettings(displacement=2.0, intake_volume=2.0, throttling_work=True)
WHOLE = replace(MOTORED, throttling_work=False)
PETROL = EngineSettings(can_stall=True, max_fuel_per_rev=0.08)
BENT = replace(PETROL, efficiency_rpm=(1000.0, 6000.0), indicated_efficiency=(0.5, 0.5), efficiency_loss=0.25)


@pytest.mark.parametrize("pressure", [25.0, 40.0, 80.0])
def test_the_work_is_the_area_between_exhaust_and_intake(pressure: float) -> None:
    """Pa·m³ in two turns: (100.3 kPa - p)·2 l, over 4·pi rad."""
    joules = (0.99 * 101_325.0 - 1000.0 * pressure) * 2.0e-3
    assert Throttling(MOTORED, PETROL).torque(pressure, 101.325) == pytest.approx(joules / (4.0 * pi))


def test_an_open_plate_a_diesel_and_whole_friction_have_none() -> None:
    assert Throttling(MOTORED, PETROL).torque(101.325, 101.325) == 0.0
    for settings in (WHOLE, replace(MOTORED, fuel=FuelKind.DIESEL), replace(MOTORED, intake_volume=0.0)):
        assert Throttling(settings, PETROL).torque(30.0, 101.325) == 0.0
    for rpm in (1000.0, 3000.0, 5500.0):
        assert Engine(PETROL, air=MOTORED).calculate_torque(rpm) == Engine(PETROL).calculate_torque(rpm)


@given(st.floats(0.0, 1.0), st.sampled_from([PETROL, BENT]))
def test_air_and_torque_are_inverse(share: float, settings: EngineSettings) -> None:
    throttling = Throttling(MOTORED, settings)
    assert throttling.torque_of(throttling.air_of(share)) == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize("settings", [PETROL, BENT], ids=["charge", "efficiency"])
@pytest.mark.parametrize("pedal", [0.3, 0.5, 0.8])
def test_an_engine_on_a_brake_burns_what_its_sheet_says_at_part_load(settings: EngineSettings, pedal: float) -> None:
    """The sheet solves the balance in closed form; the engine comes to it by plate, manifold and pressure."""
    engine = Engine(settings, GRIP, air=MOTORED)
    spin(engine, 3000.0, settings.inertia)
    engine.clutch_input, engine.throttle_input = 1.0, pedal
    Stand(engine, Load(HEAVY, 3000.0)).run(3.0)
    torque, whole = engine.sensor_flywheel_torque, Engine(settings, air=WHOLE)
    per_kwh = engine.sensor_fuel_rate * 3600.0 / engine.sensor_power
    assert engine.calculate_specific_fuel_consumption(3000.0, torque) == pytest.approx(per_kwh, rel=2e-3)
    missing = 0.99 * 101.325 - engine.sensor_manifold_pressure
    assert engine.sensor_throttling_torque == pytest.approx(missing * 2.0 / (4.0 * pi), rel=1e-6)
    assert engine.sensor_throttling_torque > 1.0
    assert per_kwh > whole.calculate_specific_fuel_consumption(3000.0, torque)


def test_an_engine_with_a_closed_plate_holds_back_more() -> None:
    """By what the manifold lacks, some 10 N m of 2 l."""
    more = Engine(PETROL).calculate_torque(2000.0, 0.0) - Engine(PETROL, air=MOTORED).calculate_torque(2000.0, 0.0)
    assert more == pytest.approx((0.99 - 0.12) * 101.325 * 2.0 / (4.0 * pi))


def test_a_warm_two_litre_car_idles_on_what_is_published() -> None:
    """Fact 861 of the US Department of Energy (Argonne): 2.0 l of petrol 0.16 gal/h, 0.61 l/h."""
    vehicle = load_vehicle("mx5-nd").build()
    vehicle.auxiliaries.warm_up()
    controls = vehicle.data.input
    controls[InputData.CLUTCH], controls[InputData.KEY] = 10_000, 1
    for k in range(15_000):
        vehicle.step(0.001)
        if k == 2000:
            controls[InputData.KEY] = 0
    litres = vehicle.engine.sensor_fuel_rate * 3.6 / vehicle.settings.engine.fuel_density
    assert litres == pytest.approx(0.61, rel=0.2)
    assert 27.0 < vehicle.engine.sensor_manifold_pressure < 38.0
