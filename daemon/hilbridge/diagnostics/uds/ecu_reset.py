"""Service 11, ECU reset: 01 hard, 02 key off and on, 03 soft.

All of them end the session and what was begun in it; the process goes on. Wrong keys of security access stay counted:
a reset must not be a way round its delay.

    anything behind    13
"""

from collections.abc import Callable
from typing import Final

from hilbridge.diagnostics.uds.service import DEFAULT, DiagnosticSession, UdsService

HARD: Final = 0x01
KEY_OFF_ON: Final = 0x02
SOFT: Final = 0x03


class EcuReset(UdsService):
    """`reset` is told which."""

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
