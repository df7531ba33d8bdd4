"""Service 10, diagnostic session control.

10 01 default, 10 03 extended    50 0x, then P2 [ms] and P2* [10 ms], two bytes each
data after the sub-function      13
"""

from typing import Final

from hilbridge.common.units import MILLISECOND
from hilbridge.diagnostics.uds.service import ALL, P2, P2_STAR, UdsService

_TIMES: Final = (P2 // MILLISECOND).to_bytes(2, "big") + (P2_STAR // (10 * MILLISECOND)).to_bytes(2, "big")


class DiagnosticSessionControl(UdsService):
    """Service 10: enters a session."""

    sid = 0x10
    subfunctions = ALL

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 0)
        self.session.enter(subfunction)
        return _TIMES
