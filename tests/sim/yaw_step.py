"""Step input of the steering wheel on the flat (ISO 7401), of a vehicle that coasts through it."""

from math import degrees

from vehiclesim import InputData, SettingsData, Vehicle, VehicleSettings

from .road import FULL
from .states import roll_at
from .steady_turn import GRAVITY

SPEED = 80.0 / 3.6
"""[m/s], the standard test speed."""

LATERAL = 4.0
"""[m/s²] that is aimed at."""

RATE = 300.0
"""[°/s] of the steering wheel: 200 to 500."""

_STEP = 0.001


def response_time(settings: VehicleSettings, understeer: float) -> float:
    """Return the time [s] from half of the steering input to 90 % of the steady yaw rate; no aid helps.

    `understeer`: the gradient [deg/g], from which follows how far the wheel is to be turned.
    """
    angle = degrees(settings.chassis.wheelbase * LATERAL / SPEED**2) + understeer * LATERAL / GRAVITY
    share = angle / settings.steering.max_angle
    duration = share * 0.5 * settings.steering.wheel_range / RATE
    vehicle = Vehicle(settings)
    vehicle.data.settings[SettingsData.ESC_OVERRIDE] = 2
    vehicle.data.settings[SettingsData.STEERING_AIDS_OVERRIDE] = 2
    vehicle.data.input[InputData.CLUTCH] = FULL
    vehicle.step(_STEP)
    roll_at(vehicle, SPEED)
    rates = []
    for tick in range(1, 1501):
        vehicle.data.input[InputData.STEER] = -round(min(1.0, tick * _STEP / duration) * share * FULL)
        vehicle.step(_STEP)
        rates.append(vehicle.chassis.sensor_yaw_rate)
    steady = rates[-1]
    reached = next(tick for tick, rate in enumerate(rates, start=1) if rate >= 0.9 * steady)
    return reached * _STEP - 0.5 * duration
