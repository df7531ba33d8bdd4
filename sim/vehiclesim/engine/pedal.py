"""The accelerator pedal: which share of the available combustion torque a position asks for, and back."""

from typing import Final

from vehiclesim.block import RPM_TO_W, W_TO_RPM
from vehiclesim.curves import clamp, log2, power
from vehiclesim.engine.torque_curve import TorqueCurve
from vehiclesim.parameters import EngineSettings, IdleControl

_TOUCH: Final = 0.02
"""The pedal travel over which the torque that holds idle fades in: a released pedal burns nothing on overrun."""


class PedalMap:
    """share = hold·min(1, pedal/0.02) + (1-hold)·pedal: the whole travel lies above what holds the speed.

    hold = hold_idle·bias(1-u, active_idle_bias), u = (n-idle)/(range·(limit-idle)): near idle the pedal starts at the
    torque of idle, so that it has no dead zone there; from u = 1 on and without active idle share = pedal.
    """

    def __init__(self, settings: EngineSettings, curve: TorqueCurve) -> None:
        raw = curve.raw_torque(settings.idle_rpm)
        friction = curve.friction(settings.idle_rpm * RPM_TO_W)
        active = settings.idle_control is IdleControl.ACTIVE
        self._idle_hold: float = friction / raw if raw > friction else 1.0
        self._idle_rpm: float = settings.idle_rpm
        self._range: float = settings.active_idle_range * (curve.limit_rpm - settings.idle_rpm) if active else 0.0
        self._exponent: float = -log2(settings.active_idle_bias)  # of the bias function

    def share(self, pedal: float, w: float) -> float:
        """Share 0..1 of the combustion torque for a position 0..1, at a speed [rad/s]."""
        if pedal <= 0.0:
            return pedal
        hold = self._hold(w)
        if hold <= 0.0:
            return pedal
        return hold * (pedal / _TOUCH if pedal < _TOUCH else 1.0) + (1.0 - hold) * pedal

    def position(self, share: float, w: float) -> float:
        """The pedal that asks for a share at a speed [rad/s]: the inverse of `share`, inside 0 .. 1."""
        hold = self._hold(w)
        fading = hold / _TOUCH + 1.0 - hold
        if share < fading * _TOUCH:
            return clamp(share / fading, 0.0, 1.0)
        return clamp((share - hold) / (1.0 - hold), 0.0, 1.0) if hold < 1.0 else 1.0

    def _hold(self, w: float) -> float:
        """The share that the pedal starts with; 0 beyond the range of the map."""
        if self._range <= 0.0:
            return 0.0
        u = (w * W_TO_RPM - self._idle_rpm) / self._range
        if u >= 1.0:
            return 0.0
        return self._idle_hold * power(1.0 - u, self._exponent) if u > 0.0 else self._idle_hold
