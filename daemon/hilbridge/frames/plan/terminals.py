"""Terminals of the vehicle that carry voltage (DIN 72552), derived from the key and what drives.

terminal   on while
30         always: the battery
R          the key is at 0 or 1: radio and what else may be used without driving
15         the key is at 0 or 1: ignition
50         the key is at 1: starter
run        terminal 15 is on, and the engine works or an electric drive is ready
"""

from collections.abc import Iterable
from typing import Final

from hilbridge.files.settings.frames import Terminal
from vehiclesim.channels import ElectricData, InputData, VehicleData
from vehiclesim.databus import DataBus

BITS: Final[dict[Terminal, int]] = {30: 1, "R": 2, 15: 4, 50: 8, "run": 16}
"""Terminals as bits of a set."""

BATTERY: Final = BITS[30]
IGNITION: Final = BITS[15]

_BY_KEY: Final = (BATTERY, BATTERY | BITS["R"] | IGNITION, BATTERY | BITS["R"] | IGNITION | BITS[50])


def terminal_bits(terminals: Iterable[Terminal]) -> int:
    """Return terminals as a set."""
    bits = 0
    for terminal in terminals:
        bits |= BITS[terminal]
    return bits


class Terminals:
    """The terminals of one vehicle: `on` is the set of those that are on, empty before the first look.

    `is_cut_off`: the battery has been disconnected, at the end of the run.
    """

    def __init__(self, data: DataBus) -> None:
        self.on = 0
        self._input = data.input
        self._vehicle = data.vehicle
        self._electric = data.electric
        self._key = self._running = 0
        self._looked = False
        self.is_cut_off = False

    def take_over(self, before: "Terminals") -> None:
        """Continue in the place of another one."""
        self.on, self.is_cut_off = before.on, before.is_cut_off
        self._key, self._running, self._looked = before._key, before._running, before._looked

    def cut_off(self) -> None:
        """Disconnect the battery: no terminal is on any more."""
        self._looked, self.is_cut_off = False, True

    def changed(self) -> bool:
        """Read the data bus; return whether other terminals are on than before."""
        running = self._vehicle[VehicleData.ENGINE_WORKING] or self._electric[ElectricData.DRIVE_READY]
        key = self._input[InputData.KEY]
        if self._looked and key == self._key and running == self._running:
            return False
        self._key, self._running, self._looked = key, running, True
        before, self.on = self.on, 0 if self.is_cut_off else _terminals(key, running)
        return self.on != before


def _terminals(key: int, working: int) -> int:
    """Return the terminals for a key position; a key that is not known (NaN) is off, as in the vehicle."""
    on = _BY_KEY[0 if key < 0 else 1 if key == 0 else 2]
    return on | BITS["run"] if on & IGNITION and working > 0 else on
