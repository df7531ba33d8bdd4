"""The room that a recording leaves on its disk, for the stored state and for everything else that is written there.

reserve = min(500 MB, size of the file system / 20)
free < 4 · reserve   nearly full: a word in time
free < reserve       nothing more is recorded; it goes on by itself when there is room again
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hilbridge.boundary.record.segments import MEGABYTE

LARGEST_RESERVE: Final = 500 * MEGABYTE
KEPT_FREE: Final = "are kept free"
"""The end of a refusal."""

_SHARE: Final = 20
_EARLY: Final = 4

_INTERVAL: Final = 1.0
"""[s] between two looks at the disk."""


def reserve_of(size: int) -> int:
    """Return what is kept free of a file system of `size` [byte]."""
    return min(LARGEST_RESERVE, size // _SHARE)


class Room:
    """The room on the disk of a folder. A file system that cannot be asked has room: the writing finds out."""

    def __init__(
        self,
        folder: Path,
        look: Callable[[Path], os.statvfs_result] = os.statvfs,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.left = 0
        """[byte] that are left, while the disk is nearly full; 0: it is not."""
        self._folder: Final = folder
        self._ask: Final = look
        self._now: Final = now
        self._next = 0.0
        self._refusal = ""

    def refusal(self) -> str:
        """Return why nothing may be recorded at present; empty: it may."""
        now = self._now()
        if now >= self._next:
            self._next = now + _INTERVAL
            self._look()
        return self._refusal

    def _look(self) -> None:
        try:
            disk = self._ask(self._folder)
        except OSError:
            self.left, self._refusal = 0, ""
            return
        free, size = disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize
        reserve = reserve_of(size)
        self.left = max(free, 1) if free < _EARLY * reserve else 0
        left = f"{free / MEGABYTE:,.0f} MB of the disk are left, of which {reserve / MEGABYTE:,.0f} MB {KEPT_FREE}"
        self._refusal = left if free < reserve else ""
