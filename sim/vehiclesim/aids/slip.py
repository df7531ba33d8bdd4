"""Slip of a wheel as driving aids use it: a speed, compared with the slip of its tyre's highest friction."""

from vehiclesim.chassis.wheel import Wheel
from vehiclesim.curves import clamp


class SlipMeter:
    """Slip of one wheel as differences of rim and ground speed [m/s]; peaks are s_peak·max(|v|, v_e), by the tables.

    v_e is the speed below which the tyre acts as a spring with a damper. A control unit in a car would estimate speed
    over ground and friction of the road; here they are known.
    """

    def __init__(self, wheel: Wheel) -> None:
        tyre = wheel.tyre
        left, right = tyre.leftward, tyre.rightward
        self.wheel: Wheel = wheel
        self.lateral_peak: float = min(left.peak_slip, right.peak_slip)  # s_peak across the wheel
        self.lowest_speed: float = tyre.damping_speed  # v_e [m/s]
        self.dry_friction: float = min(left.peak, right.peak)  # highest across the wheel, on a dry road
        self._braking: float = tyre.braking.peak_slip
        self._driving: float = tyre.driving.peak_slip

    def braking(self) -> float:
        """Return the speed of the ground minus that of the rim, in the ground's direction [m/s]."""
        wheel = self.wheel
        slip = wheel.spin * wheel.radius - wheel.speed_x
        return -slip if wheel.speed_x >= 0.0 else slip

    def driving(self) -> float:
        """Return the speed of the rim minus that of the ground, in the rim's direction [m/s]."""
        wheel = self.wheel
        slip = wheel.spin * wheel.radius - wheel.speed_x
        return slip if wheel.spin >= 0.0 else -slip

    def braking_peak(self) -> float:
        """Return the braking slip of the highest friction at this speed [m/s]."""
        speed = abs(self.wheel.speed_x)
        return self._braking * (speed if speed > self.lowest_speed else self.lowest_speed)

    def driving_peak(self) -> float:
        """Return the driving slip of the highest friction at this speed [m/s]."""
        speed = abs(self.wheel.speed_x)
        return self._driving * (speed if speed > self.lowest_speed else self.lowest_speed)

    def is_spinning(self) -> bool:
        """Return whether the wheel is driven faster than the tyre can use."""
        return self.driving() > self.driving_peak()

    def lateral_friction(self) -> float:
        """Return the highest coefficient across the wheel, on the road under it."""
        friction = self.wheel.road_friction
        return self.dry_friction * (friction if 0.0 < friction < 2.0 else clamp(friction, 0.0, 2.0))
