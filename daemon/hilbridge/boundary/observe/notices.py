"""The lines of the log about the observer's own work: events that were lost, records and lines that were not written.

Each is logged when it changes, at most once a second and at the end, and as a total, so that an observer that takes
over repeats it.
"""

import errno
import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from hilbridge.boundary.observe.events import LogLevel, LogRecord
from hilbridge.boundary.observe.output import Output
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.observe.room import KEPT_FREE

_MAKE_ROOM: Final = "make room on the disk: it goes on by itself; 'recording: {size: MB}' keeps less"

PERIOD: Final = 1_000_000_000
"""[ns]"""


class RecordingWork(NamedTuple):
    """The amount of what was recorded."""

    frames: int
    size: int
    """[byte] of the segments that are kept."""
    missing: int
    """Records that it lacks."""


class ObserverWork(NamedTuple):
    """The work of an observer since it began."""

    unprinted: int
    """Lines of the log that could not be written."""
    recorded: RecordingWork | None


class Notices:
    """A comparison of the counters with their values when they were logged last."""

    def __init__(self, rings: Rings, output: Output) -> None:
        self._reader = rings.event_reader()
        self._bookmarks = rings.bookmarks
        self._output = output
        self._lost = 0
        self._damaged = 0
        self._dropped = 0
        self._trouble = {"recording": "", "stored state": ""}
        self._next = 0

    def due(self, now: int, recording: str, state: str, *, last: bool = False) -> Iterator[LogRecord]:
        """Return the lines about what changed; `last`: the observer ends.

        `recording` and `state`: why they cannot be written at present; `now` [ns]: the observer's clock.
        """
        if now < self._next and not last:
            return
        self._next = now + PERIOD
        if (lost := self._reader.lost) != self._lost:
            self._lost = lost
            yield LogRecord(LogLevel.WARNING, "events lost: the event ring was full", {"total": lost})
        if (damaged := self._bookmarks.damaged[0]) != self._damaged:
            self._damaged = damaged
            yield LogRecord(LogLevel.ERROR, "unreadable events were given up", {"times": damaged})
        for what, trouble in (("recording", recording), ("stored state", state)):
            if trouble != self._trouble[what]:
                self._trouble[what] = trouble
                yield self._about_file(what, trouble)
        if self._output.dropped != self._dropped and not self._output.gone and self._output.flush():
            self._dropped = self._output.dropped
            yield LogRecord(LogLevel.WARNING, "lines of the log were not printed", {"total": self._dropped})

    def _about_file(self, what: str, trouble: str) -> LogRecord:
        fields = {"records_missing": self._bookmarks.unrecorded[0]} if what == "recording" else {}
        if trouble:
            remedy = {"remedy": _MAKE_ROOM} if trouble.endswith((os.strerror(errno.ENOSPC), KEPT_FREE)) else {}
            return LogRecord(LogLevel.ERROR, f"cannot write the {what}", {"reason": trouble, **fields, **remedy})
        return LogRecord(LogLevel.INFO, f"writing the {what} again", fields)
