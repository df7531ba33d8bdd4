"""The writer of the stored state: of several STATE events only the newest goes to the disk."""

import os
from pathlib import Path

from hilbridge.observe.event_ring import RingEvent
from hilbridge.observe.events import decode_state
from hilbridge.record.state import store_state


class StateWriter:
    """A writer of the state of a run to a file.

    `trouble` is the reason why the newest state could not be stored; it is stored with the next one, or at the end.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""
        self._unstored: RingEvent | None = None
        self._fresh = False

    def take(self, event: RingEvent) -> None:
        """Take a STATE event."""
        self._unstored = event
        self._fresh = True

    def write(self) -> None:
        """Store the newest state if there is one since the last call."""
        if self._fresh:
            self._fresh = False
            self.close()

    def close(self) -> None:
        """Store what could not be stored before."""
        if self._unstored is None:
            return
        try:
            store_state(self.path, decode_state(self._unstored.payload))
        except OSError as error:
            self.trouble = os.strerror(error.errno or 0)
        else:
            self.trouble = ""
            self._unstored = None
