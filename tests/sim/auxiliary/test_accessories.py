"""Rules of the accessories: what they take from the engine, and when."""

import math
from dataclasses import replace

import pytest

from vehiclesim import (
    AccessorySettings,
    AuxiliarySettings,
    BodyData,
    ElectricsSettings,
    EngineSettings,
    InputData,
    ThermalSettings,
    Vehicle,
    VehicleSettings,
)
from vehiclesim.auxiliary.accessories import Accessories
from vehiclesim.energy import EnergyLedger

HEATING_VALUE = 43_000.0  # [J/g], Heywood
ENGINE = EngineSettings(efficiency_rpm=(1000.0,), indicated_efficiency=(0.36,))


def idling(settings: VehicleSettings, seconds: float = 8.0) -> Vehicle:
    """A new vehicle that has idled for a while, so that the alternator has built up its current."""
    vehicle = Vehicle(settings)
    vehicle.data.input[InputData.KEY] = 0
    for _ in range(round(seconds / 0.01)):
        vehicle.step(0.01)
    return vehicle


def car(accessories: AccessorySettings, engine_current: float = 20.0) -> VehicleSettings:
    electrics = ElectricsSettings(engine_current=engine_current, alternator_current=300.0, charger=True)
    return VehicleSettings(
        engine=ENGINE, accessories=accessories, auxiliary=replace(AuxiliarySettings(), electrics=electrics)
    )


def test_150_amperes_cost_what_two_kilowatts_cost_at_idle_too() -> None:
    """The alternator takes U·I/0.67 from the belt; the engine burns that over its efficiency more, and idles on."""
    free = idling(car(AccessorySettings(), 150.0))
    loaded = idling(car(AccessorySettings(alternator_efficiency=0.67), 150.0))
    electrics = loaded.auxiliaries.electrics
    assert electrics.alternator_current > 150.0
    power = electrics.voltage * electrics.alternator_current / 0.67
    assert loaded.engine.sensor_accessory_torque * 1000.0 * math.pi / 30.0 == pytest.approx(power, rel=1e-3)
    more = loaded.engine.sensor_fuel_rate - free.engine.sensor_fuel_rate
    assert more == pytest.approx(power / (0.36 * HEATING_VALUE), rel=2e-3)
    assert loaded.engine.sensor_rpm == pytest.approx(1000.0, abs=0.5)


def test_air_conditioning_takes_its_power_while_it_is_switched_on() -> None:
    """body.AirConditioning; 1.5 kW at 1000/min are 14.32 N m."""
    vehicle = idling(car(AccessorySettings(air_conditioning=1500.0)), 1.0)
    assert vehicle.engine.sensor_accessory_torque == 0.0
    for switch, torque in ((1, 14.324), (0, 0.0)):
        vehicle.data.body[BodyData.AIR_CONDITIONING] = switch
        for _ in range(200):
            vehicle.step(0.01)
        assert vehicle.engine.sensor_accessory_torque == pytest.approx(torque, rel=1e-3)


def test_a_steering_pump_takes_its_power_always() -> None:
    accessories = Accessories(AccessorySettings(power_steering=300.0), 6000.0)
    accessories.step(0.0, fan=False, rpm=800.0)
    assert accessories.power == 300.0


def test_a_fan_on_the_crankshaft_follows_the_cube_of_the_speed() -> None:
    """12 kW at 2000/min: an eighth at 1000/min; nothing while the radiator is cool enough."""
    accessories = Accessories(AccessorySettings(fan=12_000.0), 2000.0)
    accessories.step(0.0, fan=True, rpm=1000.0)
    assert accessories.power == pytest.approx(1500.0, rel=1e-12)
    accessories.step(0.0, fan=False, rpm=1000.0)
    assert accessories.power == 0.0


def test_the_ledger_books_accessories_apart_from_friction() -> None:
    """1 kW for a second at idle is 1 kJ; supply and losses still agree."""
    vehicle = idling(car(AccessorySettings(power_steering=1000.0)), 2.0)
    ledger = EnergyLedger(vehicle)
    for _ in range(1000):
        vehicle.step(0.001)
        ledger.observe(0.001)
    report = ledger.report()
    assert report.losses["accessories"] == pytest.approx(1000.0, rel=1e-3)
    assert report.losses["engine friction"] == pytest.approx(31.57 * 1000.0 * math.pi / 30.0, rel=1e-3)
    assert abs(report.residual) < 1e-9 * report.throughput


def test_a_restored_vehicle_has_the_load_of_its_accessories_at_once() -> None:
    """The step after a restore gives the same speed and fuel, to the bit."""
    settings = car(AccessorySettings(alternator_efficiency=0.67, power_steering=300.0))
    vehicle, other = idling(settings, 1.003), Vehicle(settings)
    other.data.input[:] = vehicle.data.input
    other.set_state_vars(vehicle.get_state_vars())
    for _ in range(5):
        vehicle.step(0.001)
        other.step(0.001)
        assert other.engine.get_state_vars() == vehicle.engine.get_state_vars()


def test_a_converter_on_the_traction_battery_is_no_load_of_the_belt() -> None:
    """What feeds the 12 V of a hybrid costs the traction battery; the engine's belt has nothing of it."""
    vehicle = idling(car(AccessorySettings(alternator_efficiency=0.67)), 2.0)
    assert vehicle.engine.sensor_accessory_torque > 1.0
    vehicle.auxiliaries.converter = True
    for _ in range(10):
        vehicle.step(0.01)
    assert vehicle.engine.sensor_accessory_torque == 0.0


def test_a_tiny_efficiency_is_refused() -> None:
    """It would make a few amperes stall every engine."""
    with pytest.raises(ValueError, match=r"alternator_efficiency: 0.05 is less than 0.1 and not 0"):
        AccessorySettings(alternator_efficiency=0.05)


def test_the_thermal_fan_is_that_of_the_radiator() -> None:
    """A hot engine drives its fan: the load of the crankshaft grows when the coolant reaches fan_on."""
    settings = car(AccessorySettings(fan=10_000.0))
    vehicle = idling(settings, 0.5)
    vehicle.auxiliaries.thermal.coolant = ThermalSettings().fan_on + 0.5
    for _ in range(10):
        vehicle.step(0.01)
    assert vehicle.engine.sensor_accessory_torque > 0.0
