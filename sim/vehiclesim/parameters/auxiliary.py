"""Parameters of a vehicle besides its drivetrain: cooling, battery, tank, counters and the air path.

A value without a source in its text is assumed, and stands for a car of today. What grows with the engine is given per
litre of displacement, so that the defaults suit a small car and a truck.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated

from vehiclesim.parameters.quantity import Quantity, check, ratio_of


class FuelKind(Enum):
    """Kind of fuel, and so of power control: by the air (petrol) or by the fuel (diesel)."""

    PETROL = "petrol"
    DIESEL = "diesel"


def temperature_of(text: str) -> Quantity:
    return Quantity("°C", text, minimum=-50.0, maximum=200.0)


def heat_capacity_of(text: str, unit: str = "J/(K·l)") -> Quantity:
    return Quantity(unit, text, minimum=100.0, maximum=1e7)


def current_of(text: str) -> Quantity:
    return Quantity("A", text, minimum=0.0, maximum=5000.0)


@dataclass(frozen=True, slots=True)
class ThermalSettings:
    """Heat capacities and cooling of the vehicle."""

    engine_heat_capacity: Annotated[
        float, heat_capacity_of("coolant and the metal that warms with it, per litre of displacement")
    ] = 25e3
    oil_heat_capacity: Annotated[float, heat_capacity_of("engine oil and its sump, per litre of displacement")] = 5e3
    transmission_heat_capacity: Annotated[float, heat_capacity_of("transmission oil and its housing", "J/K")] = 12e3
    catalyst_heat_capacity: Annotated[float, heat_capacity_of("catalyst brick, per litre of displacement")] = 600.0
    coolant_share: Annotated[
        float, ratio_of("share of the fuel's power that cylinder walls take; 0.17 .. 0.26 at full load (Heywood)")
    ] = 0.20
    thermostat_opens: Annotated[float, temperature_of("coolant at which the thermostat begins to open")] = 87.0
    thermostat_open: Annotated[float, temperature_of("coolant at which it is fully open")] = 100.0
    fan_on: Annotated[float, temperature_of("coolant at which the radiator fan starts")] = 99.0
    fan_off: Annotated[float, temperature_of("coolant at which it stops")] = 95.0
    boiling: Annotated[float, temperature_of("coolant boils: 265 °F with half glycol under a 15 psi cap")] = 129.0
    radiator_reserve: Annotated[
        float,
        Quantity("1", "heat that the radiator rejects at 90 km/h over full load's heat", minimum=0.1, maximum=10.0),
    ] = 1.2

    def __post_init__(self) -> None:
        check(self)
        if self.thermostat_open <= self.thermostat_opens:
            raise ValueError(f"thermostat_open: {self.thermostat_open} is not above {self.thermostat_opens}, its start")
        if self.fan_on <= self.fan_off:
            raise ValueError(f"fan_on: {self.fan_on} is not above fan_off {self.fan_off}")
        highest = max(self.thermostat_open, self.fan_on)
        if self.boiling <= highest:
            raise ValueError(f"boiling: {self.boiling} is not above {highest}, where cooling is still beginning")


@dataclass(frozen=True, slots=True)
class AlternatorControlSettings:
    """An alternator whose voltage the engine's control unit sets: it charges on overrun, and rests under load."""

    enabled: Annotated[bool, "the control unit sets the voltage; false: the regulator holds alternator_voltage"] = False
    overrun_voltage: Annotated[
        float,
        Quantity("V", "on overrun; 14 V systems go to 14.8 (Bosch, Automotive Handbook)", minimum=6.0, maximum=60.0),
    ] = 14.8
    rest_voltage: Annotated[
        float,
        Quantity(
            "V",
            "while the alternator rests: below that of the battery under its consumers; 12.2 to 12.5 (Ford Ranger)",
            minimum=6.0,
            maximum=60.0,
        ),
    ] = 12.2
    target_charge: Annotated[float, ratio_of("of the battery at which charging ends but on overrun (GM, Ford)")] = 0.8
    charge_band: Annotated[float, ratio_of("below the target, where charging begins: at 0.75 (Ford)")] = 0.05

    def __post_init__(self) -> None:
        check(self)
        if self.charge_band >= self.target_charge:
            raise ValueError(f"charge_band: {self.charge_band} is not less than target_charge {self.target_charge}")
        if self.rest_voltage >= self.overrun_voltage:
            raise ValueError(f"rest_voltage: {self.rest_voltage} is not below overrun_voltage {self.overrun_voltage}")


@dataclass(frozen=True, slots=True)
class ElectricsSettings:
    """Battery, alternator, starter motor and consumers. Currents are those at 13 V (26 V)."""

    nominal_voltage: Annotated[float, Quantity("V", "12, or 24 as in trucks", minimum=6.0, maximum=48.0)] = 12.0
    capacity: Annotated[float, Quantity("Ah", "of a full battery", minimum=1.0, maximum=2000.0)] = 60.0
    internal_resistance: Annotated[float, Quantity("Ω", "of a full battery at 25 °C", minimum=0.0005, maximum=0.5)] = (
        0.008
    )
    initial_charge: Annotated[float, ratio_of("of the battery, when nothing is stored")] = 0.95
    charger: Annotated[bool, "a charger on the bench keeps the charge as it is"] = False
    starter_current: Annotated[
        float, Quantity("A", "starter held fast, full battery at 25 °C", minimum=10.0, maximum=5000.0)
    ] = 400.0
    starter_rpm: Annotated[
        float, Quantity("rpm", "of the starter's pinion without load, full battery", minimum=100.0, maximum=50_000.0)
    ] = 4200.0
    starter_ratio: Annotated[
        float, Quantity("1", "teeth of the flywheel's ring over those of the pinion", minimum=1.0, maximum=50.0)
    ] = 12.0
    alternator_voltage: Annotated[float, Quantity("V", "held at 25 °C by the regulator", minimum=6.0, maximum=60.0)] = (
        14.2
    )
    alternator_current: Annotated[float, current_of("of the alternator at high speed")] = 110.0
    alternator_control: AlternatorControlSettings = field(default_factory=AlternatorControlSettings)
    standby_current: Annotated[float, current_of("key off")] = 0.03
    ignition_current: Annotated[float, current_of("more with the key on")] = 8.0
    engine_current: Annotated[float, current_of("more while the engine runs: pumps, injection, lamps")] = 20.0
    fan_current: Annotated[float, current_of("more while the radiator fan runs")] = 25.0

    def __post_init__(self) -> None:
        check(self)
        if self.alternator_voltage < 1.1 * self.nominal_voltage:
            raise ValueError(
                f"alternator_voltage: {self.alternator_voltage} does not charge a battery of {self.nominal_voltage} V"
            )
        control = self.alternator_control
        if control.enabled and not control.rest_voltage < self.alternator_voltage <= control.overrun_voltage:
            raise ValueError(
                f"alternator_control: {control.rest_voltage}, alternator_voltage {self.alternator_voltage} and "
                f"{control.overrun_voltage} V do not rise from rest_voltage to overrun_voltage"
            )
        drop = self.starter_current * self.internal_resistance
        if drop > 0.8 * self.nominal_voltage:
            raise ValueError(f"starter_current: {self.starter_current} drops {drop} V in the battery; it cannot flow")


@dataclass(frozen=True, slots=True)
class TankSettings:
    """The fuel tank."""

    capacity: Annotated[float, Quantity("l", "of the tank", minimum=0.1, maximum=10_000.0)] = 50.0
    initial_share: Annotated[float, ratio_of("of the tank that is full, when nothing is stored")] = 1.0
    endless: Annotated[bool, "the level stays, for benches that run for weeks"] = False

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class DistanceSettings:
    """Odometer and distance pulses."""

    initial_odometer: Annotated[float, Quantity("km", "when nothing is stored", minimum=0.0, maximum=100_000_000.0)] = (
        0.0
    )
    pulses_per_metre: Annotated[
        float, Quantity("1/m", "of the distance signal of cluster and radio", minimum=0.0, maximum=1e4)
    ] = 4.0
    pulses_per_turn: Annotated[
        float, Quantity("", "teeth of the ring that a wheel speed sensor sees", minimum=0.0, maximum=1e4)
    ] = 48.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class AirPathSettings:
    """Intake and fuel of the engine."""

    fuel: Annotated[FuelKind, "petrol: throttled, mixture controlled; diesel: unthrottled, lean"] = FuelKind.PETROL
    displacement: Annotated[
        float,
        Quantity("l", "all cylinders; 0: what max_fuel_per_rev needs at full load", minimum=0.0, maximum=1000.0),
    ] = 0.0
    volumetric_efficiency: Annotated[
        float, Quantity("1", "of the fresh charge, beside the residual gas", minimum=0.3, maximum=1.5)
    ] = 0.95
    max_boost: Annotated[
        float, Quantity("kPa", "of the turbocharger over air pressure; 0: there is none", minimum=0.0, maximum=500.0)
    ] = 0.0
    boost_reserve: Annotated[
        float,
        Quantity("1", "pressure ratio that it can reach over that of full load at sea level", minimum=1.0, maximum=5.0),
    ] = 1.2
    boost_time: Annotated[
        float,
        Quantity("s", "time constant of the boost at 1500 rpm, falling with speed; 0: none", minimum=0.0, maximum=20.0),
    ] = 0.0
    intake_volume: Annotated[
        float,
        Quantity("l", "between throttle and cylinders of a petrol engine; 0: no lag", minimum=0.0, maximum=1000.0),
    ] = 0.0
    throttling_work: Annotated[
        bool,
        "friction is that of an engine motored with an open throttle: work past the plate comes on top, with a volume",
    ] = False
    exhaust_recirculation: Annotated[
        float,
        Quantity("1", "most exhaust gas in the charge of a warm diesel, at idle; 0: none", minimum=0.0, maximum=0.7),
    ] = 0.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class LubricationSettings:
    """The oil pump."""

    idle_pressure: Annotated[float, Quantity("kPa", "hot, at idle", minimum=10.0, maximum=1000.0)] = 120.0
    max_pressure: Annotated[float, Quantity("kPa", "at which the relief valve opens", minimum=10.0, maximum=2000.0)] = (
        450.0
    )

    def __post_init__(self) -> None:
        check(self)
        if self.max_pressure < self.idle_pressure:
            raise ValueError(f"max_pressure: {self.max_pressure} is less than at idle, {self.idle_pressure}")


@dataclass(frozen=True, slots=True)
class AuxiliarySettings:
    """Values of clusters and scan tools besides the drivetrain."""

    thermal: ThermalSettings = field(default_factory=ThermalSettings)
    electrics: ElectricsSettings = field(default_factory=ElectricsSettings)
    tank: TankSettings = field(default_factory=TankSettings)
    distances: DistanceSettings = field(default_factory=DistanceSettings)
    air_path: AirPathSettings = field(default_factory=AirPathSettings)
    lubrication: LubricationSettings = field(default_factory=LubricationSettings)
