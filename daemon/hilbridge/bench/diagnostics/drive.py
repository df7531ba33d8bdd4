"""The drive of a vehicle: what diagnostics support follows it, and not the parameters of an engine that is not there.

    fuel of the engine   PID 51 without, with an electric motor   ignition
    petrol               1, 17                                    spark
    ethanol              3, 18                                    spark
    methanol             2, 21                                    spark
    LPG, CNG, propane    5, 6, 7; 21                              spark
    diesel               4, 19                                    compression
    no engine            8                                        -

Fuel types are those of SAE J1979-DA as python-OBD's decoder publishes them; 21 is the one of any hybrid.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from vehiclesim import VehicleSettings
from vehiclesim.parameters.electric import ElectricTopology

ELECTRIC: Final = "electric"
"""The `fuel` of a vehicle without an engine."""

_TYPES: Final[Mapping[str, tuple[int, int]]] = {
    "petrol": (1, 17),
    "methanol": (2, 21),
    "ethanol": (3, 18),
    "diesel": (4, 19),
    "lpg": (5, 21),
    "cng": (6, 21),
    "propane": (7, 21),
}
_ELECTRIC_TYPE: Final[int] = 8

_OF_ENGINES: Final = (
    (range(0x0130, 0x0176), "oxygen sensors and mixture"),
    (range(0x0200, 0x0217), "injectors"),
    (range(0x0261, 0x0300), "injectors"),
    (range(0x0300, 0x0320), "misfires"),
    (range(0x0400, 0x0460), "exhaust gas and evaporation"),
)
"""Codes P0xxx that name a part of an engine (SAE J2012)."""


class Drive(NamedTuple):
    """A drive. `fuel`: petrol for spark ignition, diesel for compression, or electric; `type`: PID 51."""

    fuel: str
    type: int

    @property
    def has_engine(self) -> bool:
        """Whether there is a combustion engine."""
        return self.fuel != ELECTRIC


def fuel_of(settings: VehicleSettings) -> str:
    """Return what drives a vehicle: the fuel of its engine, or "electric" if it has none."""
    if settings.electric.topology is ElectricTopology.BATTERY_ELECTRIC:
        return ELECTRIC
    return settings.auxiliary.air_path.fuel.value


def drive_of(settings: VehicleSettings, burnt: str | None = None, place: KeyPath = ()) -> Drive:
    """Return the drive of a vehicle. `burnt`: what a spark-ignition engine burns in place of petrol, at `place`.

    ConfigurationError: there is no such engine.
    """
    fuel = fuel_of(settings)
    if burnt is not None and fuel != "petrol":
        raise ConfigurationError(f"{burnt} needs a spark-ignition engine; the vehicle's drive is {fuel}", place)
    if fuel == ELECTRIC:
        return Drive(fuel, _ELECTRIC_TYPE)
    hybrid = settings.electric.topology is not ElectricTopology.NONE
    return Drive(fuel, _TYPES[burnt or fuel][hybrid])


def part_of_engine(j2012: str) -> str | None:
    """Return which part of an engine a trouble code names; None for another code."""
    if j2012[0] != "P":
        return None
    number = int(j2012[1:], 16)
    return next((part for codes, part in _OF_ENGINES if number in codes), None)
