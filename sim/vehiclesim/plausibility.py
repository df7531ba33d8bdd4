"""Limits of what engines have: best consumption, mean effective pressure, friction. Beyond them no such engine exists.

Mean effective pressure of a torque T and a displacement V, four-stroke: p = 4π·T/V     1 N m / 1 l = 1 kPa

The highest brake mean effective pressures of engines in series, with some room above:

    petrol, naturally aspirated     15.1 bar    Ferrari 458 Speciale: 540 Nm of 4.497 l
    petrol, charged                 37.9 bar    Koenigsegg Gemera: 600 Nm of 1.988 l
    diesel, naturally aspirated      8.3 bar    Volkswagen 1.9 SDI: 125 Nm of 1.896 l
    diesel, charged                 31.9 bar    BMW B57 with four turbochargers: 760 Nm of 2.993 l

Best consumption b = 3.6e6/(efficiency·heating value), with 43 kJ/g: 41 % of the best petrol engines of cars (Toyota
A25A-FXS) are 204 g/kWh, 46 to 48 % of the best diesel engines of trucks 175 to 182 g/kWh.

Friction of motored engines over N in 1000/min (Heywood, Internal Combustion Engine Fundamentals, 13.6):

    spark ignition                  0.97 + 0.15·N + 0.05·N²      bar
    diesel, direct injection        0.75 + 0.48·N + 0.036·N²     bar, for a stroke of 90 mm

The limit is twice as much and 1 bar more, for old engines and for the pumping of a closed throttle.
"""

from math import isnan, pi
from typing import Final, NamedTuple

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.full_load import EngineSpecifications
from vehiclesim.engine.torque_curve import make_curve
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind

FRICTION_PRESSURE: Final = {FuelKind.PETROL: (0.97, 0.15, 0.05), FuelKind.DIESEL: (0.75, 0.48, 0.036)}
"""Mean friction of motored engines: [bar], [bar per 1000/min], [bar per (1000/min)²]."""

_LEAST_CONSUMPTION: Final = {FuelKind.PETROL: 190.0, FuelKind.DIESEL: 170.0}
"""[g/kWh]"""

_MOST_PRESSURE: Final = {
    (FuelKind.PETROL, False): 16.0,
    (FuelKind.PETROL, True): 40.0,
    (FuelKind.DIESEL, False): 10.0,
    (FuelKind.DIESEL, True): 36.0,
}
"""[bar] by fuel, and whether the engine is charged."""

_FRICTION_FACTOR: Final = 2.0
_FRICTION_ROOM: Final = 1.0
"""[bar]"""

_BAR: Final = 100.0
"""[kPa]"""


class Implausible(NamedTuple):
    """A figure that no engine has: the parameter of the engine that makes it, and the reason with its remedy."""

    parameter: str
    reason: str


def implausible(settings: EngineSettings, sheet: EngineSpecifications, air: AirPathSettings) -> list[Implausible]:
    """Return what no engine has: `sheet` is the engine's data sheet, `air` gives fuel, displacement and boost.

    Without a displacement only the consumption can be judged.
    """
    kind = f"{'charged' if air.max_boost > 0.0 else 'naturally aspirated'} {air.fuel.value}"
    torque = "table_torque" if settings.table_rpm else "peak_rpm_torque"
    found = []
    best, least = sheet.specific_fuel_consumption, _LEAST_CONSUMPTION[air.fuel]
    if not isnan(best) and best < least:
        reason = f"the best consumption is {best:.0f} g/kWh; no {air.fuel.value} engine needs less than {least:.0f}"
        key, remedy = "max_fuel_per_rev", "raise max_fuel_per_rev or lower the torque"
        if settings.efficiency_rpm:
            key, remedy = "indicated_efficiency", "lower indicated_efficiency or the torque"
        found.append(Implausible(key, f"{reason}: {remedy}"))
    litres = air.displacement
    if litres <= 0.0:
        return found
    most = _MOST_PRESSURE[air.fuel, air.max_boost > 0.0]
    pressure = mean_pressure(sheet.max_torque_at_peak, litres)
    if pressure > most:
        reason = f"{sheet.max_torque_at_peak:.0f} Nm of {litres:.2g} l are a mean effective pressure of"
        limit = f"{pressure:.1f} bar; no {kind} engine has more than {most:.0f}"
        remedy = "lower the torque, or mend displacement or max_boost of auxiliary.air_path"
        found.append(Implausible(torque, f"{reason} {limit}: {remedy}"))
    return found + _friction(settings, air.fuel, litres, _highest_speed(settings, sheet.limit_rpm))


def mean_pressure(torque: float, litres: float) -> float:
    """Return the mean effective pressure [bar] of a torque [N m] and a displacement [l]."""
    return 4.0 * pi * torque / litres / _BAR


def _highest_speed(settings: EngineSettings, limit_rpm: float) -> float:
    """Return the speed [1/min] that the engine reaches by itself; its curve goes on to `limit_rpm`."""
    reached = max(settings.max_rpm, *settings.table_rpm) if settings.table_rpm else settings.max_rpm
    limited = settings.rpm_limiter_max if settings.rpm_limiter else reached
    return min(reached, limited, limit_rpm)


def _friction(settings: EngineSettings, fuel: FuelKind, litres: float, highest: float) -> list[Implausible]:
    """Return the friction where it is farthest beyond its limit: at idle, or at the highest speed."""
    curve = make_curve(settings)
    constant, linear, square = FRICTION_PRESSURE[fuel]
    worst: tuple[float, str] = (0.0, "")
    for rpm in (settings.idle_rpm, highest):
        friction = curve.friction(rpm * RPM_TO_W)
        pressure = mean_pressure(friction, litres)
        thousands = rpm * 1e-3
        most = _FRICTION_FACTOR * (constant + (linear + square * thousands) * thousands) + _FRICTION_ROOM
        if pressure - most > worst[0]:
            text = f"the friction of {friction:.0f} Nm at {rpm:.0f} rpm is a mean pressure of {pressure:.1f} bar"
            worst = (pressure - most, f"{text}; no {fuel.value} engine has more than {most:.1f} there")
    if not worst[1]:
        return []
    table = bool(settings.table_rpm)
    names = "table_resistive_torque" if table else "friction_torque, rotational_friction or viscous_friction"
    return [Implausible(names.partition(",")[0], f"{worst[1]}: lower {names}")]
