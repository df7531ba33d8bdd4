"""Each value of the data bus is that of its own part: read by its name, in a car that turns while it gathers speed."""

from collections.abc import Callable
from math import degrees

import pytest

from vehiclesim import (
    BODY,
    FAULT,
    BodyData,
    FaultData,
    GearboxSettings,
    GearboxType,
    InputData,
    Vehicle,
    VehicleSettings,
)
from vehiclesim.entries import ENTRIES, find

from .road import FULL, driving, run

Sensor = Callable[[Vehicle], float]


def rim_speed(place: int) -> Sensor:
    """Of a wheel [m/s]."""
    return lambda car: car.wheels[place].spin * car.wheels[place].radius


def pulses(place: int) -> Sensor:
    return lambda car: car.auxiliaries.distances.wheels[place].count


SENSORS: dict[str, Sensor] = {
    "vehicle.Speed": lambda car: car.chassis.sensor_ground_speed,
    "vehicle.EngineRpm": lambda car: car.engine.sensor_rpm,
    "vehicle.EngineLoad": lambda car: car.engine.sensor_load,
    "vehicle.EngineTorque": lambda car: car.engine.sensor_flywheel_torque,
    "vehicle.EnginePower": lambda car: car.engine.sensor_power,
    "vehicle.EngineFuelRate": lambda car: car.engine.sensor_fuel_rate,
    "vehicle.ClutchTorque": lambda car: car.engine.sensor_output_torque,
    "vehicle.TransmissionRpm": lambda car: car.gearbox.sensor_output_rpm,
    "chassis.WheelSpeedFrontLeft": rim_speed(0),
    "chassis.WheelSpeedFrontRight": rim_speed(1),
    "chassis.WheelSpeedRearLeft": rim_speed(2),
    "chassis.WheelSpeedRearRight": rim_speed(3),
    "chassis.Acceleration": lambda car: car.chassis.sensor_acceleration,
    "chassis.LateralAcceleration": lambda car: car.chassis.sensor_lateral_acceleration,
    "chassis.YawRate": lambda car: degrees(car.chassis.sensor_yaw_rate),
    "chassis.LateralSpeed": lambda car: car.chassis.sensor_lateral_speed,
    "chassis.SteeringWheelAngle": lambda car: car.steering.sensor_wheel_angle,
    "chassis.PositionX": lambda car: car.chassis.pose.x,
    "chassis.PositionY": lambda car: car.chassis.pose.y,
    "chassis.Heading": lambda car: degrees(car.chassis.pose.yaw),
    "auxiliary.FuelLevel": lambda car: car.auxiliaries.tank.left * 1e-6,
    "auxiliary.FuelUsed": lambda car: car.auxiliaries.tank.used.count * 1e-6,
    "auxiliary.Odometer": lambda car: car.auxiliaries.distances.odometer.count * 1e-3,
    "auxiliary.Trip": lambda car: car.auxiliaries.distances.trip * 1e-3,
    "auxiliary.DistancePulses": lambda car: car.auxiliaries.distances.pulses.count,
    "auxiliary.PulsesFrontLeft": pulses(0),
    "auxiliary.PulsesFrontRight": pulses(1),
    "auxiliary.PulsesRearLeft": pulses(2),
    "auxiliary.PulsesRearRight": pulses(3),
    "auxiliary.RunTime": lambda car: car.auxiliaries.run_time.since_start.count * 1e-3,
    "auxiliary.EngineHours": lambda car: car.auxiliaries.run_time.hours.count * 1e-6,
    "auxiliary.EngineRevolutions": lambda car: car.auxiliaries.run_time.revolutions.count,
    "auxiliary.IntakePressure": lambda car: car.auxiliaries.air_path.pressure,
    "auxiliary.AirMassFlow": lambda car: car.auxiliaries.air_path.flow,
    "auxiliary.AbsoluteLoad": lambda car: car.auxiliaries.air_path.absolute_load,
    "auxiliary.CoolantTemperature": lambda car: car.auxiliaries.thermal.coolant,
    "auxiliary.OilTemperature": lambda car: car.auxiliaries.thermal.oil,
    "auxiliary.TransmissionTemperature": lambda car: car.auxiliaries.thermal.transmission,
    "auxiliary.CatalystTemperature": lambda car: car.auxiliaries.thermal.catalyst,
    "auxiliary.IntakeTemperature": lambda car: car.auxiliaries.thermal.intake,
    "auxiliary.BatteryVoltage": lambda car: car.auxiliaries.electrics.voltage,
    "auxiliary.BatteryCharge": lambda car: car.auxiliaries.electrics.charge,
    "auxiliary.BatteryCurrent": lambda car: car.auxiliaries.electrics.battery_current,
    "auxiliary.ChargingVoltage": lambda car: car.auxiliaries.electrics.regulated_voltage,
}


@pytest.fixture(scope="module")
def car() -> Vehicle:
    vehicle = driving()
    vehicle.auxiliaries.distances.reset_trip()
    vehicle.data.input[InputData.THROTTLE] = FULL // 2
    vehicle.data.input[InputData.STEER] = -FULL // 10
    vehicle.data.write(FAULT, FaultData.CHARGING_LOSS, 0.95)  # it cannot hold the voltage that it is asked for
    run(vehicle, 4.0)
    return vehicle


@pytest.mark.parametrize("name", SENSORS)
def test_a_value_is_that_of_its_sensor(car: Vehicle, name: str) -> None:
    """Within one step of its resolution; and no other value of its channel is the same, so that none is exchanged."""
    place = find(name)
    assert place is not None
    channel, index = place
    told = car.data.read(*place)
    assert told == pytest.approx(SENSORS[name](car), abs=1.0 / ENTRIES[channel][index].resolution)
    others = [raw for other, raw in enumerate(car.data[channel]) if other != index]
    assert car.data[channel][index] not in others


@pytest.mark.parametrize(
    ("gearbox", "mode", "override", "shown"),
    [
        (GearboxType.MANUAL, 4, 0, "none"),
        (GearboxType.MANUAL, 4, 3, "N"),
        *((GearboxType.AUTOMATIC, mode, 0, "MPRNDDDDDD"[mode]) for mode in range(10)),
        (GearboxType.AUTOMATIC, 4, 5, "S"),
    ],
)
def test_the_selector_shown_is_that_of_the_body_channel_else_that_of_an_automatic(
    gearbox: GearboxType, mode: int, override: int, shown: str
) -> None:
    car = Vehicle(VehicleSettings(gearbox=GearboxSettings(type=gearbox)))
    car.data.input[InputData.AUTOMATIC_GEAR] = mode
    car.data.body[BodyData.SELECTOR] = override
    run(car, 0.1)
    assert dict(ENTRIES[BODY][BodyData.SELECTOR_SHOWN].codes)[car.data.body[BodyData.SELECTOR_SHOWN]] == shown
