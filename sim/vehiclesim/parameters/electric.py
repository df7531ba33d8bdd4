"""Parameters of an electric drive: motor, traction battery, and how driver and brakes use them."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, ClassVar

from vehiclesim.parameters.quantity import Quantity, check, check_rows, ratio_of, speed_of, torque_of


class ElectricTopology(Enum):
    """The kind of drive."""

    NONE = "none"
    BATTERY_ELECTRIC = "battery-electric"
    P0_HYBRID = "p0-hybrid"
    P2_HYBRID = "p2-hybrid"
    POWER_SPLIT = "power-split"
    SERIES_HYBRID = "series-hybrid"


@dataclass(frozen=True, slots=True)
class MotorSettings:
    """A motor with its inverter, on the input shaft of the gearbox; of a P0 hybrid on the crankshaft, by a belt.

    An efficiency map is that of motor and inverter together: for each speed of `map_rpm` a row of values, one for
    each torque of `map_torque`. It holds for driving and for braking. Without one the losses follow from the highest
    torque and power, by one rule for all machines (`sim/vehiclesim/electric/losses.py`). A machine without magnets
    that is not excited while it idles has a `drag_torque` of its bearings alone.
    """

    max_torque: Annotated[float, torque_of("peak torque of the motor, driving and braking")] = 250.0
    max_power: Annotated[float, Quantity("kW", "peak power at the shaft", above=0.0, maximum=2000.0)] = 80.0
    max_rpm: Annotated[float, speed_of("highest speed; no torque beyond it")] = 10_400.0
    ratio: Annotated[float, Quantity("1", "speed of the motor over that of the shaft", minimum=0.1, maximum=20.0)] = 1.0
    inertia: Annotated[float, Quantity("kg m²", "of the rotor", minimum=0.0, maximum=100.0)] = 0.03
    drag_torque: Annotated[
        float | None,
        torque_of("that an idle rotor loses in iron, bearings and air; none: iron and bearings by the rule for losses"),
    ] = None
    loss_factor: Annotated[
        float, Quantity("1", "losses over those of the rule, without a map", minimum=0.0, maximum=10.0)
    ] = 1.0
    map_rpm: Annotated[tuple[float, ...], speed_of("speeds of an efficiency map, ascending; none: the rule")] = ()
    map_torque: Annotated[tuple[float, ...], torque_of("torques of the efficiency map, ascending")] = ()
    map_efficiency: Annotated[
        tuple[float, ...],
        Quantity("1", "row by row: at the first speed for each torque, at the second ...", above=0.0, maximum=1.0),
    ] = ()

    def __post_init__(self) -> None:
        check(self)
        check_rows("map_rpm", self.map_rpm)
        check_rows("map_torque", self.map_torque)
        wanted = len(self.map_rpm) * len(self.map_torque)
        if len(self.map_efficiency) != wanted or (wanted == 0 and (self.map_rpm or self.map_torque)):
            raise ValueError(
                f"map_efficiency: {len(self.map_efficiency)} values for {len(self.map_rpm)} speeds and "
                f"{len(self.map_torque)} torques"
            )


@dataclass(frozen=True, slots=True)
class TractionBatterySettings:
    """A traction battery: an open-circuit voltage over its charge behind an internal resistance."""

    capacity: Annotated[float, Quantity("kWh", "energy from full to empty", above=0.0, maximum=2000.0)] = 40.0
    voltage: Annotated[float, Quantity("V", "open-circuit voltage at half charge", above=0.0, maximum=2000.0)] = 360.0
    internal_resistance: Annotated[float, Quantity("Ω", "of the whole battery", above=0.0, maximum=10.0)] = 0.09
    charge_points: Annotated[tuple[float, ...], ratio_of("charges of the voltage curve, ascending")] = (
        0.0,
        0.1,
        0.5,
        0.9,
        1.0,
    )
    voltage_shares: Annotated[
        tuple[float, ...],
        Quantity("1", "open-circuit voltage over `voltage` at these charges", above=0.0, maximum=2.0),
    ] = (0.86, 0.94, 1.0, 1.1, 1.14)
    max_discharge: Annotated[float, Quantity("kW", "highest power that it gives", above=0.0, maximum=2000.0)] = 110.0
    max_charge: Annotated[float, Quantity("kW", "highest power that it takes", minimum=0.0, maximum=2000.0)] = 60.0
    lowest_charge: Annotated[float, ratio_of("charge at which the drive gives no more power")] = 0.03
    initial_charge: Annotated[float, ratio_of("charge at the start")] = 0.8
    auxiliary_power: Annotated[
        float, Quantity("kW", "taken while the vehicle is ready: control units, pumps, DC converter", minimum=0.0)
    ] = 0.3
    charging_efficiency: Annotated[
        float,
        Quantity(
            "1",
            "energy at its terminals while it is driven over what recharges it from the wall (SAE J1634)",
            above=0.0,
            maximum=1.0,
        ),
    ] = 0.875

    def __post_init__(self) -> None:
        check(self)
        check_rows("charge_points", self.charge_points, voltage_shares=self.voltage_shares)


@dataclass(frozen=True, slots=True)
class PlanetarySettings:
    """The planetary gear of a power split: carrier with engine, sun with generator, ring with motor."""

    sun_teeth: Annotated[int, Quantity("", "teeth of the sun", minimum=1, maximum=1000)] = 30
    ring_teeth: Annotated[int, Quantity("", "teeth of the ring", minimum=1, maximum=1000)] = 78

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class HybridSettings:
    """How a hybrid shares its torque between engine and motor.

    The engine gives what the driver asks for and the power that brings the battery back to the middle of its band; the
    motor gives, or takes, the difference. In a P2, a power-split or a series hybrid the engine runs when
    `electric_speed` or `electric_power` is exceeded, when the motor cannot do it alone, from the lower end of the band
    until the middle, and until its coolant has `warm_up`, which by default it always has.
    """

    low_charge: Annotated[float, ratio_of("lower end of the battery's band of charge")] = 0.4
    high_charge: Annotated[float, ratio_of("upper end of the band")] = 0.7
    charge_power: Annotated[
        float,
        Quantity("kW", "of the engine for the battery at the lower end, less towards the middle", minimum=0.0),
    ] = 8.0
    max_torque: Annotated[float, torque_of("highest of engine and motor together, at the gearbox")] = 1e6
    max_power: Annotated[
        float, Quantity("kW", "highest of engine and motor together, at the gearbox", above=0.0, maximum=1e6)
    ] = 1e6
    electric_speed: Annotated[
        float, Quantity("m/s", "up to which the engine rests, but for a P0 hybrid", minimum=0.0, maximum=100.0)
    ] = 30.0
    electric_power: Annotated[
        float, Quantity("kW", "at the gearbox, up to which the engine rests, but for a P0 hybrid", minimum=0.0)
    ] = 12.0
    warm_up: Annotated[
        float,
        Quantity("°C", "coolant up to which the engine runs on, but for a P0 hybrid", minimum=-50.0, maximum=110.0),
    ] = -50.0

    def __post_init__(self) -> None:
        check(self)
        if self.high_charge <= self.low_charge:
            raise ValueError(f"high_charge: {self.high_charge} is not above low_charge, {self.low_charge}")


@dataclass(frozen=True, slots=True)
class ElectricSettings:
    """An electric drive; a vehicle of the topology "none" has none.

    A battery-electric vehicle has no engine: the parameters of `engine` and `clutch` have no effect, its rev counter
    shows 0, and key "start" makes it ready to drive. One forward ratio is its reduction gear. With an `axle_motor` it
    has electric all-wheel drive: `driveline.layout` is torque-splitter, `splitter.stiffness` 0, with a ratio each.

    The motor of a P2 hybrid is behind `clutch`, which then opens and closes by itself, and before an automatic gearbox;
    key "start" makes it ready to drive, and the engine starts when it is needed. That of a P0 hybrid helps and brakes
    the crankshaft, and starts it after a stop by `stop_start`.

    In a power-split hybrid the engine turns the carrier of `planetary`, `generator` its sun, and the motor its ring,
    which is the input of a gearbox with one ratio, its final drive. The generator holds the engine on its best line,
    cranks and stops it; `clutch` is the torque limiter between them. In a series hybrid the engine turns the generator
    alone. In both the gear is always in mesh: in R the motor turns backward, with a ratio of the same size whatever
    `reverse_ratios` says, in P the engine charges a low battery, and in N both machines are off.
    """

    equipment: ClassVar[str] = "vehiclesim.equipment.electric:make_electric"

    topology: Annotated[ElectricTopology, "what drives the vehicle"] = ElectricTopology.NONE
    motor: MotorSettings = field(default_factory=MotorSettings)
    generator: MotorSettings = field(default_factory=MotorSettings)
    axle_motor: Annotated[
        MotorSettings | None, "motor of a battery-electric vehicle on the secondary axle of an open torque splitter"
    ] = None
    planetary: PlanetarySettings = field(default_factory=PlanetarySettings)
    battery: TractionBatterySettings = field(default_factory=TractionBatterySettings)
    hybrid: HybridSettings = field(default_factory=HybridSettings)
    overrun_deceleration: Annotated[
        float, Quantity("m/s2", "by recuperation with both pedals released", minimum=0.0, maximum=5.0)
    ] = 1.0
    braking_deceleration: Annotated[
        float,
        Quantity("m/s2", "highest by recuperation with the brake pedal; friction brakes add the rest", minimum=0.0),
    ] = 2.0
    creep_speed: Annotated[
        float, Quantity("m/s", "with both pedals released on the flat; 0: it stands", minimum=0.0, maximum=5.0)
    ] = 1.7

    def __post_init__(self) -> None:
        check(self)
        if self.axle_motor is not None and self.topology is not ElectricTopology.BATTERY_ELECTRIC:
            raise ValueError(f"axle_motor: only a battery-electric vehicle has one, not a {self.topology.value} one")
        if self.has_generator and self.generator.inertia <= 0.0:
            raise ValueError("generator: its rotor ends a shaft and needs an inertia above 0")

    @property
    def rotor_inertia(self) -> float:
        """Inertia [kg m²] of the rotor at the shaft that it turns with; 0 without a motor."""
        motor = self.motor
        return 0.0 if self.topology is ElectricTopology.NONE else motor.inertia * motor.ratio * motor.ratio

    @property
    def has_generator(self) -> bool:
        """True of a power-split and of a series hybrid."""
        return self.topology in {ElectricTopology.POWER_SPLIT, ElectricTopology.SERIES_HYBRID}

    @property
    def generator_inertia(self) -> float:
        """Inertia [kg m²] of the generator's rotor at its shaft."""
        generator = self.generator
        return generator.inertia * generator.ratio * generator.ratio
