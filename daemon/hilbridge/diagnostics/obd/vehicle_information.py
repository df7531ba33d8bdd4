"""Service 09: what the vehicle and its control unit are.

| InfoType | | after the InfoType |
|---|---|---|
| 00 | which there are | mask |
| 02 | VIN | count 1, 17 characters |
| 04 | calibration ids | count, 16 characters each, filled with 00 |
| 06 | calibration verification numbers | count, 4 bytes each, in the order of the ids |
| 08, 0B | in-use performance, spark and compression ignition | count, 2 bytes each |
| 0A | name of the control unit | count 1, 4 characters, '-', 15 characters, each filled with 00 |

One InfoType a request; masks up to six.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final
from zlib import crc32

from hilbridge.diagnostics.dtc.store import TroubleStore
from hilbridge.diagnostics.obd.support import is_base, mask, told
from hilbridge.diagnostics.refusal import Refusal
from hilbridge.settings.diagnostics import CalibrationSettings, EcuSettings

_NAMES: Final = {"engine": ("ECM", "EngineControl"), "transmission": ("TCM", "TransmisControl")}
"""Acronym and text (SAE J1979, annex G names them so)."""

_SPARK: Final = (
    *("catalyst", None, "oxygen-sensor", None, "egr", "secondary-air", "evaporative-system"),
    *(None, None),
)
"""Groups of InfoType 08: catalysts and oxygen sensors of banks 1 and 2, EGR, air, evaporation, rear sensors."""

_COMPRESSION: Final = (
    *("catalyst", "heated-catalyst", None, "oxygen-sensor-heater", "oxygen-sensor", "egr", "secondary-air"),
    None,
)
"""Groups of InfoType 0B, in the places that readiness has for them: NMHC catalyst, NOx catalyst, NOx adsorber,
particulate filter, exhaust gas sensor, EGR, boost pressure, fuel system."""


class VehicleInformation:
    """Service 09 of one control unit."""

    def __init__(self, ecu: EcuSettings, store: TroubleStore, fuel: str, parameters: str) -> None:
        """`parameters`: all that the calibration consists of, as text; it goes into the verification numbers."""
        acronym, text = _NAMES[ecu.role]
        name = f"{acronym:\0<4}-{ecu.name or text:\0<15}".encode("ascii")
        ids = b"".join(one.id.encode("ascii").ljust(16, b"\0") for one in ecu.calibrations)
        numbers = b"".join(_verification(one, parameters) for one in ecu.calibrations)
        count = bytes((len(ecu.calibrations),))
        groups = _COMPRESSION if fuel == "diesel" else _SPARK
        tracking = 0x0B if fuel == "diesel" else 0x08
        self._types: Final[dict[int, Callable[[], bytes]]] = {
            0x04: lambda: count + ids,
            0x06: lambda: count + numbers,
            0x0A: lambda: b"\x01" + name,
        }
        if ecu.vin is not None:
            vin = b"\x01" + ecu.vin.encode("ascii")
            self._types[0x02] = lambda: vin
        if ecu.role == "engine":
            self._types[tracking] = lambda: _performance(store, groups)

    def answer(self, request: bytes) -> bytes:
        if len(request) > 1 and not all(map(is_base, request)):
            raise Refusal
        return told(request, self.read)

    def read(self, number: int) -> bytes | None:
        """What follows the InfoType, None where it is not answered."""
        if is_base(number):
            return mask(number, self._types)
        get = self._types.get(number)
        return None if get is None else get()


def _verification(calibration: CalibrationSettings, parameters: str) -> bytes:
    """The given number, or the CRC-32 of what the calibration consists of."""
    number = calibration.cvn
    if number is None:
        number = crc32(f"{calibration.id}\n{parameters}".encode())
    return number.to_bytes(4, "big")


def _performance(store: TroubleStore, groups: Sequence[str | None]) -> bytes:
    """Conditions and ignitions, then completions and conditions of each group; 0 for one without a monitor."""
    performance, supported = store.performance, store.readiness.supported
    numbers = [performance.general, performance.ignitions]
    for group in groups:
        watched = group is not None and group in supported
        numbers += (performance.completions[group], performance.general) if group and watched else (0, 0)
    return bytes((len(numbers),)) + _words(numbers)


def _words(numbers: Iterable[int]) -> bytes:
    return b"".join(number.to_bytes(2, "big") for number in numbers)
