"""Electronic stability control (ESC), which brakes one wheel so that the vehicle turns as it is steered."""

from vehiclesim.aids.abs import AntiLock
from vehiclesim.chassis.chassis import FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, Chassis
from vehiclesim.chassis.steering import DEGREE
from vehiclesim.curves import clamp, cosine, sine
from vehiclesim.parameters.aids import EscSettings


class StabilityControl:
    """T = T_max·d·(1 - x) on one wheel: d, 0..1, is the greater of two demands, x that wheel's slip as in ABS.

        yaw     r_wanted - r, with r_wanted = v·c held within ±a_max/v
        skid    tangent of the rear axle's slip angle

    c is the curvature [1/m] of the path that the front wheels point along, a_max [m/s²] what the tyres can hold
    across. A vehicle that turns too much, or whose rear axle skids, is braked at the outer front wheel; one that
    turns too little at the inner rear wheel.
    """

    def __init__(self, settings: EscSettings, chassis: Chassis, anti_lock: AntiLock) -> None:
        self._chassis: Chassis = chassis
        self._anti_lock: AntiLock = anti_lock
        self._yaw_start: float = settings.minimum_yaw_error
        self._yaw_range: float = settings.maximum_yaw_error - settings.minimum_yaw_error
        self._yaw_speed: float = settings.yaw_speed
        self._skid_start: float = _tangent(settings.minimum_slip_angle)
        self._skid_range: float = _tangent(settings.maximum_slip_angle) - self._skid_start
        self._skid_speed: float = settings.slip_angle_speed
        self._torque: float = settings.torque

    def brake(self, added: list[float], grip: float) -> bool:
        """Add to the brake torque of one wheel [N m], `grip` being a_max; return whether it brakes."""
        speed = self._chassis.sensor_speed
        yaw = self._yaw_demand(speed, grip) if speed > self._yaw_speed else 0.0
        skid = self._skid_demand(speed) if speed > self._skid_speed else 0.0
        if yaw == 0.0 and skid == 0.0:
            return False
        if abs(skid) >= abs(yaw):
            place, demand = (FRONT_LEFT if skid > 0.0 else FRONT_RIGHT), abs(skid)
        elif yaw * self._chassis.sensor_yaw_rate < 0.0:
            place, demand = (FRONT_LEFT if yaw > 0.0 else FRONT_RIGHT), abs(yaw)
        else:
            place, demand = (REAR_LEFT if yaw > 0.0 else REAR_RIGHT), abs(yaw)
        added[place] += self._torque * demand * (1.0 - self._anti_lock.excess(place))
        return True

    def _yaw_demand(self, speed: float, grip: float) -> float:
        """Return the yaw intervention that is needed, -1..1, positive to the left."""
        chassis = self._chassis
        fastest = grip / speed
        wanted = speed * chassis.steering.curvature
        wanted = wanted if -fastest < wanted < fastest else clamp(wanted, -fastest, fastest)
        return _demand(wanted - chassis.sensor_yaw_rate, self._yaw_start, self._yaw_range)

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
