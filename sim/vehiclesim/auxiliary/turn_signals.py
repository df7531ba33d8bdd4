"""The turn signals: which side indicates, and the flash that all lamps share."""

from typing import ClassVar, Final

from vehiclesim.state import Stateful

_LEFT: Final = 1
_RIGHT: Final = 2
_BOTH: Final = 3
"""Sides that indicate; the positions of the lever are the first two, and 0."""

_SECOND: Final = 1_000_000_000
"""[ns]"""


class TurnSignals(Stateful):
    """Sides = both with the hazard lights, else that of the lever while the ignition is on.

    A lamp flashes 90 times a minute, half of the time each lit and dark, from the moment on that its sides begin to
    indicate: lit in the third of a second number 0, 2, 4 ... Other sides begin anew. UN ECE R48, 6.5.9: 90 ± 30 a
    minute, and the first light within a second.

    The attributes up to `ignition` are inputs, set before `step`.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("_sides", "_elapsed", "sensor_lit")

    def __init__(self) -> None:
        self.lever: int = 0
        self.hazard: bool = False
        self.ignition: bool = False
        self.sensor_lit: bool = False  # the lamps of the sides that indicate are lit in this instant
        self._sides: int = 0
        self._elapsed: int = 0  # [ns] since the first flash, less whole pairs of seconds

    @property
    def sensor_left(self) -> bool:
        """The left side indicates."""
        return self._sides & _LEFT != 0

    @property
    def sensor_right(self) -> bool:
        """The right side indicates."""
        return self._sides & _RIGHT != 0

    def step(self, delta_time: float) -> None:
        """Advance by `delta_time` [s]. A lever beyond its positions indicates nothing."""
        sides = 0
        if self.hazard:
            sides = _BOTH
        elif self.ignition and 0 < self.lever < _BOTH:
            sides = self.lever
        if sides != self._sides:
            self._sides = sides
            self._elapsed = 0
            self.sensor_lit = sides != 0
        elif sides != 0:
            self._elapsed = (self._elapsed + round(delta_time * _SECOND)) % (2 * _SECOND)
            self.sensor_lit = self._elapsed * 3 // _SECOND % 2 == 0
