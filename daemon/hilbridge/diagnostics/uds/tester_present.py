"""Service 3E, tester present: `3E 00` is answered, `3E 80` not; either keeps the session alive.

anything behind    13
"""

from hilbridge.diagnostics.uds.service import UdsService


class TesterPresent(UdsService):
    """Every request keeps the session alive: this one does nothing else."""

    sid = 0x3E
    subfunctions = frozenset((0x00,))

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        self.require_length(data, 0)
        return b""
