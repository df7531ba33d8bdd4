"""Fuels: the air that they need, the heat that they give, how rich they are burnt (Heywood, table D.4, rounded)."""

from typing import Final, NamedTuple

from vehiclesim.parameters.auxiliary import FuelKind

HEATING_VALUE: Final = 43_000.0
"""[J/g], lower heating value of petrol and of diesel."""


class Fuel(NamedTuple):
    """One kind of fuel, and how rich an engine burns it at full load."""

    stoichiometric_ratio: float  # air over fuel by mass
    heating_value: float  # lower heating value [J/g]
    full_load_lambda: float  # petrol: for the highest torque and cool exhaust; diesel: the smoke limit


PETROL: Final = Fuel(14.7, HEATING_VALUE, 0.88)
DIESEL: Final = Fuel(14.5, HEATING_VALUE, 1.3)

RICH_FROM: Final = 0.85
"""Load above which a petrol engine's mixture is enriched, down to the full-load lambda at 1 (assumed)."""


def fuel_of(kind: FuelKind) -> Fuel:
    return DIESEL if kind is FuelKind.DIESEL else PETROL
