"""Service 3E, tester present: `3E 00` is answered, `3E 80` is not; either keeps the session alive.

data after the sub-function    13
"""

from hilbridge.bench.diagnostics.uds.service import UdsService


class TesterPresent(UdsService):
    """Service 3E. The server keeps the session alive on every request, so this one has no further effect."""

    sid = 0x3E
    subfunctions = frozenset((0x00,))

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 0)
        return b""
