"""Every parameter of a vehicle: name, unit, bounds, default, in one place.

The classes are plain frozen dataclasses whose fields carry a `Quantity`. The daemon reads the same fields to check
vehicle files (file and line of a wrong value) and to print the JSON Schema. Values out of bounds are refused here
too, so that a part built from Python is as safe as one built from a file.
"""

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from enum import Enum
from itertools import pairwise
from typing import Annotated, Any, Final, NamedTuple, get_args, get_type_hints


class Quantity(NamedTuple):
    """What a number means: unit, one line of text, and its bounds (`above` and `below` exclude the bound itself)."""

    unit: str
    text: str
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None

    def problem(self, value: float) -> str | None:
        """Why `value` is refused, or None. Not-a-number and the infinities always are."""
        if value != value or value in (float("inf"), float("-inf")):
            return f"{value} is not a finite number"
        if self.minimum is not None and value < self.minimum:
            return f"{value} is less than {self.minimum}"
        if self.maximum is not None and value > self.maximum:
            return f"{value} is greater than {self.maximum}"
        if self.above is not None and value <= self.above:
            return f"{value} is not greater than {self.above}"
        if self.below is not None and value >= self.below:
            return f"{value} is not less than {self.below}"
        return None


def _ratio(text: str) -> Quantity:
    return Quantity("1", text, minimum=0.0, maximum=1.0)


def _speed(text: str) -> Quantity:
    return Quantity("rpm", text, minimum=1.0, maximum=100_000.0)


def _torque(text: str, minimum: float = 0.0) -> Quantity:
    return Quantity("Nm", text, minimum=minimum, maximum=1e6)


def quantities(parameters: type[Any]) -> Iterator[tuple[Field[Any], Any, Quantity | str | None]]:
    """Each field of a parameter class with its type and its Quantity (or describing text, or None)."""
    hints = get_type_hints(parameters, include_extras=True)
    for entry in fields(parameters):
        hint = hints[entry.name]
        if hasattr(hint, "__metadata__"):
            yield entry, get_args(hint)[0], hint.__metadata__[0]
        else:
            yield entry, hint, None


def check(parameters: Any) -> None:
    """ValueError that names the first field of a parameter object outside its bounds."""
    for entry, _, quantity in quantities(type(parameters)):
        if not isinstance(quantity, Quantity):
            continue
        value = getattr(parameters, entry.name)
        for number in value if isinstance(value, tuple) else (value,):
            if number is not None and (problem := quantity.problem(number)):
                raise ValueError(f"{entry.name}: {problem}")


class RpmLimiterMode(Enum):
    """What the engine does at the limit: stop injecting for a while, or inject just enough to stay there."""

    INJECTION_CUT = "injection-cut"
    INJECTION_LIMIT = "injection-limit"


class IdleControl(Enum):
    """Passive: exactly the friction at idle. Active: whatever keeps the idle speed."""

    PASSIVE = "passive"
    ACTIVE = "active"


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """A combustion engine (defaults: those of the engine block of Vehicle Physics Pro)."""

    idle_rpm: Annotated[float, _speed("idle speed")] = 1000.0
    peak_rpm: Annotated[float, _speed("speed of the highest raw combustion torque")] = 4200.0
    max_rpm: Annotated[float, _speed("speed where the engine's own torque is zero")] = 6500.0
    idle_rpm_torque: Annotated[float, _torque("torque at idle_rpm, full throttle", 1.0)] = 135.0
    peak_rpm_torque: Annotated[float, _torque("torque at peak_rpm, full throttle", 1.0)] = 188.0
    idle_rpm_curve_bias: Annotated[float, _ratio("steepness of the torque curve at idle_rpm")] = 0.0
    peak_rpm_curve_bias: Annotated[float, _ratio("steepness of the torque curve at peak_rpm")] = 0.0
    inertia: Annotated[float, Quantity("kg m²", "rotating inertia at the flywheel", minimum=0.001, maximum=1e5)] = 0.5
    friction_torque: Annotated[float, _torque("constant friction")] = 20.0
    rotational_friction: Annotated[float, Quantity("Nm s", "friction per rad/s", minimum=0.0, maximum=3.0)] = 0.1
    viscous_friction: Annotated[
        float, Quantity("√Nm s", "root of the friction per (rad/s)²", minimum=0.0, maximum=0.2)
    ] = 0.01
    torque_cap: Annotated[bool, "limit the torque to torque_cap_limit"] = False
    torque_cap_limit: Annotated[float, _torque("highest torque that the engine management allows", 1.0)] = 200.0
    rpm_limiter: Annotated[bool, "limit the speed to rpm_limiter_max"] = False
    rpm_limiter_mode: Annotated[RpmLimiterMode, "how the speed is limited"] = RpmLimiterMode.INJECTION_CUT
    rpm_limiter_max: Annotated[float, _speed("speed at which the limiter acts")] = 6000.0
    rpm_limiter_cutoff_time: Annotated[
        float, Quantity("s", "how long the injection is cut", minimum=0.0, maximum=1.0)
    ] = 0.075
    idle_control: Annotated[IdleControl, "how the idle speed is kept"] = IdleControl.ACTIVE
    max_idle_throttle: Annotated[float, _ratio("share of the raw torque that may be used to keep idle")] = 1.0
    active_idle_range: Annotated[float, _ratio("share of the speed range in which the pedal is mapped to idle")] = 0.5
    active_idle_bias: Annotated[float, Quantity("1", "shape of that map", minimum=0.0001, maximum=0.9999)] = 0.25
    can_stall: Annotated[bool, "the engine stops when it is pulled below its stall speed"] = False
    stall_bias: Annotated[float, _ratio("how easily it stalls below idle")] = 0.5
    stalled_friction_torque: Annotated[float, _torque("extra friction while stalled")] = 25.0
    starter_motor_bias: Annotated[float, _ratio("strength of the starter motor")] = 0.6
    max_fuel_per_rev: Annotated[
        float, Quantity("g", "fuel of one revolution at full throttle", minimum=0.0, maximum=1e4)
    ] = 0.16
    fuel_density: Annotated[float, Quantity("kg/l", "petrol 0.745, diesel 0.85", minimum=0.01, maximum=10.0)] = 0.745
    fuel_consumption_correction: Annotated[
        float,
        Quantity("1", "divides the consumption per distance; 3.6 is the mass balance", minimum=0.01, maximum=100.0),
    ] = 3.6

    def __post_init__(self) -> None:
        check(self)
        if not self.idle_rpm < self.peak_rpm:
            raise ValueError(f"peak_rpm: {self.peak_rpm} is not above idle_rpm {self.idle_rpm}")


@dataclass(frozen=True, slots=True)
class ClutchSettings:
    """The friction clutch between engine and gearbox."""

    max_torque_transfer: Annotated[float, _torque("torque at which the engaged disc slips")] = 300.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class GearboxSettings:
    """A gearbox with fixed ratios, shifted by lever or step by step."""

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
    shift_time: Annotated[float, Quantity("s", "time in neutral between two gears", minimum=0.0, maximum=5.0)] = 0.25
    efficiency: Annotated[float, Quantity("1", "power out per power in, in gear", minimum=0.1, maximum=1.0)] = 0.97
    inertia: Annotated[float, Quantity("kg m²", "clutch disc and input shaft", minimum=0.0001, maximum=1e4)] = 0.01

    def __post_init__(self) -> None:
        check(self)
        if not self.ratios:
            raise ValueError("ratios: at least one forward gear is needed")
        for name, gears in (("ratios", self.ratios), ("reverse_ratios", self.reverse_ratios)):
            for one, two in pairwise(gears):
                if abs(two) >= abs(one):
                    raise ValueError(f"{name}: {two} after {one}; each gear must be longer than the one before")


@dataclass(frozen=True, slots=True)
class AxleSettings:
    """The driven axle with its final drive, and the brakes and wheels of the whole vehicle, rolling without slip."""

    final_drive: Annotated[float, Quantity("1", "ratio of the final drive", minimum=0.01, maximum=100.0)] = 3.7
    wheel_radius: Annotated[float, Quantity("m", "rolling radius", minimum=0.01, maximum=10.0)] = 0.31
    wheel_inertia: Annotated[float, Quantity("kg m²", "one wheel", minimum=0.0, maximum=1e4)] = 0.9
    wheel_count: Annotated[int, Quantity("", "wheels that turn with the vehicle", minimum=1.0, maximum=100.0)] = 4
    max_brake_torque: Annotated[float, _torque("all brakes together, pedal fully down")] = 4000.0
    handbrake_torque: Annotated[float, _torque("handbrake fully applied")] = 3000.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class BodySettings:
    """Mass, and what air and road do to it."""

    mass: Annotated[float, Quantity("kg", "vehicle with driver", minimum=50.0, maximum=1e6)] = 1300.0
    drag_area: Annotated[float, Quantity("m²", "drag coefficient times frontal area", minimum=0.0, maximum=20.0)] = 0.65
    rolling_resistance: Annotated[float, Quantity("1", "coefficient at standstill", minimum=0.0, maximum=1.0)] = 0.004
    rolling_resistance_speed: Annotated[float, Quantity("s/m", "what it gains per m/s", minimum=0.0, maximum=0.1)] = (
        9e-5
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class VehicleSettings:
    """One vehicle: the parameter sets of its parts."""

    name: Annotated[str, "what the vehicle is called"] = "default vehicle"
    engine: EngineSettings = field(default_factory=EngineSettings)
    clutch: ClutchSettings = field(default_factory=ClutchSettings)
    gearbox: GearboxSettings = field(default_factory=GearboxSettings)
    axle: AxleSettings = field(default_factory=AxleSettings)
    body: BodySettings = field(default_factory=BodySettings)


GRAVITY: Final = 9.80665
"""[m/s²], standard gravity (ISO 80000-3)."""

AIR_DENSITY: Final = 1.225
"""[kg/m³], ISO 2533 at sea level and 15 °C."""
