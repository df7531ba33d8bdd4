"""The loads: what each of four wheels presses on the road with."""

from vehiclesim.curves import clamp
from vehiclesim.parameters import ChassisSettings


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
        """F_z, F_x and F_y [N] of all wheels together -> the load of each."""
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
