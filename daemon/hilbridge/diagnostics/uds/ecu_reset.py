"""Service 11, ECU reset: 01 hard, 02 key off and on, 03 soft.

Each of them ends the session and everything that depends on it; the process continues. The counter of wrong keys of
security access is kept: a reset must not circumvent its delay.

    data after the sub-function    13
"""

from collections.abc import Callable
from typing import Final

from hilbridge.diagnostics.uds.service import DEFAULT, DiagnosticSession, UdsService

HARD: Final = 0x01
KEY_OFF_ON: Final = 0x02
SOFT: Final = 0x03


class EcuReset(UdsService):
    """Service 11; `reset` is called with the sub-function."""

    sid = 0x11
    subfunctions = frozenset((HARD, KEY_OFF_ON, SOFT))

    def __init__(self, session: DiagnosticSession, reset: Callable[[int], None]) -> None:
        super().__init__(session)
        self._reset: Final = reset

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 0)
        self.session.enter(DEFAULT)
        self._reset(subfunction)
        return b""
