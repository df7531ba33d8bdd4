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

from vehiclesim.tables import Table


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
    table_rpm: Annotated[
        tuple[float, ...],
        Quantity("rpm", "speeds of a measured curve, ascending; replaces the parameters", minimum=0.0, maximum=1e5),
    ] = ()
    table_torque: Annotated[
        tuple[float, ...], Quantity("Nm", "torque at each, full throttle", minimum=-1e6, maximum=1e6)
    ] = ()
    table_resistive_torque: Annotated[
        tuple[float, ...], Quantity("Nm", "torque at each without fuel, negative", minimum=-1e6, maximum=0.0)
    ] = ()

    def __post_init__(self) -> None:
        check(self)
        if self.table_rpm or self.table_torque or self.table_resistive_torque:
            self._check_tables()
        elif not self.idle_rpm < self.peak_rpm:
            raise ValueError(f"peak_rpm: {self.peak_rpm} is not above idle_rpm {self.idle_rpm}")

    def _check_tables(self) -> None:
        """ValueError unless the tables reach from idle to where the torque ends, at max_rpm."""
        speeds, torques = self.table_rpm, self.table_torque
        resistive = self.table_resistive_torque
        _check_rows("table_rpm", speeds, table_torque=torques, table_resistive_torque=resistive)
        if not speeds or not speeds[0] <= self.idle_rpm < speeds[-1]:
            raise ValueError(f"table_rpm: the table does not reach over idle_rpm {self.idle_rpm}")
        for speed, torque, lost in zip(speeds, torques, resistive, strict=True):
            if torque < lost:
                raise ValueError(f"table_torque: {torque} at {speed} rpm is less than without fuel, {lost}")
        if not Table(speeds, torques).at(self.idle_rpm) > 0.0:
            raise ValueError(f"table_torque: no torque at idle_rpm {self.idle_rpm}")
        if speeds[-1] > self.max_rpm:
            raise ValueError(f"max_rpm: {self.max_rpm} is less than the last of table_rpm, {speeds[-1]}")
        if speeds[-1] < self.max_rpm and torques[-1] <= 0.0:
            raise ValueError(f"max_rpm: the torque ends at {speeds[-1]} rpm already, by table_torque")
        if speeds[-1] == self.max_rpm and torques[-1] != 0.0:
            raise ValueError(f"table_torque: {torques[-1]} at max_rpm, where the torque is 0")


class ClutchType(Enum):
    """What joins engine and gearbox."""

    FRICTION_DISC = "friction-disc"
    LOCK_RATIO = "lock-ratio"
    TORQUE_CONVERTER = "torque-converter"
    TORQUE_CONVERTER_LIMITED = "torque-converter-limited"
    HYDRODYNAMIC = "hydrodynamic-converter"


@dataclass(frozen=True, slots=True)
class ClutchSettings:
    """The clutch or torque converter between engine and gearbox.

    The tables of the hydrodynamic converter are those of a passenger car (rounded from MathWorks' example of an
    automatic transmission): it doubles the torque at stall and couples from a speed ratio of 0.85 on.
    """

    type: Annotated[ClutchType, "what joins engine and gearbox"] = ClutchType.FRICTION_DISC
    max_torque_transfer: Annotated[
        float, _torque("torque at which disc, limited converter or lock-up clutch slips")
    ] = 300.0
    lock_rpm: Annotated[float, _speed("a converter locks: from this engine speed, with lock-up this turbine speed")] = (
        2000.0
    )
    lock_ratio_bias: Annotated[
        float, Quantity("1", "lock ratio of a torque converter at half of lock_rpm", minimum=0.0001, maximum=0.9999)
    ] = 0.1
    speed_ratio: Annotated[
        tuple[float, ...],
        Quantity("1", "hydrodynamic: turbine over engine speed, from 0 ascending", minimum=0.0, maximum=0.99),
    ] = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94)
    capacity_factor: Annotated[
        tuple[float, ...],
        Quantity("rpm/√Nm", "engine speed over root of engine torque at each", minimum=1.0, maximum=10_000.0),
    ] = (118.0, 117.0, 118.0, 125.0, 131.0, 140.0, 148.0, 170.0, 210.0)
    torque_ratio: Annotated[
        tuple[float, ...], Quantity("1", "turbine over engine torque at each", minimum=0.1, maximum=5.0)
    ] = (2.23, 1.98, 1.72, 1.41, 1.25, 1.10, 1.01, 1.0, 1.0)
    lock_up: Annotated[bool, "a disc bridges the hydrodynamic converter from lock_rpm on"] = False

    def __post_init__(self) -> None:
        check(self)
        if not self.speed_ratio or self.speed_ratio[0] != 0.0:
            raise ValueError("speed_ratio: the first one is 0, the stalled converter")
        columns = {"capacity_factor": self.capacity_factor, "torque_ratio": self.torque_ratio}
        _check_rows("speed_ratio", self.speed_ratio, **columns)
        rows = zip((*self.speed_ratio, 1.0), (*self.torque_ratio, 1.0), strict=True)
        for (s1, t1), (s2, t2) in pairwise(rows):
            slope = (t2 - t1) / (s2 - s1)
            best = s2 if slope >= 0.0 else min(max(s1, 0.5 * (s1 - t1 / slope)), s2)  # where s·t(s) is highest
            if best * (t1 + slope * (best - s1)) > 1.0 + 1e-9:
                raise ValueError(f"torque_ratio: at speed ratio {best:.3g} more power would come out than goes in")


def _check_rows(name: str, points: tuple[float, ...], **columns: tuple[float, ...]) -> None:
    """ValueError unless the points of a table ascend and every column has a value for each."""
    for one, two in pairwise(points):
        if two <= one:
            raise ValueError(f"{name}: {two} after {one}; the points of a table ascend")
    for column, values in columns.items():
        if len(values) != len(points):
            raise ValueError(f"{column}: {len(values)} values for {len(points)} of {name}")


class GearboxType(Enum):
    """Who shifts, and who works a clutch between engine and gearbox."""

    MANUAL = "manual"
    SEQUENTIAL = "sequential"
    AUTOMATIC = "automatic"


@dataclass(frozen=True, slots=True)
class GearboxSettings:
    """A gearbox with fixed ratios. Manual: driver's gears and clutch; sequential: the clutch works by itself."""

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


class ShiftStrategy(Enum):
    """What an automatic gearbox goes by: bounds of the engine speed, or the torque that each gear would give."""

    RPM_BANDS = "rpm-bands"
    MOST_TORQUE = "most-torque"


@dataclass(frozen=True, slots=True)
class ShiftingSettings:
    """When a gearbox shifts by itself, and how an automatic one does it."""

    strategy: Annotated[ShiftStrategy, "what decides on the gear"] = ShiftStrategy.RPM_BANDS
    up_rpm: Annotated[float, _speed("rpm bands: the next gear comes at this engine speed")] = 4500.0
    down_rpm: Annotated[float, _speed("rpm bands: the gear before comes below this engine speed")] = 2500.0
    hysteresis: Annotated[
        float, Quantity("1", "most torque: what a gear must give more than the present one", minimum=0.01, maximum=0.5)
    ] = 0.07
    minimum_speeds: Annotated[
        tuple[float, ...],
        Quantity(
            "m/s", "for gear 2, 3 ..: not engaged at less; the last holds for all above", minimum=0.0, maximum=200.0
        ),
    ] = (8.0,)
    kick_down: Annotated[
        float, Quantity("1", "rpm bands: pedal from which the shortest usable gear comes", minimum=0.1, maximum=1.0)
    ] = 0.95
    interval: Annotated[
        float, Quantity("s", "shortest time between two automatic shifts", minimum=0.0, maximum=60.0)
    ] = 1.0
    blended: Annotated[bool, "automatic: gears hand over without a gap; else through neutral, in shift_time"] = True
    transition_time: Annotated[float, Quantity("s", "time of a blended shift", minimum=0.0, maximum=5.0)] = 0.5
    neutral_at_standstill: Annotated[bool, "neutral at rest with the pedal released; else first gear"] = False
    strict_park: Annotated[bool, "automatic: P is only left with the brake on"] = False

    def __post_init__(self) -> None:
        check(self)
        if not self.minimum_speeds:
            raise ValueError("minimum_speeds: at least one is needed, 0 for none")
        for one, two in pairwise(self.minimum_speeds):
            if two < one:
                raise ValueError(f"minimum_speeds: {two} after {one}; a longer gear cannot start at a lower speed")
        if self.down_rpm >= self.up_rpm:
            raise ValueError(f"down_rpm: {self.down_rpm} is not below up_rpm {self.up_rpm}")


@dataclass(frozen=True, slots=True)
class RetarderSettings:
    """A continuous brake at the output of the gearbox, in levels."""

    levels: Annotated[
        int, Quantity("", "positions of the stick besides off; 0: no retarder", minimum=0, maximum=100)
    ] = 0
    max_torque: Annotated[float, _torque("highest level, from max_rpm on")] = 3500.0
    min_rpm: Annotated[float, Quantity("rpm", "no torque below", minimum=0.0, maximum=100_000.0)] = 100.0
    max_rpm: Annotated[float, Quantity("rpm", "full torque of each level from here", minimum=1.0, maximum=1e5)] = 2500.0
    bias: Annotated[
        float, Quantity("1", "share of the torque half-way between both speeds", minimum=0.0001, maximum=0.9999)
    ] = 0.3

    def __post_init__(self) -> None:
        check(self)
        if self.max_rpm <= self.min_rpm:
            raise ValueError(f"max_rpm: {self.max_rpm} is not above min_rpm {self.min_rpm}")


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
    shifting: ShiftingSettings = field(default_factory=ShiftingSettings)
    retarder: RetarderSettings = field(default_factory=RetarderSettings)
    axle: AxleSettings = field(default_factory=AxleSettings)
    body: BodySettings = field(default_factory=BodySettings)


GRAVITY: Final = 9.80665
"""[m/s²], standard gravity (ISO 80000-3)."""

AIR_DENSITY: Final = 1.225
"""[kg/m³], ISO 2533 at sea level and 15 °C."""


class HandbrakeAxle(Enum):
    """The axle whose wheels the handbrake holds."""

    FRONT = "front"
    REAR = "rear"


@dataclass(frozen=True, slots=True)
class TyreSettings:
    """What a tyre makes of slip; the tables are those of UC-win/Road."""

    tyre_dynamics: Annotated[bool, "tyres slip; without, they roll purely"] = True
    longitudinal_slip: Annotated[
        tuple[float, ...],
        Quantity("1", "slip ratios of the longitudinal table, ascending", minimum=-10.0, maximum=10.0),
    ] = (-0.30, -0.10, 0.0, 0.10, 0.30)
    longitudinal_friction: Annotated[
        tuple[float, ...], Quantity("1", "coefficient at each of them", minimum=-2.5, maximum=2.5)
    ] = (-0.75, -0.85, 0.0, 0.85, 0.75)
    lateral_slip: Annotated[
        tuple[float, ...], Quantity("1", "slip ratios of the lateral table, ascending", minimum=-10.0, maximum=10.0)
    ] = (-0.30, -0.10, 0.0, 0.10, 0.30)
    lateral_friction: Annotated[
        tuple[float, ...], Quantity("1", "coefficient at each of them", minimum=-2.5, maximum=2.5)
    ] = (-0.75, -0.85, 0.0, 0.85, 0.75)
    relaxation_length: Annotated[
        float, Quantity("m", "way in which the force follows a new slip", minimum=0.1, maximum=5.0)
    ] = 0.3

    def __post_init__(self) -> None:
        check(self)
        _check_table("longitudinal", self.longitudinal_slip, self.longitudinal_friction)
        _check_table("lateral", self.lateral_slip, self.lateral_friction)


def _check_table(name: str, slips: tuple[float, ...], coefficients: tuple[float, ...]) -> None:
    """ValueError unless a friction table ascends, passes through zero, and has force in the direction of each slip."""
    if len(slips) != len(coefficients):
        raise ValueError(f"{name}_friction: {len(coefficients)} coefficients for {len(slips)} slip ratios")
    for one, two in pairwise(slips):
        if two - one < 0.01:
            raise ValueError(f"{name}_slip: {two} after {one}; each must be at least 0.01 above the one before")
    if 0.0 not in slips or slips[0] == 0.0 or slips[-1] == 0.0:
        raise ValueError(f"{name}_slip: the table needs 0 and slips on both sides of it")
    for slip, coefficient in zip(slips, coefficients, strict=True):
        if coefficient * slip <= 0.0 and not coefficient == slip == 0.0:
            raise ValueError(f"{name}_friction: {coefficient} at slip {slip}; both must have one sign")


@dataclass(frozen=True, slots=True)
class WheelSettings:
    """One wheel with its tyre."""

    radius: Annotated[float, Quantity("m", "rolling radius", minimum=0.01, maximum=10.0)] = 0.31
    inertia: Annotated[float, Quantity("kg m²", "about the axis of the wheel", minimum=0.001, maximum=1e4)] = 0.9
    rolling_resistance: Annotated[float, Quantity("1", "coefficient at standstill", minimum=0.0, maximum=1.0)] = 0.004
    rolling_resistance_speed: Annotated[float, Quantity("s/m", "what it gains per m/s", minimum=0.0, maximum=0.1)] = (
        9e-5
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class BrakeSettings:
    """The brakes of four wheels."""

    max_torque: Annotated[float, _torque("front plus rear wheel of one side, pedal fully down")] = 2000.0
    front_bias: Annotated[float, _ratio("share of the front wheel")] = 0.7
    handbrake_torque: Annotated[float, _torque("each wheel of the handbrake's axle, fully applied")] = 1500.0
    handbrake_axle: Annotated[HandbrakeAxle, "axle that the handbrake holds"] = HandbrakeAxle.REAR

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class SteeringSettings:
    """From the steering wheel to the front wheels."""

    max_angle: Annotated[
        float, Quantity("deg", "angle of a wheel in the middle of the axle, at full lock", minimum=0.0, maximum=60.0)
    ] = 35.0
    wheel_range: Annotated[
        float, Quantity("deg", "turn of the steering wheel from lock to lock", minimum=1.0, maximum=3600.0)
    ] = 600.0
    ackermann: Annotated[float, _ratio("0: both wheels parallel; 1: about one centre of turn")] = 1.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class ChassisSettings:
    """Where the wheels and the mass of a two-axled vehicle are."""

    wheelbase: Annotated[float, Quantity("m", "distance of the axles", minimum=0.5, maximum=20.0)] = 2.6
    front_track: Annotated[float, Quantity("m", "distance of the front wheels", minimum=0.3, maximum=5.0)] = 1.5
    rear_track: Annotated[float, Quantity("m", "distance of the rear wheels", minimum=0.3, maximum=5.0)] = 1.5
    front_weight: Annotated[
        float, Quantity("1", "share of the weight on the front axle", minimum=0.05, maximum=0.95)
    ] = 0.6
    centre_of_gravity_height: Annotated[
        float, Quantity("m", "above the road; 0 switches load transfer off", minimum=0.0, maximum=5.0)
    ] = 0.5
    yaw_dynamic_index: Annotated[
        float, Quantity("1", "yaw inertia over mass times distances to the axles", minimum=0.4, maximum=3.0)
    ] = 0.95
    front_roll_stiffness: Annotated[float, _ratio("share of the lateral load transfer at the front axle")] = 0.55

    def __post_init__(self) -> None:
        check(self)
        highest = min(0.5 * self.wheelbase, self.front_track, self.rear_track)
        if self.centre_of_gravity_height > highest:
            raise ValueError(
                f"centre_of_gravity_height: {self.centre_of_gravity_height} is more than {highest}, half the wheelbase "
                "or a track; the vehicle would turn over"
            )


class DifferentialType(Enum):
    """What holds the two outputs of a differential together."""

    OPEN = "open"
    LOCKED = "locked"
    VISCOUS = "viscous"
    CLUTCH_PACK = "clutch-pack"
    TORQUE_BIAS = "torque-bias"


@dataclass(frozen=True, slots=True)
class DifferentialSettings:
    """A differential with its final drive."""

    type: Annotated[DifferentialType, "what holds the outputs together"] = DifferentialType.OPEN
    ratio: Annotated[float, Quantity("1", "input over mean output speed", minimum=0.01, maximum=100.0)] = 1.0
    preload: Annotated[float, _torque("viscous, clutch pack, torque bias: torque moved at rest")] = 50.0
    stiffness: Annotated[float, _ratio("viscous: 0 = open .. 1 = locked")] = 0.25
    clutch_friction: Annotated[
        float, Quantity("1", "clutch pack: coefficient of friction times number of faces", minimum=0.0, maximum=10.0)
    ] = 0.4
    power_angle: Annotated[
        float, Quantity("deg", "clutch pack: ramp under positive torque; 90 does not press", minimum=5.0, maximum=90.0)
    ] = 45.0
    coast_angle: Annotated[
        float, Quantity("deg", "clutch pack: ramp under negative torque; 90 does not press", minimum=5.0, maximum=90.0)
    ] = 80.0
    bias_ratio: Annotated[
        float, Quantity("1", "torque bias: torque of the slower over the faster side", minimum=1.0, maximum=100.0)
    ] = 3.0

    def __post_init__(self) -> None:
        check(self)


class AxleEnd(Enum):
    """One of the two axles."""

    FRONT = "front"
    REAR = "rear"


@dataclass(frozen=True, slots=True)
class SplitterSettings:
    """A torque splitter: one axle is driven rigidly, the other through a viscous coupling."""

    primary: Annotated[AxleEnd, "the axle that is driven rigidly"] = AxleEnd.FRONT
    ratio: Annotated[float, Quantity("1", "input over primary speed", minimum=0.01, maximum=100.0)] = 1.0
    stiffness: Annotated[float, _ratio("0 = secondary axle not driven .. 1 = rigidly")] = 0.25

    def __post_init__(self) -> None:
        check(self)


class DrivelineLayout(Enum):
    """Which wheels are driven, and through what."""

    FRONT = "front-wheel-drive"
    REAR = "rear-wheel-drive"
    CENTRE_DIFFERENTIAL = "all-wheel-drive"
    TORQUE_SPLITTER = "torque-splitter"
    H_DRIVE = "h-drive"


@dataclass(frozen=True, slots=True)
class DrivelineSettings:
    """From the gearbox to the wheels. Only the parts that the layout has are used; each has its own ratio."""

    layout: Annotated[DrivelineLayout, "which wheels are driven, and through what"] = DrivelineLayout.FRONT
    front: DifferentialSettings = field(default_factory=lambda: DifferentialSettings(ratio=3.7))
    rear: DifferentialSettings = field(default_factory=lambda: DifferentialSettings(ratio=3.7))
    centre: DifferentialSettings = field(default_factory=DifferentialSettings)
    splitter: SplitterSettings = field(default_factory=SplitterSettings)
    sides: DifferentialSettings = field(default_factory=lambda: DifferentialSettings(ratio=3.7))
