"""The OBD-II services 01, 02, 03, 04, 07 and 0A (SAE J1979). Services 06 and 09 have files of their own.

01 PID (up to six)              41 PID data (each that is answered)
02 PID frame (up to three)      42 PID frame data (each that is answered)
03 / 07 / 0A                    43 / 47 / 4A  count  code (two bytes each)
04                              44
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.obd.scaling import Pid
from hilbridge.bench.diagnostics.obd.support import answer_known, is_base, mask
from hilbridge.bench.diagnostics.refusal import CONDITIONS_NOT_CORRECT, Refusal
from hilbridge.files.settings.uds import MIRRORED
from hilbridge.frames.codec.data_record import DataRecord
from vehiclesim.channels import VehicleData
from vehiclesim.databus import DataBus


class CurrentData:
    """Service 01, current data, of one control unit."""

    def __init__(self, pids: Mapping[int, Pid], without_engine: Sequence[str] = ()) -> None:
        """`without_engine`: PIDs of the settings, in hexadecimal, of an engine that the vehicle does not have."""
        self._pids: Final = dict(pids)
        self.without_engine: Final = without_engine

    def answer(self, request: bytes) -> bytes:
        return answer_known(request, self.read)

    def read(self, pid: int) -> bytes | None:
        """Return the data bytes of a PID, None if it is not answered now."""
        if is_base(pid):
            return mask(pid, self.answered())
        known = self._pids.get(pid)
        return None if known is None else known.read()

    def read_identifier(self, identifier: int) -> bytes | None:
        """Return the data bytes of a PID by its identifier of UDS, None if it is not answered now, or is no PID."""
        return self.read(identifier - MIRRORED.start) if identifier in MIRRORED else None

    def describe(self) -> dict[str, str]:
        """Return length and signals of each PID for people."""
        return {f"{number:02X}": pid.describe() for number, pid in self._pids.items()}

    def records(self) -> dict[int, DataRecord]:
        """Return the layout of each PID."""
        return {number: pid.record for number, pid in self._pids.items()}

    def answered(self) -> list[int]:
        """Return the PIDs that are answered now, without bases."""
        return [number for number, pid in self._pids.items() if pid.is_available()]

    def snapshot(self, wanted: Iterable[int]) -> dict[int, bytes]:
        """Return the data bytes by PID, for those of `wanted` that are answered now."""
        found = {number: self.read(number) for number in sorted(wanted)}
        return {number: data for number, data in found.items() if data is not None}


_CODE: Final = 0x02
_FRAME: Final = 0
_MOST: Final = 3


class FreezeFrameService:
    """Service 02, freeze frame data: the values stored when a fault was detected. There is one frame, number 0.

    PID 02 is the trouble code that the frame belongs to, 0000 without a frame; then no other PID is answered.
    """

    def __init__(self, store: TroubleStore) -> None:
        self._store: Final = store

    def answer(self, request: bytes) -> bytes:
        if not 0 < len(request) <= 2 * _MOST or len(request) % 2:
            raise Refusal
        asked = dict.fromkeys(zip(request[::2], request[1::2], strict=True))
        found = [(pid, self.read(pid)) for pid, frame in asked if frame == _FRAME]
        answer = b"".join(bytes((pid, _FRAME)) + data for pid, data in found if data is not None)
        if not answer:
            raise Refusal
        return answer

    def read(self, pid: int) -> bytes | None:
        """Return the data bytes of a PID in the frame, None if it is not answered."""
        trouble = self._store.frozen()
        values = {} if trouble is None or trouble.frame is None else trouble.frame.values
        if is_base(pid):
            return mask(pid, {_CODE, *values})
        if pid == _CODE:
            return (0 if trouble is None else trouble.code.number).to_bytes(2, "big")
        return values.get(pid)


class TroubleCodeService:
    """Service 03, 07 or 0A: confirmed, pending or permanent trouble codes, which `codes` returns.

    A control unit without codes answers with count 0 (SAE J1979 for CAN).
    """

    def __init__(self, codes: Callable[[], Sequence[TroubleCode]]) -> None:
        self._codes: Final = codes

    def answer(self, request: bytes) -> bytes:
        if request:
            raise Refusal
        codes = self._codes()[:0xFF]
        return bytes((len(codes),)) + b"".join(code.number.to_bytes(2, "big") for code in codes)


class ClearDiagnosticData:
    """Service 04: clear trouble codes, freeze frame, readiness, test results and counters. Permanent codes remain.

    Without `while_running` a request while the engine runs is refused with 7F 04 22, conditions not correct, also if it
    is functional.
    """

    def __init__(self, store: TroubleStore, data: DataBus, *, while_running: bool) -> None:
        self._store: Final = store
        self._data: Final = data
        self._while_running: Final = while_running

    def answer(self, request: bytes) -> bytes:
        if request:
            raise Refusal
        if not self._while_running and self._data.vehicle[VehicleData.ENGINE_WORKING]:
            raise Refusal(CONDITIONS_NOT_CORRECT)
        self._store.clear()
        return b""
