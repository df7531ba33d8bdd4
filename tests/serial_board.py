"""A serial device that is plugged in and pulled out; a pseudo terminal stands in for it."""

import os
import pty
import tty
from pathlib import Path


class Board:
    """Plugged in, there is a port at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._controller = -1

    def plug(self) -> None:
        self._controller, terminal = pty.openpty()
        tty.setraw(terminal)
        os.set_blocking(self._controller, False)
        self.path.symlink_to(os.ttyname(terminal))
        os.close(terminal)

    def unplug(self) -> None:
        if self._controller >= 0:
            self.path.unlink()
            os.close(self._controller)
            self._controller = -1

    def write(self, data: bytes) -> int:
        try:
            return os.write(self._controller, data)
        except BlockingIOError:
            return 0

    def read(self) -> bytes:
        """What was said to it since the last time."""
        try:
            return os.read(self._controller, 1 << 16)
        except BlockingIOError:
            return b""
