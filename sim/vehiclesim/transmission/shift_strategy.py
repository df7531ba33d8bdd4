"""Shift strategies: the state that each gear would give, and two strategies that select by it."""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import W_TO_RPM
from vehiclesim.parameters import GearboxSettings, ShiftingSettings
from vehiclesim.state import Stateful
from vehiclesim.transmission.shift_lines import ShiftLines, lines_of_bands, lines_of_map, lowest_speed
from vehiclesim.transmission.shifting import GearboxStates, Powertrain

CEILING: Final = 0.95
"""Share of the engine's limit speed at which the next gear is due at the latest, before the limiter acts."""

RELEASED: Final = 0.02
"""Pedal position below which the pedal counts as released."""

_DOWNSHIFT_ROOM: Final = 0.95
"""Share of the ceiling below which a gear must leave the engine to be worth a downshift for its torque."""

_KICK_DOWN_ROOM: Final = 0.85
"""Share of the ceiling below which a gear must leave the engine at a kick-down."""

_LUGGING: Final = 1.2
"""Multiple of the idle speed below which a gear is too long."""

_PULLING: Final = 1.4
"""Multiple of the idle speed that a longer gear must leave the engine."""

_LOAD_TIME: Final = 0.3
"""[s], the time constant with which the load is averaged."""


class Outlook(Stateful):
    """Engine speed and output torque that each gear of the present direction would give, and the load.

    The load [N m] is the resistance of the vehicle at the output shaft besides its mass, by the balance
    load = T_out - m·a·lead: slope, air and all others, without a model of them.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("load", "speed")

    def __init__(
        self, settings: GearboxSettings, powertrain: Powertrain, states: GearboxStates, gap: float = 0.0
    ) -> None:
        """Set up for shifts that interrupt the drive for `gap` [s]."""
        self.states: GearboxStates = states
        self.direction: int = 1  # or -1, in reverse
        self.idle_rpm: float = powertrain.idle_rpm
        self.rated_rpm: float = powertrain.rated_rpm
        self.ceiling: float = CEILING * powertrain.limit_rpm
        self.load: float = 0.0
        self.speed: float = 0.0  # [m/s] at the last observation
        self._output_rpm: float = 0.0
        self.gears: list[float] = list(settings.gears)
        self.reverse_gears: list[float] = [-ratio for ratio in settings.reverse_ratios]
        self._efficiency: float = settings.efficiency
        self._drive_torque = powertrain.drive_torque
        self._lead: float = powertrain.lead
        self._gap: float = gap
        self._inertia: float = powertrain.mass * powertrain.lead * powertrain.lead

    def observe(self, output_speed: float, output_torque: float, delta_time: float) -> None:
        """Take speed [rad/s] and torque [N m] of the output shaft, and the step's length [s], once a step."""
        acceleration = (self.states.speed - self.speed) / (self._lead * delta_time)
        self.speed = self.states.speed
        load = output_torque - self._inertia * acceleration
        self.load += (load - self.load) * delta_time / (_LOAD_TIME + delta_time)
        self._output_rpm = output_speed * W_TO_RPM

    def ratio(self, gear: int) -> float:
        """Return the ratio of a gear without its sign."""
        return self.gears[gear - 1] if self.direction > 0 else self.reverse_gears[gear - 1]

    def rpm(self, gear: int) -> float:
        """Return the speed of the input shaft [1/min]; negative while the vehicle rolls against the direction."""
        return self._output_rpm * self.direction * self.ratio(gear)

    def rpm_after_shift(self, gear: int) -> float:
        """Return `rpm` less the speed that the load costs during a shift."""
        return self.rpm(gear) - self._loss(gear)

    def has_room(self, gear: int, rpm: float, share: float) -> bool:
        """Return whether the gear lasts for a while: `rpm` < share of the ceiling - loss of two shifts."""
        return rpm < share * self.ceiling - 2.0 * self._loss(gear)

    def _loss(self, gear: int) -> float:
        """Return the loss of input speed [1/min] by the load while a shift interrupts the drive."""
        load = self.load * self.direction
        return load * self._gap / self._inertia * W_TO_RPM * self.ratio(gear) if load > 0.0 else 0.0

    def torque(self, gear: int, rpm: float) -> float:
        """N·η·T, or N·T/η on overrun: at the output shaft [N m], pedal as it is, engine at `rpm` or idle."""
        torque: float = self._drive_torque(rpm if rpm > self.idle_rpm else self.idle_rpm, self.states.throttle)
        share = self._efficiency if torque > 0.0 else 1.0 / self._efficiency
        return torque * self.ratio(gear) * share

    def carries(self, gear: int, lowest_rpm: float) -> bool:
        """Return whether the next gear can carry the load, from its first speed down to the lowest of its use.

        Otherwise the gearbox would shift back, and hunt. Where this gear cannot carry the load either, the next one
        must not give less.
        """
        load = self.load * self.direction
        torque = self.torque(gear, self.rpm(gear))
        needed = torque if torque < load else load
        first_rpm = self.rpm_after_shift(gear + 1)
        return self.torque(gear + 1, first_rpm) >= needed or self.torque(gear + 1, lowest_rpm) >= needed


@mypyc_attr(allow_interpreted_subclasses=True)
class Strategy:
    """Criterion that compares a gear with its neighbours."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook: Outlook = outlook
        self.last_rpm: float = outlook.ceiling  # at which a gear ends

    def wants_up(self, gear: int) -> bool:
        """Return whether the gear after this one would be better."""
        raise NotImplementedError

    def wants_down(self, gear: int) -> bool:
        """Return whether the gear before this one would be better."""
        raise NotImplementedError

    def enters(self, gear: int) -> bool:
        """Return whether this gear is short enough to start with on the move."""
        raise NotImplementedError


class RpmBands(Strategy):
    """Strategy by engine speed: up from one line over the pedal on, down below another, by the speed of each gear.

    Without a shift map the lines lead from light_up_rpm and light_down_rpm, kept up to LIGHT_PEDAL, to up_rpm and
    down_rpm at kick-down. They are held below the engine's limit, and apart: no gear begins where it is left again.
    A pedal at kick-down selects the shortest gear that leaves room to accelerate, and each gear is used up to the
    ceiling.
    """

    def __init__(self, settings: ShiftingSettings, outlook: Outlook, lead: float) -> None:
        """Make the lines; `lead` is the distance [m/rad] that the vehicle rolls, for the speeds of a shift map."""
        super().__init__(outlook)
        self.last_rpm = min(settings.up_rpm, outlook.ceiling)
        self._kick_down: float = settings.kick_down
        shift_map = settings.shift_map
        gears = outlook.gears
        self._forward: list[ShiftLines] = [
            lines_of_map(shift_map[gear - 1], gears[gear - 1], gears[gear], lead, outlook.ceiling)
            if gear <= len(shift_map)
            else self._bands(settings, gears, gear)
            for gear in range(1, len(gears))
        ]
        reverse = outlook.reverse_gears
        self._reverse: list[ShiftLines] = [self._bands(settings, reverse, gear) for gear in range(1, len(reverse))]

    def _bands(self, settings: ShiftingSettings, gears: list[float], gear: int) -> ShiftLines:
        outlook = self.outlook
        lowest = lowest_speed(gear + 1, outlook.idle_rpm, outlook.rated_rpm)
        return lines_of_bands(settings, gears[gear - 1] / gears[gear], outlook.ceiling, lowest)

    def wants_up(self, gear: int) -> bool:
        """Return whether the gear or, through a slipping clutch or converter, the engine is at its shift speed."""
        outlook = self.outlook
        lines, pedal = self._lines(gear), outlook.states.throttle
        end = outlook.ceiling if pedal >= self._kick_down else lines.up.at(pedal)
        if outlook.rpm(gear) < end and outlook.states.engine_rpm < end:
            return False
        down = lines.down.at(pedal)
        return outlook.rpm_after_shift(gear + 1) > down and outlook.carries(gear, down)

    def wants_down(self, gear: int) -> bool:
        outlook = self.outlook
        pedal = outlook.states.throttle
        if outlook.rpm(gear) < self._lines(gear - 1).down.at(pedal):
            return True
        return pedal >= self._kick_down and outlook.has_room(gear - 1, outlook.rpm(gear - 1), _KICK_DOWN_ROOM)

    def enters(self, gear: int) -> bool:
        up = self._lines(gear).up.at(self.outlook.states.throttle)
        return self.outlook.rpm(gear) < _KICK_DOWN_ROOM * up

    def _lines(self, gear: int) -> ShiftLines:
        """Return the lines between a gear and the next one of the present direction."""
        return self._forward[gear - 1] if self.outlook.direction > 0 else self._reverse[gear - 1]


class MostTorque(Strategy):
    """Strategy that selects the gear with the most torque at the wheels now, at the actual pedal.

    Another gear must give more by `hysteresis`: F' - F >= h·|F|, a longer one when the shift is over. A released pedal
    keeps the gear, for its engine brake. A gear ends at the ceiling in any case, and where it would let the engine lug.
    """

    def __init__(self, settings: ShiftingSettings, outlook: Outlook) -> None:
        super().__init__(outlook)
        self._hysteresis: float = settings.hysteresis

    def wants_up(self, gear: int) -> bool:
        outlook = self.outlook
        rpm, following = outlook.rpm(gear), outlook.rpm_after_shift(gear + 1)
        if following < _PULLING * outlook.idle_rpm:
            return False
        if rpm >= outlook.ceiling or outlook.states.engine_rpm >= outlook.ceiling:
            return outlook.carries(gear, following)
        return outlook.states.throttle > RELEASED and self._better(gear + 1, following, gear, rpm)

    def wants_down(self, gear: int) -> bool:
        outlook = self.outlook
        rpm, shorter = outlook.rpm(gear), outlook.rpm(gear - 1)
        if rpm < _LUGGING * outlook.idle_rpm:
            return True
        if outlook.states.throttle <= RELEASED or not outlook.has_room(gear - 1, shorter, _DOWNSHIFT_ROOM):
            return False
        return self._better(gear - 1, shorter, gear, rpm)

    def enters(self, gear: int) -> bool:
        return self.outlook.rpm(gear) < 0.5 * self.outlook.ceiling

    def _better(self, other: int, other_rpm: float, gear: int, rpm: float) -> bool:
        torque = self.outlook.torque(gear, rpm)
        return self.outlook.torque(other, other_rpm) - torque >= self._hysteresis * abs(torque)
