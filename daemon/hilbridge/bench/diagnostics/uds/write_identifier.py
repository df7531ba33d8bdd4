"""Service 2E, write data by identifier: `2E identifier data`.

no byte of data                          13
not an identifier that can be written    31
security access needed                   33
another length than the identifier's     13
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.dids import Identifiers, StoredIdentifier
from hilbridge.bench.diagnostics.uds.service import NOT_DEFAULT, DiagnosticSession, UdsService


class WriteDataByIdentifier(UdsService):
    """Service 2E for stored identifiers (dids.py)."""

    sid = 0x2E
    sessions = NOT_DEFAULT

    def __init__(self, session: DiagnosticSession, identifiers: Identifiers) -> None:
        super().__init__(session)
        self._identifiers: Final = identifiers

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if len(data) < 3:
            raise Refusal(INCORRECT_LENGTH)
        number, content = data[:2], data[2:]
        identifier = self._identifiers.supported(int.from_bytes(number, "big"))
        if not isinstance(identifier, StoredIdentifier):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self.require_security(identifier.security)
        self.require_length(content, len(identifier.initial))
        self._identifiers.write(identifier, content)
        return number
