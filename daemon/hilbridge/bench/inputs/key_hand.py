"""The hand on the key, for a driver by commands: it starts the engine, and lets the key go when that runs by itself.

    start (1)      until the engine has run for CAUGHT, for LONGEST at most
    on (0)         from then on

An engine runs from 0.7 of its idle speed on; a vehicle that starts none is ready to drive.
"""

from typing import Final

from hilbridge.base.common.units import MILLISECOND, SECOND
from vehiclesim.channels import ELECTRIC, VEHICLE, ElectricData, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES
from vehiclesim.parameters import VehicleSettings

LONGEST: Final = 5 * SECOND
"""[ns] for which the starter is turned at most."""

CAUGHT: Final = 300 * MILLISECOND
"""[ns] for which the engine must run with the starter."""

_RUNS: Final = 0.7
"""Multiple of the idle speed from which an engine runs."""

_START: Final = 1
_ON: Final = 0
_RPM: Final = ENTRIES[VEHICLE][VehicleData.ENGINE_RPM].resolution


class KeyHand:
    """The hand of one vehicle. `is_done`: the key is let go."""

    def __init__(self, bus: DataBus, vehicle: VehicleSettings) -> None:
        self.is_done = True
        self._bus: Final = bus
        self._running: Final = _RUNS * vehicle.engine.idle_rpm * _RPM
        self._turned = self._caught = 0  # [ns]

    def begin(self) -> None:
        """Put the hand on the key."""
        self.is_done = False
        self._turned = self._caught = 0

    def move(self, elapsed: int) -> int:
        """Turn the key for a time [ns], by the values of the last tick; return its position."""
        if not self.is_done:
            runs = self._bus.vehicle[VehicleData.ENGINE_RPM] > self._running or self._is_ready()
            self._turned += elapsed
            self._caught = self._caught + elapsed if runs else 0
            self.is_done = self._caught > CAUGHT or self._turned > LONGEST
        return _ON if self.is_done else _START

    def _is_ready(self) -> bool:
        return self._bus.channels[ELECTRIC][ElectricData.DRIVE_READY] > 0
