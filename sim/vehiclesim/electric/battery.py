"""The traction battery: voltage, current and charge at a given power."""

from math import sqrt
from typing import ClassVar, Final

from vehiclesim.curves import clamp
from vehiclesim.parameters.electric import TractionBatterySettings
from vehiclesim.state import Stateful
from vehiclesim.tables import Table

_TAPER: Final = 0.05
"""Charge below full, or above the lowest, over which the power limits fall to 0."""

_MEAN_OF: Final = 100
"""Intervals of the mean open-circuit voltage from empty to full."""


class TractionBattery(Stateful):
    """P = U·I and U = E(charge) - R·I, so I = 2·P/(E + sqrt(E² - 4·R·P)).

    P [W] is positive when the battery gives. `loss` is R·I².
    """

    state_vars: ClassVar[tuple[str, ...]] = ("charge", "current", "voltage", "power", "loss")

    def __init__(self, settings: TractionBatterySettings) -> None:
        voltages = [settings.voltage * share for share in settings.voltage_shares]
        self._open_circuit: Table = Table(settings.charge_points, voltages)
        mean = sum(self._open_circuit.at((k + 0.5) / _MEAN_OF) for k in range(_MEAN_OF)) / _MEAN_OF
        self._capacity: float = settings.capacity * 3.6e6 / mean  # [A s]
        self._resistance: float = settings.internal_resistance
        self.max_discharge: float = settings.max_discharge * 1e3  # [W]
        self.max_charge: float = settings.max_charge * 1e3
        self._lowest: float = settings.lowest_charge
        self.charge: float = settings.initial_charge
        self.current: float = 0.0  # [A], positive when it is discharged
        self.voltage: float = self.open_circuit_voltage()
        self.power: float = 0.0  # at the terminals [W]
        self.loss: float = 0.0  # in the internal resistance [W]

    def open_circuit_voltage(self) -> float:
        """Return E [V] at the present charge."""
        return self._open_circuit.at(self.charge)

    def most_discharge(self) -> float:
        """Return the power [W] that it can give now: the limit, less near the lowest charge, at most E²/(4·R)."""
        e = self.open_circuit_voltage()
        left = clamp((self.charge - self._lowest) / _TAPER, 0.0, 1.0)
        return min(self.max_discharge * left, 0.25 * e * e / self._resistance)

    def most_charge(self) -> float:
        """Return the power [W] that it can take now: the limit, less when it is nearly full."""
        return self.max_charge * clamp((1.0 - self.charge) / _TAPER, 0.0, 1.0)

    def step(self, power: float, delta_time: float) -> None:
        """Give `power` [W] (negative: take it) for `delta_time` [s]."""
        e, r = self.open_circuit_voltage(), self._resistance
        root = e * e - 4.0 * r * power
        self.current = 2.0 * power / (e + (sqrt(root) if root > 0.0 else 0.0))
        self.voltage = e - r * self.current
        self.power = self.voltage * self.current
        self.loss = r * self.current * self.current
        self.charge = clamp(self.charge - self.current * delta_time / self._capacity, 0.0, 1.0)
