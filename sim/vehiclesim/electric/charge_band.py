"""The band of charge of a hybrid's battery: the power with which its engine keeps the charge in it."""

from typing import Final

from vehiclesim.curves import clamp
from vehiclesim.parameters.electric import HybridSettings

FUEL_CUT: Final = -1e9
"""[N m]. A torque request that no engine can meet: it burns nothing, unless it idles."""


class ChargeBand:
    """P = charge_power·(middle - charge)/(middle - low), within ±charge_power; the middle is that of low and high."""

    def __init__(self, settings: HybridSettings) -> None:
        self._middle: float = 0.5 * (settings.low_charge + settings.high_charge)
        self._half: float = self._middle - settings.low_charge
        self._most: float = settings.charge_power * 1e3

    def power(self, charge: float) -> float:
        """Return the power [W] that the engine gives for the battery at a charge; negative: that it is spared."""
        return self._most * clamp((self._middle - charge) / self._half, -1.0, 1.0)
