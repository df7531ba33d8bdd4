"""The steering: the steering angle of each front wheel."""

from math import sqrt
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.curves import clamp, cosine, sine
from vehiclesim.parameters import ChassisSettings, SteeringSettings
from vehiclesim.state import Stateful

DEGREE: Final = 3.141592653589793 / 180.0
"""[rad]."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Steering(Stateful):
    """Ackermann's geometry: tan(delta_i) = tan(delta) / (1 - a·y_i·tan(delta)/L) for a wheel y_i left of the middle.

    delta = max_angle·(position of the steering wheel) is the angle of a wheel in the middle of the axle, positive to
    the left. With a = 1 the axes of all wheels meet in one point on the line of the rear axle; with a = 0 the front
    wheels are parallel.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("steer_input",)

    def __init__(
        self,
        settings: SteeringSettings = SteeringSettings(),  # noqa: B008 - frozen
        chassis: ChassisSettings = ChassisSettings(),  # noqa: B008 - frozen
    ) -> None:
        self.steer_input: float = 0.0  # steering wheel, -1 = full left .. 1 = full right
        self.curvature: float = 0.0  # tan(delta)/L, of the path that rolling wheels follow [1/m]
        self.left_cosine: float = 1.0  # of the angle of the left wheel
        self.left_sine: float = 0.0
        self.right_cosine: float = 1.0
        self.right_sine: float = 0.0
        self._angle: float = 0.0  # delta [rad]
        self.max_angle: float = settings.max_angle * DEGREE
        self._half_range: float = 0.5 * settings.wheel_range
        self._arm: float = settings.trail * (1.0 - settings.assist) * settings.max_angle / self._half_range
        self.wheelbase: float = chassis.wheelbase
        self._offset: float = 0.5 * settings.ackermann * chassis.front_track  # a·|y_i| [m]

    @property
    def sensor_wheel_angle(self) -> float:
        """Turn of the steering wheel from its middle [deg], positive to the left."""
        return clamp(self.steer_input, -1.0, 1.0) * -self._half_range

    def hand_torque(self, force: float) -> float:
        """Return T = F·n·(1 - s)/i, what the driver's hands hold [N m], positive to the left.

        F: side force of both front wheels [N], n: their trail, s: share of the power steering, i: steering ratio. The
        trail stays the same up to the limit of grip, and friction and damping of the steering are left out.
        """
        return force * self._arm

    def update(self) -> bool:
        """Turn the wheels as the steering wheel is turned, once a step; return whether the angle has changed."""
        angle = 0.0 - clamp(self.steer_input, -1.0, 1.0) * self.max_angle  # a plain minus would make -0.0 of 0
        if angle == self._angle:
            return False
        self._angle = angle
        tangent = sine(angle) / cosine(angle)
        self.curvature = tangent / self.wheelbase
        left = 1.0 - self._offset * self.curvature
        right = 1.0 + self._offset * self.curvature
        self.left_cosine = left / sqrt(left * left + tangent * tangent)
        self.left_sine = tangent / sqrt(left * left + tangent * tangent)
        self.right_cosine = right / sqrt(right * right + tangent * tangent)
        self.right_sine = tangent / sqrt(right * right + tangent * tangent)
        return True
