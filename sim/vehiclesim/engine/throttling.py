"""The work of drawing air past a throttle plate, and the mixture by which a share of torque needs a share of air.

    T = V_d·(p_open - p)/(4·pi)

T is the torque [N m] that the crankshaft spends on it, V_d the displacement [l], p the pressure in the manifold and
p_open that behind a plate that is wide open [kPa]: a stroke of intake against p, one of exhaust against the air
outside, in two turns (Heywood, Internal Combustion Engine Fundamentals, 13.4). So it is nothing at full load, for which
data sheets state the torque, and most on overrun.

Friction that was measured on an engine that another one turns with an open throttle has none of it, which
`throttling_work` says; figures of friction as a whole, as of Willans lines or of Vehicle Physics Pro, contain it.
"""

from math import pi, sqrt
from typing import Final

from vehiclesim.air import STANDARD_PRESSURE
from vehiclesim.fuel import RICH_FROM, fuel_of
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, FuelKind

GAS_CONSTANT: Final = 0.287
"""[J/(g·K)] of air; with [l] and [g] it gives [kPa]."""

RESIDUAL: Final = 0.12
"""Partial pressure of the residual gas in a cylinder over air pressure (assumed)."""

WIDE_OPEN: Final = 0.99
"""Pressure of the manifold at full load over that before the plate: the loss of one that is wide open (assumed)."""

SPARK_RESERVE: Final = 1.0 / 0.8875
"""Torque of the best spark at idle over the usual one, some 15° later: 1 - 0.05·(degrees/10)² of it (Heywood, 15.3)."""

_REFERENCE_INTAKE: Final = 298.15
"""[K] for which an engine without given displacement is laid out."""


def displacement_of(settings: AirPathSettings, engine: EngineSettings) -> float:
    """Return the given displacement [l], or the one that full load fills: V = 2·m·R·T/(η·(p + boost - p_r))."""
    if settings.displacement > 0.0:
        return settings.displacement
    fuel = fuel_of(settings.fuel)
    air = engine.max_fuel_per_rev * fuel.stoichiometric_ratio * fuel.full_load_lambda
    charge = STANDARD_PRESSURE * (1.0 - RESIDUAL) + settings.max_boost
    litres = 2.0 * air * GAS_CONSTANT * _REFERENCE_INTAKE / (settings.volumetric_efficiency * charge)
    return litres if litres > 0.01 else 0.01


class Throttling:
    """Torque of throttling, and the share of the air of full load for one of its torque."""

    def __init__(self, settings: AirPathSettings, engine: EngineSettings) -> None:
        self._mixture: float = fuel_of(settings.fuel).full_load_lambda
        self._enrichment: float = (1.0 - self._mixture) / (1.0 - RICH_FROM)
        self._loss: float = engine.efficiency_loss if engine.efficiency_rpm else 0.0
        works = settings.throttling_work and settings.fuel is FuelKind.PETROL and settings.intake_volume > 0.0
        self._per_pressure: float = displacement_of(settings, engine) / (4.0 * pi) if works else 0.0
        self.works: bool = works

    def torque(self, pressure: float, ambient: float) -> float:
        """Return the torque [N m] at a pressure in the manifold, with the air outside [kPa]."""
        missing = WIDE_OPEN * ambient - pressure
        return self._per_pressure * missing if missing > 0.0 else 0.0

    def steady(self, share: float) -> float:
        """Return the torque [N m] while a share of the torque of full load is burnt, in standard air."""
        return self._most(STANDARD_PRESSURE) * (1.0 - self.air_of(share))

    def at_idle(self, held: float, available: float, ambient: float) -> float:
        """Return the torque [N m] while an engine idles that has to burn `held` besides, of what is available.

        T = D·(1 - r·(held + T)/(available·lambda)), D = V_d·(p_open - p_r)/(4·pi): the air is that of the burnt torque
        with the reserve r of a late spark.
        """
        if available <= 0.0:
            return 0.0
        most, whole = self._most(ambient), available * self._mixture / (SPARK_RESERVE * (1.0 - self._loss))
        return most * (whole - held) / (whole + most) if whole > held else 0.0

    def burnt(self, held: float, available: float) -> float:
        """Return the torque to burn [N m] for `held` and the throttling that goes with it, in standard air."""
        burnt = held
        if self.works and available > 0.0:
            for _ in range(_ROUNDS):
                burnt = held + self.steady(burnt / available)
        return burnt

    def _most(self, ambient: float) -> float:
        return self._per_pressure * (WIDE_OPEN - RESIDUAL) * ambient

    def air_of(self, share: float) -> float:
        """Return the share of the air of full load for one of its torque, with the mixture's lambda over that there."""
        if share >= 1.0:
            return 1.0
        burnt = share * (1.0 - self._loss) / (1.0 - self._loss * share)
        rich = burnt - RICH_FROM
        return burnt / self._mixture * (1.0 - (self._enrichment * rich if rich > 0.0 else 0.0))

    def torque_of(self, air: float) -> float:
        """Return the share of the torque of full load for one of its air: the inverse of `air_of`."""
        burnt = air * self._mixture
        if burnt > RICH_FROM:
            k = self._enrichment
            b = 1.0 + k * RICH_FROM
            root = b * b - 4.0 * k * burnt
            burnt = (b - sqrt(root if root > 0.0 else 0.0)) / (2.0 * k)
        share = burnt / (1.0 - self._loss * (1.0 - burnt))
        return share if 0.0 < share < 1.0 else 1.0 if share > 0.0 else 0.0


_ROUNDS: Final = 12
"""Steps of a search, each ten times nearer: throttling changes by less than a tenth of what the torque does."""
