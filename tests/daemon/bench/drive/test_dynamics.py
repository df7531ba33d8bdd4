"""The vehicle's equations solved backward: the pedals they give do to the vehicle what was asked."""

from dataclasses import replace

import pytest
from tests.sim.states import roll_at

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.drive.dynamics import InverseVehicle
from vehiclesim.channels import InputData, VehicleData
from vehiclesim.parameters import BrakeSettings, GearboxSettings, GearboxType, RatioChange, VehicleSettings
from vehiclesim.vehicle import Vehicle

from .cars import MANUAL, TOWING, TRUCK

FULL = 10000


def rolling(settings: VehicleSettings, gear: int, speed: float) -> Vehicle:
    """A vehicle in gear at a speed [m/s], clutch closed."""
    vehicle = Vehicle(settings)
    controls = vehicle.data.input
    controls[InputData.KEY] = 1
    controls[InputData.CLUTCH] = FULL
    for _ in range(400):
        vehicle.step(0.01)
    controls[InputData.MANUAL_GEAR] = gear
    roll_at(vehicle, speed)
    for _ in range(100):
        vehicle.step(0.01)
    for pedal in range(FULL, -1, -100):
        controls[InputData.CLUTCH] = pedal
        vehicle.step(0.01)
    return vehicle


@pytest.mark.parametrize(
    ("settings", "gear", "speed", "wanted"),
    [
        (MANUAL, 1, 6.0, 1.0),
        (MANUAL, 2, 12.0, 0.0),
        (MANUAL, 3, 15.0, 0.5),
        (MANUAL, 5, 30.0, 0.2),
        (MANUAL, 3, 15.0, -2.0),
        (MANUAL, 5, 30.0, -5.0),
        (TRUCK, 6, 8.0, 0.2),
        (TRUCK, 9, 16.0, -1.0),
        (TOWING, 3, 15.0, 0.3),
        (TOWING, 4, 25.0, -3.0),
    ],
)
def test_the_pedals_give_the_wanted_acceleration(
    settings: VehicleSettings, gear: int, speed: float, wanted: float
) -> None:
    """Within 2 % of what a passenger notices, over half a second, once the tyres have got the slip that it takes."""
    inverse = InverseVehicle(settings)
    vehicle = rolling(settings, gear, speed)
    values, controls = vehicle.data.vehicle, vehicle.data.input
    before = 0.0
    for tick in range(100):
        if tick == 50:
            before = vehicle.chassis.sensor_speed
        now, rpm = vehicle.chassis.sensor_speed, values[VehicleData.ENGINE_RPM] / 1000
        torque = inverse.engine_torque(inverse.force(wanted, now), wanted, gear)
        controls[InputData.THROTTLE] = round(FULL * inverse.throttle(rpm, torque))
        brake = inverse.brake(inverse.overrun_force(inverse.torque(rpm, 0.0) - torque, gear))
        controls[InputData.BRAKE] = round(FULL * brake)
        vehicle.step(0.01)
    assert (vehicle.chassis.sensor_speed - before) / 0.5 == pytest.approx(wanted, abs=0.02)


@pytest.mark.parametrize(("torque", "pedal"), [(-1000.0, 0.0), (1000.0, 1.0)])
def test_what_the_engine_cannot_give_is_the_end_of_the_pedal(torque: float, pedal: float) -> None:
    assert InverseVehicle(MANUAL).throttle(3000.0, torque) == pedal


def test_the_throttle_gives_the_torque() -> None:
    """On an engine that is held at a speed by the road: 60 Nm at 3000 rpm are 60 Nm in the sensor."""
    inverse = InverseVehicle(MANUAL)
    vehicle = rolling(MANUAL, 3, 17.0)
    rpm = vehicle.engine.sensor_rpm
    vehicle.data.input[InputData.THROTTLE] = round(FULL * inverse.throttle(rpm, 60.0))
    vehicle.step(0.001)
    assert vehicle.engine.sensor_flywheel_torque == pytest.approx(60.0, abs=0.1)


def test_speeds_follow_the_gears() -> None:
    """3.84·3.7/0.31 m: 1 m/s is 437.7 rpm in first gear."""
    inverse = InverseVehicle(MANUAL)
    assert inverse.engine_rpm(1.0, 1) == pytest.approx(437.67, abs=0.01)
    assert inverse.engine_rpm(10.0, 4) == pytest.approx(10.0 * 437.67 * 1.10 / 3.84, rel=1e-4)
    assert inverse.rated_rpm == pytest.approx(4850.0, abs=15.0)
    assert inverse.highest_rpm == pytest.approx(0.95 * 6000.0)


def test_a_vehicle_without_brakes_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="without brakes"):
        InverseVehicle(replace(MANUAL, brakes=BrakeSettings(max_torque=0.0)))


@pytest.mark.parametrize(
    ("rpm", "output", "share"), [(1250.0, 1000.0, 0.5), (4000.0, 1000.0, 1.0), (300.0, 1000.0, 0.2), (800.0, 0.0, 1.0)]
)
def test_a_continuous_gearbox_has_its_ratio_from_the_speeds(rpm: float, output: float, share: float) -> None:
    """As a share of the shortest one, 2.5, down to that of the longest; one with gears has 1."""
    box = GearboxSettings(type=GearboxType.AUTOMATIC, ratio_change=RatioChange.CONTINUOUS, ratios=(2.5, 0.5))
    assert InverseVehicle(replace(MANUAL, gearbox=box)).ratio_share(rpm, output) == share
    assert InverseVehicle(MANUAL).ratio_share(rpm, output) == 1.0
