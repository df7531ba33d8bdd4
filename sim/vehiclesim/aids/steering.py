"""Steering aids: a limit to what the front tyres can use, and help against a skid of the rear ones."""

from typing import Final

from vehiclesim.aids.slip import SlipMeter
from vehiclesim.chassis.chassis import FRONT_LEFT, REAR_LEFT, Chassis
from vehiclesim.curves import clamp
from vehiclesim.parameters.aids import SteeringAidsSettings

_STANDSTILL: Final = 0.5
"""[m/s]. Tyres that hardly roll bear any angle: slower than this, and backward, the driver steers alone."""

_QUARTER_TURN: Final = 3.141592653589793 / 2.0
"""[rad]."""


class SteeringAids:
    """Correction of the position s of the steering wheel; s and the result are -1 = left .. 1 = right.

    Limit: in a steady turn that the tyres just hold, the front wheels point

        tan(delta_max) = L·a_max/v² + s_peak

    where s_peak is the lateral slip at which the tyres grip most. The bound is never less than the direction in which
    the front axle moves, so that a driver can steer into a skid. It is loosened to 1 - ratio·(1 - bound). Then s·bound
    and s cut off at the bound are mixed, as proportionality to 1 - proportionality.

    Help: while the rear axle's slip angle grows from s_peak to twice that, the front wheels are turned against it, to
    where the front axle moves, or as much of that way as the ratio says. There they no longer turn the vehicle.
    """

    def __init__(self, settings: SteeringAidsSettings, chassis: Chassis, meters: list[SlipMeter]) -> None:
        self.limits: bool = settings.limit
        self.helps: bool = settings.help
        self._chassis: Chassis = chassis
        self._max_angle: float = chassis.steering.max_angle
        self._wheelbase: float = chassis.steering.wheelbase
        self._lowest_speed: float = meters[FRONT_LEFT].lowest_speed
        self._front_peak: float = meters[FRONT_LEFT].lateral_peak
        self._rear_peak: float = meters[REAR_LEFT].lateral_peak
        self._limit_ratio: float = settings.limit_ratio
        self._proportionality: float = settings.limit_proportionality
        self._help_ratio: float = settings.help_ratio

    def correct(self, steer: float, grip: float) -> float:
        """Return the corrected position, `grip` being a_max, the lateral acceleration that the tyres hold [m/s²]."""
        speed = self._chassis.sensor_speed
        if self._max_angle <= 0.0 or speed <= _STANDSTILL:
            return steer
        aided = self._limit(steer, speed, grip) if self.limits else steer
        return self._countersteer(aided, speed) if self.helps else aided

    def _limit(self, steer: float, speed: float, grip: float) -> float:
        peak = self._front_peak * self._regularised(speed) / speed
        bound = self._position(self._wheelbase * grip / (speed * speed) + peak)
        path = self._path(speed)
        if path * steer > 0.0 and abs(path) > bound:
            bound = abs(path)
        bound = 1.0 - self._limit_ratio * (1.0 - bound)
        if bound >= 1.0:
            return steer
        cut = clamp(steer, -bound, bound)
        return cut + self._proportionality * (clamp(steer, -1.0, 1.0) * bound - cut)

    def _countersteer(self, steer: float, speed: float) -> float:
        skid = self._chassis.wheels[REAR_LEFT].speed_y / self._regularised(speed)
        share = clamp(abs(skid) / self._rear_peak - 1.0, 0.0, 1.0)
        turn = self._help_ratio * share * (self._path(speed) - steer)
        against = turn > 0.0 if skid < 0.0 else turn < 0.0
        return steer + turn if against else steer

    def _path(self, speed: float) -> float:
        """Return the position at which the front wheels point where the front axle moves."""
        wheel = self._chassis.wheels[FRONT_LEFT]
        steering = self._chassis.steering
        side = wheel.speed_x * steering.left_sine + wheel.speed_y * steering.left_cosine
        return -self._position(side / speed)

    def _position(self, tangent: float) -> float:
        """Return the position, -1..1, that turns the front wheels by an angle of this tangent."""
        return clamp(_arctangent(tangent) / self._max_angle, -1.0, 1.0)

    def _regularised(self, speed: float) -> float:
        return speed if speed > self._lowest_speed else self._lowest_speed


def _arctangent(x: float) -> float:
    """Return atan x by x/(1 + x²/(3 + 4x²/(5 + 9x²/(7 + 16x²/9)))), beyond ±1 by ½·pi - atan(1/x); error below 2e-4.

    Source: Abramowitz and Stegun, 4.4.43.
    """
    if x > 1.0:
        return _QUARTER_TURN - _arctangent(1.0 / x)
    if x < -1.0:
        return -_QUARTER_TURN - _arctangent(1.0 / x)
    z = x * x
    return x / (1.0 + z / (3.0 + 4.0 * z / (5.0 + 9.0 * z / (7.0 + 16.0 * z / 9.0))))
