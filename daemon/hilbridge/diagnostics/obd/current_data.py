"""Service 01: current data.

01 PID (up to six)      41 PID data (each that is answered)
"""

from collections.abc import Iterable, Mapping
from typing import Final

from hilbridge.diagnostics.obd.scaling import Pid
from hilbridge.diagnostics.obd.support import is_base, mask, told


class CurrentData:
    """Service 01 of one control unit."""

    def __init__(self, pids: Mapping[int, Pid]) -> None:
        self._pids: Final = dict(pids)

    def answer(self, request: bytes) -> bytes:
        return told(request, self.read)

    def read(self, pid: int) -> bytes | None:
        """The data bytes of a PID, None where it is not answered now."""
        if is_base(pid):
            return mask(pid, self.answered())
        known = self._pids.get(pid)
        return None if known is None else known.read()

    def answered(self) -> list[int]:
        """The PIDs that are answered now, without masks."""
        return [number for number, pid in self._pids.items() if pid.is_available()]

    def snapshot(self, wanted: Iterable[int]) -> dict[int, bytes]:
        """Data bytes by PID, of those of `wanted` that are answered now."""
        found = {number: self.read(number) for number in sorted(wanted)}
        return {number: data for number, data in found.items() if data is not None}
