"""Service 04: trouble codes, freeze frame, readiness, test results and counters are cleared; permanent codes stay.

    04      44

Where the bench forbids it while the engine runs: 7F 04 22, conditions not correct, to functional requests too.
"""

from typing import Final

from hilbridge.diagnostics.dtc.store import TroubleStore
from hilbridge.diagnostics.refusal import CONDITIONS_NOT_CORRECT, Refusal
from vehiclesim.channels import VehicleData
from vehiclesim.databus import DataBus


class Clear:
    """Service 04 of one control unit."""

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
