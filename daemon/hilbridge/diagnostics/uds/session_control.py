"""Service 10, diagnostic session control.

10 session                     50 session, then its P2 [ms] and P2* [10 ms], two bytes each
data after the sub-function    13
"""

from typing import Final

from hilbridge.common.units import MILLISECOND
from hilbridge.diagnostics.uds.service import DiagnosticSession, UdsService

_P2_STAR_UNIT: Final = 10 * MILLISECOND


class DiagnosticSessionControl(UdsService):
    """Service 10: enters a session."""

    sid = 0x10

    def __init__(self, session: DiagnosticSession) -> None:
        super().__init__(session)
        self.subfunctions = frozenset(session.sessions)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 0)
        self.session.enter(subfunction)
        times = self.session.times
        return (times.p2 // MILLISECOND).to_bytes(2, "big") + (times.p2_star // _P2_STAR_UNIT).to_bytes(2, "big")
