"""The brakes: the torque that each wheel's brake can hold."""

from typing import ClassVar

from mypy_extensions import mypyc_attr

from vehiclesim.curves import clamp
from vehiclesim.parameters import AxleEnd, BrakeSettings
from vehiclesim.state import Stateful


@mypyc_attr(allow_interpreted_subclasses=True)
class Brakes(Stateful):
    """T = pressure·pedal·T_max·(bias or 1 - bias) + handbrake·T_handbrake + T_added, for each wheel.

    These are limits. The actual torque is computed by the wheel: at most the one that stops it.

    `pressure` (0..1) and `added` [N m] belong to driving aids: the share of the pedal's torque that they leave at a
    wheel, and the brake torque that they add.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("pressure", "added")

    def __init__(self, settings: BrakeSettings = BrakeSettings()) -> None:  # noqa: B008 - frozen
        self.brake_input: float = 0.0  # pedal, 0 = released .. 1 = fully down
        self.handbrake_input: float = 0.0  # 0 = released .. 1 = fully applied
        self.pressure: list[float] = [1.0] * 4  # front left, front right, rear left, rear right
        self.added: list[float] = [0.0] * 4
        front = settings.max_torque * settings.front_bias
        rear = settings.max_torque * (1.0 - settings.front_bias)
        hand = settings.handbrake_torque
        front_hand, rear_hand = (hand, 0.0) if settings.handbrake_axle is AxleEnd.FRONT else (0.0, hand)
        self._pedal: list[float] = [front, front, rear, rear]
        self._hand: list[float] = [front_hand, front_hand, rear_hand, rear_hand]
        self._torques: list[float] = [0.0] * 4

    def torques(self) -> list[float]:
        """Return the torque that the brake of each wheel can hold now [N m]; the same list each time."""
        torques, added = self._torques, self.added
        pedal = clamp(self.brake_input, 0.0, 1.0)
        hand = clamp(self.handbrake_input, 0.0, 1.0)
        for wheel in range(4):
            torque = pedal * clamp(self.pressure[wheel], 0.0, 1.0) * self._pedal[wheel] if pedal > 0.0 else 0.0
            torque += hand * self._hand[wheel]
            torques[wheel] = torque + added[wheel] if added[wheel] > 0.0 else torque
        return torques
