"""The accelerator pedal of an electric drive: torque by its position, and back."""

from typing import Final

from vehiclesim.curves import clamp
from vehiclesim.electric.motor import Motor

_FADE_FROM: Final = 0.8
_FADE_TO: Final = 3.0
"""[m/s]. Recuperation fades in between: a motor that nearly stands recovers nothing, and must not push backward."""


def fade(speed: float) -> float:
    """Return the share of the recuperation at a speed [m/s] in the direction of the gear."""
    return clamp((speed - _FADE_FROM) / (_FADE_TO - _FADE_FROM), 0.0, 1.0)


class Accelerator:
    """T = x·T_most(w) - (1 - x)·fade(v)·m·a_overrun/lead at the position x = 0 .. 1.

    lead [rad/m] is the speed of the motor over that of the vehicle.
    """

    def __init__(self, motor: Motor, mass: float, overrun_deceleration: float) -> None:
        self._motor: Motor = motor
        self._overrun: float = mass * overrun_deceleration

    def torque(self, position: float, speed: float, lead: float) -> float:
        """Return the torque of the motor [N m] at a speed of the vehicle [m/s] in the direction of its gear."""
        least = -self._overrun * fade(speed) / lead
        return least + position * (self._motor.most_torque(speed * lead) - least)

    def position(self, torque: float, speed: float, lead: float) -> float:
        """Return the position that gives a torque [N m], as near as it can."""
        least = self.torque(0.0, speed, lead)
        return clamp((torque - least) / (self.torque(1.0, speed, lead) - least), 0.0, 1.0)
