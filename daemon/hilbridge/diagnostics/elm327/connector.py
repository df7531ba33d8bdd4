"""The diagnostic connector (SAE J1962) that the interpreter is plugged into.

CAN on pins 6 and 14, the battery on pin 16, which has voltage with the ignition off too.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.codec.frame import Frame
from vehiclesim.channels import AUXILIARY, ENTRIES, NAN, AuxiliaryData, InputData
from vehiclesim.databus import DataBus

_RESOLUTION: Final = ENTRIES[AUXILIARY][AuxiliaryData.BATTERY_VOLTAGE].resolution


class Connector:
    """One bus and one battery. `usable` says whether a frame with this identifier would go out at present."""

    def __init__(
        self, bitrate: int, transmit: Callable[[Frame], None], usable: Callable[[int], bool], data: DataBus
    ) -> None:
        self.bitrate: Final = bitrate
        self.transmit: Final = transmit
        self.usable: Final = usable
        self._auxiliary: Final = data.auxiliary
        self._input: Final = data.input

    @property
    def voltage(self) -> float:
        """[V] 0 where nobody measures it."""
        raw = self._auxiliary[AuxiliaryData.BATTERY_VOLTAGE]
        return 0.0 if raw == NAN else raw / _RESOLUTION

    @property
    def ignition(self) -> bool:
        """Terminal 15 has voltage."""
        return self._input[InputData.KEY] >= 0
