"""Quantities that follow from the operating point of the engine: pressures of oil and rail, timing."""

from typing import ClassVar, Final

from vehiclesim.curves import clamp
from vehiclesim.parameters.auxiliary import LubricationSettings
from vehiclesim.state import Stateful

_HOT: Final = 95.0
"""[°C] at which the idle pressure is given."""


_FILLING_TURNS: Final = 10.0
"""Turns of a warm engine in which its pump fills filter and galleries: 0.5 to 2 s of a start (assumed)."""

_THICK: Final = 115.0
"""[K] below hot for which the pump needs twice these turns (assumed)."""

_DRAINING_TIME: Final = 1800.0
"""[s] in which the galleries of an engine at rest run empty (assumed)."""

_RESPONSE_TIME: Final = 0.15
"""[s] in which the pressure follows pump and leaks (assumed)."""


class Lubrication(Stateful):
    """p = p_idle·(n/n_idle)·viscosity·filled², up to where the relief valve opens, after a short lag.

    The pump delivers in proportion to speed, bearings let through in inverse proportion to the viscosity. Relative to
    95 °C this is 1 + ((95 - T)/45)² when colder and 1/(1 + (T - 95)/60) when hotter (assumed, for a 5W-30 oil). Before
    that it fills the galleries: `filled` grows with its turns, and falls slowly at rest.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("pressure", "filled")

    def __init__(self, settings: LubricationSettings, idle_rpm: float) -> None:
        self.pressure: float = 0.0  # [kPa] over air pressure
        self.filled: float = 0.0
        self._per_rpm: float = settings.idle_pressure / idle_rpm
        self._highest: float = settings.max_pressure

    def step(self, rpm: float, oil: float, delta_time: float) -> None:
        """Advance by `delta_time` [s] at a speed [1/min] and an oil temperature [°C]."""
        if rpm > 0.0:
            turns = _FILLING_TURNS * (1.0 + (_HOT - oil) / _THICK if oil < _HOT else 1.0)
            self.filled = clamp(self.filled + rpm * delta_time / (60.0 * turns), 0.0, 1.0)
        else:
            self.filled -= self.filled * delta_time / (_DRAINING_TIME + delta_time)
        settled = self.settled(rpm, oil) * self.filled * self.filled
        self.pressure += (settled - self.pressure) * delta_time / (_RESPONSE_TIME + delta_time)

    def settled(self, rpm: float, oil: float) -> float:
        """Return the pressure [kPa] with full galleries, at a speed [1/min] and an oil temperature [°C]."""
        colder = (_HOT - oil) / 45.0
        viscosity = 1.0 + colder * colder if oil < _HOT else 1.0 / (1.0 + (oil - _HOT) / 60.0)
        return clamp(self._per_rpm * rpm * viscosity, 0.0, self._highest)


_RPM_RANGE: Final = 3000.0
"""[1/min] over idle in which the timing moves (assumed, as are the degrees below)."""

_HEATING_FROM: Final = 300.0
"""[°C] of the catalyst: below, an idling petrol engine burns late to heat it."""


def ignition_advance(rpm_over_idle: float, load: float, catalyst: float) -> float:
    """Return 5° + 18° with speed + 15° at no load [°], 10° less at idle while the catalyst is cold.

    The result is 5 .. 20° at idle, some 30 .. 35° cruising, and 23° at full load and high speed.
    """
    speed = clamp(rpm_over_idle / _RPM_RANGE, 0.0, 1.0)
    advance = 5.0 + 18.0 * speed + 15.0 * (1.0 - load)
    if catalyst < _HEATING_FROM:
        advance -= 10.0 * (1.0 - speed) * (1.0 - load)
    return advance


_RAIL_RPM: Final = 4000.0
"""[1/min] from which the rail has its full pressure."""


def rail_pressure(rpm: float, load: float) -> float:
    """Return 25 MPa at idle up to 160 MPa at full load and speed [kPa], of common-rail injection.

    The range is that of Bosch's second generation (Bosch, Automotive Handbook); the way between is assumed.
    """
    return 25e3 + 135e3 * clamp(0.3 * rpm / _RAIL_RPM + 0.7 * load * (0.4 + 0.6 * rpm / _RAIL_RPM), 0.0, 1.0)


def injection_advance(rpm_over_idle: float, load: float) -> float:
    """Return 1° at idle, 8° more with speed and 4° more with load: the main injection of a common-rail engine."""
    return 1.0 + 8.0 * clamp(rpm_over_idle / _RPM_RANGE, 0.0, 1.0) + 4.0 * load
