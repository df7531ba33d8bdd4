"""Service 14, clear diagnostic information: 14 and the three bytes of a code or group, and the number of a memory.

FFFFFF               all codes, and readiness with them
FFFF33               the emission-related codes (ISO 14229-1, annex D.1), and readiness and counters as service 04 does
400000, 800000,      the codes of chassis, body or network (edition of 2006)
C00000
a code               this code
another length       13
no such code         31

With a fourth byte (edition of 2020) all codes, or one, of that user-defined memory are cleared, and nothing else.
"""

from typing import Final

from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.bench.diagnostics.refusal import REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, TroubleMemory, UdsService

ALL_CODES: Final = b"\xff\xff\xff"
EMISSION_CODES: Final = b"\xff\xff\x33"

_SYSTEMS: Final = (b"\x40\x00\x00", b"\x80\x00\x00", b"\xc0\x00\x00")
_SYSTEM: Final = 0xC0
"""Groups of chassis, body and network, and the bits of a code's first byte that say to which it belongs."""

_WITH_MEMORY: Final = 4
"""Bytes of a group and the number of a memory."""


class ClearDiagnosticInformation(UdsService):
    """Service 14; OBD-II and J1939 read the same store of trouble codes."""

    sid = 0x14

    def __init__(self, session: DiagnosticSession, memory: TroubleMemory) -> None:
        super().__init__(session)
        self._memory: Final = memory

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        memory = data[3] if len(data) == _WITH_MEMORY else None
        if memory is None:
            self.require_length(data, 3)
        group = data[:3]
        if data == ALL_CODES:
            self._memory.clear()
            return b""
        codes = [
            name
            for name, one in self._memory.troubles.items()
            if one.code.memory == memory and _belongs(one.code, group)
        ]
        if not codes:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self._memory.clear(codes, readiness=data == EMISSION_CODES)
        return b""


def _belongs(code: TroubleCode, group: bytes) -> bool:
    if group in _SYSTEMS and code.uds[0] & _SYSTEM == group[0]:
        return True
    return group in (code.uds, ALL_CODES) or (code.emission and group == EMISSION_CODES)
