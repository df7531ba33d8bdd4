"""Clutches by lock ratio: the share of the slip that is taken away, by pedal or, in a torque converter, by speed."""

from typing import Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import W_TO_RPM
from vehiclesim.curves import clamp, log2, power, relaxation
from vehiclesim.parameters import ClutchSettings
from vehiclesim.transmission.coupling import RELEASE, Clutch

RATE: Final = 20.0
"""[1/s]. A lock ratio is the share of the slip that is taken away in 1/RATE from a flywheel on a held driveline."""

_LEAST_REST: Final = 1e-9
"""What a lock ratio of 1 leaves of the slip after 1/RATE."""

_LN_2: Final = 0.6931471805599453


@mypyc_attr(allow_interpreted_subclasses=True)
class LockRatio(Clutch):
    """A coupling that takes the share λ of the slip away in every 1/RATE; λ is the engagement.

    Held driveline: slip(t) = slip·(1-λ)^(RATE·t), so T = c·slip with c = -RATE·I_e·ln(1-λ). The torque is the mean of
    that law over the substep, with both sides free: for C = 1/I_e + 1/I, x = c·C·dt and φ = (1 - e^-x)/x

        T = c·φ·slip + (1-φ)·(a_e - a)/C

    which leaves slip·e^-x + (a_e - a)·φ·dt. However the time is cut into substeps, the slip is the same.

    λ = 1 locks: the load is carried without slip, T = c·φ·slip + (a_e - a)/C, and old slip is gone within 1/RATE.
    """

    def __init__(self, inertia: float) -> None:
        super().__init__()
        self._unit: float = RATE * inertia * _LN_2
        self._ratio: float = 0.0  # λ
        self._stiffness: float = 0.0  # c [N m s/rad]

    def ratio(self, speed: float) -> float:
        """λ at a speed [rad/s] of the flywheel, for a clutch that is not locked."""
        return self.engagement

    def start_step(self, speed: float) -> None:
        self.locked = self.engagement >= 1.0

    def start_substep(self, speed: float) -> None:
        self._ratio = 1.0 if self.locked else self.ratio(speed)
        rest = 1.0 - self._ratio
        self._stiffness = -self._unit * log2(rest if rest > _LEAST_REST else _LEAST_REST)

    def torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        stiffness = self._stiffness
        slip = speed - self.speed
        difference = acceleration - self.acceleration
        compliance = inverse_inertia + self.inverse_inertia
        if compliance <= 0.0:
            return stiffness * (slip + 0.5 * difference * self.substep)
        mean = relaxation(stiffness * compliance * self.substep)
        carried = 1.0 if self.locked else 1.0 - mean
        return stiffness * mean * slip + carried * difference / compliance

    def lock(self, torque: float, speed: float) -> float:
        """λ."""
        return self._ratio


@mypyc_attr(allow_interpreted_subclasses=True)
class TorqueConverter(LockRatio):
    """A converter without stator: λ = bias(n/lock_rpm, lock_ratio_bias), n the engine's speed; locked from lock_rpm on.

    The published lock ratio at 800 rpm of 2000 with bias 0.1 is 4.765 %.
    """

    def __init__(self, settings: ClutchSettings, inertia: float) -> None:
        super().__init__(inertia)
        self._lock_rpm: float = settings.lock_rpm
        self._exponent: float = -log2(settings.lock_ratio_bias)

    def ratio(self, speed: float) -> float:
        return power(clamp(speed * W_TO_RPM / self._lock_rpm, 0.0, 1.0), self._exponent) * self.engagement

    def start_step(self, speed: float) -> None:
        threshold = self._lock_rpm * RELEASE if self.locked else self._lock_rpm
        self.locked = speed * W_TO_RPM >= threshold and self.engagement >= 1.0


class TorqueConverterLimited(TorqueConverter):
    """A torque converter that slips at max_torque_transfer."""

    def __init__(self, settings: ClutchSettings, inertia: float) -> None:
        super().__init__(settings, inertia)
        self._max_torque: float = settings.max_torque_transfer

    def torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        return clamp(super().torque(speed, acceleration, inverse_inertia), -self._max_torque, self._max_torque)
