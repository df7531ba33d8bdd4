"""Service 34, request download: `34 dataFormat format address length` (memory.py) begins the programming of a place.

The answer is the length of the longest request 36. dataFormat is 00, or one of `formats` of the settings, whose data
is kept as it comes.

    shorter than one byte each                     13
    another dataFormat, or no such format          31
    another length than the format requires        13
    not inside one region, or length 0             31
    neither flash nor writable                     31
    security access needed                         33
    another transfer has begun and not ended       22
    flash that is not erased                       70
    the supply is too low                          93
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import (
    CONDITIONS_NOT_CORRECT,
    REQUEST_OUT_OF_RANGE,
    UPLOAD_DOWNLOAD_NOT_ACCEPTED,
    Refusal,
)
from hilbridge.bench.diagnostics.uds.service import PROGRAMMING_ONLY, DiagnosticSession, UdsService
from hilbridge.bench.diagnostics.uds.transfer import Transfer


class RequestDownload(UdsService):
    """Service 34."""

    sid = 0x34
    sessions = PROGRAMMING_ONLY

    def __init__(self, session: DiagnosticSession, transfer: Transfer) -> None:
        super().__init__(session)
        self._transfer: Final = transfer

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        transfer = self._transfer
        place = transfer.requested_place(data, downloads=True)
        region = place.region
        if not (region.flash or region.writable):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self.require_security(region.writing_level)
        if transfer.place is not None:
            raise Refusal(CONDITIONS_NOT_CORRECT)
        if region.flash:
            if not region.is_erased(place.start, place.length):
                raise Refusal(UPLOAD_DOWNLOAD_NOT_ACCEPTED)
            transfer.require_voltage()
            transfer.memory.invalidate(region)
        return transfer.begin(place, downloads=True, coded=data[0] != 0)
