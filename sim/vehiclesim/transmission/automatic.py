"""Automatic shifting: the conditions under which a gearbox follows its strategy."""

from itertools import pairwise
from typing import ClassVar, Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.parameters import GRAVITY, GearboxSettings, GearboxType, RatioChange, ShiftingSettings, ShiftStrategy
from vehiclesim.parameters.gearbox import USUAL_MINIMUM
from vehiclesim.state import Stateful
from vehiclesim.transmission.automatic_clutch import ENGAGEMENT_TIME
from vehiclesim.transmission.hunting import UpshiftMemory
from vehiclesim.transmission.shift_strategy import RELEASED, MostTorque, Outlook, RpmBands, Strategy
from vehiclesim.transmission.shifting import GearboxStates, Powertrain

CORNERING: Final = 0.25 * GRAVITY
"""[m/s²]. Lateral acceleration above which there is no upshift."""

_LEAVING: Final = 0.8
"""Share of its minimum speed below which a gear is left again."""

_REACHED: Final = 0.8
"""Share of a gear's last speed at which the next gear may come at the latest, where no file says otherwise."""

_HOLD: Final = 5.0
"""[s] for which a gear that the driver has chosen by a shift step is kept."""


class AutomaticShifting(Stateful):
    """A controller that follows a strategy, one gear up at a time, and several down if need be.

    No upshift while braking, cornering or spinning the wheels, and none of either kind within `interval` after any. An
    upshift that had to be taken back is not repeated as long as pedal and road stay as they are.
    A vehicle at rest gets its shortest gear at once. Gears are counted without the sign of the direction; 0 is neutral.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("interval", "hold", "outlook", "memory")

    def __init__(
        self, gearbox: GearboxSettings, settings: ShiftingSettings, powertrain: Powertrain, states: GearboxStates
    ) -> None:
        """Raise ValueError, with the reason, for settings that cannot work with these gears or this engine.

        Those of a manual gearbox are made to fit, for it shifts by itself only when it is told to.
        """
        dual = gearbox.ratio_change is RatioChange.DUAL_CLUTCH
        blends = gearbox.type is GearboxType.AUTOMATIC and (settings.blended or dual)
        gap = 0.0 if blends else gearbox.shift_time + ENGAGEMENT_TIME
        self.outlook: Outlook = Outlook(gearbox, powertrain, states, gap)
        by_torque = settings.strategy is ShiftStrategy.MOST_TORQUE
        self.strategy: Strategy = (
            MostTorque(settings, self.outlook) if by_torque else RpmBands(settings, self.outlook, powertrain.lead)
        )
        self.interval: float = 0.0  # [s] until the next shift
        self.hold: float = 0.0  # [s] for which the driver's choice stands
        self.memory: UpshiftMemory = UpshiftMemory(powertrain.mass * GRAVITY * powertrain.lead, settings.kick_down)
        self._interval: float = settings.interval
        self._minimum_speeds: tuple[float, ...] = _minimum_speeds(gearbox, settings, self.strategy, powertrain.lead)
        if gearbox.type is not GearboxType.MANUAL:
            mapped = len(settings.shift_map)
            if mapped >= len(gearbox.gears):
                raise ValueError(f"shift_map: {mapped} changes of gear, but there are {len(gearbox.gears)} gears")
            _check_gears("gear", gearbox.gears, settings, self.strategy, powertrain.lead, 2 + mapped)
            _check_gears("reverse gear", gearbox.reverse_ratios, settings, self.strategy, powertrain.lead)

    def select(self, gear: int, direction: int, shortest: int, longest: int) -> int:
        """Return the gear that should follow `gear`, between `shortest` and `longest`."""
        outlook = self.outlook
        outlook.direction = direction
        if gear == 0:
            return self._gear_from_neutral(shortest, longest)
        if gear < shortest:
            return self._change(shortest)
        if outlook.rpm(gear) < outlook.idle_rpm:
            self.hold = 0.0
        patient = self.interval > 0.0 or self.hold > 0.0
        lower = gear
        while lower > shortest and self._is_downshift_due(lower, longest):
            lower -= 1
        if lower < gear and (not patient or gear > longest or outlook.rpm(shortest) < outlook.idle_rpm):
            self.memory.went_down(gear, outlook.states.throttle, outlook.load * direction)
            return self._change(lower)
        if lower == gear < longest and not patient and self._is_upshift_due(gear):
            pedal, load = outlook.states.throttle, outlook.load * direction
            if self.memory.bars(gear + 1, pedal, load):
                return gear
            self.memory.went_up(gear + 1, pedal, load)
            return self._change(gear + 1)
        return gear

    def step(self, gear: int, direction: int, steps: int, shortest: int, longest: int) -> int:
        """Follow the driver's choice if it leaves the engine between idle and ceiling, and keep it for a while."""
        outlook = self.outlook
        outlook.direction = direction
        wanted = max(shortest, min(gear + steps, longest))
        rpm = outlook.rpm(wanted)
        if wanted == gear or rpm > outlook.ceiling or (wanted > gear and rpm < outlook.idle_rpm):
            return gear
        self.hold = _HOLD
        return self._change(wanted)

    def observe(self, output_speed: float, output_torque: float, delta_time: float) -> None:
        """Pass the observation to the outlook, and advance the waiting times; they end at the nearest step."""
        self.outlook.observe(output_speed, output_torque, delta_time)
        self.interval = _remaining(self.interval, delta_time)
        self.hold = _remaining(self.hold, delta_time)

    def _change(self, gear: int) -> int:
        self.interval = self._interval
        return gear

    def _gear_from_neutral(self, shortest: int, longest: int) -> int:
        """Return the shortest gear at rest, on the move one that fits the speed."""
        gear = shortest
        while gear < longest and not self.strategy.enters(gear) and self._is_fast_enough(gear + 1, 1.0):
            gear += 1
        return gear

    def _is_fast_enough(self, gear: int, share: float) -> bool:
        return self.outlook.speed * self.outlook.direction >= share * _minimum_speed(self._minimum_speeds, gear)

    def _is_upshift_due(self, gear: int) -> bool:
        states = self.outlook.states
        if states.brake > RELEASED or states.slipping or abs(states.lateral_acceleration) > CORNERING:
            return False
        return self._is_fast_enough(gear + 1, 1.0) and self.strategy.wants_up(gear)

    def _is_downshift_due(self, gear: int, longest: int) -> bool:
        """Return whether a shorter gear is due; never one that would overspeed the engine."""
        if self.outlook.rpm(gear - 1) >= self.outlook.ceiling:
            return False
        return gear > longest or not self._is_fast_enough(gear, _LEAVING) or self.strategy.wants_down(gear)


def _check_gears(
    name: str, ratios: tuple[float, ...], settings: ShiftingSettings, strategy: Strategy, lead: float, first: int = 2
) -> None:
    """Raise ValueError unless each gear reaches the speed of the next one, and that one is not left again at once.

    From gear `first` on; those before it have lines in the shift map.

    up·i(g+1)/i(g) > down, and the speed at up in gear g is over the minimum of g+1, where up is held below the limit.
    """
    end = strategy.last_rpm
    for gear, (ratio, following) in enumerate(pairwise(ratios), start=2):
        if gear < first:
            continue
        rpm = end * following / ratio
        if settings.strategy is ShiftStrategy.RPM_BANDS and rpm <= settings.down_rpm:
            raise ValueError(
                f"down_rpm: {settings.down_rpm:g}, but the change to {name} {gear} at {end:.0f} rpm leaves the engine "
                f"at {rpm:.0f} rpm, and the gearbox would shift back at once"
            )
        speed = end * RPM_TO_W / abs(ratio) * lead
        needed = _minimum_speed(settings.minimum_speeds, gear)
        if speed <= needed and settings.minimum_speeds != USUAL_MINIMUM:
            raise ValueError(
                f"minimum_speeds: {needed:g} m/s for {name} {gear}, but the one before ends at {speed:.1f} m/s "
                f"({end:.0f} rpm)"
            )


def _minimum_speeds(
    gearbox: GearboxSettings, settings: ShiftingSettings, strategy: Strategy, lead: float
) -> tuple[float, ...]:
    """Return the speeds [m/s] below which gears 2, 3 .. are not engaged; the last one holds for all gears above.

    A shift map has its own. Those of a manual gearbox, and the usual one that no file gave, are held below the speed at
    which the gear before ends.
    """
    mapped = len(settings.shift_map)
    speeds = [_minimum_speed(settings.minimum_speeds, gear) for gear in range(2, len(gearbox.gears) + 1)]
    if gearbox.type is GearboxType.MANUAL or settings.minimum_speeds == USUAL_MINIMUM:
        ends = [strategy.last_rpm * RPM_TO_W / ratio * lead for ratio in gearbox.gears]
        speeds = [min(speed, _REACHED * end) for speed, end in zip(speeds, ends, strict=False)]
    return (*[0.0] * mapped, *speeds[mapped:]) or settings.minimum_speeds


def _remaining(time: float, delta_time: float) -> float:
    left = time - delta_time
    return left if left > 0.5 * delta_time else 0.0


def _minimum_speed(speeds: tuple[float, ...], gear: int) -> float:
    """Return the speed [m/s] below which a gear is not engaged; the last one holds for all gears above."""
    if gear < 2:
        return 0.0
    return speeds[min(gear - 2, len(speeds) - 1)]
