"""Service 11, ECU reset: 01 hard, 02 key off and on, 03 soft; 04 and 05, rapid power shutdown on and off.

A reset ends the session and everything that depends on it; the process continues. Then the control unit neither hears
nor says anything for the time in the settings. The counter of wrong keys of security access is kept: a reset must not
circumvent its delay. 04 answers the time that the control unit needs to shut down, one byte [s]; without it in the
settings 04 and 05 are not supported.

    data after the sub-function    13
"""

from collections.abc import Callable
from typing import Final

from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, UdsService
from hilbridge.files.settings.uds_reset import ResetSettings

HARD: Final = 0x01
KEY_OFF_ON: Final = 0x02
SOFT: Final = 0x03
ENABLE_SHUTDOWN: Final = 0x04
DISABLE_SHUTDOWN: Final = 0x05


class EcuReset(UdsService):
    """Service 11; `reset` is called with the time of the request [ns]."""

    sid = 0x11

    def __init__(self, session: DiagnosticSession, settings: ResetSettings, reset: Callable[[int], None]) -> None:
        super().__init__(session)
        self._reset: Final = reset
        self._shutdown_time: Final = settings.shutdown_time
        shutdown = () if settings.shutdown_time is None else (ENABLE_SHUTDOWN, DISABLE_SHUTDOWN)
        self.subfunctions = frozenset((HARD, KEY_OFF_ON, SOFT, *shutdown))

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 0)
        if self._shutdown_time is not None and subfunction == ENABLE_SHUTDOWN:
            return bytes((self._shutdown_time,))
        if subfunction != DISABLE_SHUTDOWN:
            self._reset(t)
        return b""
