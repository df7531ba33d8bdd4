"""Service 23, read memory by address: `23 format address length` (memory.py). A request reads from one region.

less than one byte each             13
no such format                      31
another length than it requires     13
not inside one region, or length 0  31
not readable                        31
security access needed              33
too long for an answer              14
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.memory import Memory
from hilbridge.bench.diagnostics.uds.service import NOT_DEFAULT, DiagnosticSession, UdsService

_SHORTEST: Final = 3


class ReadMemoryByAddress(UdsService):
    """Service 23 of `memory`."""

    sid = 0x23
    sessions = NOT_DEFAULT

    def __init__(self, session: DiagnosticSession, memory: Memory) -> None:
        super().__init__(session)
        self._memory: Final = memory

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if len(data) < _SHORTEST:
            raise Refusal(INCORRECT_LENGTH)
        region, start, length = self._memory.only_place(data)
        if not region.readable:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self.require_security(region.security)
        return region.read(start, length)
