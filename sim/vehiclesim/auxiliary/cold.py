"""How a cold engine differs from a warm one: its friction, its idle speed and its fuel."""

from typing import ClassVar, Final

from vehiclesim.curves import clamp, power
from vehiclesim.parameters.operation import ColdSettings
from vehiclesim.state import Stateful
from vehiclesim.tables import Table

_KELVIN: Final = 273.15

_SPAN: Final = 150
"""[K] below the warm engine for which its friction is tabulated, kelvin by kelvin: to 3e-5, a fifth of the time."""

_COLD: Final = -20.0
"""[°C] of the coolant at which `idle_rpm` of the cold engine is given."""

_IDLE_WARM: Final = 60.0
"""[°C] from which an engine idles at its own speed (assumed)."""


class ColdRunning(Stateful):
    """A cold engine's friction, idle speed and fuel, over those of the warm one.

    Friction: (T_warm/T)^x, T the coolant's absolute temperature, T_warm that at which the thermostat opens. This is
    the law of CO2MPAS, the European Commission's model of fuel consumption, with x = 3.5 after the first seconds
    (github.com/JRCSTU/CO2MPAS-TA, co2mpas/core/model/physical/engine/fc.py and defaults.py).
    """

    state_vars: ClassVar[tuple[str, ...]] = ("friction_factor", "idle_rise", "enrichment")

    def __init__(self, settings: ColdSettings, warm: float, idle_rpm: float) -> None:
        """Take the temperature [°C] of the warm coolant and the idle speed [1/min] of the warm engine."""
        self.friction_factor: float = 1.0
        self.idle_rise: float = 0.0  # [1/min]
        self.enrichment: float = 1.0

        self._friction: Table | None = None
        if settings.friction_exponent > 0.0:
            kelvins = [warm + _KELVIN - k for k in range(_SPAN, -1, -1)]
            factors = [power(kelvins[-1] / kelvin, settings.friction_exponent) for kelvin in kelvins]
            self._friction = Table([kelvin - _KELVIN for kelvin in kelvins], factors)
        self._rise: float = max(settings.idle_rpm - idle_rpm, 0.0)
        self._enriches: bool = settings.enrichment

    def step(self, coolant: float, commanded_lambda: float, sensor_error: float = 0.0) -> None:
        """Update with the coolant's temperature [°C] and the lambda that the mixture's control commands for it.

        The idle control has the temperature of its sensor, which reads too much by `sensor_error` [K].
        """
        if self._friction is not None:
            self.friction_factor = self._friction.at(coolant)
        self.idle_rise = self._rise * clamp((_IDLE_WARM - coolant - sensor_error) / (_IDLE_WARM - _COLD), 0.0, 1.0)
        if self._enriches:
            self.enrichment = 1.0 / commanded_lambda
