"""Electronic stability control (ESC), which brakes one wheel so that the vehicle turns as it is steered."""

from typing import ClassVar

from vehiclesim.aids.slip import SlipMeter
from vehiclesim.chassis.chassis import FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, Chassis
from vehiclesim.chassis.steering import DEGREE
from vehiclesim.curves import clamp, cosine, sine
from vehiclesim.parameters import GRAVITY
from vehiclesim.parameters.aids import EscSettings
from vehiclesim.state import Stateful


class StabilityControl(Stateful):
    """T = T_max·d on one wheel, and a throttle of 1 - d; d, 0..1, is the greatest of three demands.

        too much turn      |r| - |r_w| of a yaw rate r beyond the wanted ones, or against them
        too little turn    |r_w| - |r|
        skid               tangent of the rear axle's slip angle

    Wanted is every r_w from v·c, held within ±a_max/v, to the same as late as a vehicle can be, with the time constant
    v·s_peak/(g·mu_peak): m·v over the cornering stiffness of tyres that grip most, mu_peak, at a lateral slip s_peak.
    So a vehicle that follows a quick steering wheel at its own pace is left alone. c is the curvature [1/m] of the
    path that the front wheels point along, a_max [m/s²] what the tyres can hold across. A vehicle that turns too much,
    or whose rear axle skids, is braked at the outer front wheel; one that turns too little at the inner rear wheel.
    The valves keep the wheel from locking.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("_late", "demand")

    def __init__(self, settings: EscSettings, chassis: Chassis, meter: SlipMeter) -> None:
        self.demand: float = 0.0  # d of the last step
        self._chassis: Chassis = chassis
        self._late: float = 0.0  # the later end of r_w [rad/s]
        self._response: float = meter.lateral_peak / (GRAVITY * meter.dry_friction)  # tau/v [s²/m]
        self._excess_start: float = settings.minimum_yaw_excess
        self._excess_range: float = settings.maximum_yaw_excess - settings.minimum_yaw_excess
        self._yaw_start: float = settings.minimum_yaw_error
        self._yaw_range: float = settings.maximum_yaw_error - settings.minimum_yaw_error
        self._yaw_speed: float = settings.yaw_speed
        self._skid_start: float = _tangent(settings.minimum_slip_angle)
        self._skid_range: float = _tangent(settings.maximum_slip_angle) - self._skid_start
        self._skid_speed: float = settings.slip_angle_speed
        self._torque: float = settings.torque

    def brake(self, asked: list[float], grip: float, delta_time: float) -> bool:
        """Add to the brake torque of one wheel [N m], `grip` being a_max; return whether it acts in this step [s]."""
        speed = self._chassis.sensor_speed
        yaw = self._yaw_demand(speed, grip, delta_time) if speed > self._yaw_speed else 0.0
        skid = self._skid_demand(speed) if speed > self._skid_speed else 0.0
        self.demand = max(abs(skid), abs(yaw))
        if self.demand == 0.0:
            return False
        if abs(skid) >= abs(yaw):
            place = FRONT_LEFT if skid > 0.0 else FRONT_RIGHT
        elif yaw * self._chassis.sensor_yaw_rate < 0.0:
            place = FRONT_LEFT if yaw > 0.0 else FRONT_RIGHT
        else:
            place = REAR_LEFT if yaw > 0.0 else REAR_RIGHT
        asked[place] += self._torque * self.demand
        return True

    def _yaw_demand(self, speed: float, grip: float, delta_time: float) -> float:
        """Return the yaw intervention that is needed, -1..1, positive to the left."""
        chassis = self._chassis
        fastest = grip / speed
        steered = clamp(speed * chassis.steering.curvature, -fastest, fastest)
        self._late += (steered - self._late) * delta_time / (self._response * speed + delta_time)
        least, most = (steered, self._late) if steered < self._late else (self._late, steered)
        rate = chassis.sensor_yaw_rate
        error = least - rate if rate < least else most - rate if rate > most else 0.0
        if error * rate < 0.0:
            return _demand(error, self._excess_start, self._excess_range)
        return _demand(error, self._yaw_start, self._yaw_range)

    def _skid_demand(self, speed: float) -> float:
        """Return the intervention against a skid, -1..1, positive for a rear axle that slides to the left."""
        return _demand(self._chassis.wheels[REAR_LEFT].speed_y / speed, self._skid_start, self._skid_range)


def _demand(error: float, start: float, span: float) -> float:
    """(|error| - start)/span in 0..1, with the error's sign."""
    if -start <= error <= start:
        return 0.0
    if error >= 0.0:
        return clamp((error - start) / span, 0.0, 1.0)
    return -clamp((-error - start) / span, 0.0, 1.0)


def _tangent(degrees: float) -> float:
    return sine(degrees * DEGREE) / cosine(degrees * DEGREE)
