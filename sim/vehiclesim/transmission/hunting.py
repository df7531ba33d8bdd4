"""Protection of an automatic gearbox against hunting: the memory of an upshift that had to be taken back."""

from typing import ClassVar, Final

from vehiclesim.state import Stateful

SAME_PEDAL: Final = 0.05
"""Difference of two pedal positions below which they count as the same, on one side of the kick-down."""

SAME_GRADE: Final = 0.015
"""Difference of two loads, as a share of the vehicle's weight, below which they count as the same road."""


class UpshiftMemory(Stateful):
    """Refusal of an upshift that was taken back before, with the pedal and on the road as they are now.

    A forecast of the next gear can fail by whatever it does not know: thin air, a slipping converter, a headwind. Up
    and back down again is then the last time; the gear comes when the pedal has moved, or the load fallen.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("_tried", "_tried_pedal", "_tried_load", "_barred", "_pedal", "_load")

    def __init__(self, weight: float, kick_down: float) -> None:
        """Take the weight as a torque [N m] at the output shaft, as the loads are, and the pedal at kick-down."""
        self._kick_down: float = kick_down
        self._tolerance: float = SAME_GRADE * weight
        self._tried: int = 0  # the gear of the last upshift, with pedal and load at that time
        self._tried_pedal: float = 0.0
        self._tried_load: float = 0.0
        self._barred: int = 0  # the gear that had to be left again, 0 for none
        self._pedal: float = 0.0
        self._load: float = 0.0

    def went_up(self, gear: int, pedal: float, load: float) -> None:
        """Remember an upshift into a gear, at a position of the pedal and a load [N m]."""
        self._tried, self._tried_pedal, self._tried_load = gear, pedal, load

    def went_down(self, gear: int, pedal: float, load: float) -> None:
        """Bar a gear that is left for a shorter one as it was entered: the same pedal, and no greater load."""
        if gear != self._tried:
            return
        self._tried = 0
        if self._is_same(pedal, self._tried_pedal) and load - self._tried_load < self._tolerance:
            self._barred, self._pedal, self._load = gear, pedal, load

    def bars(self, gear: int, pedal: float, load: float) -> bool:
        """Return whether a gear that is due could not be kept before; forget it if things have changed."""
        if self._barred == 0 or gear < self._barred:
            return False
        if self._is_same(pedal, self._pedal) and self._load - load < self._tolerance:
            return True
        self._barred = 0
        return False

    def _is_same(self, one: float, two: float) -> bool:
        return abs(one - two) < SAME_PEDAL and (one >= self._kick_down) == (two >= self._kick_down)
