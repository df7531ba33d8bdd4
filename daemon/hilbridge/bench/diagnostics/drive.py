"""The drive of a vehicle: what diagnostics support follows it, and not the parameters of an engine that is not there.

    fuel of the engine   PID 51 without, with an electric motor   ignition
    petrol               1, 17                                    spark
    ethanol              3, 18                                    spark
    methanol             2, 21                                    spark
    LPG, CNG, propane    5, 6, 7; 21                              spark
    hydrogen             30, 21                                   spark
    diesel               4, 19                                    compression
    no engine            8; with hydrogen, in a fuel cell, 29     -

Fuel types are those of SAE J1979-DA as python-OBD's decoder publishes them, and OBDb/SAEJ1979 (d528efd8) those of
hydrogen; 21 is the one of any hybrid.
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
    "hydrogen": (30, 21),
}
_ELECTRIC_TYPES: Final[Mapping[str | None, int]] = {None: 8, "hydrogen": 29}
"""By what a fuel cell burns; the model has none, and takes all energy from the traction battery."""

_OF_ENGINES: Final = {
    "fuel and air metering": (
        *((0x0001, 0x006F), (0x0075, 0x0114), (0x0127, 0x0127), (0x0130, 0x0194)),
        *((0x0200, 0x0216), (0x0230, 0x0296), (0x0299, 0x02FF)),
        *((0x0611, 0x0612), (0x0627, 0x0629), (0x0656, 0x0656)),
        *((0x2000, 0x202F), (0x2031, 0x2108), (0x2110, 0x2112), (0x2118, 0x2119), (0x2146, 0x2157), (0x2169, 0x2181)),
        *((0x2187, 0x2225), (0x2231, 0x2298), (0x2562, 0x2566), (0x2623, 0x2636), (0x2A00, 0x2AFF)),
    ),
    "ignition, misfires and positions of the shafts": (
        (0x0300, 0x0316),
        (0x0320, 0x03FF),
        (0x0670, 0x0684),
        (0x2300, 0x23FF),
        (0x2614, 0x2619),
    ),
    "auxiliary emission controls": (
        (0x0400, 0x047F),
        (0x0486, 0x0492),
        (0x0496, 0x0499),
        (0x2141, 0x2145),
        (0x2400, 0x24FF),
        (0x2567, 0x2577),
    ),
    "idle control, oil pressure and exhaust temperature": ((0x0505, 0x0511), (0x0518, 0x0524), (0x0540, 0x054F)),
}
"""First and last number of codes P0xxx and P2xxx (SAE J2012) that name a part of a combustion engine.

Coolant, pedal, battery, fans and ambient air are left to all drives.
"""


class Drive(NamedTuple):
    """A drive. `fuel`: petrol for spark ignition, diesel for compression, or electric; `type`: PID 51."""

    fuel: str
    type: int
    has_traction_battery: bool

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

    ConfigurationError: there is no such engine, nor a fuel cell that takes it.
    """
    fuel = fuel_of(settings)
    if fuel == ELECTRIC and burnt in _ELECTRIC_TYPES:
        return Drive(fuel, _ELECTRIC_TYPES[burnt], True)
    if burnt is not None and fuel != "petrol":
        raise ConfigurationError(f"{burnt} needs a spark-ignition engine; the vehicle's drive is {fuel}", place)
    hybrid = settings.electric.topology is not ElectricTopology.NONE
    return Drive(fuel, _TYPES[burnt or fuel][hybrid], hybrid)


def part_of_engine(j2012: str) -> str | None:
    """Return which part of an engine a trouble code names; None for another code."""
    if j2012[0] != "P":
        return None
    number = int(j2012[1:], 16)
    parts = _OF_ENGINES.items()
    return next((part for part, ranges in parts if any(first <= number <= last for first, last in ranges)), None)
