"""What pressure and temperature on the Road channel do to a whole vehicle."""

from dataclasses import replace

import pytest

from vehiclesim import AuxiliaryData, InputData, RoadData, Vehicle, VehicleData
from vehiclesim.parameters.auxiliary import AirPathSettings, AuxiliarySettings

from .whole_cars import car, rolling

WEATHER = {"plain": (101.325, 20.0), "pass": (74.7, 0.0), "winter": (101.325, -20.0), "summer": (98.0, 40.0)}
"""[kPa] and [°C]."""


def write(road: list[int], pressure: float, temperature: float) -> None:
    road[RoadData.AIR_PRESSURE] = round(1000 * pressure)
    road[RoadData.AMBIENT_TEMPERATURE] = round(1000 * temperature)


@pytest.mark.parametrize("name", WEATHER)
def test_drag_follows_the_density_of_the_air(name: str) -> None:
    """F = ½·rho·cd·A·v² with rho = 1.225 kg/m³ · p/p_ref · T_ref/T; 0.65 m² at 40 m/s."""
    pressure, temperature = WEATHER[name]
    vehicle = rolling(car(), 40.0)
    write(vehicle.data.road, pressure, temperature)
    vehicle.step(0.001)
    density = 1.225 * pressure / 101.325 * 293.15 / (temperature + 273.15)
    assert vehicle.body.drag_force(40.0) == pytest.approx(0.5 * density * 0.65 * 1600.0, rel=1e-9)


@pytest.mark.parametrize("name", WEATHER)
@pytest.mark.parametrize("volume", [0.0, 2.0])
def test_an_engine_starts_and_idles_in_any_weather(name: str, volume: float) -> None:
    """It draws nearly the same air at idle, so the pressure in the intake is the same and not the throttle's angle."""
    settings = car()
    air = AirPathSettings(displacement=2.0, intake_volume=volume)
    vehicle = Vehicle(replace(settings, auxiliary=AuxiliarySettings(air_path=air)))
    write(vehicle.data.road, *WEATHER[name])
    vehicle.data.input[InputData.KEY] = 1
    vehicle.data.input[InputData.CLUTCH] = 10000
    for _ in range(500):
        if vehicle.data.vehicle[VehicleData.ENGINE_WORKING]:
            vehicle.data.input[InputData.KEY] = 0
        vehicle.step(0.01)
    slowest, fastest = 1e9, 0.0
    for _ in range(200):
        vehicle.step(0.01)
        slowest = min(slowest, vehicle.engine.sensor_rpm)
        fastest = max(fastest, vehicle.engine.sensor_rpm)
    assert slowest > 990.0
    assert fastest - slowest < 20.0
    assert vehicle.data.auxiliary[AuxiliaryData.INTAKE_PRESSURE] / 1000 < 0.75 * WEATHER[name][0]
