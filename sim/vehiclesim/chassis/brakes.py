"""The brakes: the torque that each wheel's brake can hold."""

from typing import ClassVar

from mypy_extensions import mypyc_attr

from vehiclesim.curves import clamp
from vehiclesim.parameters import AxleEnd, BrakeSettings
from vehiclesim.state import Stateful


@mypyc_attr(allow_interpreted_subclasses=True)
class Valves(Stateful):
    """A control unit that works the valves between the pedal and the wheels, once in each substep while it acts."""

    def __init__(self) -> None:
        self.act: bool = False  # input: `brakes.held` counts, and not what the pedal asks for

    def advance(self, delta_time: float) -> None:
        """Set `brakes.held` at the end of a substep [s]."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Brakes(Stateful):
    """T = pedal·T_max·(bias or 1 - bias) + T_added, or what valves hold, + handbrake·T_handbrake, for each wheel.

    These are limits. The actual torque is computed by the wheel: at most the one that stops it.

    `added` and `held` belong to driving aids: the torque [N m] by which a pump raises the pedal's, and that which
    valves leave of their sum. `relieved` is what an electric motor does in place of a driven wheel's brake.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("added", "held", "valves")

    def __init__(self, settings: BrakeSettings = BrakeSettings()) -> None:  # noqa: B008 - frozen
        self.brake_input: float = 0.0  # pedal, 0 = released .. 1 = fully down
        self.handbrake_input: float = 0.0  # 0 = released .. 1 = fully applied
        self.added: list[float] = [0.0] * 4  # front left, front right, rear left, rear right
        self.held: list[float] = [0.0] * 4
        self.relieved: list[float] = [0.0] * 4
        self.released: bool = False  # input: nothing is held, on rollers that prescribe the motion
        self.driven: list[int] = []  # places of the driven wheels
        self.valves: Valves = Valves()
        self.valve_lag: float = settings.valve_lag  # [s]
        front = settings.max_torque * settings.front_bias
        rear = settings.max_torque * (1.0 - settings.front_bias)
        hand = settings.handbrake_torque
        front_hand, rear_hand = (hand, 0.0) if settings.handbrake_axle is AxleEnd.FRONT else (0.0, hand)
        self._pedal: list[float] = [front, front, rear, rear]
        self._hand: list[float] = [front_hand, front_hand, rear_hand, rear_hand]
        self._torques: list[float] = [0.0] * 4

    def asked(self, wheel: int) -> float:
        """Return the torque that pedal and pump ask for at a wheel [N m]."""
        pedal = clamp(self.brake_input, 0.0, 1.0)
        torque = pedal * self._pedal[wheel] - self.relieved[wheel] if pedal > 0.0 else 0.0
        return torque + self.added[wheel] if self.added[wheel] > 0.0 else torque

    def torques(self) -> list[float]:
        """Return the torque that the brake of each wheel can hold now [N m]; the same list each time."""
        torques, hand = self._torques, clamp(self.handbrake_input, 0.0, 1.0)
        act = self.valves.act
        for wheel in range(4):
            torque = self.held[wheel] if act else self.asked(wheel)
            torques[wheel] = 0.0 if self.released else torque + hand * self._hand[wheel]
        return torques

    def relieve(self, torque: float) -> None:
        """Take a torque [N m] from the brakes of the driven wheels, from each as the pedal's is divided."""
        whole = 0.0
        for wheel in self.driven:
            whole += self._pedal[wheel]
        for wheel in self.driven:
            self.relieved[wheel] = torque * (self._pedal[wheel] / whole) if whole > 0.0 else 0.0

    def driven_pedal_torque(self) -> float:
        """Return the torque of the brakes of all driven wheels together that the pedal asks for [N m]."""
        torque = 0.0
        for wheel in self.driven:
            torque += self._pedal[wheel]
        return torque * clamp(self.brake_input, 0.0, 1.0)
