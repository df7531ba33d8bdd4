"""The newest lines of the log, read from the event ring beside the observer.

The observer alone releases events; a reader beside it takes what is not overwritten yet. It reads only while there is a
viewer, for it has to pass every frame of the run to find the lines. So the first viewer is shown the lines since the
start of the run, and a later one those since the last has gone, as far as the ring still has them.
"""

from collections import deque
from typing import Any, Final

from hilbridge.base.common.terminal import printable_tree
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.event_ring import EventReader
from hilbridge.boundary.observe.events import LOG, LogRecord
from hilbridge.boundary.observe.rings import Rings

MOST: Final = 60
"""Lines that are kept."""

_READS: Final = 16
"""Reads at a time, of some 64 KiB each: what is behind comes in several turns, none of which is long."""

_SAFE: Final = 0.75
"""Share of the ring that is not overwritten while it is read."""

Line = tuple[float, str, str, dict[str, Any]]
"""Run time [s], level, event and fields."""


class LogTail:
    """The newest lines of the log."""

    def __init__(self, rings: Rings) -> None:
        self.lines: Final[deque[Line]] = deque(maxlen=MOST)
        self._rings: Final = rings
        self._reader: EventReader | None = None
        self._position = 0  # up to which the ring was read

    def read(self) -> bool:
        """Take what is new; return whether there are lines."""
        reader = self._reader = self._reader or self._resumed()
        found = False
        for _ in range(_READS):
            events = reader.read()
            for event in events:
                if event.kind == LOG:
                    record = LogRecord.decode(event.payload)
                    self.lines.append(
                        (event.t / SECOND, record.level.name.lower(), *printable_tree([record.event, record.fields]))
                    )
                    found = True
            if not events:
                break
        return found

    def pause(self) -> None:
        """Stop until the next `read`: what is written meanwhile may be overwritten."""
        if self._reader is not None:
            self._position = self._reader.position
            self._reader = None

    def _resumed(self) -> EventReader:
        """Return a reader that goes on where the last one was, or where the observer is if that is overwritten."""
        reader = self._rings.event_reader()
        if reader.written - self._position <= _SAFE * reader.capacity:
            reader.position = self._position
        return reader
