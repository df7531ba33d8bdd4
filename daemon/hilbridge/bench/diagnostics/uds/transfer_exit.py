"""Service 37, request transfer exit: ends a download or an upload that is complete.

further bytes                                      13
no transfer has begun, or some of it is missing    24
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import REQUEST_SEQUENCE_ERROR, Refusal
from hilbridge.bench.diagnostics.uds.service import PROGRAMMING_ONLY, DiagnosticSession, UdsService
from hilbridge.bench.diagnostics.uds.transfer import Transfer


class RequestTransferExit(UdsService):
    """Service 37."""

    sid = 0x37
    sessions = PROGRAMMING_ONLY

    def __init__(self, session: DiagnosticSession, transfer: Transfer) -> None:
        super().__init__(session)
        self._transfer: Final = transfer

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 0)
        transfer = self._transfer
        place = transfer.place
        if place is None or transfer.done < place.length:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        if transfer.downloads:
            transfer.last = place
            transfer.memory.changes += 1
            if transfer.settings.check is None:
                place.region.valid = True
        transfer.end()
        return b""
