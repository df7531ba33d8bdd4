"""Misfires counted by cylinder (SAE J1979, monitors A2 to AD).

    in a driving cycle          share · combustions of the engine, spread evenly over the cylinders that misfire
    mean of the last ten        0.9 · mean + 0.1 · count, after each driving cycle

A cylinder fires once in two revolutions. Those misfire whose trouble code (P0301 to P030C) is failing, or the one that
the fault of the vehicle names, or else all of them. A count is an expected value, so runs are repeatable.
"""

from collections.abc import Mapping
from typing import Any, Final

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.dtc.trouble import Trouble
from vehiclesim.channels import FAULT, VEHICLE, FaultData, VehicleData
from vehiclesim.databus import DataBus

_FIRST: Final = 0x0301
_MOST_CYLINDERS: Final = 12
_WEIGHT: Final = 0.1
_REVOLUTIONS_A_MINUTE: Final = 120.0
"""[1/min] at which a cylinder fires once a second."""


class MisfireCounts:
    """The misfires of each cylinder that has a trouble code, by number from 1: in this driving cycle, and the mean."""

    def __init__(self, troubles: Mapping[str, Trouble], data: DataBus) -> None:
        cylinders = {one.code.number - _FIRST + 1: one for one in troubles.values()}
        self._cylinders: Final = {n: cylinders[n] for n in sorted(cylinders) if 1 <= n <= _MOST_CYLINDERS}
        self.counts: Final = dict.fromkeys(self._cylinders, 0.0)
        self.means: Final = dict.fromkeys(self._cylinders, 0.0)
        self._data: Final = data

    def advance(self, elapsed: int) -> None:
        """Count the misfires of `elapsed` [ns] in which the engine has run."""
        share = self._data.read(FAULT, FaultData.MISFIRE)
        if not self._cylinders or not share > 0.0:
            return
        named = self._data.fault[FaultData.MISFIRE_CYLINDER]
        failing = [n for n, trouble in self._cylinders.items() if trouble.failing]
        failing = failing or ([named] if named in self._cylinders else list(self._cylinders))
        rate = self._data.read(VEHICLE, VehicleData.ENGINE_RPM) / _REVOLUTIONS_A_MINUTE
        missed = min(1.0, share * len(self._cylinders) / len(failing)) * rate * elapsed / SECOND
        for n in failing:
            self.counts[n] += missed

    def begin_cycle(self) -> None:
        """Begin an operation cycle."""
        for n in self.counts:
            self.counts[n] = 0.0

    def end_driving_cycle(self) -> None:
        """Add the driving cycle to the means."""
        for n, count in self.counts.items():
            self.means[n] += _WEIGHT * (count - self.means[n])

    def clear(self) -> None:
        """Forget all counts: the trouble codes were cleared."""
        for n in self.counts:
            self.counts[n] = self.means[n] = 0.0

    def export(self) -> dict[str, Any]:
        """Return the means as JSON data; a start of the program begins a new cycle."""
        return {str(n): mean for n, mean in self.means.items()}

    def restore(self, means: Mapping[str, float]) -> None:
        """Restore what `export` returned, of the cylinders that there are."""
        for n in self.means:
            self.means[n] = means.get(str(n), 0.0)
