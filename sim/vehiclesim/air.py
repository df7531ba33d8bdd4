"""The air outside: the condition that vehicle files refer to, and how much thinner or denser it is now."""

from typing import Final

from vehiclesim.curves import clamp

STANDARD_PRESSURE: Final = 101.325
"""[kPa] at sea level (ISO 2533); the data bus rests there."""

REFERENCE_TEMPERATURE: Final = 20.0
"""[°C] at which the data bus rests; torque, drag and cooling of a vehicle file hold at this and STANDARD_PRESSURE."""

KELVIN: Final = 273.15


def bounded_pressure(pressure: float) -> float:
    """Return a pressure [kPa] held between 10 and 200, so that no input stops the engine's arithmetic."""
    return pressure if 10.0 < pressure < 200.0 else clamp(pressure, 10.0, 200.0)


def bounded_temperature(temperature: float) -> float:
    """Return a temperature [°C] held between -60 and 80."""
    return clamp(temperature, -60.0, 80.0)


def density_ratio(pressure: float, temperature: float) -> float:
    """p/p_ref · T_ref/T, the density over that of the reference condition, at [kPa] and [°C] (ideal gas)."""
    absolute = bounded_temperature(temperature) + KELVIN
    return bounded_pressure(pressure) / STANDARD_PRESSURE * ((REFERENCE_TEMPERATURE + KELVIN) / absolute)
