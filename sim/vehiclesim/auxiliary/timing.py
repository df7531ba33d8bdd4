"""When the charge is lit: spark of a petrol engine, start of injection of a diesel, in degrees before dead centre."""

from typing import Final

from vehiclesim.curves import clamp

_RPM_RANGE: Final = 3000.0
"""[1/min] over idle in which the timing moves (assumed, as are the degrees below)."""

_HEATING_FROM: Final = 300.0
"""[°C] of the catalyst: below, an idling petrol engine burns late to heat it."""


def ignition_advance(rpm_over_idle: float, load: float, catalyst: float) -> float:
    """5° + 18° with speed + 15° at no load; 10° less at idle while the catalyst is cold.

    That gives 5 .. 20° at idle, some 30 .. 35° cruising, and 23° at full load and high speed.
    """
    speed = clamp(rpm_over_idle / _RPM_RANGE, 0.0, 1.0)
    advance = 5.0 + 18.0 * speed + 15.0 * (1.0 - load)
    if catalyst < _HEATING_FROM:
        advance -= 10.0 * (1.0 - speed) * (1.0 - load)
    return advance


def injection_advance(rpm_over_idle: float, load: float) -> float:
    """1° at idle, 8° more with speed and 4° more with load: the main injection of a common-rail engine."""
    return 1.0 + 8.0 * clamp(rpm_over_idle / _RPM_RANGE, 0.0, 1.0) + 4.0 * load
