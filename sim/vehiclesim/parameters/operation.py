"""Parameters of what an engine does besides driving: its accessories, and its running while it is cold.

Each set is an optional block of a vehicle file; with its defaults it changes nothing.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from vehiclesim.parameters.quantity import Quantity, check, ratio_of


def power_of(text: str) -> Quantity:
    return Quantity("W", text, minimum=0.0, maximum=1e5)


@dataclass(frozen=True, slots=True)
class AccessorySettings:
    """Machines that the engine drives besides the vehicle; friction has the pumps of oil, water and fuel."""

    alternator_efficiency: Annotated[
        float,
        ratio_of("of the alternator with its belt, usually 0.67; 0: its current costs no torque, so consumers no fuel"),
    ] = 0.0
    air_conditioning: Annotated[float, power_of("of the compressor while body.AirConditioning is on")] = 0.0
    power_steering: Annotated[float, power_of("of the pump of a hydraulic steering")] = 0.0
    fan: Annotated[
        float,
        power_of("of a fan on the crankshaft at max_rpm, with the cube of the speed; it turns with the radiator's fan"),
    ] = 0.0

    def __post_init__(self) -> None:
        check(self)
        if 0.0 < self.alternator_efficiency < 0.1:
            raise ValueError(f"alternator_efficiency: {self.alternator_efficiency} is less than 0.1 and not 0")


@dataclass(frozen=True, slots=True)
class ColdSettings:
    """How an engine runs while its coolant is colder than where the thermostat opens."""

    friction_exponent: Annotated[
        float,
        Quantity(
            "1", "friction grows as (T_warm/T)^x with the temperature in K; 0: it does not", minimum=0.0, maximum=10.0
        ),
    ] = 0.0
    idle_rpm: Annotated[
        float,
        Quantity("rpm", "idle speed at -20 °C, with 60 °C that of the engine; 0: the same", minimum=0.0, maximum=5e3),
    ] = 0.0
    enrichment: Annotated[bool, "a petrol engine burns the fuel of its rich cold mixture"] = False

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class StopStartSettings:
    """Stop and start: the engine stops where the vehicle stands, and starts again when the driver wants to go on."""

    equipment: ClassVar[str] = "vehiclesim.equipment.stop_start:make_stop_start"

    enabled: Annotated[bool, "the vehicle has it"] = False
    delay: Annotated[float, Quantity("s", "of standstill, before the engine stops", minimum=0.0, maximum=60.0)] = 1.0
    longest: Annotated[
        float, Quantity("s", "that it stays stopped, then it starts by itself", minimum=1.0, maximum=3600.0)
    ] = 180.0
    speed: Annotated[
        float, Quantity("m/s", "that the vehicle must have reached since the last start", minimum=0.0, maximum=50.0)
    ] = 3.0
    coolant: Annotated[float, Quantity("°C", "lowest temperature of the coolant", minimum=-50.0, maximum=150.0)] = 40.0
    charge: Annotated[float, ratio_of("lowest charge of the battery; a twentieth less starts the engine again")] = 0.7

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class LaunchControlSettings:
    """Launch control: standing on brake and accelerator holds the engine at a speed, letting go of the brake starts."""

    equipment: ClassVar[str] = "vehiclesim.equipment.launch_control:make_launch_control"

    enabled: Annotated[bool, "the vehicle has it"] = False
    rpm: Annotated[
        float, Quantity("rpm", "at which the engine is held (that of a Corvette C8)", minimum=1000.0, maximum=2e4)
    ] = 3500.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class CruiseSettings:
    """Cruise control: holds a set speed by the throttle."""

    equipment: ClassVar[str] = "vehiclesim.equipment.cruise:make_cruise"

    enabled: Annotated[bool, "the vehicle has it"] = False
    minimum_speed: Annotated[
        float, Quantity("m/s", "that can be set, below which it lets go (assumed)", minimum=1.0, maximum=50.0)
    ] = 8.0
    maximum_speed: Annotated[
        float, Quantity("m/s", "highest that can be set (assumed)", minimum=1.0, maximum=150.0)
    ] = 55.0

    def __post_init__(self) -> None:
        check(self)
        if self.maximum_speed <= self.minimum_speed:
            raise ValueError(f"maximum_speed: {self.maximum_speed} is not above minimum_speed {self.minimum_speed}")
