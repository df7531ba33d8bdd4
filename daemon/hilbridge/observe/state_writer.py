"""Keeps the stored state up to date: the newest STATE event goes to the disk, older ones it has overtaken do not."""

import os
from pathlib import Path

from hilbridge.observe.event_ring import RingEvent
from hilbridge.observe.events import decode_state
from hilbridge.record.state import store_state


class StateWriter:
    """Writes the state of a run.

    `trouble` says why the newest could not be stored: it is tried again with the next one, and at the end.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""
        self._unstored: RingEvent | None = None
        self._fresh = False

    def take(self, event: RingEvent) -> None:
        """Takes a STATE event."""
        self._unstored = event
        self._fresh = True

    def write(self) -> None:
        """Stores the newest state, if it has come since."""
        if self._fresh:
            self._fresh = False
            self.close()

    def close(self) -> None:
        """Stores what could not be stored before."""
        if self._unstored is None:
            return
        try:
            store_state(self.path, decode_state(self._unstored.payload))
        except OSError as error:
            self.trouble = os.strerror(error.errno or 0)
        else:
            self.trouble = ""
            self._unstored = None
