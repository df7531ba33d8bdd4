"""What a fuel is: rounded handbook values (Heywood, Internal Combustion Engine Fundamentals, table D.4)."""

from typing import Final, NamedTuple

from vehiclesim.parameters.auxiliary import FuelKind


class Fuel(NamedTuple):
    """One kind of fuel, and how rich an engine burns it at full load."""

    stoichiometric_ratio: float  # air over fuel by mass
    heating_value: float  # lower heating value [J/g]
    full_load_lambda: float  # petrol: for the highest torque and cool exhaust; diesel: the smoke limit


PETROL: Final = Fuel(14.7, 43_000.0, 0.88)
DIESEL: Final = Fuel(14.5, 43_000.0, 1.3)


def fuel_of(kind: FuelKind) -> Fuel:
    return DIESEL if kind is FuelKind.DIESEL else PETROL
