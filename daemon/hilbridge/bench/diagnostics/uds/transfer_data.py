"""Service 36, transfer data: `36 number data` of a download, `36 number` of an upload, which is answered with the data.

The first number is 01, after FF comes 00. The last number once more repeats its answer and changes nothing: the tester
has not heard it.

    no number, more than 34 permits, no data to download, data to an upload    13
    no transfer has begun, or all of it is transferred                         24
    neither the next number nor the last one                                   73
    the supply is too low                                                      93
    more data than is missing, which ends the transfer                         71
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import (
    INCORRECT_LENGTH,
    REQUEST_SEQUENCE_ERROR,
    TRANSFER_DATA_SUSPENDED,
    WRONG_BLOCK_SEQUENCE_COUNTER,
    Refusal,
)
from hilbridge.bench.diagnostics.uds.memory import Place
from hilbridge.bench.diagnostics.uds.service import PROGRAMMING_ONLY, Answer, DiagnosticSession, UdsService, answer_from
from hilbridge.bench.diagnostics.uds.transfer import Transfer

_HEAD: Final = 2
"""Bytes of service and number, in request and answer."""


class TransferData(UdsService):
    """Service 36."""

    sid = 0x36
    sessions = PROGRAMMING_ONLY

    def __init__(self, session: DiagnosticSession, transfer: Transfer) -> None:
        super().__init__(session)
        self._transfer: Final = transfer
        self._last = b""

    def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
        transfer = self._transfer
        if not data or len(data) >= transfer.settings.block_length:
            raise Refusal(INCORRECT_LENGTH)
        if transfer.place is None:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        if transfer.downloads == (len(data) == 1):
            raise Refusal(INCORRECT_LENGTH)
        if transfer.block and data[0] == transfer.block & 0xFF:
            return self._last
        if transfer.done == transfer.place.length:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        if data[0] != (transfer.block + 1) & 0xFF:
            raise Refusal(WRONG_BLOCK_SEQUENCE_COUNTER)
        content = self._download(transfer.place, data[1:]) if transfer.downloads else self._upload(transfer.place)
        transfer.block += 1
        self._last = data[:1] + content
        if transfer.downloads and transfer.write_time:
            return answer_from(t + transfer.write_time, lambda: self._last)
        return self._last

    def _download(self, place: Place, content: bytes) -> bytes:
        transfer = self._transfer
        if place.region.flash:
            transfer.require_voltage()
        if len(content) > place.length - transfer.done:
            transfer.end()
            raise Refusal(TRANSFER_DATA_SUSPENDED)
        place.region.write(place.start + transfer.done, content)
        transfer.done += len(content)
        return b""

    def _upload(self, place: Place) -> bytes:
        transfer = self._transfer
        size = min(transfer.settings.block_length - _HEAD, place.length - transfer.done)
        content = place.region.read(place.start + transfer.done, size)
        transfer.done += size
        return content
