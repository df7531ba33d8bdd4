"""Service 85, control DTC setting: 01 on, 02 off until another request or the default session.

Off, the results of tests change no trouble code. A group of codes may follow: all of them, FFFFFF.

    half a group     13
    another group    31
"""

from typing import Final

from hilbridge.diagnostics.refusal import REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.diagnostics.uds.clear_information import ALL_CODES
from hilbridge.diagnostics.uds.service import DEFAULT, EXTENDED_ONLY, DiagnosticSession, TroubleMemory, UdsService

ON: Final = 0x01
OFF: Final = 0x02


class ControlDtcSetting(UdsService):
    """Switches the recording of `memory`."""

    sid = 0x85
    sessions = EXTENDED_ONLY
    subfunctions = frozenset((ON, OFF))

    def __init__(self, session: DiagnosticSession, memory: TroubleMemory) -> None:
        super().__init__(session)
        self._memory: Final = memory
        session.followers.append(self._follow)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if data:
            self.require_length(data, len(ALL_CODES))
            if data != ALL_CODES:
                raise Refusal(REQUEST_OUT_OF_RANGE)
        self._memory.recording = subfunction == ON
        return b""

    def _follow(self) -> None:
        if self.session.active == DEFAULT:
            self._memory.recording = True
