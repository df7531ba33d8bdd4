"""A thread that packs full segments beside the one to which the observer writes, when the machine has nothing better.

It is of the lowest priority that an ordinary thread has, and zlib lets the others work meanwhile. What it has not
packed when the recording ends stays as it is: nothing is lost by that but room on the disk.
"""

import os
import threading
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from hilbridge.base.common.lasting_files import is_there
from hilbridge.boundary.record.packed import growing_path, pack, packed_path

_LOWEST: Final = 19
"""Priority of the thread (setpriority(2); on Linux each thread has its own)."""


class Packer:
    """The packing of the segments of one recording; what the disk has no room for stays as it is."""

    def __init__(self) -> None:
        self._wanted: Final[SimpleQueue[Path | None]] = SimpleQueue()
        self._done: Final[SimpleQueue[tuple[Path, int]]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ends = False

    def add(self, segment: Path) -> None:
        """Have a segment packed, to which no one writes any more."""
        if self._thread is None:
            thread = threading.Thread(target=self._work, name="packer", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the machine has no room for a thread
                return
            self._thread = thread
        self._wanted.put(segment)

    def packed(self) -> list[tuple[Path, int]]:
        """Return the segments that have been packed since the last call, each with its size now [byte]."""
        return [self._done.get() for _ in range(self._done.qsize())]

    def wait(self) -> None:
        """Return when all that was added is packed."""
        if self._thread is not None:
            self._wanted.put(None)
            self._thread.join()
            self._thread = None

    def close(self) -> None:
        """End; a segment that is half packed stays as it was."""
        self._ends = True
        self.wait()

    def _work(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST)
        while (segment := self._wanted.get()) is not None and not self._ends:
            with suppress(OSError):  # the disk is full, or the segment has gone
                size = pack(segment, lambda: self._ends)
                if size is not None:
                    self._done.put((segment, size))


def settle(segment: Path) -> None:
    """Remove what a process that was killed while it packed a segment has left beside it. OSError."""
    growing_path(segment).unlink(missing_ok=True)
    if is_there(packed_path(segment)):  # it is renamed when it is whole and on the disk
        segment.unlink(missing_ok=True)
