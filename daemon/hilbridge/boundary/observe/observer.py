"""The observer process: prints the log and the status, writes the recording and the stored state.

    python -m hilbridge.boundary.observe.observer DESCRIPTOR [ARCHIVE] PARENT

It takes events out of the rings behind DESCRIPTOR until the END event, or until the process PARENT has ended. No signal
meant for the daemon reaches it. Whatever happens to its output or its disk, it keeps taking events.

An observer that takes over after a crash begins at the released position: the events from there on belong into the
recording, which knows what it has already; lines of the log were printed up to the bookmark `seen` (those of an
unfinished round are printed again).
"""

import atexit
import gc
import os
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.lean_imports import lean_imports
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.child_process import DAEMON_SIGNALS
from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.boundary.observe.bench_archive import BenchArchive
from hilbridge.boundary.observe.event_ring import GAP, GAP_LAYOUT, RingEvent
from hilbridge.boundary.observe.events import (
    LOG,
    MEMORY,
    PART_STATUS,
    STATE,
    STATISTICS,
    About,
    Fields,
    LogLevel,
    LogRecord,
    Snapshot,
    decode_statistics,
)
from hilbridge.boundary.observe.logs import LineLimit, LogPrinter, colours_wanted
from hilbridge.boundary.observe.notices import Notices, ObserverWork
from hilbridge.boundary.observe.output import Output
from hilbridge.boundary.observe.page_line import PageLine
from hilbridge.boundary.observe.public import PublicPort
from hilbridge.boundary.observe.recordings import Recordings
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.observe.state_writer import StateWriter
from hilbridge.boundary.observe.status_line import Meter, StatusLine
from hilbridge.boundary.observe.summary import summary
from hilbridge.boundary.observe.wall_time import WallTime
from hilbridge.boundary.record.boundary_records import END

_POLL: Final = 0.015
"""[s] Pause when the rings are empty."""
_STATUS_LINE_PERIOD: Final = SECOND // 10
_STATUS_RECORD_PERIOD: Final = SECOND
_LAST_WORDS: Final = 1.0
"""[s] Time for the output to take what is still queued at the end."""


class Observer:
    """The observer of one run: `poll` it until `ended`, then `close` it."""

    def __init__(self, rings: Rings, output: Output, bench_archive: BenchArchive | None = None) -> None:
        self._about = About.decode(rings.about)
        self._rings = rings
        self._reader = rings.event_reader()
        self._output = output
        started = self._about.started
        virtual = started is None
        self._is_text = output.is_terminal if self._about.log is None else self._about.log == "text"
        has_line = output.is_terminal and self._is_text
        self._line = StatusLine(output, virtual=virtual, colours=colours_wanted()) if has_line else None
        write = self._line.print if self._line else output.write
        self._wall = None if started is None else WallTime(started, rings.origin, self._about.pace)
        self._printer = LogPrinter(
            write,
            self._wall.at if self._wall else None,
            console=self._is_text,
            colours=output.is_terminal,
            journal=output.is_journal,
        )
        self._limit = LineLimit()
        self._meter = Meter(time.monotonic_ns(), About.decode(rings.about).buses)
        self._notices = Notices(rings, output)
        self._next_status = 0
        self._told = -1
        self._page = PageLine(write) if has_line else None
        self._t = 0
        self.ended = False
        self._recordings = Recordings(
            self._about, rings, bench_archive, self._log, self._wall.at if self._wall else None
        )
        self._keeper = None if self._about.state is None else StateWriter(Path(self._about.state), self._about.unlocked)
        self._public = None
        if self._about.metrics is not None:
            self._public = PublicPort(self._about.metrics, rings, time.monotonic_ns(), self._work)

    def poll(self, now: int) -> bool:
        """Take new events and show what is due at `now` [ns, own clock]; return True if there may be more events."""
        bookmarks, recordings, keeper = self._rings.bookmarks, self._recordings, self._keeper
        bookmarks.pulse[0] += 1
        seen = bookmarks.seen[0]
        if self._wall:
            self._print(self._wall.changes())
        events = self._reader.read()
        for event in events:
            self._take(event, new=event.position >= seen)
        recordings.write()
        if keeper:
            keeper.write()
            bookmarks.stored[0] = max(bookmarks.stored[0], keeper.stored)
            bookmarks.unstored[0] = max(bookmarks.unstored[0], keeper.unstored)
        if not self.ended:  # an observer that takes over before `close` is done must find END in the ring
            position = self._reader.position
            bookmarks.seen[0] = max(seen, position)
            self._reader.release(position)
        if self._page:
            self._page.show()
        self._output.flush()
        troubles = recordings.trouble, keeper.trouble if keeper else ""
        self._print(self._notices.due(now, *troubles, last=self.ended))
        if self._public:
            self._print(self._public.poll(now))
        self._show_status(now)
        return bool(events) and not self.ended

    def close(self) -> None:
        """End the recording and the log, after the END event or after the death of the daemon."""
        if self._line:
            self._line.clear()
        if self._public:
            self._public.close()
        if not self.ended:
            self._log(LogLevel.ERROR, "the daemon died")
        if self._keeper:
            self._keeper.close()
        self._recordings.close(self._t, self.ended)
        self._output.close(_LAST_WORDS)

    def _take(self, event: RingEvent, *, new: bool) -> None:
        self._t = event.t
        self._recordings.take(event)
        if self._keeper and event.kind in (STATE, MEMORY):
            self._keeper.take(event)
        if self._public and event.kind == PART_STATUS:
            self._public.take(event)
        if not new:
            return
        if event.kind == LOG:
            record = LogRecord.decode(event.payload)
            self._print(self._limit.left_out(event.t))
            if self._page and self._page.takes(record):
                return
            if self._limit.passes(event.t, record.event):
                self._printer.print(event.t, record)
        elif event.kind == GAP and GAP_LAYOUT.unpack(event.payload)[0] == 0:
            self._rings.bookmarks.damaged[0] += 1
        elif event.kind == STATISTICS:
            self._printer.print(event.t, LogRecord(LogLevel.INFO, "statistics", self._statistics(event)))
        elif event.kind == END:
            self.ended = True
            self._print(self._limit.rest())
            self._print_end(event)

    def _print_end(self, event: RingEvent) -> None:
        """Print the final statistics: all of them for programs, a few lines for people."""
        statistics = self._statistics(event)
        if not self._is_text:
            self._printer.print(event.t, LogRecord(LogLevel.INFO, "stopped", statistics))
            return
        self._printer.print(event.t, LogRecord(LogLevel.INFO, "stopped", {}))
        write = self._line.print if self._line else self._output.write
        for line in summary(self._about.name, event.t / SECOND, statistics):
            write(f"  {line}\n")

    def _statistics(self, event: RingEvent) -> Fields:
        """Return counters and percentiles; on the virtual clock nothing is late."""
        durations = {} if self._wall is None else dict(self._rings.durations.figures())
        return decode_statistics(event.payload) | durations

    def _show_status(self, now: int) -> None:
        if now < self._next_status or self.ended or (content := self._rings.snapshots.get()) is None:
            return
        snapshot = Snapshot.decode(content)
        self._print(self._limit.left_out(snapshot.t))
        status = self._meter.read(now, snapshot, self._rings.durations)
        if self._line:
            self._next_status = now + _STATUS_LINE_PERIOD
            self._line.draw(status)
        elif not (self._output.is_journal or self._is_text):  # a service has its line of `systemctl status` instead
            if snapshot.t == self._told:
                return  # the run has ended, and its last events are still to come
            self._next_status, self._told = now + _STATUS_RECORD_PERIOD, snapshot.t
            self._printer.print(snapshot.t, LogRecord(LogLevel.INFO, "status", status.fields()))

    def _work(self) -> ObserverWork:
        """Return the work of this process, for the metrics."""
        return ObserverWork(self._output.dropped, self._recordings.recorded())

    def _print(self, records: Iterable[LogRecord]) -> None:
        for record in records:
            self._printer.print(self._t, record)

    def _log(self, level: LogLevel, event: str, **fields: Any) -> None:
        self._printer.print(self._t, LogRecord(level, event, fields))


def main(descriptor: int, parent: int, bench_archive: int | None = None) -> None:
    """Observe until the run or the parent has ended."""
    signal.pthread_sigmask(signal.SIG_BLOCK, DAEMON_SIGNALS)
    become_ordinary()
    lean_imports()
    atexit.register(gc.freeze)  # the run waits for the exit, which has no need to look for garbage
    rings = Rings(descriptor)
    apart = About.decode(rings.about).tabled and not os.isatty(1)
    output = Output(2 if apart else 1, announce=Output(2).write)
    observer = Observer(rings, output, None if bench_archive is None else BenchArchive(bench_archive))
    while not observer.ended:
        # Checked before polling: what the parent wrote before it died is in the ring by then.
        orphaned = os.getppid() != parent
        if observer.poll(time.monotonic_ns()):
            continue
        if orphaned:
            break
        time.sleep(_POLL)
    observer.close()


if __name__ == "__main__":
    rings, *more, parent = map(int, sys.argv[1:])
    main(rings, parent, *more)
