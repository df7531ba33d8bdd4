"""The pedals and the feet on them: how fast they move, and how a clutch is let in without stalling the engine."""

from typing import Final

FOOT: Final = 3.0
"""[1/s] of a pedal's travel: changing gear, no hurry needed."""

BITE: Final = 0.35
"""[1/s] of the clutch pedal's travel while the clutch takes hold and the vehicle is not moving yet."""


class Pedals:
    """Positions, 0 = released … 1 = fully down."""

    def __init__(self) -> None:
        self.throttle = self.brake = self.clutch = self.handbrake = 0.0

    def release(self) -> None:
        """Feet off, all at once."""
        self.throttle = self.brake = self.clutch = self.handbrake = 0.0

    def move(
        self, dt: float, *, throttle: float = 0.0, brake: float = 0.0, clutch: float = 0.0, foot: float = FOOT
    ) -> None:
        """Moves the pedals for `dt` [s] at the speed of a foot [1/s] towards where they belong."""
        reach = foot * dt
        if throttle != self.throttle:
            self.throttle = _towards(throttle, self.throttle, reach)
        if brake != self.brake:
            self.brake = _towards(brake, self.brake, reach)
        if clutch != self.clutch:
            self.clutch = _towards(clutch, self.clutch, reach)

    def let_in(self, dt: float, reserve: float, lowest: float = 0.0) -> None:
        """Lets the clutch come up to `lowest`, for `dt` [s], as the engine bears it.

        `reserve` is 1 while the engine turns as fast as it should, and 0 near idle: the clutch comes up more slowly
        the more the engine is pulled down, and goes down again below.
        """
        lift = BITE * max(-1.0, min(reserve, 1.0))
        self.clutch = max(min(lowest, self.clutch + BITE * dt), min(self.clutch - lift * dt, 1.0))


def _towards(target: float, position: float, reach: float) -> float:
    return max(position - reach, min(target, position + reach))
