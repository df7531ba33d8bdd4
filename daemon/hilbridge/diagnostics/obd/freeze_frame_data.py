"""Service 02: the freeze frame, what was measured when a fault was found. There is one, number 0.

    02 PID frame (up to three)      42 PID frame data (each that is answered)

PID 02 is the code that the frame belongs to, 0000 while there is none; then nothing else is answered.
"""

from typing import Final

from hilbridge.diagnostics.dtc.store import TroubleStore
from hilbridge.diagnostics.obd.support import is_base, mask
from hilbridge.diagnostics.refusal import Refusal

_CODE: Final = 0x02
_FRAME: Final = 0
_MOST: Final = 3


class FreezeFrameData:
    """Service 02 of one control unit."""

    def __init__(self, store: TroubleStore) -> None:
        self._store: Final = store

    def answer(self, request: bytes) -> bytes:
        if not 0 < len(request) <= 2 * _MOST or len(request) % 2:
            raise Refusal
        asked = dict.fromkeys(zip(request[::2], request[1::2], strict=True))
        found = [(pid, self.read(pid)) for pid, frame in asked if frame == _FRAME]
        answer = b"".join(bytes((pid, _FRAME)) + data for pid, data in found if data is not None)
        if not answer:
            raise Refusal
        return answer

    def read(self, pid: int) -> bytes | None:
        """The data bytes of a PID in the frame, None where it is not answered."""
        trouble = self._store.frozen()
        values = {} if trouble is None or trouble.frame is None else trouble.frame.values
        if is_base(pid):
            return mask(pid, {_CODE, *values})
        if pid == _CODE:
            return (0 if trouble is None else trouble.code.number).to_bytes(2, "big")
        return values.get(pid)
