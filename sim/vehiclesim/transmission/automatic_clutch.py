"""Automatic clutch: its engagement while the vehicle starts off, and after a change of gear."""

from typing import ClassVar, Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.curves import clamp
from vehiclesim.state import Stateful
from vehiclesim.transmission.shift_strategy import RELEASED
from vehiclesim.transmission.shifting import Powertrain

_OPEN: Final = 1.1
"""Multiple of the idle speed up to which the clutch is open: an engine at idle neither creeps nor stalls."""

_CLOSED: Final = 2.0
"""Multiple of the idle speed from which it is closed."""

_CREEP_ENDS: Final = 0.9
"""Multiple of the idle speed at which creeping has ended, so that a hill does not stall the engine."""

ENGAGEMENT_TIME: Final = 0.3
"""[s], in which the clutch closes after a change of gear."""


class AutomaticClutch(Stateful):
    """request = min(start, shift, hold), 0 = open .. 1 = engaged.

    start = (n - n_open)/(n_closed - n_open), n being the faster of engine and input shaft: the clutch takes more
    torque the faster the engine turns, which settles at the torque that the engine has, until the vehicle has gained
    the engine's speed. It opens before idle pulls at the brakes, and a rolling vehicle closes it from the other side.

    hold = (T + I·(w - w_idle)/dt) / T_max, as long as the input shaft is slower than n_open: the engagement at which
    the next step ends at idle at the lowest. Only long steps need it: in short ones `start` opens the clutch.

    creep = T_creep/T_max instead of a lesser start, fading out as the engine falls below idle. It comes in
    ENGAGEMENT_TIME after the brake is released, and goes as fast.

    shift = 0 in neutral, then grows from 0 to 1 in ENGAGEMENT_TIME. Until then the engine is requested to take the
    speed of the new gear.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("time_in_gear", "creeping")

    def __init__(self, powertrain: Powertrain, creep_torque: float = 0.0) -> None:
        self.time_in_gear: float = 0.0  # [s], at most ENGAGEMENT_TIME
        self.creeping: float = 0.0  # share of the creep torque
        self._idle_rpm: float = powertrain.idle_rpm
        self._open_rpm: float = _OPEN * powertrain.idle_rpm
        self._range: float = (_CLOSED - _OPEN) * powertrain.idle_rpm
        self._engine_torque = powertrain.torque
        self._engine_inertia: float = powertrain.engine_inertia
        self._max_torque: float = powertrain.clutch_torque
        self._creep: float = min(creep_torque / self._max_torque, 1.0) if self._max_torque > 0.0 else 0.0

    def close_at(self, rpm: float) -> None:
        """Raise the speeds [1/min] between which it closes, so that it is closed from `rpm` on; 0: as usual."""
        usual, raised = _OPEN * self._idle_rpm, rpm - self._range
        self._open_rpm = raised if raised > usual else usual

    def request(self, engine_rpm: float, input_rpm: float, throttle: float, delta_time: float) -> float:
        """Return the engagement for speeds [1/min] of engine and input shaft, the pedal and the coming step [s]."""
        rpm = input_rpm if input_rpm > engine_rpm else engine_rpm
        start = clamp((rpm - self._open_rpm) / self._range, 0.0, 1.0)
        if start > 0.0 and input_rpm < self._open_rpm:
            slowing = self._engine_inertia * (engine_rpm - self._idle_rpm) * RPM_TO_W / delta_time
            hold: float = self._engine_torque(engine_rpm, throttle) + slowing
            if hold < start * self._max_torque:
                start = hold / self._max_torque if hold > 0.0 else 0.0
        if self.creeping > 0.0:
            creep = self._creep * clamp((engine_rpm / self._idle_rpm - _CREEP_ENDS) / (1.0 - _CREEP_ENDS), 0.0, 1.0)
            creep *= self.creeping
            if creep > start:
                start = creep
        shift = self.time_in_gear / ENGAGEMENT_TIME
        return shift if shift < start else start

    def target_rpm(self, input_rpm: float, shifting: bool) -> float:
        """Return the speed [1/min] requested of the engine: that of the gear which is being engaged; -1: none."""
        if shifting:
            return input_rpm if input_rpm > self._idle_rpm else self._idle_rpm
        closing = 0.0 < self.time_in_gear < ENGAGEMENT_TIME
        return input_rpm if closing and input_rpm > self._idle_rpm else -1.0

    def advance(self, in_gear: bool, delta_time: float, brake: float = 1.0) -> None:
        """Advance the time in gear by a step [s], and the creeping with a position of the brake pedal."""
        if self._creep > 0.0:
            way = delta_time / ENGAGEMENT_TIME
            self.creeping = clamp(self.creeping + (way if brake <= RELEASED and in_gear else -way), 0.0, 1.0)
        self.time_in_gear = clamp(self.time_in_gear + delta_time, 0.0, ENGAGEMENT_TIME) if in_gear else 0.0
