"""Selection of the gear by the driver, with lever and shift steps; automatic.py has that by the gearbox.

A `Shifter` selects the gear once a step. The shift itself is made by the gearbox.
"""

from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from mypy_extensions import mypyc_attr

from vehiclesim.state import Stateful

NO_GEAR: Final = -1000
"""No gear is prescribed: the levers count."""


class GearMode:
    """The mode of the transmission, as the AutomaticGear and GearboxMode values of the bus count them."""

    MANUAL: Final = 0
    PARK: Final = 1
    REVERSE: Final = 2
    NEUTRAL: Final = 3
    DRIVE: Final = 4
    DRIVE_1: Final = 5
    DRIVE_5: Final = 9


class AutoShiftOverride:
    """The AutoShiftOverride value of the bus."""

    NONE: Final = 0
    FORCED: Final = 1
    BY_HAND: Final = 2


class Powertrain(NamedTuple):
    """The vehicle around a gearbox, as far as it matters for shifting."""

    idle_rpm: float
    rated_rpm: float  # speed of the engine's highest power
    limit_rpm: float  # highest speed of the engine: its limiter, or the end of its torque
    torque: Callable[[float, float], float]  # of the engine [N m], at a speed [1/min] and a pedal position 0..1
    drive_torque: Callable[[float, float], float]  # of all that drives the gearbox, an electric motor included
    engine_inertia: float  # [kg m²]
    converter: bool  # between engine and gearbox, where others have a clutch
    clutch_torque: float  # of the engaged clutch [N m]
    mass: float  # of the vehicle [kg]
    lead: float  # distance of the vehicle per angle of the output shaft [m/rad]


class GearboxStates:
    """Inputs of the gearbox, which the vehicle sets before every step."""

    def __init__(self) -> None:
        self.speed: float = 0.0  # [m/s], over the road, negative backward
        self.throttle: float = 0.0  # 0 = released .. 1 = fully down
        self.brake: float = 0.0  # 0 = released .. 1 = fully down
        self.engine_rpm: float = 0.0  # [1/min]
        self.lateral_acceleration: float = 0.0  # [m/s²]
        self.slipping: bool = False  # driven wheels spin
        self.engine_rests: bool = False  # an electric motor drives alone, and the clutch is open


class GearRange:
    """The gears that exist, and those that the MinGear and MaxGear overrides leave of them; neutral is always left."""

    def __init__(self, forward: int, reverse: int) -> None:
        self.forward: int = forward
        self.reverse: int = reverse
        self._minimum: int = 0
        self._maximum: int = 0

    def override(self, minimum: int, maximum: int) -> None:
        """Set shortest and longest gear for both directions, 0 for none; the longest takes precedence."""
        self._minimum = minimum
        self._maximum = maximum

    def existing(self, gear: int) -> int:
        """Return the nearest gear that exists."""
        return gear if -self.reverse <= gear <= self.forward else max(-self.reverse, min(gear, self.forward))

    def allowed(self, gear: int) -> int:
        """Return the nearest gear of the same direction that may be used; `gear` exists."""
        if self._minimum <= 0 and self._maximum <= 0:
            return gear
        if gear > 0:
            return max(self.shortest(1), min(gear, self.longest(1)))
        return min(-self.shortest(-1), max(gear, -self.longest(-1))) if gear < 0 else 0

    def longest(self, direction: int) -> int:
        """Return the number of the longest gear that may be used, forward (1) or in reverse (-1)."""
        count = self.forward if direction > 0 else self.reverse
        return min(self._maximum, count) if self._maximum > 0 else count

    def shortest(self, direction: int) -> int:
        """Return the number of the shortest gear that may be used."""
        longest = self.longest(direction)
        return max(1, min(self._minimum, longest))


@mypyc_attr(allow_interpreted_subclasses=True)
class Shifter(Stateful):
    """Shifting by the driver: the gear that the last movement of the lever or the last shift step selects."""

    state_vars: ClassVar[tuple[str, ...]] = ("mode", "lever")

    def __init__(self, gears: GearRange) -> None:
        self.gears: GearRange = gears
        self.mode: int = GearMode.MANUAL
        self.auto_shift: int = AutoShiftOverride.NONE
        self.lever: int = 0  # its position in the last step

    def select(self, gear: int, lever: int, mode: int, steps: int) -> int:
        """Return the gear that should follow `gear`, for the driver's lever, mode and shift steps."""
        return self.select_by_hand(gear, lever, steps)

    def select_by_hand(self, gear: int, lever: int, steps: int) -> int:
        """Return the gear selected by hand: a lever that rests selects none; steps add up."""
        wanted = gear
        if lever != self.lever:
            wanted = self.lever = lever
        return self.gears.allowed(self.gears.existing(wanted + steps))

    def observe(self, output_speed: float, output_torque: float, delta_time: float) -> None:
        """Take speed [rad/s] and torque [N m] of the output shaft, and the step's length [s], before `select`."""
