"""The oil pressure behind a gear pump."""

from typing import Final

from vehiclesim.curves import clamp
from vehiclesim.parameters.auxiliary import LubricationSettings

_HOT: Final = 95.0
"""[°C] at which the idle pressure is given."""


class Lubrication:
    """p = p_idle·(n/n_idle)·viscosity, up to where the relief valve opens.

    The pump delivers in proportion to speed, bearings let through in inverse proportion to the viscosity. Relative to
    95 °C this is 1 + ((95 - T)/45)² when colder and 1/(1 + (T - 95)/60) when hotter (assumed, for a 5W-30 oil).
    """

    def __init__(self, settings: LubricationSettings, idle_rpm: float) -> None:
        self._per_rpm: float = settings.idle_pressure / idle_rpm
        self._highest: float = settings.max_pressure

    def pressure(self, rpm: float, oil: float) -> float:
        """[kPa] over air pressure, at a speed [1/min] and an oil temperature [°C]."""
        colder = (_HOT - oil) / 45.0
        viscosity = 1.0 + colder * colder if oil < _HOT else 1.0 / (1.0 + (oil - _HOT) / 60.0)
        return clamp(self._per_rpm * rpm * viscosity, 0.0, self._highest)
