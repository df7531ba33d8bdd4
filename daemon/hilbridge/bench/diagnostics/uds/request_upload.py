"""Service 35, request upload: `35 dataFormat format address length` (memory.py) begins the reading of a place by 36.

shorter than one byte each                     13
dataFormat is not 00, or no such format        31
another length than the format requires        13
not inside one region, length 0, not readable  31
security access needed                         33
another transfer has begun and not ended       22
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import CONDITIONS_NOT_CORRECT, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.service import PROGRAMMING_ONLY, DiagnosticSession, UdsService
from hilbridge.bench.diagnostics.uds.transfer import Transfer


class RequestUpload(UdsService):
    """Service 35."""

    sid = 0x35
    sessions = PROGRAMMING_ONLY

    def __init__(self, session: DiagnosticSession, transfer: Transfer) -> None:
        super().__init__(session)
        self._transfer: Final = transfer

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        place = self._transfer.requested_place(data, downloads=False)
        if not place.region.readable:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self.require_security(place.region.security)
        if self._transfer.place is not None:
            raise Refusal(CONDITIONS_NOT_CORRECT)
        return self._transfer.begin(place, downloads=False)
