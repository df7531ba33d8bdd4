"""The writer of the stored state: of several STATE events only the newest goes to the disk, with all MEMORY pieces."""

import json
import os
from pathlib import Path
from typing import Any

from hilbridge.observe.event_ring import RingEvent
from hilbridge.observe.events import MEMORY, decode_state
from hilbridge.record.state import MEMORY_PIECES, load_state, store_state


class StateWriter:
    """A writer of the state of a run to a file.

    Pieces of memory are added to those that the file has from earlier runs, so that only changed ones come by the ring.
    `trouble` is the reason why the newest state could not be stored; it is stored with the next one, or at the end.
    `stored` and `unstored` are the positions after the beginnings of the newest STATE events that could be stored, and
    could not.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""
        self.stored = self.unstored = 0
        self._unstored: RingEvent | None = None
        self._fresh = False
        self._pieces: dict[str, dict[str, Any]] = load_state(path, lambda _reason: None).get(MEMORY_PIECES, {})

    def take(self, event: RingEvent) -> None:
        """Take a STATE or a MEMORY event."""
        if event.kind == MEMORY:
            unit, address, piece = json.loads(event.payload)
            self._pieces.setdefault(unit, {})[address] = piece
            return
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
        kept = {
            unit: {address: piece for address, piece in pieces.items() if piece is not None}
            for unit, pieces in self._pieces.items()
        }
        state = decode_state(self._unstored.payload)
        try:
            store_state(self.path, state | {MEMORY_PIECES: kept} if kept else state)
        except OSError as error:
            self.trouble = os.strerror(error.errno or 0)
            self.unstored = self._unstored.position + 1
        else:
            self.trouble = ""
            self.stored = self._unstored.position + 1
            self._unstored = None
