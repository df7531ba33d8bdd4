"""The pose: where a vehicle is, and where it heads."""

from math import sqrt
from typing import ClassVar

from vehiclesim.curves import cosine, sine
from vehiclesim.state import Stateful


class Pose(Stateful):
    """Position in the plane of the road, from speeds in the directions of the vehicle (x forward, y left).

        dx/dt = v_x·cos(yaw) - v_y·sin(yaw),  dy/dt = v_x·sin(yaw) + v_y·cos(yaw),  d yaw/dt = r

    Each step takes its mean speeds in the heading of its middle; the error of a step is of the third order. The
    heading is turned as a unit vector, so that it is as exact after a thousand turns as in the first.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("x", "y", "yaw", "_cosine", "_sine")

    def __init__(self) -> None:
        self.x: float = 0.0  # [m]
        self.y: float = 0.0
        self.yaw: float = 0.0  # [rad], counted on beyond a full turn
        self._cosine: float = 1.0
        self._sine: float = 0.0

    def advance(self, speed_x: float, speed_y: float, yaw_rate: float, delta_time: float) -> None:
        """Move by mean speeds [m/s, rad/s] over a time [s] in which the vehicle turns by less than half a turn."""
        half = 0.5 * yaw_rate * delta_time
        c, s = (cosine(half), sine(half)) if half != 0.0 else (1.0, 0.0)  # straight on, which is most of the time
        self._turn(c, s)
        self.x += (speed_x * self._cosine - speed_y * self._sine) * delta_time
        self.y += (speed_x * self._sine + speed_y * self._cosine) * delta_time
        self._turn(c, s)
        self.yaw += yaw_rate * delta_time

    def _turn(self, c: float, s: float) -> None:
        """By the angle with this cosine and sine."""
        forward = self._cosine * c - self._sine * s
        left = self._sine * c + self._cosine * s
        length = sqrt(forward * forward + left * left)
        self._cosine = forward / length
        self._sine = left / length
