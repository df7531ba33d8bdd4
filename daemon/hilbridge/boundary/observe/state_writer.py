"""The writer of the stored state: of several STATE events only the newest goes to the disk, with all MEMORY pieces."""

import json
from pathlib import Path
from typing import Any

from hilbridge.boundary.observe.event_ring import RingEvent
from hilbridge.boundary.observe.events import MEMORY, decode_state
from hilbridge.boundary.record.state import MEMORY_PIECES, read_state, store_state


class StateWriter:
    """A writer of the state of a run to a file.

    Pieces of memory are added to those that the file has from earlier runs, so that only changed ones come by the ring.
    `trouble` is the reason why the newest state could not be stored; it is stored with the next one, or at the end.
    `stored` and `unstored` are the positions after the beginnings of the newest STATE events that could be stored, and
    could not.

    Nothing is written before the file could be read, as pieces of memory would be lost, and nothing that is `forbidden`
    for a reason.
    """

    def __init__(self, path: Path, forbidden: str = "") -> None:
        self.path = path
        self.trouble = self._forbidden = forbidden
        self.stored = self.unstored = 0
        self._unstored: RingEvent | None = None
        self._fresh = False
        self._pieces: dict[str, dict[str, Any]] = {}  # that have come since
        self._known: dict[str, dict[str, Any]] | None = None  # of the file, as this run found it; None: not read yet
        try:
            self._read()
        except (OSError, ValueError) as error:
            self.trouble = self.trouble or _words(error)

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
        state = decode_state(self._unstored.payload)
        try:
            if self._forbidden:
                raise PermissionError(self._forbidden)
            kept = self._whole(self._read())
            store_state(self.path, state | {MEMORY_PIECES: kept} if kept else state)
        except (OSError, ValueError) as error:
            self.trouble = _words(error)
            self.unstored = self._unstored.position + 1
        else:
            self.trouble = ""
            self.stored = self._unstored.position + 1
            self._unstored = None

    def _read(self) -> dict[str, dict[str, Any]]:
        """Return the pieces of memory of earlier runs. OSError, ValueError: the file cannot be read."""
        if self._known is None:
            try:
                self._known = read_state(self.path).get(MEMORY_PIECES, {})
            except FileNotFoundError:
                self._known = {}
        return self._known

    def _whole(self, known: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return all pieces of memory, the newest of each address; None is one that is as in the bench file."""
        return {
            unit: {
                address: piece
                for address, piece in (known.get(unit, {}) | self._pieces.get(unit, {})).items()
                if piece is not None
            }
            for unit in known | self._pieces
        }


def _words(error: OSError | ValueError) -> str:
    """Return the reason of an error; what the system says of it, where it comes from there."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
