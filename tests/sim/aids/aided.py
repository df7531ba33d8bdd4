"""Vehicles with driving aids: the rigs of four_wheels.py, and the settings that tests of several aids need."""

from functools import cache
from math import atan2, degrees, sqrt
from pathlib import Path
from typing import Any, Final

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import ChassisSettings, Engine, Solver, Vehicle, VehicleSettings
from vehiclesim.aids import DrivingAids
from vehiclesim.parameters.aids import (
    AbsSettings,
    AidsSettings,
    AsrSettings,
    EscSettings,
    SteeringAidsSettings,
    TcsSettings,
)

from ..dynamometer import spin
from ..four_wheels import DRIVEN, Car, RunningGear, Trolley
from ..states import change

NO_AIDS = AidsSettings()
ALL_AIDS = AidsSettings(
    AbsSettings(enabled=True),
    TcsSettings(enabled=True),
    EscSettings(enabled=True),
    AsrSettings(enabled=True),
    SteeringAidsSettings(limit=True, help=True),
)

SHIPPED: Final = ("compact", "mx5-nd", "320d-g20", "awd-estate", "leaf-ze1", "truck")

PEAK_SLIP = 0.1
"""Of the default tyre's tables, in all directions."""


def set_road(gear: RunningGear, friction: float) -> None:
    for wheel in gear.wheels:
        wheel.road_friction = friction


def place(trolley: Trolley, speed: float, lateral: float = 0.0, yaw_rate: float = 0.0) -> None:
    """Moves as asked from now on [m/s, m/s, rad/s]; wheels roll."""
    settings, mass = ChassisSettings(), trolley.body.mass
    front, rear = settings.wheelbase * (1.0 - settings.front_weight), settings.wheelbase * settings.front_weight
    trolley.launch(speed)
    yaw_inertia = settings.yaw_dynamic_index * mass * front * rear
    change(trolley.chassis, _momentum_y=mass * lateral, _momentum_yaw=yaw_inertia * yaw_rate)
    for wheel in trolley.wheels:
        wheel.spin = wheel.speed_x / wheel.radius


def sideslip(gear: RunningGear) -> float:
    """Angle [deg] between the vehicle and the path of its centre of gravity."""
    return degrees(atan2(gear.chassis.sensor_lateral_speed, gear.chassis.sensor_speed))


def braking_slip(gear: RunningGear, number: int) -> float:
    """v - w·R [m/s] beyond 0.1·max(v, v_e), v_e = ½·√(sigma·g·dmu/ds) of the default tyre."""
    wheel = gear.wheels[number]
    slowest = 0.5 * sqrt(0.3 * 9.80665 * 8.5)
    return wheel.speed_x - wheel.spin * wheel.radius - PEAK_SLIP * max(wheel.speed_x, slowest)


class AidedTrolley(Trolley):
    """Rolls without an engine; its pedal, steering wheel and aids are worked together."""

    def __init__(self, settings: AidsSettings, *driven: int, **more: Any) -> None:
        super().__init__(*driven, **more)
        self.engine = Engine()
        self.aids = DrivingAids(settings, self.chassis, self.engine, driven)

    def advance(self, steer: float = 0.0, brake: float = 0.0, delta_time: float = 0.001) -> None:
        self.aids.steer_input = steer
        self.aids.brake_input = self.brakes.brake_input = brake
        self.engine.tcs_rpms = -1.0
        self.aids.step(delta_time)
        self.solver.step(delta_time)


@cache
def shipped(name: str) -> VehicleSettings:
    """A vehicle that is shipped."""
    return load_vehicle(str(Path(__file__).parents[3] / "config" / "vehicles" / f"{name}.yaml")).settings


def like(settings: VehicleSettings, speed: float, aids: AidsSettings) -> AidedTrolley:
    """The running gear of a vehicle without its drivetrain, at a speed [m/s]."""
    vehicle = Vehicle(settings)
    for wheel in vehicle.wheels:
        wheel.disconnect_input()
    trolley = AidedTrolley(aids)
    trolley.body, trolley.brakes, trolley.steering = vehicle.body, vehicle.brakes, vehicle.steering
    trolley.chassis, trolley.wheels = vehicle.chassis, vehicle.wheels
    trolley.solver = Solver([trolley.chassis, *trolley.wheels])
    trolley.aids = DrivingAids(aids, trolley.chassis, trolley.engine, ())
    trolley.launch(speed)
    return trolley


class AidedCar(Car):
    """With engine, gearbox and open differentials."""

    def __init__(self, settings: AidsSettings, layout: str = "front", **more: Any) -> None:
        super().__init__(layout, **more)
        self.aids = DrivingAids(settings, self.chassis, self.engine, DRIVEN[layout])

    def roll(self, gear: int, speed: float) -> None:
        """In gear at a speed [m/s], clutch engaged and pedals released, from now on."""
        spin(self.engine, 1000.0, 0.5)
        self.gearbox.manual_gear = gear
        self.launch(speed)
        for _ in range(800):
            self.advance(0.0)

    def advance(self, throttle: float, clutch: float = 1.0, brake: float = 0.0, delta_time: float = 0.001) -> None:
        self.aids.throttle_input = self.engine.throttle_input = throttle
        self.aids.brake_input = self.brakes.brake_input = brake
        self.engine.clutch_input = clutch
        self.engine.tcs_rpms = -1.0
        self.aids.step(delta_time)
        self.solver.step(delta_time)
