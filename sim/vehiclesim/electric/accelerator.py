"""The accelerator pedal of an electric or hybrid drive: torque by its position, and back."""

from collections.abc import Callable
from typing import Final

from vehiclesim.curves import clamp

_FADE_FROM: Final = 0.8
_FADE_TO: Final = 3.0
"""[m/s]. Recuperation fades in between: a motor that nearly stands recovers nothing, and must not push backward."""


def fade(speed: float) -> float:
    """Return the share of the recuperation at a speed [m/s] in the direction of the gear."""
    return clamp((speed - _FADE_FROM) / (_FADE_TO - _FADE_FROM), 0.0, 1.0)


class Accelerator:
    """T = x·T_most(w) - (1 - x)·[fade(v)·m·a_overrun/lead + T_drag(w)] at the position x = 0 .. 1.

    lead [rad/m] is the speed of the shaft over that of the vehicle, T_most [N m] what drives it at w [rad/s], and
    T_drag that of an engine which always turns with it.
    """

    def __init__(
        self,
        most: Callable[[float], float],
        mass: float,
        overrun_deceleration: float,
        drag: Callable[[float], float] | None = None,
    ) -> None:
        self._most = most
        self._drag = drag
        self._overrun: float = mass * overrun_deceleration

    def torque(self, position: float, speed: float, lead: float) -> float:
        """Return the torque of the shaft [N m] at a speed of the vehicle [m/s] in the direction of its gear."""
        return self.torque_at(position, speed, lead, speed * lead)

    def torque_at(self, position: float, speed: float, lead: float, w: float) -> float:
        """Return the same with the speed of the shaft [rad/s], which a clutch or tyres may let differ."""
        least = -self._overrun * fade(speed) / lead
        if self._drag is not None:
            least -= self._drag(w)
        return least + position * (self._most(w) - least)

    def position(self, torque: float, speed: float, lead: float) -> float:
        """Return the position that gives a torque [N m], as near as it can."""
        least = self.torque(0.0, speed, lead)
        return clamp((torque - least) / (self.torque(1.0, speed, lead) - least), 0.0, 1.0)
