"""The fuel meter of an engine: mean rates of each step, and the fuel per distance."""

from typing import ClassVar, Final

from vehiclesim.parameters import EngineSettings
from vehiclesim.state import Stateful

_NOT_A_NUMBER: Final = float("nan")
"""Made once: the compiled `float` reads its text each time."""

WALKING_SPEED: Final = 1.4
"""[m/s]. Fuel per distance means nothing below it."""


class FuelMeter(Stateful):
    """A meter of the mean fuel rate of each step, so that rate times step time is the fuel burnt."""

    state_vars: ClassVar[tuple[str, ...]] = ("rate", "of_air")

    def __init__(self, settings: EngineSettings) -> None:
        self.rate: float = 0.0  # [g/s], of the last step
        self.of_air: float = 0.0  # [g/s] for all the air in the cylinders, of the last substep
        self._sum: float = 0.0  # of the substeps' rates
        self._litres: float = 360.0 / (settings.fuel_density * settings.fuel_consumption_correction)

    def add(self, rate: float) -> None:
        """Book the rate [g/s] of one substep."""
        self._sum += rate

    def end_step(self, count: float) -> None:
        """Compute the mean of a number of substeps; one without an entry has burnt nothing."""
        self.rate = self._sum / count
        self._sum = 0.0

    def per_distance(self, speed: float) -> float:
        """360·rate/(density·v·correction) [l/100 km] at v [m/s]; not-a-number below walking speed.

        A correction of 3.6 is the mass balance: (g/s) / (m/s) / (kg/l) · 100 = l/100 km.
        """
        v = speed if speed >= 0.0 else -speed
        return self.rate * self._litres / v if v >= WALKING_SPEED else _NOT_A_NUMBER
