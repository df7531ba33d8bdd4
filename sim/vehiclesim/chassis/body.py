"""The body of the vehicle: mass, forces of air and slope, vertical loads of its wheels, position and heading."""

from math import sqrt
from typing import ClassVar

from mypy_extensions import mypyc_attr

from vehiclesim.curves import clamp, cosine, sine
from vehiclesim.parameters import AIR_DENSITY, GRAVITY, BodySettings, ChassisSettings
from vehiclesim.state import Stateful


@mypyc_attr(allow_interpreted_subclasses=True)
class Body:
    """Air drag and the pull of a slope, each a force [N] that points backward when positive."""

    def __init__(self, settings: BodySettings = BodySettings()) -> None:  # noqa: B008 - frozen
        self.mass: float = settings.mass  # [kg]
        self.wind: float = 0.0  # input: head wind [m/s]
        self._full_drag: float = 0.5 * AIR_DENSITY * settings.drag_area  # [kg/m], at the reference condition
        self._drag: float = self._full_drag
        self.density_ratio: float = 1.0  # of the air, over that of the reference condition
        self._weight: float = settings.mass * GRAVITY  # [N]
        self._slope: float = 0.0
        self._normal_force: float = self._weight  # m·g·cos(slope) [N]
        self._slope_force: float = 0.0  # m·g·sin(slope) [N]

    @property
    def slope(self) -> float:
        """Input: grade of the road, rise over run, positive uphill (0.2 is a 20 % slope)."""
        return self._slope

    @slope.setter
    def slope(self, grade: float) -> None:
        self._slope = grade
        self._normal_force = self._weight / sqrt(1.0 + grade * grade)
        self._slope_force = self._normal_force * grade

    def set_air_density(self, ratio: float) -> None:
        """Take the density of the air over that of the reference condition (`air.py`)."""
        self._drag = self._full_drag * ratio
        self.density_ratio = ratio

    def normal_force(self) -> float:
        """m·g·cos(slope): the sum of the wheel loads."""
        return self._normal_force

    def drag_force(self, speed: float) -> float:
        """½·ρ·cd·A·|u|·u with the speed u = v + wind against the air."""
        air_speed = speed + self.wind
        return self._drag * air_speed * (air_speed if air_speed > 0.0 else -air_speed)

    def slope_force(self) -> float:
        """m·g·sin(slope), with sin(slope) = grade/√(1 + grade²)."""
        return self._slope_force


class WheelLoads:
    """The weight, shifted by the moments that the forces at the road have about the centre of gravity at height h.

        front axle   = F_z·front_weight - h·F_x/wheelbase
        wheel i of it = axle/2 -+ share·h·F_y/track, the left wheel losing what the right one gains

    F_x and F_y [N] are the sums of all wheels' forces, forward and to the left. Held so that no wheel pulls on the
    road, the loads always sum up to F_z. The vehicle neither pitches, rolls nor turns over.
    """

    def __init__(self, settings: ChassisSettings) -> None:
        self.front_left: float = 0.0  # [N]
        self.front_right: float = 0.0
        self.rear_left: float = 0.0
        self.rear_right: float = 0.0
        self._front_weight: float = settings.front_weight
        self._pitching: float = settings.centre_of_gravity_height / settings.wheelbase
        share = settings.front_roll_stiffness
        self._front_rolling: float = share * settings.centre_of_gravity_height / settings.front_track
        self._rear_rolling: float = (1.0 - share) * settings.centre_of_gravity_height / settings.rear_track

    def distribute(self, normal_force: float, force_x: float, force_y: float) -> None:
        """Set the load of each wheel from F_z, F_x and F_y [N] of all wheels together."""
        front = normal_force * self._front_weight - self._pitching * force_x
        front = front if 0.0 < front < normal_force else clamp(front, 0.0, normal_force)
        half = 0.5 * front
        shift = self._front_rolling * force_y
        shift = shift if -half < shift < half else clamp(shift, -half, half)
        self.front_left = half - shift
        self.front_right = half + shift
        half = 0.5 * (normal_force - front)
        shift = self._rear_rolling * force_y
        shift = shift if -half < shift < half else clamp(shift, -half, half)
        self.rear_left = half - shift
        self.rear_right = half + shift


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
        """Turn the heading by the angle with this cosine and sine."""
        forward = self._cosine * c - self._sine * s
        left = self._sine * c + self._cosine * s
        length = sqrt(forward * forward + left * left)
        self._cosine = forward / length
        self._sine = left / length
