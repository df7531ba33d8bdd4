"""Anti-lock braking system (ABS), which works the valves of wheels that slip beyond their tyres' peak."""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.aids.slip import SlipMeter
from vehiclesim.chassis.brakes import Brakes, Valves
from vehiclesim.chassis.chassis import REAR_LEFT, REAR_RIGHT
from vehiclesim.curves import relaxation
from vehiclesim.parameters.aids import AbsSettings
from vehiclesim.state import Stateful

OPEN: Final = 0
DUMP: Final = 1
HOLD: Final = 2
BUILD: Final = 3
"""Phases of a wheel's valves: the brake has what is asked for; it is emptied; it is shut off; it is filled slowly."""

_SENSING: Final = 0.005
"""[s]. Time constant of the slip's rate of change, as long as it takes some teeth to pass a wheel-speed sensor."""

_TOLERANCE: Final = 0.4
"""Slip that is tolerated beyond the peak, as a share of the peak's, besides `minimum_slip`: the curve is flat there."""

_RETURN: Final = 0.5
"""Share of the tolerated slip below which a wheel counts as back."""

_RELEASE: Final = 0.8
_AGAIN: Final = 0.9
"""Torque as a share of T_road: it falls to the first, and anew from the second on."""

_START: Final = 0.95
_GROWTH: Final = 4.0
"""BUILD begins with this share of T_road, and grows by so much of itself in a second [1/s]: 5 to 12 cycles a second."""

_LEAST: Final = 0.02
"""Share of the torque asked for from which on it grows."""


def share_of(delta_time: float, lag: float) -> float:
    """1 - e^(-dt/lag): the share of a step that a value with a lag follows in a time, however it is cut."""
    if lag <= 0.0:
        return 1.0
    x = delta_time / lag
    return x * relaxation(x)


@mypyc_attr(allow_interpreted_subclasses=True)
class WheelValves(Stateful):
    """The valves of one wheel. s is its slip [m/s], s_e that beyond the tyre's peak, s_max the tolerated one.

        OPEN   -> DUMP    s_e > s_max, or s_e > 0 and ds/dt > the deceleration of the settings
        DUMP   -> HOLD    T < 0.8·T_road: the wheel gains speed, and does not stand any more;
                          or s_e < 0 and ds/dt < 0, as of one that another axle brakes through the driveline
        HOLD   -> DUMP    T > 0.9·T_road
        HOLD   -> BUILD   s_e < s_max/2: it is back
        BUILD  -> DUMP    as OPEN
        BUILD  -> OPEN    T is what is asked for

    T_road = T - I/R·ds/dt is what the road holds now; the vehicle itself hardly changes its speed in that time. These
    are the phases that car makers describe: hold and decrease from a threshold of deceleration and one of slip on, hold
    while the wheel gains speed, increase in steps until it decelerates again (Subaru Outback 2014, "ABS control cycle
    curves"; BMW ASC 5: 5 to 12 cycles a second). The steps of the pulsed inlet valve are a ramp here.

    In DUMP, T follows 0 with the lag of the valves, in BUILD the ramp; so it falls to 0 where the road holds nothing.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("phase", "slip", "rate", "_mean", "_ramp")

    def __init__(self, settings: AbsSettings, meter: SlipMeter) -> None:
        self.phase: int = OPEN
        self.slip: float = 0.0  # s [m/s]
        self.rate: float = 0.0  # ds/dt [m/s²]
        self._mean: float = 0.0  # T as late as ds/dt is [N m]
        self._ramp: float = 0.0  # what T follows in BUILD [N m]
        self._sensed: float = 0.0  # substep of `_share` [s]
        self._share: float = 0.0  # of a substep that slip and rate follow
        self._bend: float = 0.0  # of the rate, over the last substep [m/s²]
        self._release: float = 0.0  # T at which DUMP ends, be it within a substep [N m]
        self._meter: SlipMeter = meter
        self._minimum: float = settings.minimum_slip
        self._deceleration: float = settings.deceleration
        self._leverage: float = meter.wheel.inertia / meter.wheel.radius  # I/R [kg m]

    def open(self, asked: float) -> None:
        """Begin with open valves, the wheel being braked by what is asked for [N m]."""
        self.phase = OPEN
        self.slip = self._meter.braking()
        self.rate = 0.0
        self._mean = asked

    def work(self, held: float, asked: float, delta_time: float, lag: float) -> float:
        """Return T after a substep [s], from the one before it, what is asked for [N m] and the valves' lag [s]."""
        self._sense(held, delta_time)
        self._choose(held, asked, delta_time)
        if self.phase == OPEN:
            return asked
        if self.phase == DUMP:
            emptied = held - held * share_of(delta_time, lag)
            held = self._release if emptied < self._release < held else emptied
        elif self.phase == BUILD:
            least = _LEAST * asked
            self._ramp += _GROWTH * (self._ramp if self._ramp > least else least) * delta_time
            self._ramp = self._ramp if self._ramp < asked else asked
            held += (self._ramp - held) * share_of(delta_time, lag)
        return held if held < asked else asked

    def _sense(self, held: float, delta_time: float) -> None:
        """Measure slip and its rate of change."""
        slip = self._meter.braking()
        if delta_time != self._sensed:
            self._sensed, self._share = delta_time, share_of(delta_time, _SENSING)
        share = self._share
        before = self.rate
        self.rate += ((slip - self.slip) / delta_time - self.rate) * share
        self._mean += (held - self._mean) * share
        self.slip = slip
        self._bend = self.rate - before

    def _choose(self, held: float, asked: float, delta_time: float) -> None:
        """Choose the phase by slip and rate as they will be in the middle of the coming substep.

        So a threshold is found half a substep early or late, and as often the one as the other.
        """
        peak = self._meter.braking_peak()
        excess = self.slip + 0.5 * self.rate * delta_time - peak
        if self.phase == OPEN and excess <= 0.0:
            return
        rate = self.rate + 0.5 * self._bend
        tolerated = self._minimum + _TOLERANCE * peak
        self._release = 0.0
        if self.phase in (OPEN, BUILD):
            if excess > tolerated or (excess > 0.0 and rate > self._deceleration):
                self.phase = DUMP
            elif self.phase == BUILD and self._ramp >= asked and held >= _START * asked:
                self.phase = OPEN
            return
        road = self._mean - self._leverage * rate
        road = road if road > 0.0 else 0.0
        if self.phase == DUMP:
            if self._meter.wheel.spin == 0.0:
                return
            self._release = _RELEASE * road
            if held <= self._release or (excess < 0.0 and rate < 0.0):
                self.phase = HOLD
        elif excess < _RETURN * tolerated:
            self.phase = BUILD
            self._ramp = _START * road if _START * road > held else held
        elif held > _AGAIN * road:
            self.phase = DUMP


@mypyc_attr(allow_interpreted_subclasses=True)
class AntiLock(Valves):
    """The valves of four wheels: of all while ABS is on, and else of those that another aid brakes.

    With `select_low` the rear wheels get the lesser torque of both, which keeps side force on a road whose friction is
    not the same to the left and to the right; an aid that brakes one rear wheel by itself is let through.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("act", "_wheels")

    def __init__(self, settings: AbsSettings, meters: list[SlipMeter], brakes: Brakes) -> None:
        super().__init__()
        self.all_wheels: bool = False  # input: ABS is on
        self.minimum_speed: float = settings.minimum_speed  # [m/s]
        self._meters: list[SlipMeter] = meters
        self._brakes: Brakes = brakes
        self._wheels: list[WheelValves] = [WheelValves(settings, meter) for meter in meters]
        self._select_low: bool = settings.select_low

    @property
    def engaged(self) -> bool:
        """Whether the valves of a wheel are not open."""
        front_left, front_right, rear_left, rear_right = self._wheels
        return front_left.phase + front_right.phase + rear_left.phase + rear_right.phase != OPEN

    def begin(self) -> None:
        """Let the valves act from now on, unless they do already."""
        if self.act:
            return
        self.act = True
        brakes = self._brakes
        for place in range(4):
            asked = brakes.held[place] = brakes.asked(place)
            self._wheels[place].open(asked)

    def advance(self, delta_time: float) -> None:
        brakes = self._brakes
        held, lag = brakes.held, brakes.valve_lag
        for place in range(4):
            wheel, asked = self._wheels[place], brakes.asked(place)
            if self.all_wheels or brakes.added[place] > 0.0:
                held[place] = wheel.work(held[place], asked, delta_time, lag)
            else:
                wheel.open(asked)
                held[place] = asked
        if self._select_low and brakes.added[REAR_LEFT] == brakes.added[REAR_RIGHT]:
            lower = held[REAR_LEFT] if held[REAR_LEFT] < held[REAR_RIGHT] else held[REAR_RIGHT]
            held[REAR_LEFT] = held[REAR_RIGHT] = lower
