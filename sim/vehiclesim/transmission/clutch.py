"""The dry clutch, and which kind of clutch or converter stands between engine and gearbox."""

from vehiclesim.curves import clamp
from vehiclesim.parameters import ClutchSettings, ClutchType
from vehiclesim.transmission.converter import HydrodynamicConverter
from vehiclesim.transmission.coupling import Clutch
from vehiclesim.transmission.lock_ratio import LockRatio, TorqueConverter, TorqueConverterLimited


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
        """1 while locked, the ratio of the slower to the faster side while it slips, 0 when open or opposed."""
        capacity = self._max_torque * self.engagement
        if capacity <= 0.0:
            return 0.0
        return 1.0 if -capacity < torque < capacity else self.speed_ratio(speed)


def make_clutch(settings: ClutchSettings, inertia: float) -> Clutch:
    """The kind of clutch that the settings name, on a flywheel of some inertia [kg m²]."""
    if settings.type is ClutchType.LOCK_RATIO:
        return LockRatio(inertia)
    if settings.type is ClutchType.TORQUE_CONVERTER:
        return TorqueConverter(settings, inertia)
    if settings.type is ClutchType.TORQUE_CONVERTER_LIMITED:
        return TorqueConverterLimited(settings, inertia)
    if settings.type is ClutchType.HYDRODYNAMIC:
        return HydrodynamicConverter(settings)
    return FrictionDisc(settings)
