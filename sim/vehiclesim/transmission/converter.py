"""Torque converters, and the choice of clutch or converter between engine and gearbox.

`LockRatio` and its converters remove a share of the slip, by pedal or by speed; `HydrodynamicConverter` has impeller,
turbine and stator by measured tables, and a lock-up clutch.
"""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import RPM_TO_W, W_TO_RPM
from vehiclesim.curves import clamp, log2, power, relaxation
from vehiclesim.parameters import ClutchSettings, ClutchType
from vehiclesim.tables import Table
from vehiclesim.transmission.clutch import RELEASE, Clutch, FrictionDisc, against_slip, closing_rest

_UNKNOWN: Final = float("nan")

_RELEASE_TIME: Final = 0.1
"""[s], in which the pressure of a lock-up clutch falls (assumed: 0.05 to 0.15, to let go before a shock comes)."""


_ROUNDING: Final = 1e-9
"""Share of the closing that may be missing through rounding."""


class HydrodynamicConverter(Clutch):
    """T_imp = (w/K(SR))², T_turb = TR(SR)·T_imp, SR = w_t/w, with w of the impeller, which is the flywheel.

    The capacity 1/K² falls in straight lines from point to point of the table, and to zero at SR = 1. When the
    turbine is the faster one the two change places, without torque multiplication. A turbine that turns backward
    counts as standing.

    Near SR = 1 the torque changes steeply with the slip. It is therefore taken as c·slip, with the c that the tables
    give at the start of the substep, and solved over the substep: with C = 1/I_e + TR/I, x = c·C·dt, φ = (1 - e^-x)/x

        T_imp = c·φ·slip + (1-φ)·(a_e - a)/C

    Beside it acts the lock-up clutch, if there is one, from a turbine speed of lock_rpm on in a gear that is engaged.
    Its pressure, and with it the torque that it can carry, grows evenly to max_torque_transfer in lock_up_time, while
    its control leads the slip to zero as `closing_rest` says; closed, q = 0:

        F = clamp([slip·(e^-x - q)/(φ·dt) + a_e - a] / (1/I_e + 1/I), ±pressure·max_torque_transfer)

    While it closes, F only acts against the slip, as friction does. Such a half-clutched state with rising pressure is
    the "smooth lock-up control" of service manuals (Infiniti EX35 2008, A/T control system; Volvo XC70 2009, TCM). To
    open it the pressure falls in _RELEASE_TIME. Its heat F·slip is part of the clutch's losses.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("locked", "pressure", "closed")

    def __init__(self, settings: ClutchSettings) -> None:
        super().__init__()
        ratios = settings.speed_ratio
        capacities = [1.0 / (factor * RPM_TO_W) / (factor * RPM_TO_W) for factor in settings.capacity_factor]
        self._capacity: Table = Table([*ratios, 1.0], [*capacities, 0.0])  # 1/K² [N m s²/rad²] over SR
        self._multiplication: Table = Table([*ratios, 1.0], [*settings.torque_ratio, 1.0])  # TR over SR
        self._last_ratio: float = ratios[-1]
        self._last_slope: float = capacities[-1] / (1.0 - ratios[-1])
        self._max_torque: float = settings.max_torque_transfer
        self._lock_up: bool = settings.lock_up
        self._lock_rpm: float = settings.lock_rpm
        self._lock_up_time: float = settings.lock_up_time
        self.pressure: float = 0.0  # of the lock-up clutch, over the highest
        self.closed: bool = False  # its slip has been taken away, until it is open again
        self._rest: float = 0.0  # q, share of its slip that it leaves in this substep
        self._stiffness: float = 0.0  # c [N m s/rad]
        self._gain: float = 1.0  # TR at the speeds of this substep
        self._friction: float = 0.0  # of the lock-up clutch [N m]

    def start_step(self, speed: float) -> None:
        threshold = self._lock_rpm * RELEASE if self.locked else self._lock_rpm
        turns = self.speed * W_TO_RPM >= threshold and self.engagement >= 1.0
        self.locked = self._lock_up and self.may_lock and turns

    def start_substep(self, speed: float) -> None:
        if self.locked or self.pressure > 0.0:
            self._work_lock_up()
        if speed >= self.speed:
            self._stiffness = self._fluid_stiffness(speed, self.speed) * self.engagement
            self._gain = self._multiplication.at(self.speed / speed) if speed > 0.0 else 1.0
        else:
            self._stiffness = self._fluid_stiffness(self.speed, speed) * self.engagement
            self._gain = 1.0

    def _work_lock_up(self) -> None:
        """Advance the pressure of the lock-up clutch by a substep, and find what it leaves of the slip."""
        before = self.pressure
        self._rest = 0.0 if self.closed else 1.0
        if self.locked:
            after = before + self.substep / self._lock_up_time
            if not self.closed:
                self._rest = closing_rest(before, after)
                self.closed = after >= 1.0 - _ROUNDING
            self.pressure = after if after < 1.0 else 1.0
        else:
            after = before - self.substep / _RELEASE_TIME
            self.pressure = after if after > 0.0 else 0.0
            if after <= 0.0:
                self.closed = False

    def _fluid_stiffness(self, faster: float, slower: float) -> float:
        """c = w²/K²/slip, in its limit w·d(1/K²)/dSR where the slip vanishes."""
        if faster <= 0.0:
            return 0.0
        ratio = slower / faster
        if ratio >= self._last_ratio:
            return self._last_slope * faster
        return self._capacity.at(ratio) * faster / (1.0 - ratio)

    def torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        stiffness = self._stiffness
        slip = speed - self.speed
        difference = acceleration - self.acceleration
        compliance = inverse_inertia + self.inverse_inertia
        fluid_compliance = inverse_inertia + self._gain * self.inverse_inertia
        x = stiffness * fluid_compliance * self.substep
        mean = relaxation(x)
        self._friction = 0.0
        if self.pressure > 0.0 and compliance > 0.0:
            pull = slip / (mean * self.substep)
            stick = pull * (1.0 - x * mean) + difference
            closing = stick - pull * self._rest
            if not self.closed:
                closing = against_slip(closing, stick, slip)
            capacity = self.pressure * self._max_torque
            self._friction = clamp(closing / compliance, -capacity, capacity)
            difference -= self._friction * compliance
        if fluid_compliance <= 0.0:
            return stiffness * (slip + 0.5 * difference * self.substep)
        return stiffness * mean * slip + (1.0 - mean) * difference / fluid_compliance + self._friction

    def output_torque(self, torque: float) -> float:
        return self._gain * (torque - self._friction) + self._friction

    def lock(self, torque: float, speed: float) -> float:
        """Return 1 while the lock-up clutch holds, else the speed ratio; not-a-number while both sides stand."""
        capacity = self.pressure * self._max_torque
        if self.closed and -capacity < self._friction < capacity:
            return 1.0
        return self.speed_ratio(speed) if speed > 0.0 or self.speed > 0.0 else _UNKNOWN


RATE: Final = 20.0
"""[1/s]. A lock ratio is the share of the slip that is taken away in 1/RATE from J on a held driveline."""

INERTIA_PER_TORQUE: Final = 0.35 / 300.0
"""[kg m²/Nm]. J per max_torque_transfer, by the published figures of a converter of 300 Nm on a flywheel of 0.35 kg m²:
28 Nm at 800 rpm with a lock ratio of 4.765 %."""

_LEAST_REST: Final = 1e-9
"""Share of the slip that a lock ratio of 1 leaves after 1/RATE."""

_LN_2: Final = 0.6931471805599453


@mypyc_attr(allow_interpreted_subclasses=True)
class LockRatio(Clutch):
    """A coupling by a lock ratio: T = c·slip with c = -RATE·J·ln(1-λ); λ is the engagement.

    J is a measure of the coupling's size, by its max_torque_transfer, and no one's inertia: a flywheel that has just
    this inertia loses the share λ of its slip to a held driveline in every 1/RATE, slip(t) = slip·(1-λ)^(RATE·t). The
    torque is the mean of that law over the substep, with both sides free: for C = 1/I_e + 1/I, x = c·C·dt and
    φ = (1 - e^-x)/x

        T = c·φ·slip + (1-φ)·(a_e - a)/C

    which leaves slip·e^-x + (a_e - a)·φ·dt. However the time is cut into substeps, the slip is the same.

    λ = 1 locks: the load is carried without slip, T = c·φ·slip + (a_e - a)/C, and old slip is gone within 1/RATE.
    """

    def __init__(self, settings: ClutchSettings) -> None:
        super().__init__()
        self._unit: float = RATE * INERTIA_PER_TORQUE * settings.max_torque_transfer * _LN_2
        self._ratio: float = 0.0  # λ
        self._stiffness: float = 0.0  # c [N m s/rad]

    def ratio(self, speed: float) -> float:
        """Return λ at a speed [rad/s] of the flywheel, for a clutch that is not locked."""
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
        """Return λ."""
        return self._ratio


@mypyc_attr(allow_interpreted_subclasses=True)
class TorqueConverter(LockRatio):
    """A converter without stator: λ = bias(n/lock_rpm, lock_ratio_bias), n the engine's speed; locked from lock_rpm on.

    The published lock ratio at 800 rpm of 2000 with bias 0.1 is 4.765 %.
    """

    def __init__(self, settings: ClutchSettings) -> None:
        super().__init__(settings)
        self._lock_rpm: float = settings.lock_rpm
        self._exponent: float = -log2(settings.lock_ratio_bias)

    def ratio(self, speed: float) -> float:
        return power(clamp(speed * W_TO_RPM / self._lock_rpm, 0.0, 1.0), self._exponent) * self.engagement

    def start_step(self, speed: float) -> None:
        threshold = self._lock_rpm * RELEASE if self.locked else self._lock_rpm
        self.locked = speed * W_TO_RPM >= threshold and self.engagement >= 1.0


class TorqueConverterLimited(TorqueConverter):
    """A torque converter that slips at max_torque_transfer."""

    def __init__(self, settings: ClutchSettings) -> None:
        super().__init__(settings)
        self._max_torque: float = settings.max_torque_transfer

    def torque(self, speed: float, acceleration: float, inverse_inertia: float) -> float:
        return clamp(super().torque(speed, acceleration, inverse_inertia), -self._max_torque, self._max_torque)


def make_clutch(settings: ClutchSettings) -> Clutch:
    """Make the kind of clutch that the settings name."""
    if settings.type is ClutchType.LOCK_RATIO:
        return LockRatio(settings)
    if settings.type is ClutchType.TORQUE_CONVERTER:
        return TorqueConverter(settings)
    if settings.type is ClutchType.TORQUE_CONVERTER_LIMITED:
        return TorqueConverterLimited(settings)
    if settings.type is ClutchType.HYDRODYNAMIC:
        return HydrodynamicConverter(settings)
    return FrictionDisc(settings)
