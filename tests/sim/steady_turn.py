"""Steady turns on the flat, of a vehicle that coasts through them."""

from dataclasses import dataclass
from math import atan2, degrees, hypot

from vehiclesim import InputData, SettingsData, Vehicle, VehicleSettings

from .road import FULL, run
from .states import roll_at

GRAVITY = 9.80665


@dataclass(frozen=True)
class Turn:
    """A steady turn to the left: what of the steering angle is left beyond wheelbase/radius, at which acceleration."""

    lateral_acceleration: float  # v²/radius [m/s²]
    excess: float  # [deg]
    front_transfer: float  # half the difference of the loads, outer minus inner [N]
    rear_transfer: float


def steady_turn(settings: VehicleSettings, steer: float, speed: float = 25.0, seconds: float = 2.5) -> Turn:
    """Turn at a speed [m/s], out of gear, with the steering wheel at a share of its way to the left; no aid helps."""
    vehicle = Vehicle(settings)
    vehicle.data.settings[SettingsData.ESC_OVERRIDE] = 2
    vehicle.data.settings[SettingsData.STEERING_AIDS_OVERRIDE] = 2
    vehicle.data.input[InputData.CLUTCH] = FULL
    vehicle.step(0.001)
    roll_at(vehicle, speed)
    vehicle.data.input[InputData.STEER] = -round(steer * FULL)
    run(vehicle, seconds, 0.002)
    chassis, loads = vehicle.chassis, [wheel.sensor_load for wheel in vehicle.wheels]
    path = hypot(chassis.sensor_speed, chassis.sensor_lateral_speed)
    angle = round(steer * FULL) / FULL * settings.steering.max_angle
    ackermann = degrees(atan2(settings.chassis.wheelbase * chassis.sensor_yaw_rate, path))
    return Turn(
        path * chassis.sensor_yaw_rate,
        angle - ackermann,
        0.5 * (loads[1] - loads[0]),
        0.5 * (loads[3] - loads[2]),
    )


def understeer_gradient(settings: VehicleSettings, lowest: float = 0.1, highest: float = 0.4) -> float:
    """Slope of the excess of the steering angle over lateral acceleration [deg/g], between two accelerations [g].

    ISO 4138 at constant speed. Steering angles are those that rolling wheels would need.
    """
    speed = 25.0
    per_g = degrees(settings.chassis.wheelbase * GRAVITY / speed**2) / settings.steering.max_angle
    one, two = (steady_turn(settings, per_g * g, speed) for g in (lowest, highest))
    return (two.excess - one.excess) / (two.lateral_acceleration - one.lateral_acceleration) * GRAVITY
