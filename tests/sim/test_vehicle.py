"""The vehicle and its data bus: what it does with the controls, and what it says."""

from math import isnan

import pytest

from vehiclesim import (
    CHASSIS,
    NAN,
    REQUEST,
    RPM_TO_W,
    ChassisData,
    InputData,
    RequestData,
    SettingsData,
    Vehicle,
    VehicleData,
)

from .automatic_cars import HYDRODYNAMIC, car, drive, ready
from .road import CAN_STALL, FULL, driving, idling, in_first_gear, read, run

# -- the Input channel --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "position"), [(-7, 0), (-1, -1), (0, 0), (1, 1), (9, 0)])
def test_the_key_is_off_on_or_start(key: int, position: int) -> None:
    """-1, 0, 1, and 0 without such a position; the engine of the default vehicle, which cannot stall, runs from 0."""
    vehicle = Vehicle()
    vehicle.data.input[InputData.KEY] = key
    run(vehicle, 1.0)
    assert vehicle.engine.ignition_input == position
    assert read(vehicle, VehicleData.ENGINE_WORKING) == (position >= 0)


@pytest.mark.parametrize(("pedal", "signal"), [(-5, 0), (0, 0), (2500, 2500), (FULL, FULL), (FULL + 5, FULL), (NAN, 0)])
def test_the_throttle_pedal_stays_within_its_travel(pedal: int, signal: int) -> None:
    """ThrottleSignal is what the engine is given."""
    vehicle = Vehicle()
    vehicle.data.input[InputData.THROTTLE] = pedal
    vehicle.step(0.001)
    assert vehicle.data.vehicle[VehicleData.THROTTLE_SIGNAL] == signal


@pytest.mark.parametrize(("pedal", "signal"), [(-5, FULL), (0, FULL), (2500, 7500), (FULL, 0), (FULL + 5, 0)])
def test_the_clutch_pedal_disengages(pedal: int, signal: int) -> None:
    """ClutchSignal is what the clutch is given: full engagement with the pedal released."""
    vehicle = Vehicle()
    vehicle.data.input[InputData.CLUTCH] = pedal
    vehicle.step(0.001)
    assert vehicle.data.vehicle[VehicleData.CLUTCH_SIGNAL] == signal


@pytest.mark.parametrize("control", [InputData.BRAKE, InputData.HANDBRAKE])
def test_a_moving_car_stops_on_pedal_or_handbrake(control: int) -> None:
    """To exactly zero, with the clutch pedal down; the engine goes on running."""
    vehicle = driving()
    vehicle.data.input[InputData.THROTTLE] = 0
    vehicle.data.input[InputData.CLUTCH] = FULL
    vehicle.data.input[control] = FULL
    run(vehicle, 3.0)
    assert vehicle.chassis.sensor_speed == 0.0
    assert read(vehicle, VehicleData.ENGINE_WORKING) == 1


def test_shift_steps_are_acknowledged() -> None:
    """GearShift counts until the step, then it is 0 and has been taken over once."""
    vehicle = idling()
    for shift, gear in ((1, 1), (2, 3), (-1, 2)):
        vehicle.data.input[InputData.GEAR_SHIFT] = shift
        vehicle.step(0.001)
        assert vehicle.data.input[InputData.GEAR_SHIFT] == 0
        assert read(vehicle, VehicleData.GEARBOX_SHIFTING) == 1
        run(vehicle, 0.5)
        assert read(vehicle, VehicleData.GEARBOX_GEAR) == gear


@pytest.mark.parametrize(("lever", "gear"), [(-1, -1), (0, 0), (5, 5), (-3, -1), (9, 5)])
def test_the_lever_selects_an_existing_gear(lever: int, gear: int) -> None:
    """GearboxGear is 0 during the change; the mode is M."""
    vehicle = idling()
    vehicle.data.input[InputData.MANUAL_GEAR] = lever
    vehicle.step(0.001)
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == 0
    assert read(vehicle, VehicleData.GEARBOX_SHIFTING) == (gear != 0)
    run(vehicle, 0.5)
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == gear
    assert read(vehicle, VehicleData.GEARBOX_SHIFTING) == 0
    assert read(vehicle, VehicleData.GEARBOX_MODE) == 0


# -- the Vehicle channel ------------------------------------------------------------------------------------------


def test_the_bus_is_valid_before_the_first_step() -> None:
    """An engine that does not run has no load, and a car at rest no consumption per distance."""
    vehicle = Vehicle(CAN_STALL)
    assert vehicle.data.vehicle[VehicleData.ENGINE_LOAD] == -1
    assert vehicle.data.vehicle[VehicleData.FUEL_CONSUMPTION] == NAN
    assert read(vehicle, VehicleData.SPEED) == 0


def test_every_sensor_is_on_the_bus() -> None:
    """Scaled by the resolution of its entry and cut off; flags as 0 and 1."""
    vehicle = driving()
    engine, gearbox, chassis = vehicle.engine, vehicle.gearbox, vehicle.chassis
    expected = {
        VehicleData.SPEED: chassis.sensor_speed,
        VehicleData.ENGINE_RPM: engine.sensor_rpm,
        VehicleData.ENGINE_STALLED: 0.0,
        VehicleData.ENGINE_WORKING: 1.0,
        VehicleData.ENGINE_STARTING: 0.0,
        VehicleData.ENGINE_LIMITER: 0.0,
        VehicleData.ENGINE_LOAD: engine.sensor_load,
        VehicleData.ENGINE_TORQUE: engine.sensor_flywheel_torque,
        VehicleData.ENGINE_POWER: engine.sensor_power,
        VehicleData.ENGINE_FUEL_RATE: engine.sensor_fuel_rate,
        VehicleData.CLUTCH_TORQUE: engine.sensor_output_torque,
        VehicleData.CLUTCH_LOCK: 1.0,
        VehicleData.GEARBOX_GEAR: 1.0,
        VehicleData.GEARBOX_MODE: 0.0,
        VehicleData.GEARBOX_SHIFTING: 0.0,
        VehicleData.TRANSMISSION_RPM: gearbox.sensor_output_rpm,
        VehicleData.FUEL_CONSUMPTION: engine.calculate_instant_fuel_consumption(chassis.sensor_speed),
        VehicleData.THROTTLE_SIGNAL: 0.3,
        VehicleData.CLUTCH_SIGNAL: 1.0,
    }
    for index, value in expected.items():
        assert read(vehicle, index) == pytest.approx(value, abs=1e-3), index
        assert abs(read(vehicle, index)) <= abs(value)
    for index in (VehicleData.ENGINE_TORQUE, VehicleData.ENGINE_FUEL_RATE, VehicleData.ENGINE_POWER):
        assert read(vehicle, index) > 0.1


def test_speeds_on_the_bus_belong_together() -> None:
    """Locked clutch, first gear: engine speed / 3.84 / 3.7 · radius is that of the front wheels, in the same step."""
    vehicle = driving()
    transmission = read(vehicle, VehicleData.TRANSMISSION_RPM)
    assert read(vehicle, VehicleData.ENGINE_RPM) == pytest.approx(3.84 * transmission, abs=0.01)
    for wheel in (ChassisData.WHEEL_SPEED_FRONT_LEFT, ChassisData.WHEEL_SPEED_FRONT_RIGHT):
        assert vehicle.data.read(CHASSIS, wheel) == pytest.approx(transmission * RPM_TO_W / 3.7 * 0.31, abs=0.002)


def test_speed_is_absolute() -> None:
    """Driving backward, the car's speed and the transmission's are negative, the speed on the bus is not."""
    vehicle = driving(gear=-1)
    assert vehicle.chassis.sensor_speed < -2.0
    assert read(vehicle, VehicleData.TRANSMISSION_RPM) < -300.0
    assert read(vehicle, VehicleData.SPEED) == pytest.approx(-vehicle.chassis.sensor_speed, abs=1e-3)


def test_consumption_per_distance_needs_distance() -> None:
    """Not-a-number at rest, positive on the move."""
    assert isnan(read(in_first_gear(), VehicleData.FUEL_CONSUMPTION))
    assert read(driving(), VehicleData.FUEL_CONSUMPTION) > 1.0


def test_parts_that_the_vehicle_lacks_stay_at_zero() -> None:
    """Retarder, ABS, ESC and ASR, whatever the controls and overrides say; the steering has no aids."""
    vehicle = driving()
    vehicle.data.input[InputData.RETARDER] = 4
    vehicle.data.input[InputData.STEER] = -1234
    vehicle.data.settings[:] = [1] * (SettingsData.MAX_GEAR_OVERRIDE + 1)
    run(vehicle, 0.1)
    for index in (
        VehicleData.RETARDER_TORQUE,
        VehicleData.ABS_ENGAGED,
        VehicleData.ESC_ENGAGED,
        VehicleData.ASR_ENGAGED,
        VehicleData.TCS_ENGAGED,
    ):
        assert read(vehicle, index) == 0
    assert vehicle.data.vehicle[VehicleData.AIDED_STEER] == -1234


def test_traction_control_hints_show_on_the_bus() -> None:
    """TcsEngaged while the engine follows them."""
    vehicle = driving(throttle=FULL, seconds=0.1)
    vehicle.data.write(REQUEST, RequestData.TCS_RPM, 500.0)
    vehicle.step(0.001)
    assert read(vehicle, VehicleData.TCS_ENGAGED) == 1


def test_what_a_stalled_converter_takes_heats_the_transmission() -> None:
    """Nearly all of it, as the gears hardly turn: P = T·w with T = (n/K)² of the stalled pump, n in 1/min."""
    settings = car(HYDRODYNAMIC)
    vehicle = ready(settings)
    drive(vehicle, 3.0, throttle=0.3, brake=1.0)
    assert vehicle.chassis.sensor_speed == 0.0
    rpm = vehicle.engine.sensor_rpm
    power = (rpm / settings.clutch.capacity_factor[0]) ** 2 * rpm * RPM_TO_W
    assert 0.9 * power < vehicle.auxiliaries.transmission_heat < power
