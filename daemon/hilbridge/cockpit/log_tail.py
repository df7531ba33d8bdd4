"""The newest lines of the log, read from the event ring beside the observer.

The observer alone releases events; a reader beside it takes what is not overwritten yet. It reads only while there is a
viewer, for it has to pass every frame of the run to find the lines.
"""

from collections import deque
from typing import Any, Final

from hilbridge.common.units import SECOND
from hilbridge.observe.event_ring import EventReader
from hilbridge.observe.events import LOG, LogRecord
from hilbridge.observe.rings import Rings

MOST: Final = 60
"""Lines that are kept."""

_READS: Final = 64
"""Reads at a time, of some 64 KiB each: the whole ring."""

Line = tuple[float, str, str, dict[str, Any]]
"""Run time [s], level, event and fields."""


class LogTail:
    """The newest lines of the log since there has been a viewer."""

    def __init__(self, rings: Rings) -> None:
        self.lines: Final[deque[Line]] = deque(maxlen=MOST)
        self._rings: Final = rings
        self._reader: EventReader | None = None

    def read(self) -> bool:
        """Take what is new, after a pause from where the observer is; return whether there are lines."""
        reader = self._reader = self._reader or self._rings.event_reader()
        found = False
        for _ in range(_READS):
            events = reader.read()
            for event in events:
                if event.kind == LOG:
                    record = LogRecord.decode(event.payload)
                    self.lines.append((event.t / SECOND, record.level.name.lower(), record.event, record.fields))
                    found = True
            if not events:
                break
        return found

    def pause(self) -> None:
        """Stop until the next `read`: what is written meanwhile may be overwritten."""
        self._reader = None
