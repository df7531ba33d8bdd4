"""Service 09: identification of the vehicle and its control unit.

| InfoType | | after the InfoType |
|---|---|---|
| 00 | supported InfoTypes | mask |
| 02 | VIN | count 1, 17 characters |
| 04 | calibration ids | count, 16 characters each, padded with 00 |
| 06 | calibration verification numbers | count, 4 bytes each, in the order of the ids |
| 08, 0B | in-use performance, spark and compression ignition | count, 2 bytes each |
| 0A | name of the control unit | count 1, 4 characters, '-', 15 characters, each padded with 00 |

Others, and these in another form, are data of the bench file.

A request contains one InfoType, or up to six bases of masks.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final
from zlib import crc32

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.diagnostics.drive import ELECTRIC
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.obd.support import answer_known, is_base, mask
from hilbridge.bench.diagnostics.refusal import Refusal
from hilbridge.files.settings.units import CalibrationSettings, ObdSettings
from hilbridge.frames.codec.data_record import build_record
from vehiclesim.databus import DataBus

_NAMES: Final = {"engine": ("ECM", "EngineControl"), "transmission": ("TCM", "TransmisControl")}
"""Acronym and text of SAE J1979, annex G."""

_SPARK: Final = (
    *("catalyst", None, "oxygen-sensor", None, "egr", "secondary-air", "evaporative-system"),
    *(None, None),
)
"""Groups of InfoType 08: catalysts and oxygen sensors of banks 1 and 2, EGR, air, evaporation, rear sensors."""

_COMPRESSION: Final = (
    *("catalyst", "heated-catalyst", None, "oxygen-sensor-heater", "oxygen-sensor", "egr", "secondary-air"),
    None,
)
"""Groups of InfoType 0B, in the positions of readiness: NMHC catalyst, NOx catalyst, NOx adsorber,
particulate filter, exhaust gas sensor, EGR, boost pressure, fuel system."""


class VehicleInformation:
    """Service 09 of one control unit."""

    def __init__(
        self,
        obd: ObdSettings,
        vin: str | None,
        store: TroubleStore,
        fuel: str,
        parameters: str,
        data: DataBus,
        place: KeyPath = (),
    ) -> None:
        """`parameters`: all parameters of the calibration as text, from which verification numbers are calculated.

        ConfigurationError: see `build_record`.
        """
        acronym, text = _NAMES[obd.role]
        name = f"{acronym:\0<4}-{obd.name or text:\0<15}".encode("ascii")
        ids = b"".join(one.id.encode("ascii").ljust(16, b"\0") for one in obd.calibrations)
        numbers = b"".join(_verification(one, parameters) for one in obd.calibrations)
        count = bytes((len(obd.calibrations),))
        groups = _COMPRESSION if fuel == "diesel" else _SPARK
        tracking = 0x0B if fuel == "diesel" else 0x08
        self._types: Final[dict[int, Callable[[], bytes | None]]] = {
            0x04: lambda: count + ids,
            0x06: lambda: count + numbers,
            0x0A: lambda: b"\x01" + name,
        }
        if vin is not None:
            number = b"\x01" + vin.encode("ascii")
            self._types[0x02] = lambda: number
        if obd.role == "engine" and fuel != ELECTRIC:
            self._types[tracking] = lambda: _performance(store, groups)
        for key, fields in obd.information.items():
            self._types.pop(int(key, 16), None)
            if fields is not None:
                record = build_record(fields, None, (*place, "information", key), data.entries)
                self._types[int(key, 16)] = partial(record.read, data.channels)

    def answer(self, request: bytes) -> bytes:
        if len(request) > 1 and not all(map(is_base, request)):
            raise Refusal
        return answer_known(request, self.read)

    def read(self, number: int) -> bytes | None:
        """Return the data after the InfoType, None if it is not answered."""
        if is_base(number):
            return mask(number, [known for known, get in self._types.items() if get() is not None])
        get = self._types.get(number)
        return None if get is None else get()


def _verification(calibration: CalibrationSettings, parameters: str) -> bytes:
    """Return the configured number, or the CRC-32 of the calibration."""
    number = calibration.cvn
    if number is None:
        number = crc32(f"{calibration.id}\n{parameters}".encode())
    return number.to_bytes(4, "big")


def _performance(store: TroubleStore, groups: Sequence[str | None]) -> bytes:
    """Return conditions and ignitions, then completions and conditions of each group; 0 for a group without monitor."""
    performance, supported = store.performance, store.readiness.supported
    numbers = [performance.general, performance.ignitions]
    for group in groups:
        watched = group is not None and group in supported
        numbers += (performance.completions[group], performance.general) if group and watched else (0, 0)
    return bytes((len(numbers),)) + _words(numbers)


def _words(numbers: Iterable[int]) -> bytes:
    return b"".join(number.to_bytes(2, "big") for number in numbers)
