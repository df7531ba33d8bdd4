"""Shifters of each type of gearbox: the gears that gear lever, shift steps and mode lever select."""

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

_ROLLING: Final = 0.5
"""[m/s]. From this speed on, a vehicle in neutral at standstill is not held by its brake."""

_HOLDING_BRAKE: Final = 0.1
"""Position of the brake pedal from which the brake counts as holding the vehicle; it counts as let go at RELEASED."""


class HandShifter(Shifter):
    """Shifting by the driver, of manual and sequential gearboxes.

    With AutoShiftOverride it is automatic, in the direction that the driver has chosen, and never out of neutral.
    """

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


class ModeShifter(HandShifter):
    """The mode lever of an automatic gearbox: M P R N D, and D1 .. D5 with a longest gear.

    M is shifting by the driver. P waits in N until the vehicle nearly stands; R and D wait there while it rolls the
    other way. With strict park, P is only left with the brake on. R and D at rest are first gear.

    Neutral at standstill lets go of that gear while the brake holds the vehicle, and takes it again when the brake is
    let go, the pedal touched, or the vehicle rolls. A brake that did not hold must then be pressed harder.
    """

    state_vars: ClassVar[tuple[str, ...]] = (*HandShifter.state_vars, "_held", "_holding_brake")

    def __init__(self, gears: GearRange, automatic: AutomaticShifting, settings: ShiftingSettings) -> None:
        super().__init__(gears, automatic)
        self._strict_park: bool = settings.strict_park
        self._neutral_at_standstill: bool = settings.neutral_at_standstill
        self._held: bool = False  # at standstill by the brake, and so in neutral
        self._holding_brake: float = _HOLDING_BRAKE  # position of its pedal that is taken to hold

    def select(self, gear: int, lever: int, mode: int, steps: int) -> int:
        if mode != self.mode:
            self.mode = self._admissible_mode(mode)
        if self.mode == GearMode.MANUAL:
            return super().select(gear, lever, mode, steps)
        self.lever = lever
        if self.mode in {GearMode.PARK, GearMode.NEUTRAL}:
            return 0
        if self._neutral_at_standstill and self._is_held():
            return 0
        return self.select_automatic(gear, -1 if self.mode == GearMode.REVERSE else 1, steps)

    def longest(self, direction: int) -> int:
        longest = self.gears.longest(direction)
        return min(self.mode - GearMode.DRIVE, longest) if self.mode > GearMode.DRIVE else longest

    def _is_held(self) -> bool:
        """Return whether the brake holds the vehicle at standstill, with the pedal released."""
        states = self.automatic.outlook.states
        speed = abs(states.speed)
        if states.brake <= RELEASED:
            self._holding_brake = _HOLDING_BRAKE
            self._held = False
        elif states.throttle > RELEASED:
            self._held = False
        elif self._held and speed >= _ROLLING:
            self._holding_brake = states.brake + _HOLDING_BRAKE
            self._held = False
        elif not self._held:
            self._held = speed < _AT_REST and states.brake >= self._holding_brake
        return self._held

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
    if powertrain is None:
        if gearbox.type is GearboxType.MANUAL:
            return Shifter(gears)
        raise ValueError(f"type: a gearbox that is {gearbox.type.value} must know the powertrain around it")
    automatic = AutomaticShifting(gearbox, settings, powertrain, states)
    if gearbox.type is GearboxType.AUTOMATIC:
        return ModeShifter(gears, automatic, settings)
    return HandShifter(gears, automatic)
