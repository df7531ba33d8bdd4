"""The OBD-II server of one control unit: it passes each request to its service (SAE J1979, ISO 15031-5).

    supported                        40 + service, data
    no item supported                physical: 7F service code      functional: no answer
    conditions not correct           7F service 22, physical and functional

A functional request gets no negative response "not supported", so that other control units can answer it; ISO 15765-4
requires that response to a physical request.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from hilbridge.diagnostics.dtc.monitors import Monitors
from hilbridge.diagnostics.obd.monitor_results import MonitorResults
from hilbridge.diagnostics.obd.on_board_control import OnBoardControl
from hilbridge.diagnostics.obd.services import ClearDiagnosticData, CurrentData, FreezeFrameService, TroubleCodeService
from hilbridge.diagnostics.obd.support import is_base
from hilbridge.diagnostics.obd.vehicle_information import VehicleInformation
from hilbridge.diagnostics.refusal import SERVICE_NOT_SUPPORTED, SILENT, Refusal, negative

POSITIVE: Final = 0x40

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


class ObdServer:
    """The services of one control unit; UDS reads `current_data` too."""

    def __init__(
        self,
        current_data: CurrentData,
        monitors: Monitors,
        information: VehicleInformation,
        clear: ClearDiagnosticData,
        controls: OnBoardControl,
    ) -> None:
        store = monitors.store
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
        """Return the answer to a request of at least one byte, or None for no answer."""
        number = payload[0]
        service = self._services.get(number)
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
        self.statistics.answered += 1
        return bytes((POSITIVE | number,)) + answer
