"""What couples the flywheel to the driveline: the torque that each kind of clutch lets through.

Both sides are seen as a speed, the acceleration that all other torques alone would give, and the inverse of the
inertia. A side with inverse inertia zero follows its acceleration whatever the clutch does.
"""

from mypy_extensions import mypyc_attr

from vehiclesim.curves import clamp
from vehiclesim.parameters import ClutchSettings


@mypyc_attr(allow_interpreted_subclasses=True)
class Clutch:
    """The side of the clutch that looks at the driveline, common to every kind."""

    def __init__(self) -> None:
        self.engagement: float = 0.0  # 0 = open .. 1 = closed
        self.substep: float = 0.001  # [s]
        self.speed: float = 0.0  # of the driveline [rad/s]
        self.acceleration: float = 0.0  # of the driveline without the clutch [rad/s²]
        self.inverse_inertia: float = 0.0  # of the driveline [1/(kg m²)]

    def torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        """Torque [N m] from a flywheel (rad/s, rad/s², 1/(kg m²)) into the driveline, held during the substep."""
        raise NotImplementedError

    def lock(self, torque: float, speed: float) -> float:
        """How far the clutch that carries this torque joins flywheel and driveline: 0 = not at all .. 1 = locked."""
        raise NotImplementedError

    def closing_torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        """T* = [(w_e - w)/dt + a_e - a] / (1/I_e + 1/I): the torque [N m] that ends the substep without slip."""
        compliance = inverse_inertia + self.inverse_inertia
        if compliance <= 0.0:
            return 0.0
        slip = (speed - self.speed) / self.substep
        return (slip + acceleration - self.acceleration) / compliance


class FrictionDisc(Clutch):
    """A dry disc: T = clamp(T*, ±max_torque_transfer·engagement); locked while T* is inside.

    Solving for the end of the substep needs no sign of the slip, so a locked disc neither creeps nor chatters.
    """

    def __init__(self, settings: ClutchSettings) -> None:
        super().__init__()
        self._max_torque: float = settings.max_torque_transfer

    def torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        capacity = self._max_torque * self.engagement
        return clamp(self.closing_torque(speed, acceleration, inverse_inertia), -capacity, capacity)

    def lock(self, torque: float, speed: float) -> float:
        """1 while locked, the ratio of the slower to the faster side while it slips, 0 when open or opposed."""
        capacity = self._max_torque * self.engagement
        if capacity <= 0.0:
            return 0.0
        if -capacity < torque < capacity:
            return 1.0
        slower, faster = (speed, self.speed) if speed < self.speed else (self.speed, speed)
        return slower / faster if slower > 0.0 else 0.0


def make_clutch(settings: ClutchSettings) -> Clutch:
    """The kind of clutch that the settings name."""
    return FrictionDisc(settings)
