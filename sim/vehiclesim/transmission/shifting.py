"""Who decides on the gear: here the driver, with lever and shift steps; in automatic.py the gearbox itself.

A `Shifter` is asked once a step for the gear that is wanted. How the gearbox gets there is not its business.
"""

from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from mypy_extensions import mypyc_attr

from vehiclesim.state import Stateful


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
    limit_rpm: float  # the engine never gets past it: its limiter, or where its torque ends
    torque: Callable[[float, float], float]  # of the engine [N m], at a speed [1/min] and a pedal position 0..1
    engine_inertia: float  # [kg m²]
    converter: bool  # between engine and gearbox, where others have a clutch
    clutch_torque: float  # of the engaged clutch [N m]
    mass: float  # of the vehicle [kg]
    lead: float  # way of the vehicle per turn of the output shaft [m/rad]


class GearboxStates:
    """What the vehicle tells its gearbox before every step."""

    def __init__(self) -> None:
        self.speed: float = 0.0  # [m/s], over the road, negative backward
        self.throttle: float = 0.0  # 0 = released .. 1 = fully down
        self.brake: float = 0.0  # 0 = released .. 1 = fully down
        self.engine_rpm: float = 0.0  # [1/min]
        self.lateral_acceleration: float = 0.0  # [m/s²]
        self.slipping: bool = False  # driven wheels spin


class GearRange:
    """The gears that exist, and those that the MinGear and MaxGear overrides leave of them; neutral is always left."""

    def __init__(self, forward: int, reverse: int) -> None:
        self.forward: int = forward
        self.reverse: int = reverse
        self._minimum: int = 0
        self._maximum: int = 0

    def override(self, minimum: int, maximum: int) -> None:
        """Shortest and longest gear, for both directions; 0 leaves what is there. The longest wins a contradiction."""
        self._minimum = minimum
        self._maximum = maximum

    def existing(self, gear: int) -> int:
        """The nearest gear that there is."""
        return gear if -self.reverse <= gear <= self.forward else max(-self.reverse, min(gear, self.forward))

    def allowed(self, gear: int) -> int:
        """The nearest gear of the same direction that may be used; `gear` exists."""
        if self._minimum <= 0 and self._maximum <= 0:
            return gear
        if gear > 0:
            return max(self.shortest(1), min(gear, self.longest(1)))
        return min(-self.shortest(-1), max(gear, -self.longest(-1))) if gear < 0 else 0

    def longest(self, direction: int) -> int:
        """Number of the longest gear that may be used, forward (1) or in reverse (-1)."""
        count = self.forward if direction > 0 else self.reverse
        return min(self._maximum, count) if self._maximum > 0 else count

    def shortest(self, direction: int) -> int:
        """Number of the shortest gear that may be used."""
        longest = self.longest(direction)
        return max(1, min(self._minimum, longest))


@mypyc_attr(allow_interpreted_subclasses=True)
class Shifter(Stateful):
    """The driver shifts: the gear is what the last movement of the lever or the last shift step asks for."""

    state_vars: ClassVar[tuple[str, ...]] = ("mode", "lever")

    def __init__(self, gears: GearRange) -> None:
        self.gears: GearRange = gears
        self.mode: int = GearMode.MANUAL
        self.auto_shift: int = AutoShiftOverride.NONE
        self.lever: int = 0  # where it was last looked at

    def select(self, gear: int, lever: int, mode: int, steps: int) -> int:
        """The gear that should follow `gear`; lever, mode and shift steps as the driver asks for them."""
        return self.by_hand(gear, lever, steps)

    def by_hand(self, gear: int, lever: int, steps: int) -> int:
        """A lever that rests asks for nothing; steps add up."""
        wanted = gear
        if lever != self.lever:
            wanted = self.lever = lever
        return self.gears.allowed(self.gears.existing(wanted + steps))

    def observe(self, output_speed: float, output_torque: float, delta_time: float) -> None:
        """Once a step, before it selects: speed [rad/s] and torque [N m] of the output shaft, step's length [s]."""
