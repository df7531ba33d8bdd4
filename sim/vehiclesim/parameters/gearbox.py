"""Parameters of gearboxes and of shifting."""

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Annotated, Final

from vehiclesim.parameters.quantity import Quantity, check, check_rows, speed_of, torque_of

USUAL_MINIMUM: Final = (4.0,)
"""[m/s] from which a car's second gear may come; trucks have first gears that end before."""


class GearboxType(Enum):
    """Operation of gears and clutch by driver or gearbox."""

    MANUAL = "manual"
    SEQUENTIAL = "sequential"
    AUTOMATIC = "automatic"


class RatioChange(Enum):
    """Way in which an automatic gearbox changes its ratio: gear by gear, with two clutches, or without steps."""

    STEPPED = "stepped"
    DUAL_CLUTCH = "dual-clutch"
    CONTINUOUS = "continuous"


@dataclass(frozen=True, slots=True)
class GearboxSettings:
    """A gearbox. Manual: driver's gears and clutch; sequential: the clutch works by itself; automatic: both do.

    A dual clutch hands over between its two shafts, to a gear that is ready; a continuous one has two ratios, its ends.
    """

    type: Annotated[GearboxType, "who shifts gears and works the clutch"] = GearboxType.MANUAL
    ratios: Annotated[
        tuple[float, ...], Quantity("1", "forward gears, first gear first", minimum=0.01, maximum=100.0)
    ] = (
        3.84,
        2.35,
        1.53,
        1.10,
        0.84,
    )
    reverse_ratios: Annotated[
        tuple[float, ...], Quantity("1", "reverse gears, shortest first, negative", minimum=-100.0, maximum=-0.01)
    ] = (-3.44,)
    ratio_change: Annotated[RatioChange, "automatic: how the ratio changes"] = RatioChange.STEPPED
    shift_time: Annotated[
        float, Quantity("s", "time of a synchroniser; without blending in neutral", minimum=0.0, maximum=5.0)
    ] = 0.25
    efficiency: Annotated[float, Quantity("1", "power out per power in, in gear", minimum=0.1, maximum=1.0)] = 0.97
    inertia: Annotated[float, Quantity("kg m²", "clutch disc and input shaft", minimum=0.0001, maximum=1e4)] = 0.01
    start_interlock: Annotated[bool, "the starter turns only in P, in neutral, or with the clutch pedal down"] = True

    @property
    def gears(self) -> tuple[float, ...]:
        """The ratios of the forward gears; a continuous gearbox has one, which begins with the shortest ratio."""
        return self.ratios[:1] if self.ratio_change is RatioChange.CONTINUOUS else self.ratios

    def __post_init__(self) -> None:
        check(self)
        if not self.ratios:
            raise ValueError("ratios: at least one forward gear is needed")
        if self.ratio_change is not RatioChange.STEPPED and self.type is not GearboxType.AUTOMATIC:
            raise ValueError(f"ratio_change: {self.ratio_change.value} is for the type automatic")
        if self.ratio_change is RatioChange.CONTINUOUS and len(self.ratios) != 2:
            raise ValueError(f"ratios: a continuous gearbox has the shortest and the longest, not {len(self.ratios)}")
        for name, gears in (("ratios", self.ratios), ("reverse_ratios", self.reverse_ratios)):
            for one, two in pairwise(gears):
                if abs(two) >= abs(one):
                    raise ValueError(f"{name}: {two} after {one}; each gear must be longer than the one before")


class ShiftStrategy(Enum):
    """Criterion of an automatic gearbox: bounds of the engine speed, or the torque that each gear would give."""

    RPM_BANDS = "rpm-bands"
    MOST_TORQUE = "most-torque"


@dataclass(frozen=True, slots=True)
class ShiftLineSettings:
    """Shift lines between a gear and the next one: road speeds over the pedal."""

    pedal: Annotated[
        tuple[float, ...], Quantity("1", "positions of the pedal, ascending", minimum=0.0, maximum=1.0)
    ] = (0.0, 1.0)
    up: Annotated[tuple[float, ...], Quantity("m/s", "from here on the next gear", minimum=0.1, maximum=200.0)] = (
        5.0,
        12.0,
    )
    down: Annotated[tuple[float, ...], Quantity("m/s", "below, the gear before", minimum=0.0, maximum=200.0)] = (
        3.0,
        8.0,
    )

    def __post_init__(self) -> None:
        check(self)
        if not self.pedal:
            raise ValueError("pedal: at least one position is needed")
        check_rows("pedal", self.pedal, up=self.up, down=self.down)
        for up, down in zip(self.up, self.down, strict=True):
            if down >= up:
                raise ValueError(f"down: {down} m/s is not below the {up} m/s at which that gear comes")


@dataclass(frozen=True, slots=True)
class ShiftingSettings:
    """Automatic shifting: its criteria, and the shifts of an automatic gearbox."""

    strategy: Annotated[ShiftStrategy, "what decides on the gear"] = ShiftStrategy.RPM_BANDS
    up_rpm: Annotated[float, speed_of("rpm bands: the next gear comes at this speed, just before kick-down")] = 4500.0
    down_rpm: Annotated[float, speed_of("rpm bands: the gear before comes below it, just before kick-down")] = 2500.0
    light_up_rpm: Annotated[
        float, speed_of("as up_rpm, with the pedal at 30 % or less; 0: that at which the next gear may begin", 0.0)
    ] = 0.0
    light_down_rpm: Annotated[
        float, speed_of("as down_rpm, with the pedal at 30 % or less; 0: by the shift rule of UN GTR No. 15", 0.0)
    ] = 0.0
    shift_map: Annotated[
        tuple[ShiftLineSettings, ...], "rpm bands: lines for gears 1-2, 2-3 ..; those that it has not keep their bands"
    ] = ()
    hysteresis: Annotated[
        float, Quantity("1", "most torque: what a gear must give more than the present one", minimum=0.01, maximum=0.5)
    ] = 0.07
    minimum_speeds: Annotated[
        tuple[float, ...],
        Quantity(
            "m/s",
            "for gear 2, 3 ..: not engaged below; the last holds for all above. 4 is held below what short gears reach",
            minimum=0.0,
            maximum=200.0,
        ),
    ] = USUAL_MINIMUM
    kick_down: Annotated[
        float, Quantity("1", "rpm bands: pedal from which the shortest usable gear comes", minimum=0.1, maximum=1.0)
    ] = 0.95
    interval: Annotated[
        float, Quantity("s", "shortest time between two automatic shifts", minimum=0.0, maximum=60.0)
    ] = 1.0
    blended: Annotated[bool, "automatic: gears hand over without a gap; else through neutral, in shift_time"] = True
    transition_time: Annotated[float, Quantity("s", "time of a blended shift", minimum=0.0, maximum=5.0)] = 0.5
    demand_pedal: Annotated[
        tuple[float, ...], Quantity("1", "continuous: positions of the pedal, ascending", minimum=0.0, maximum=1.0)
    ] = (0.0, 0.3, 0.7, 1.0)
    demand_rpm: Annotated[tuple[float, ...], speed_of("continuous: engine speed that the ratio seeks at each")] = (
        1400.0,
        1800.0,
        3200.0,
        5500.0,
    )
    ratio_time: Annotated[
        float,
        Quantity("s", "continuous: least time from one end of the ratios to the other", minimum=0.1, maximum=60.0),
    ] = 2.0
    neutral_at_standstill: Annotated[bool, "automatic: neutral while the brake holds the vehicle; else first gear"] = (
        False
    )
    creep_torque: Annotated[
        float, torque_of("automatic with a clutch: its torque at idle with the brake released; 0: no creeping")
    ] = 0.0
    strict_park: Annotated[bool, "automatic: P is only left with the brake on"] = False

    def __post_init__(self) -> None:
        check(self)
        if not self.minimum_speeds:
            raise ValueError("minimum_speeds: at least one is needed, 0 for none")
        for one, two in pairwise(self.minimum_speeds):
            if two < one:
                raise ValueError(f"minimum_speeds: {two} after {one}; a longer gear cannot start at a lower speed")
        if not self.demand_pedal:
            raise ValueError("demand_pedal: at least one position is needed")
        check_rows("demand_pedal", self.demand_pedal, demand_rpm=self.demand_rpm)
        if self.shift_map and self.strategy is not ShiftStrategy.RPM_BANDS:
            raise ValueError("shift_map: it belongs to the strategy rpm-bands")
        if self.down_rpm >= self.up_rpm:
            raise ValueError(f"down_rpm: {self.down_rpm} is not below up_rpm {self.up_rpm}")
