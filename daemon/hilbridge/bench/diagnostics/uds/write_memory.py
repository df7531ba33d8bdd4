"""Service 3D, write memory by address: `3D format address length data` (memory.py), answered with all but the data.

less than one byte each                      13
no such format                               31
another length than format and length say    13
not inside one region, or length 0           31
not writable                                 31
security access needed                       33
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.memory import Memory, place_of
from hilbridge.bench.diagnostics.uds.service import NOT_DEFAULT, DiagnosticSession, UdsService

_SHORTEST: Final = 4


class WriteMemoryByAddress(UdsService):
    """Service 3D for the writable regions of `memory`."""

    sid = 0x3D
    sessions = NOT_DEFAULT

    def __init__(self, session: DiagnosticSession, memory: Memory) -> None:
        super().__init__(session)
        self._memory: Final = memory

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if len(data) < _SHORTEST:
            raise Refusal(INCORRECT_LENGTH)
        address, length, content = place_of(data)
        self.require_length(content, length)
        region, start, _ = self._memory.find(address, length)
        if not region.writable:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self.require_security(region.writing_level)
        region.write(start, content)
        self._memory.changes += 1
        return data[: len(data) - length]
