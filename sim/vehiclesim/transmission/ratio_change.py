"""Ways to change the ratio without a gap in the drive: the gears that a dual clutch has ready, and a variator."""

from typing import ClassVar, Final

from vehiclesim.block import W_TO_RPM
from vehiclesim.curves import clamp
from vehiclesim.parameters import GearboxSettings, ShiftingSettings
from vehiclesim.state import Stateful
from vehiclesim.tables import Table
from vehiclesim.transmission.shift_strategy import RELEASED
from vehiclesim.transmission.shifting import GearboxStates

_SHORTEST_HANDOVER: Final = 0.001
"""[s]. A handover has some duration, so that a ratio can be in between."""


class Preselection(Stateful):
    """The gear that a gearbox with two clutches keeps engaged on its idle shaft, while the other shaft drives.

    The pedal tells which: pressed, the next gear; released, or with the brake on, the one before. Its synchroniser
    takes the shift time of the gearbox. Odd gears are on one shaft, even ones on the other.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("gear", "time_left")

    def __init__(self, settings: GearboxSettings, transition_time: float) -> None:
        self.gear: int = 0  # that is ready, or will be in time_left
        self.time_left: float = 0.0  # [s]
        self._count: int = len(settings.gears)
        self._shift_time: float = settings.shift_time
        self._transition_time: float = max(transition_time, _SHORTEST_HANDOVER)

    def advance(self, engaged: int, states: GearboxStates, delta_time: float) -> None:
        """Advance by a step [s] with a forward gear engaged, not while it changes."""
        slowing = states.throttle <= RELEASED or states.brake > RELEASED
        wanted = engaged - 1 if slowing or engaged == self._count else engaged + 1
        if wanted != self.gear:
            self.gear = wanted
            self.time_left = self._shift_time
        self.time_left = max(0.0, self.time_left - delta_time)

    def waiting_time(self, target: int) -> float:
        """Return the time [s] until the clutches can begin to hand over to a gear."""
        return self.time_left if target == self.gear else self._shift_time

    def handover_time(self, engaged: int, target: int) -> float:
        """Return the time [s] of the handover: twice as long between gears of one shaft, by way of the other one."""
        return self._transition_time if (target - engaged) % 2 != 0 else 2.0 * self._transition_time


_FOLLOWING_TIME: Final = 0.2
"""[s], the time constant with which a variator follows its demand."""

_THERE: Final = 1e-6
"""Difference from the wanted ratio at which a variator rests."""


class Variator(Stateful):
    """A ratio N without steps: N = n_demand(pedal)/n_out, between two limits, in no less than ratio_time end to end.

    It follows with a lag, so that a restless foot does not tug at the engine. At standstill it is at the shortest.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("ratio", "rate")

    def __init__(self, settings: GearboxSettings, shifting: ShiftingSettings) -> None:
        self._shortest: float = settings.ratios[0]
        self._longest: float = settings.ratios[-1]
        self._demand: Table = Table(shifting.demand_pedal, shifting.demand_rpm)
        self._fastest: float = (self._shortest - self._longest) / shifting.ratio_time
        self.ratio: float = self._shortest  # at the start of the step
        self.rate: float = 0.0  # dN/dt during the step [1/s]

    def advance(self, pedal: float, output_speed: float, delta_time: float) -> None:
        """Find the rate for a step [s], from the pedal 0 .. 1 and the speed [rad/s] of the output shaft."""
        rpm = output_speed * W_TO_RPM
        demand = self._demand.at(pedal)
        wanted = self._shortest
        if rpm * self._shortest > demand:
            wanted = max(demand / rpm, self._longest)
        time = _FOLLOWING_TIME if delta_time < _FOLLOWING_TIME else delta_time
        gap = wanted - self.ratio
        self.rate = 0.0 if -_THERE < gap < _THERE else clamp(gap / time, -self._fastest, self._fastest)

    def at(self, elapsed: float) -> float:
        """Return the ratio `elapsed` [s] into the step."""
        return self.ratio + self.rate * elapsed

    def end_step(self, delta_time: float) -> None:
        """Take over the ratio at the end of the step [s]."""
        self.ratio = clamp(self.at(delta_time), self._longest, self._shortest)
