"""Which gear to drive in: that of the trace, or the longest one that the engine can bear."""

from typing import Final

from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.trace import Trace

_PERIOD: Final = 0.2
"""[s] between two choices of the gear."""

_STARTING: Final = 2.0
"""[s] before it starts off, the driver of a standing vehicle puts in first gear."""

_AHEAD: Final = (0.5, 1.0, 1.5, 2.0, 2.5)
"""[s]. Times ahead at which a longer gear must be good too."""

_SHORTEST_STAY: Final = 3.0
"""[s] in a gear before a longer one is taken."""

_SAFETY: Final = 0.9
"""Share of its torque that a longer gear may need (UN GTR No. 15, Annex 2: safety margin of 10 %)."""

_LEAST_GAIN: Final = 1.1
"""Where no gear has the torque, another one must pull so much harder than the present one."""

_MINIMUM_SPEED: Final = 0.125
"""From gear 2 on, the engine turns at least this share of the way from idle to rated speed (UN GTR No. 15)."""

_LAG: Final = 1.0
"""[m/s] that the vehicle may be slower than the trace before the driver wants to gain on it, in a second."""

_SLOWING: Final = -0.25
"""[m/s²]. While it slows down, the vehicle stays in gear."""


class GearChoice:
    """The choice of a gear: that of the trace, as far as the gearbox has it and it reaches the trace's speed.

    Without, it chooses by speed and torque. A gear fits if the engine then turns neither too slow to pull nor too
    fast. Of those that fit, the longest with enough torque is taken; where none has enough, the one that pulls hardest.
    """

    def __init__(self, trace: Trace, vehicle: InverseVehicle) -> None:
        self._trace: Final = trace
        self._vehicle: Final = vehicle
        self._lowest_rpm: Final = vehicle.idle_rpm + _MINIMUM_SPEED * (vehicle.rated_rpm - vehicle.idle_rpm)
        self._gear = 0
        self._since = 0.0
        self._next_choice = 0.0

    def choose(self, t: float, speed: float) -> int:
        """Return the gear at the time `t` [s], for a vehicle with a speed [m/s]; 0 is neutral."""
        prescribed = self._trace.gear(t)
        if prescribed is not None:
            fast_enough = self._shortest(max(speed, self._trace.speed(t)))
            return max(min(prescribed, self._vehicle.gears), fast_enough) if prescribed > 0 else 0
        if t >= self._next_choice:
            self._next_choice = t + _PERIOD
            gear = self._own(t, speed)
            if gear != self._gear:
                self._gear, self._since = gear, t
        return self._gear

    def _own(self, t: float, speed: float) -> int:
        trace, gear = self._trace, self._gear
        target = trace.speed(t)
        acceleration = trace.speed(t + 1.0) - target + max(0.0, target - speed - _LAG)  # in a second
        if target <= 0.0:
            return 1 if trace.speed(t + _STARTING) > 0.0 else 0
        if gear == 0:
            return self._longest(speed, acceleration, _SAFETY)
        if acceleration < _SLOWING:
            return max(gear, self._shortest(speed))
        longest = self._longest(speed, acceleration, _SAFETY)
        if longest > gear and t - self._since >= _SHORTEST_STAY:
            for ahead in _AHEAD:
                soon = trace.speed(t + ahead)
                change = trace.speed(t + ahead + 1.0) - soon
                longest = min(longest, self._longest(speed + soon - target, change, _SAFETY))
            return max(gear, longest, self._shortest(speed))
        return max(min(gear, self._longest(speed, acceleration, 1.0)), self._shortest(speed))

    def _shortest(self, speed: float) -> int:
        """Return the shortest gear in which the engine does not turn too fast."""
        vehicle = self._vehicle
        for gear in range(1, vehicle.gears):
            if vehicle.engine_rpm(speed, gear) <= vehicle.highest_rpm:
                return gear
        return vehicle.gears

    def _longest(self, speed: float, acceleration: float, share: float) -> int:
        """Return the longest gear that fits, and of whose torque a share is enough."""
        vehicle = self._vehicle
        force = vehicle.force(acceleration, speed)
        shortest = self._shortest(speed)
        strongest, most = shortest, 0.0
        for gear in range(vehicle.gears, shortest - 1, -1):
            rpm = vehicle.engine_rpm(speed, gear)
            if rpm < self._lowest_rpm and gear > shortest:
                continue
            torque = vehicle.torque(max(rpm, vehicle.idle_rpm), 1.0)
            if vehicle.engine_torque(force, acceleration, gear) <= share * torque:
                return gear
            pull = torque * vehicle.ratio(gear) * (_LEAST_GAIN if gear == self._gear else 1.0)
            if pull > most:
                strongest, most = gear, pull
        return strongest
