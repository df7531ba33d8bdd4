"""Service 37, request transfer exit: ends a download or an upload that is complete.

The request has a record where the settings say so (`exit`): bytes of a maker, or the CRC of the download, which is
compared; or the answer has the CRC. A download in another format than 00 is complete when the tester says so.

another length than the record has                 13
no transfer has begun, or some of it is missing    24
the CRC is another one                             72; the transfer is over
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import GENERAL_PROGRAMMING_FAILURE, REQUEST_SEQUENCE_ERROR, Refusal
from hilbridge.bench.diagnostics.uds.image_crc import ImageCrc
from hilbridge.bench.diagnostics.uds.memory import Place
from hilbridge.bench.diagnostics.uds.service import PROGRAMMING_ONLY, Answer, DiagnosticSession, UdsService
from hilbridge.bench.diagnostics.uds.transfer import Transfer


class RequestTransferExit(UdsService):
    """Service 37."""

    sid = 0x37
    sessions = PROGRAMMING_ONLY

    def __init__(self, session: DiagnosticSession, transfer: Transfer) -> None:
        super().__init__(session)
        self._transfer: Final = transfer
        settings = transfer.settings.exit
        self._crc: Final = None if settings.crc is None else ImageCrc(settings)
        self._sent: Final = settings.crc == "sent"
        self._length: Final = self._crc.size if self._crc is not None and self._sent else settings.length

    def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
        transfer = self._transfer
        place = transfer.place
        self.require_length(data, self._length if place is None or transfer.downloads else 0)
        if place is None or not transfer.is_complete:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        if not transfer.downloads:
            transfer.end()
            return b""
        taken = place._replace(length=transfer.done)
        if self._crc is None:
            return self._finish(taken)
        steps = self._crc.steps(taken)

        def later(_now: int) -> bytes | None:
            crc = next(steps)
            if crc is None:
                return None
            if self._sent and crc != data:
                transfer.end()
                raise Refusal(GENERAL_PROGRAMMING_FAILURE)
            return self._finish(taken) + (b"" if self._sent else crc)

        return later

    def _finish(self, place: Place) -> bytes:
        transfer = self._transfer
        transfer.last = place
        transfer.memory.changes += 1
        if transfer.settings.check is None:
            place.region.valid = True
        transfer.end()
        return b""
