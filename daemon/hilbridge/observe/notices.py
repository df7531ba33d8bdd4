"""What the observer has to say about its own work: events that never came, frames and lines that went nowhere.

Each is told when it changes, at most once a second, and as a total, so that an observer that takes over says it again.
"""

from collections.abc import Iterator
from typing import Final

from hilbridge.observe.events import Level, LogRecord
from hilbridge.observe.output import Output
from hilbridge.observe.rings import Rings

PERIOD: Final = 1_000_000_000
"""[ns]"""


class Notices:
    """Compares the counters with what was said about them last."""

    def __init__(self, rings: Rings, output: Output) -> None:
        self._reader = rings.event_reader()
        self._bookmarks = rings.bookmarks
        self._output = output
        self._lost = 0
        self._damaged = 0
        self._dropped = 0
        self._trouble = ""
        self._next = 0

    def due(self, now: int, trouble: str) -> Iterator[LogRecord]:
        """What changed; `trouble` is why the recording cannot be written at present. `now` [ns]: the own clock."""
        if now < self._next:
            return
        self._next = now + PERIOD
        if (lost := self._reader.lost) != self._lost:
            self._lost = lost
            yield LogRecord(Level.WARNING, "events lost: the event ring was full", {"total": lost})
        if (damaged := self._bookmarks.damaged[0]) != self._damaged:
            self._damaged = damaged
            yield LogRecord(Level.ERROR, "unreadable events were given up", {"times": damaged})
        if trouble != self._trouble:
            self._trouble = trouble
            yield self._about_recording(trouble)
        if self._output.dropped != self._dropped and not self._output.gone and self._output.flush():
            self._dropped = self._output.dropped
            yield LogRecord(Level.WARNING, "lines of the log were not printed", {"total": self._dropped})

    def _about_recording(self, trouble: str) -> LogRecord:
        fields = {"frames_dropped": self._bookmarks.unrecorded[0]}
        if trouble:
            return LogRecord(Level.ERROR, "cannot write the recording", {"reason": trouble, **fields})
        return LogRecord(Level.INFO, "writing the recording again", fields)
