"""Clutches between flywheel and driveline: their common base, and the dry friction disc.

Both sides are described by a speed, the acceleration that all other torques alone would cause, and the inverse of the
inertia. A side with inverse inertia zero follows its acceleration regardless of the clutch.
"""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.curves import clamp
from vehiclesim.parameters import ClutchSettings
from vehiclesim.state import Stateful

RELEASE: Final = 0.95
"""A locked converter opens below this share of lock_rpm: locking, it loses its slip, and must not open at once."""


def closing_rest(before: float, after: float) -> float:
    """q = g(x2)/g(x1), g(x) = (1 - x)²·(1 + 2x): the share that is left of a slip that is led to zero.

    x = 0 .. 1 is the course of the closing, before and after a substep; from 1 on nothing is left. The slip begins and
    ends to fall without a step in its rate, and so in the torque: a cubic, the path of least degree that does so, as
    for the engagement of a clutch without a jerk (Dolcini, Canudas de Wit and Bechart, Dry Clutch Control for
    Automotive Applications: no difference of the accelerations where the clutch sticks).
    """
    if after >= 1.0:
        return 0.0
    left, open_before = 1.0 - after, 1.0 - before
    return left * left * (1.0 + 2.0 * after) / (open_before * open_before * (1.0 + 2.0 * before))


def against_slip(closing: float, stick: float, slip: float) -> float:
    """Return what friction may do of `closing`, the change of the slip's rate that a control wants [1/s²].

    Friction only acts against the slip: where the control would need the opposite it does nothing, unless the slip
    would end by itself; then it is `stick`, which ends it.
    """
    if closing * slip > 0.0:
        return closing
    return stick if stick * slip <= 0.0 else 0.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Clutch(Stateful):
    """The common base of all clutches: the state of the driveline behind it.

    The lock of a clutch that locks by itself is decided once a step, and belongs to the engine's state.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("locked",)

    def __init__(self) -> None:
        self.engagement: float = 0.0  # 0 = open .. 1 = closed
        self.substep: float = 0.001  # [s]
        self.speed: float = 0.0  # of the driveline [rad/s]
        self.acceleration: float = 0.0  # of the driveline without the clutch [rad/s²]
        self.inverse_inertia: float = 0.0  # of the driveline [1/(kg m²)]
        self.locked: bool = False
        self.may_lock: bool = True  # input: a gear is engaged, so that a clutch that locks by itself may

    def start_step(self, speed: float) -> None:
        """Decide once a step, at a speed [rad/s] of the flywheel, whether the clutch is locked."""

    def start_substep(self, speed: float) -> None:
        """Compute once a substep, at a speed [rad/s] of the flywheel, the values that depend on the speeds only."""

    def torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        """Return the torque [N m] from a flywheel (rad/s, rad/s², 1/(kg m²)) to the clutch, held during the substep."""
        raise NotImplementedError

    def output_torque(self, torque: float) -> float:
        """Return the torque [N m] into the driveline for the torque that was calculated last."""
        return torque

    def lock(self, torque: float, speed: float) -> float:
        """Return the lock ratio at this torque: 0 = both sides free .. 1 = locked; or not-a-number."""
        raise NotImplementedError

    def closing_torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        """T* = [(w_e - w)/dt + a_e - a] / (1/I_e + 1/I): the torque [N m] that ends the substep without slip."""
        compliance = inverse_inertia + self.inverse_inertia
        if compliance <= 0.0:
            return 0.0
        slip = (speed - self.speed) / self.substep
        return (slip + acceleration - self.acceleration) / compliance

    def speed_ratio(self, speed: float) -> float:
        """Return the speed of the slower over the faster side; 0 when one stands or they turn against each other."""
        slower, faster = (speed, self.speed) if speed < self.speed else (self.speed, speed)
        return slower / faster if slower > 0.0 else 0.0


class FrictionDisc(Clutch):
    """A dry disc: T = clamp(T*, ±max_torque_transfer·engagement); locked while T* is inside.

    Solving for the end of the substep needs no sign of the slip, so a locked disc neither creeps nor chatters.
    """

    def __init__(self, settings: ClutchSettings) -> None:
        super().__init__()
        self._max_torque: float = settings.max_torque_transfer

    def torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        capacity = self._max_torque * self.engagement
        closing = self.closing_torque(speed, acceleration, inverse_inertia)
        return closing if -capacity < closing < capacity else clamp(closing, -capacity, capacity)

    def lock(self, torque: float, speed: float) -> float:
        """Return 1 while locked, the ratio of the slower to the faster side while it slips, 0 when open or opposed."""
        capacity = self._max_torque * self.engagement
        if capacity <= 0.0:
            return 0.0
        return 1.0 if -capacity < torque < capacity else self.speed_ratio(speed)
