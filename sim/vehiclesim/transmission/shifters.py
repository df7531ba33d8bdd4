"""Shifters of each type of gearbox: the gears that the levers of a sequential and of an automatic gearbox select."""

from typing import ClassVar, Final

from vehiclesim.parameters import GearboxSettings, GearboxType, ShiftingSettings
from vehiclesim.transmission.automatic import AutomaticShifting
from vehiclesim.transmission.shift_strategy import RELEASED
from vehiclesim.transmission.shifting import (
    AutoShiftOverride,
    GearboxStates,
    GearMode,
    GearRange,
    Powertrain,
    Shifter,
)

REVERSAL_SPEED: Final = 1.0
"""[m/s]. Rolling faster than this the other way, D and R are refused."""

PARKING_SPEED: Final = 0.5
"""[m/s]. The pawl of P engages below this speed."""

_AT_REST: Final = 0.1
"""[m/s]. Slower than this, the vehicle counts as standing."""


class SequentialShifter(Shifter):
    """Shifting by the driver; with AutoShiftOverride, automatic in the direction that the driver has chosen."""

    state_vars: ClassVar[tuple[str, ...]] = (*Shifter.state_vars, "automatic")

    def __init__(self, gears: GearRange, automatic: AutomaticShifting) -> None:
        super().__init__(gears)
        self.automatic: AutomaticShifting = automatic

    def select(self, gear: int, lever: int, mode: int, steps: int) -> int:
        if self.auto_shift != AutoShiftOverride.FORCED or gear == 0:
            return self.select_by_hand(gear, lever, steps)
        wanted = self.select_by_hand(gear, lever, 0)
        return self.select_automatic(gear, 1 if wanted > 0 else -1, steps) if wanted * gear > 0 else wanted

    def select_automatic(self, gear: int, direction: int, steps: int) -> int:
        """Return the gear to drive forward (1) or in reverse (-1); one of the other direction counts as neutral."""
        automatic = self.automatic
        longest = self.longest(direction)
        shortest = min(self.gears.shortest(direction), longest)
        present = max(0, gear * direction)
        if present > 0 and steps != 0:
            return direction * automatic.step(present, direction, steps, shortest, longest)
        if shortest <= present <= longest and self.auto_shift == AutoShiftOverride.BY_HAND:
            return gear
        return direction * automatic.select(present, direction, shortest, longest)

    def longest(self, direction: int) -> int:
        """Return the number of the longest gear to be used."""
        return self.gears.longest(direction)

    def observe(self, output_speed: float, output_torque: float, delta_time: float) -> None:
        self.automatic.observe(output_speed, output_torque, delta_time)


class ModeShifter(SequentialShifter):
    """The mode lever of an automatic gearbox: M P R N D, and D1 .. D5 with a longest gear.

    M is shifting by the driver. P waits in N until the vehicle nearly stands; R and D wait there while it rolls the
    other way. With strict park, P is only left with the brake on. R and D at rest are first gear, or neutral.
    """

    def __init__(self, gears: GearRange, automatic: AutomaticShifting, settings: ShiftingSettings) -> None:
        super().__init__(gears, automatic)
        self._strict_park: bool = settings.strict_park
        self._neutral_at_standstill: bool = settings.neutral_at_standstill

    def select(self, gear: int, lever: int, mode: int, steps: int) -> int:
        if mode != self.mode:
            self.mode = self._admissible_mode(mode)
        if self.mode == GearMode.MANUAL:
            return super().select(gear, lever, mode, steps)
        self.lever = lever
        if self.mode in {GearMode.PARK, GearMode.NEUTRAL} or self._is_at_rest():
            return 0
        return self.select_automatic(gear, -1 if self.mode == GearMode.REVERSE else 1, steps)

    def longest(self, direction: int) -> int:
        longest = self.gears.longest(direction)
        return min(self.mode - GearMode.DRIVE, longest) if self.mode > GearMode.DRIVE else longest

    def _is_at_rest(self) -> bool:
        states = self.automatic.outlook.states
        return self._neutral_at_standstill and abs(states.speed) < _AT_REST and states.throttle <= RELEASED

    def _admissible_mode(self, mode: int) -> int:
        states = self.automatic.outlook.states
        speed = states.speed
        if self.mode == GearMode.PARK and self._strict_park and states.brake <= RELEASED:
            return GearMode.PARK
        if mode == GearMode.PARK and abs(speed) > PARKING_SPEED:
            return GearMode.NEUTRAL
        if mode == GearMode.REVERSE and (speed > REVERSAL_SPEED or self.gears.reverse == 0):
            return GearMode.NEUTRAL
        if mode >= GearMode.DRIVE > self.mode and speed < -REVERSAL_SPEED:
            return GearMode.NEUTRAL
        return mode


def make_shifter(
    gears: GearRange,
    gearbox: GearboxSettings,
    settings: ShiftingSettings,
    powertrain: Powertrain | None,
    states: GearboxStates,
) -> Shifter:
    """Make the shifter of this type of gearbox; ValueError for settings that cannot work."""
    if gearbox.type is GearboxType.MANUAL:
        return Shifter(gears)
    if powertrain is None:
        raise ValueError(f"type: a gearbox that is {gearbox.type.value} must know the powertrain around it")
    automatic = AutomaticShifting(gearbox, settings, powertrain, states)
    if gearbox.type is GearboxType.SEQUENTIAL:
        return SequentialShifter(gears, automatic)
    return ModeShifter(gears, automatic, settings)
