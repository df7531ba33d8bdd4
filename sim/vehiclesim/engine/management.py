"""Accelerator pedal and engine management: the requested share of the available combustion torque.

The share comes from the pedal, or from a control unit that requests a torque instead. A gearbox that is changing
gear may request more or less. It is then bounded by traction control and by a torque limit, by the idle control from
below and by the speed limiters from above. Automatic speed replaces all of them.
"""

from typing import ClassVar, Final

from vehiclesim.block import RPM_TO_W, W_TO_RPM
from vehiclesim.curves import clamp, log2, power
from vehiclesim.engine.charge import Charge
from vehiclesim.engine.flywheel import Flywheel
from vehiclesim.engine.full_load import FullLoad
from vehiclesim.engine.throttling import SPARK_RESERVE
from vehiclesim.engine.torque_curve import TorqueCurve
from vehiclesim.parameters import EngineSettings, IdleControl, RpmLimiterMode
from vehiclesim.state import Stateful

_TOUCH: Final = 0.02
"""The pedal travel over which the torque that holds idle fades in: a released pedal burns nothing on overrun."""


class PedalMap:
    """share = hold·min(1, pedal/0.02) + (1-hold)·pedal: the whole travel lies above the share that holds the speed.

    hold = load·hold_idle·bias(1-u, active_idle_bias), u = (n-idle-rise)/(range·(limit-idle)): near idle the pedal
    starts at the torque of idle, so that it has no dead zone there; from u = 1 on and without active idle
    share = pedal. `load` and `rise` are inputs: what a cold engine with its accessories needs at idle, over what it
    needs while it is warm, and how much faster [1/min] it idles.
    """

    def __init__(self, settings: EngineSettings, curve: TorqueCurve) -> None:
        raw = curve.raw_torque(settings.idle_rpm)
        friction = curve.friction(settings.idle_rpm * RPM_TO_W)
        active = settings.idle_control is IdleControl.ACTIVE
        self._idle_hold: float = friction / raw if raw > friction else 1.0
        self._idle_rpm: float = settings.idle_rpm
        self._range: float = settings.active_idle_range * (curve.limit_rpm - settings.idle_rpm) if active else 0.0
        self.load: float = 1.0
        self.rise: float = 0.0
        self._exponent: float = -log2(settings.active_idle_bias)  # of the bias function

    def share(self, pedal: float, w: float) -> float:
        """Return the share 0..1 of the combustion torque for a position 0..1, at a speed [rad/s]."""
        if pedal <= 0.0:
            return pedal
        hold = self._hold(w)
        if hold <= 0.0:
            return pedal
        return hold * (pedal / _TOUCH if pedal < _TOUCH else 1.0) + (1.0 - hold) * pedal

    def position(self, share: float, w: float) -> float:
        """Return the pedal position for a share at a speed [rad/s]: the inverse of `share`, inside 0 .. 1."""
        hold = self._hold(w)
        fading = hold / _TOUCH + 1.0 - hold
        if share < fading * _TOUCH:
            return clamp(share / fading, 0.0, 1.0)
        return clamp((share - hold) / (1.0 - hold), 0.0, 1.0) if hold < 1.0 else 1.0

    def _hold(self, w: float) -> float:
        """Return the share that the pedal starts with; 0 beyond the range of the map."""
        if self._range <= 0.0:
            return 0.0
        u = (w * W_TO_RPM - self._idle_rpm - self.rise) / self._range
        if u >= 1.0:
            return 0.0
        hold = self._idle_hold * self.load
        if hold > 1.0:
            hold = 1.0
        return hold * power(1.0 - u, self._exponent) if u > 0.0 else hold


_UNLIMITED: Final = float("inf")

_TCS_AIR_TIME: Final = 0.1
"""[s] in which the plate follows the torque that traction control leaves; spark and cylinders do at once (assumed)."""

_LEAST_FIRING: Final = 0.5
"""Share of combustions for which the idle control makes up, as its integral part does in some seconds (assumed)."""

_TIME_ROUNDING: Final = 1e-9
"""[s] by which a time may be missed through rounding."""


class EngineManagement(Stateful):
    """Pedal map, idle control, limiter, traction control and automatic speed of one engine."""

    state_vars: ClassVar[tuple[str, ...]] = ("cut_until", "limiting", "tcs_engaged", "tcs_air")

    def __init__(self, settings: EngineSettings, full_load: FullLoad, charge: Charge) -> None:
        curve = full_load.curve
        self.throttle: float = 0.0
        self.torque_request: float = float("nan")  # at the flywheel [N m], not-a-number: none
        self.torque_limit: float = _UNLIMITED  # at the flywheel [N m]
        self.shift_torque: float = 0.0  # of the gearbox [N m]
        self.limit_w: float = _UNLIMITED  # [rad/s], limit of a control unit
        self.tcs_w: float = -1.0  # [rad/s], negative: none
        self.tcs_ratio: float = 1.0
        self.tcs_throttle_factor: float = 1.0
        self.auto_w: float = -1.0  # [rad/s], negative: none
        self.idle_w: float = settings.idle_rpm * RPM_TO_W  # [rad/s]
        self.friction_factor: float = 1.0  # own friction over that of the warm engine
        self.firing: float = 1.0  # share of the combustions that succeed
        self.limiting: bool = False
        self.tcs_engaged: bool = False
        self.tcs_air: float = 1.0  # share for which traction control leaves air
        self.cut_until: float = 0.0  # [s] since the start of the step
        self.asked: float = 0.0  # share that pedal or torque request ask for

        self._charge: Charge = charge
        self._idle_friction: float = curve.friction(self.idle_w)
        self._active: bool = settings.idle_control is IdleControl.ACTIVE
        self._max_idle_share: float = settings.max_idle_throttle
        self.pedal: PedalMap = PedalMap(settings, curve)

        self._limiter: bool = settings.rpm_limiter
        self._cuts: bool = settings.rpm_limiter_mode is RpmLimiterMode.INJECTION_CUT
        self._limiter_w: float = settings.rpm_limiter_max * RPM_TO_W
        self._cutoff_time: float = settings.rpm_limiter_cutoff_time

    def share(self, flywheel: Flywheel, available: float, elapsed: float) -> float:
        """Return the share 0..1 of the available torque [N m], `elapsed` [s] into the step."""
        self.limiting = False
        self.tcs_engaged = False
        self.asked = 0.0
        if available <= 0.0:
            if self._charge.lags:
                self._charge.rest(flywheel.speed * W_TO_RPM, flywheel.substep)
            return 0.0
        if self.auto_w >= 0.0:
            share, idle = 0.0, self._reach(self.auto_w, flywheel, available)
        else:
            share, idle = self._demand(flywheel, available), self._idle(flywheel, available)
        self.asked = share
        if self._charge.lags:
            share = self._air_share(share, flywheel, available)
            self._charge.follow(share, idle, available, flywheel.speed * W_TO_RPM, flywheel.substep)
            share, idle = self._charge.driven, self._charge.held
        if self.auto_w >= 0.0:
            return idle
        if self.shift_torque < 0.0:
            share = clamp(share + self.shift_torque / available, 0.0, 1.0)
        if self.tcs_w >= 0.0:
            share = self._traction(share, flywheel, available)
        if self.torque_limit < _UNLIMITED:
            share = min(share, self._share_of(self.torque_limit, flywheel, available))
        return self._limit(share if share > idle else idle, flywheel, available, elapsed)

    def end_step(self, delta_time: float) -> None:
        """Reduce the remaining time of an injection cut by one step."""
        remaining = self.cut_until - delta_time
        self.cut_until = remaining if remaining > 0.0 else 0.0

    def _demand(self, flywheel: Flywheel, available: float) -> float:
        """Return the share requested by pedal or torque request, and more of it by the gearbox."""
        if self.torque_request == self.torque_request:
            share = self._share_of(self.torque_request, flywheel, available)
        else:
            share = self.pedal.share(self.throttle, flywheel.speed)
        return share if self.shift_torque <= 0.0 else clamp(share + self.shift_torque / available, 0.0, 1.0)

    def _share_of(self, torque: float, flywheel: Flywheel, available: float) -> float:
        """(T + T_friction) / available: the share that leaves a torque [N m] at the flywheel."""
        return clamp((torque + flywheel.friction) / available, 0.0, 1.0)

    def _traction(self, share: float, flywheel: Flywheel, available: float) -> float:
        """share + tcs_ratio·(tcs - share), where tcs <= tcs_throttle_factor reaches the hinted speed, if it is less."""
        tcs = clamp(self._reach(self.tcs_w, flywheel, available), 0.0, self.tcs_throttle_factor)
        if tcs >= share or self.tcs_ratio <= 0.0:
            return share
        self.tcs_engaged = True
        return share + self.tcs_ratio * (tcs - share)

    def _air_share(self, share: float, flywheel: Flywheel, available: float) -> float:
        """Return the share that the air is to reach: a demand within the torque limit, and the mean that TCS leaves.

        That with a late spark's reserve: the plate closes while traction control acts, and the spark can still give
        more torque at once.
        """
        if self.torque_limit < _UNLIMITED:
            share = min(share, self._share_of(self.torque_limit, flywheel, available))
        if self.tcs_w < 0.0 or self.auto_w >= 0.0:
            self.tcs_air = 1.0
            return share
        wanted = self._traction(share, flywheel, available)
        self.tcs_engaged = False
        air = self.tcs_air if self.tcs_air < share else share
        air += (wanted - air) * flywheel.substep / (_TCS_AIR_TIME + flywheel.substep)
        self.tcs_air = air
        air *= SPARK_RESERVE
        return air if air < share else share

    def _idle(self, flywheel: Flywheel, available: float) -> float:
        """Return the share of the idle control: the friction at idle (passive), or the one that holds idle (active)."""
        if not self._active:
            return clamp(self._idle_friction * self.friction_factor / available, 0.0, self._max_idle_share)
        burnt = available * self.firing if self.firing > _LEAST_FIRING else available * _LEAST_FIRING
        return clamp(flywheel.torque_towards(self.idle_w) / burnt, 0.0, self._max_idle_share)

    def _limit(self, share: float, flywheel: Flywheel, available: float, elapsed: float) -> float:
        """Apply the limiter. Cut: no injection for the cut-off time. Limit: the share that reaches the limit.

        The limit of a control unit is always of the second kind, and never below idle.
        """
        if self.limit_w < _UNLIMITED:
            share = self._bound(share, max(self.limit_w, self.idle_w), flywheel, available)
        if not self._limiter:
            return share
        if not self._cuts:
            return self._bound(share, self._limiter_w, flywheel, available)
        over = flywheel.speed >= self._limiter_w
        if over and self.cut_until - elapsed <= _TIME_ROUNDING:
            self.cut_until = elapsed + self._cutoff_time
        if over or self.cut_until - elapsed > _TIME_ROUNDING:
            self.limiting = True
            return 0.0
        return share

    def _bound(self, share: float, w: float, flywheel: Flywheel, available: float) -> float:
        """Limit the share to the one that reaches a speed [rad/s]."""
        limit = self._reach(w, flywheel, available)
        if limit < share:
            self.limiting = True
            return limit
        return share

    def _reach(self, w: float, flywheel: Flywheel, available: float) -> float:
        return clamp(flywheel.torque_towards(w) / available, 0.0, 1.0)
