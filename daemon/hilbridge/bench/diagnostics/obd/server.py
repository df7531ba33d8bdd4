"""The OBD-II server of one control unit: it passes each request to its service (SAE J1979, ISO 15031-5).

    supported                        40 + service, data
    no item supported                physical: 7F service code      functional: no answer
    conditions not correct           7F service 22, physical and functional

A functional request gets no negative response "not supported", so that other control units can answer it; ISO 15765-4
requires that response to a physical request.

Service 04 is answered when the cleared memory is written (nvram.py): 7F 04 78 within P2 (50 ms) and again within P2*
(5 s; ISO 15765-4), then 44, or 7F 04 22 if it cannot be written. In the meantime others are refused as busy (21).
"""

from dataclasses import dataclass
from typing import Final, Protocol

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.dtc.monitors import Monitors
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.diagnostics.obd.monitor_results import MonitorResults
from hilbridge.bench.diagnostics.obd.on_board_control import OnBoardControl
from hilbridge.bench.diagnostics.obd.services import (
    ClearDiagnosticData,
    CurrentData,
    FreezeFrameService,
    TroubleCodeService,
)
from hilbridge.bench.diagnostics.obd.support import is_base
from hilbridge.bench.diagnostics.obd.vehicle_information import VehicleInformation
from hilbridge.bench.diagnostics.refusal import (
    BUSY,
    CONDITIONS_NOT_CORRECT,
    RESPONSE_PENDING,
    SERVICE_NOT_SUPPORTED,
    SILENT,
    Refusal,
    negative,
)

POSITIVE: Final = 0x40

_DUE: Final = 40 * MILLISECOND
"""[ns] After which "response pending" is sent: scan tools seldom expect it, and it is within P2 at 100 ticks/s."""

_P2_STAR: Final = 5000 * MILLISECOND
"""[ns] From "response pending" to the answer, or to the next one."""

_PIDS: Final = 0xF4
_MONITORS: Final = 0xF6
_INFO_TYPES: Final = 0xF8


class ObdService(Protocol):
    """One service of OBD-II."""

    def answer(self, request: bytes) -> bytes:
        """Return the bytes after the service number of the answer, from those of the request.

        Refusal: negative response.
        """


@dataclass(slots=True)
class ObdStatistics:
    """Counters of requests."""

    answered: int = 0
    refused: int = 0  # negative response
    unsupported: int = 0  # functional, not supported: no answer
    pending: int = 0  # "response pending" sent
    not_written: int = 0  # refused because the disk did not take what was cleared


@dataclass(slots=True)
class _Waiting:
    """A request whose answer waits for a writing. `due` [ns]: when "response pending" is sent next."""

    service: int
    answer: bytes
    writing: int
    due: int


class ObdServer:
    """The services of one control unit; UDS reads `current_data` too."""

    def __init__(
        self,
        current_data: CurrentData,
        monitors: Monitors,
        information: VehicleInformation,
        clear: ClearDiagnosticData,
        controls: OnBoardControl,
        nvram: Nvram,
    ) -> None:
        store = self._store = monitors.store
        self._nvram: Final = nvram
        self._waiting: _Waiting | None = None
        self.statistics: Final = ObdStatistics()
        self.current_data: Final = current_data
        self._results: Final = MonitorResults(monitors.monitors, store.readiness, store.misfires)
        self._information: Final = information
        self._services: Final[dict[int, ObdService]] = {
            0x01: current_data,
            0x02: FreezeFrameService(store),
            0x03: TroubleCodeService(store.confirmed),
            0x04: clear,
            0x06: self._results,
            0x07: TroubleCodeService(store.pending),
            0x08: controls,
            0x09: information,
            0x0A: TroubleCodeService(store.permanent),
        }

    def read_identifier(self, identifier: int) -> bytes | None:
        """Return what an identifier of UDS holds (SAE J1979-2): F4xx a PID, F6xx a monitor, F8xx an InfoType.

        InfoTypes come without the number of data items. None: not supported.
        """
        page, number = divmod(identifier, 0x100)
        if page == _PIDS:
            return self.current_data.read(number)
        if page == _MONITORS:
            return self._results.read(number)
        if page != _INFO_TYPES:
            return None
        data = self._information.read(number)
        return data if data is None or is_base(number) else data[1:]

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """Return the answer to a request of at least one byte, or None for no answer or a later one."""
        number = payload[0]
        if self._waiting is not None:
            self.statistics.refused += 1
            return negative(number, BUSY)
        service, clears = self._services.get(number), self._store.clears
        try:
            if service is None:
                raise Refusal(SERVICE_NOT_SUPPORTED)
            answer = service.answer(payload[1:])
        except Refusal as refusal:
            if functional and refusal.code in SILENT:
                self.statistics.unsupported += 1
                return None
            self.statistics.refused += 1
            return negative(number, refusal.code)
        answer = bytes((POSITIVE | number,)) + answer
        if self._nvram.connected and self._store.clears != clears:
            self._waiting = _Waiting(number, answer, self._nvram.write(), t + _DUE)
            return None
        self.statistics.answered += 1
        return answer

    def poll(self, t: int) -> bytes | None:
        """Return a later answer that is ready, or "response pending"; nearly always None."""
        waiting = self._waiting
        if waiting is None:
            return None
        written = self._nvram.is_written(waiting.writing)
        if written is not None:
            self._waiting = None
        if written:
            self.statistics.answered += 1
            return waiting.answer
        if written is False:
            self.statistics.not_written += 1
            return negative(waiting.service, CONDITIONS_NOT_CORRECT)
        if t < waiting.due:
            return None
        waiting.due = t + _P2_STAR // 2
        self.statistics.pending += 1
        return negative(waiting.service, RESPONSE_PENDING)

    @property
    def idle(self) -> bool:
        """Whether no answer waits."""
        return self._waiting is None

    def restart(self) -> None:
        """Forget an answer that waits: the control unit has lost its supply."""
        self._waiting = None
