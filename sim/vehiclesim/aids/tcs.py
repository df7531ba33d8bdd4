"""Traction control system (TCS), which limits the engine to the speed at which the driven wheels slip as allowed."""

from typing import Final

from vehiclesim.aids.slip import SlipMeter
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.flywheel import RESPONSE_TIME
from vehiclesim.parameters.aids import TcsMode, TcsSettings

_STREET: Final = 0.3
"""[m/s] allowed beyond the tyre's peak, where the anti-lock system begins to act too (assumed)."""

_SPORT: Final = 1.5
"""[m/s], where the anti-lock system acts fully (assumed)."""

_ALERT: Final = 0.5
"""Share of the allowed slip from which on the engine is controlled, so that it meets the bound without overshoot."""

_FORESIGHT: Final = 0.9
"""Share of the vehicle's gain of speed that is counted on, so that the slip stays below its bound."""

_UNBOUNDED: Final = 1e9
"""[m/s], more than any wheel slips."""


class TractionControl:
    """n_max = n·(1 + (h + a·τ)/u): h is what the driven wheel that slips most may slip more.

        h = min(peak + allowed - slip) of the driven wheels [m/s]

    u is the mean rim speed of all, and a·τ what the vehicle gains while the engine responds: without it an engine
    that follows the vehicle up would be held back, and the tyres below their peak.

    Neither gear nor final drive need be known. The engine never has to go below its idle speed, in first gear some
    2 m/s of rim speed: at less than that, wheels on ice spin with the clutch engaged.
    """

    def __init__(self, settings: TcsSettings, chassis: Chassis, driven: list[SlipMeter]) -> None:
        self._chassis: Chassis = chassis
        self._driven: list[SlipMeter] = driven
        self._allowed: float = settings.custom_slip
        if settings.mode is TcsMode.STREET:
            self._allowed = _STREET
        elif settings.mode is TcsMode.SPORT:
            self._allowed = _SPORT
        self._ratio: float = settings.ratio
        self._throttle_factor: float = settings.throttle_factor

    def hold(self, engine: Engine, rpm: float) -> None:
        """Request n_max of what drives, now at n [1/min], while a driven wheel slips near to the allowed slip or more.

        A lower request from outside stays.
        """
        most = _UNBOUNDED
        rims = 0.0
        watching = False
        for meter in self._driven:
            slip = meter.driving()
            limit = meter.driving_peak() + self._allowed
            if slip > _ALERT * limit:
                watching = True
            left = limit - slip
            if left < most:
                most = left
            rim = meter.wheel.spin * meter.wheel.radius
            rims += rim if rim >= 0.0 else -rim
        if watching and rims > 0.0:
            gained = self._chassis.sensor_acceleration * _FORESIGHT * RESPONSE_TIME
            if self._chassis.sensor_speed < 0.0:
                gained = -gained
            if gained > 0.0:
                most += gained
            rpm = rpm * (1.0 + most * len(self._driven) / rims)
            rpm = rpm if rpm > 0.0 else 0.0
            if engine.tcs_rpms < 0.0 or rpm < engine.tcs_rpms:
                engine.tcs_rpms = rpm
                engine.tcs_ratio = self._ratio
                engine.tcs_throttle_factor = self._throttle_factor
