"""Service 85, control DTC setting: 01 on, 02 off until another request or the default session.

While it is off, test results change no trouble code. A group of codes may follow: FFFFFF, all of them.

    incomplete group   13
    another group      31
"""

from typing import Final

from hilbridge.bench.diagnostics.refusal import REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.clear_information import ALL_CODES
from hilbridge.bench.diagnostics.uds.service import EXTENDED_ONLY, DiagnosticSession, TroubleMemory, UdsService

ON: Final = 0x01
OFF: Final = 0x02


class ControlDtcSetting(UdsService):
    """Service 85 for the recording of `memory`."""

    sid = 0x85
    sessions = EXTENDED_ONLY
    subfunctions = frozenset((ON, OFF))

    def __init__(self, session: DiagnosticSession, memory: TroubleMemory) -> None:
        super().__init__(session)
        self._memory: Final = memory
        session.on_change("dtc-setting", self._on_session_change)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if data:
            self.require_length(data, len(ALL_CODES))
            if data != ALL_CODES:
                raise Refusal(REQUEST_OUT_OF_RANGE)
        self._memory.recording = subfunction == ON
        return b""

    def _on_session_change(self) -> None:
        self._memory.recording = True
