"""The address of the page as the last line of the log on a terminal: bare, so that it can be clicked and copied.

A page that other machines reach has its address as a QR code above, for a phone, where the terminal is high enough.
"""

import os
import sys
from collections.abc import Callable
from typing import Final

from hilbridge.base.common.terminal import printable
from hilbridge.base.process.phone import ROWS, qr_code, reachable
from hilbridge.boundary.observe.events import LogRecord

_PAGE: Final = "cockpit"
_READY: Final = "ready"


class PageLine:
    """The line of one run: it waits until the start is complete, and passes its text to `write`."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write: Final = write
        self._url = ""
        self._is_ready = False

    def takes(self, record: LogRecord) -> bool:
        """Return whether a record of the log is shown by this line in its place."""
        self._is_ready = self._is_ready or record.event == _READY
        if record.event != _PAGE:
            return False
        self._url = str(record.fields["url"])
        return True

    def show(self) -> None:
        """Write the address once there is one, and what there was to say before it has been said."""
        if not (self._url and self._is_ready):
            return
        url, self._url = self._url, ""
        outside = reachable(url)
        if outside is not None and _is_high() and (code := qr_code(outside)) is not None:
            self._write(code)
        self._write(f"open {printable(outside or url)}\n")


def _is_high() -> bool:
    """Return whether the terminal shows a code at once."""
    try:
        return os.get_terminal_size(1).lines >= ROWS and "utf" in (sys.stdout.encoding or "").lower()
    except OSError:
        return False
