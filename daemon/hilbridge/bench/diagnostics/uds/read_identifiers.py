"""Service 22, read data by identifier: up to 32 identifiers in one request.

no identifier, half of one, or more than 32    13
none of them is there in this session          31
one of them needs security access              33
one of them is not available now               22
otherwise                                      each known one with its data, in the order of the request
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.dids import Identifiers
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, UdsService

MAX_IDENTIFIERS: Final = 32
"""Identifiers in one request."""


class ReadDataByIdentifier(UdsService):
    """Service 22 for `identifiers` (dids.py)."""

    sid = 0x22

    def __init__(self, session: DiagnosticSession, identifiers: Identifiers) -> None:
        super().__init__(session)
        self._identifiers: Final = identifiers

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if not data or len(data) % 2 or len(data) > 2 * MAX_IDENTIFIERS:
            raise Refusal(INCORRECT_LENGTH)
        answer = b""
        for position in range(0, len(data), 2):
            number = data[position : position + 2]
            content = self._identifiers.read(int.from_bytes(number, "big"))
            if content is not None:
                answer += number + content
        if not answer:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        return answer
