"""The observer process: prints the log and the status, writes the recording and the stored state.

    python -m hilbridge.observe.observer DESCRIPTOR PARENT

It takes events out of the rings behind DESCRIPTOR until the END event, or until the process PARENT is gone. No signal
meant for the daemon reaches it. Whatever happens to its output or its disk, it keeps taking events.

Taking over after a predecessor that crashed, it begins at the released position: what is found there belongs into the
recording, which knows what it has already; lines of the log were printed up to the bookmark `seen` (those of an
unfinished round are printed again).
"""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, Final

from hilbridge.child_process import KEPT_AWAY
from hilbridge.errors import ConfigurationError
from hilbridge.observe.event_ring import GAP, GAP_LAYOUT, Event
from hilbridge.observe.events import LOG, STATE, About, Level, LogRecord, Snapshot, decode_end
from hilbridge.observe.keeper import StateKeeper
from hilbridge.observe.logs import LogPrinter, colours_wanted
from hilbridge.observe.notices import Notices
from hilbridge.observe.output import Output
from hilbridge.observe.recorder import MOST_IN_BLF, Recorder
from hilbridge.observe.rings import Rings
from hilbridge.observe.status import Meter
from hilbridge.observe.status_line import StatusLine
from hilbridge.realtime import become_ordinary
from hilbridge.record.crossings import END
from hilbridge.record.manifest import FRAMES
from hilbridge.record.recording import Recording

_POLL: Final = 0.015
"""[s] between two looks into the rings."""
_SECOND: Final = 1_000_000_000
_STATUS_LINE_PERIOD: Final = _SECOND // 10
_STATUS_RECORD_PERIOD: Final = _SECOND
_LAST_WORDS: Final = 1.0
"""[s] for the output to take what is still queued at the end."""


class Observer:
    """One run as seen from outside: `look` again and again until `ended`, then `close`."""

    def __init__(self, rings: Rings, output: Output) -> None:
        self._about = About.decode(rings.about)
        self._rings = rings
        self._reader = rings.event_reader()
        self._output = output
        virtual = self._about.started is None
        self._line = StatusLine(output, virtual=virtual, colours=colours_wanted()) if output.is_terminal else None
        write = self._line.print if self._line else output.write
        self._printer = LogPrinter(write, self._about.started, self._about.pace, console=output.is_terminal)
        self._meter = Meter(time.monotonic_ns())
        self._notices = Notices(rings, output)
        self._next_status = 0
        self._t = 0
        self.ended = False
        self._recorder = self._open_recording()
        self._keeper = None if self._about.state is None else StateKeeper(Path(self._about.state))

    def look(self, now: int) -> bool:
        """Takes what has happened and shows what is due at `now` [ns, own clock]. True: there may be more to take."""
        bookmarks, recorder, keeper = self._rings.bookmarks, self._recorder, self._keeper
        seen = bookmarks.seen[0]
        events = self._reader.read()
        for event in events:
            self._take(event, new=event.position >= seen)
        if recorder:
            recorder.write()
        if keeper:
            keeper.write()
        if not self.ended:  # the END event stays in the ring: who takes over before `close` is done must find it
            position = self._reader.position
            bookmarks.seen[0] = max(seen, position)
            self._reader.release(position)
        self._output.flush()
        troubles = recorder.trouble if recorder else "", keeper.trouble if keeper else ""
        for notice in self._notices.due(now, *troubles):
            self._printer.print(self._t, notice)
        self._show_status(now)
        return bool(events) and not self.ended

    def close(self) -> None:
        """Ends the recording and the log, whether the END event came or the daemon is gone without one."""
        if self._line:
            self._line.clear()
        if not self.ended:
            self._say(Level.ERROR, "the daemon died")
        if self._keeper:
            self._keeper.close()
        if self._recorder:
            self._close_recording(self._recorder)
        self._output.close(_LAST_WORDS)

    def _take(self, event: Event, *, new: bool) -> None:
        self._t = event.t
        if self._recorder:
            self._recorder.take(event)
        if self._keeper and event.kind == STATE:
            self._keeper.take(event)
        if not new:
            return
        if event.kind == LOG:
            self._printer.print(event.t, LogRecord.decode(event.payload))
        elif event.kind == GAP and GAP_LAYOUT.unpack(event.payload)[0] == 0:
            self._rings.bookmarks.damaged[0] += 1
        elif event.kind == END:
            self.ended = True
            self._printer.print(event.t, LogRecord(Level.INFO, "stopped", decode_end(event.payload)))

    def _show_status(self, now: int) -> None:
        if now < self._next_status or self.ended or (content := self._rings.snapshots.get()) is None:
            return
        snapshot = Snapshot.decode(content)
        status = self._meter.read(now, snapshot, self._rings.lateness)
        if self._line:
            self._next_status = now + _STATUS_LINE_PERIOD
            self._line.show(status)
        else:
            self._next_status = now + _STATUS_RECORD_PERIOD
            self._printer.print(snapshot.t, LogRecord(Level.INFO, "status", status.fields()))

    def _open_recording(self) -> Recorder | None:
        if self._about.record is None:
            return None
        try:
            return Recorder(Path(self._about.record), self._rings.bookmarks, self._about.limits)
        except OSError as error:
            self._rings.bookmarks.incomplete[0] = 1
            self._say(Level.ERROR, "cannot record", directory=self._about.record, reason=error.strerror)
            return None

    def _close_recording(self, recorder: "Recorder") -> None:
        missing = [] if self.ended else ["the daemon died before the run ended"]
        if self._reader.lost:
            missing.append(f"{self._reader.lost} events were lost: the event ring was full")
        if damaged := self._rings.bookmarks.damaged[0]:
            missing.append(f"unreadable events were given up {damaged} times")
        try:
            missing = recorder.close(self._t, missing)
        except OSError as error:
            missing.append(f"the manifest was not written: {error.strerror}")
        self._make_blf(recorder)
        if missing:
            self._rings.bookmarks.incomplete[0] = 1
            self._say(Level.WARNING, "recording incomplete", directory=str(recorder.directory), missing=missing)
        else:
            self._say(Level.INFO, "recording complete", directory=str(recorder.directory), frames=recorder.frames)

    def _make_blf(self, recorder: Recorder) -> None:
        """The frames once more, for other tools; of a long recording only when somebody asks for it."""
        if recorder.frames > MOST_IN_BLF:
            self._say(
                Level.INFO, "no frames.blf of so many frames", remedy=f"hilbridge export {recorder.directory} FILE"
            )
            return
        from hilbridge.record.export import make_blf  # python-can takes 90 ms and 10 MB

        try:
            make_blf(Recording(recorder.directory).crossings(), recorder.directory / FRAMES)
        except (OSError, ConfigurationError) as error:
            self._say(Level.WARNING, "frames.blf was not made", reason=str(error))

    def _say(self, level: Level, event: str, **fields: Any) -> None:
        self._printer.print(self._t, LogRecord(level, event, fields))


def main(descriptor: int, parent: int) -> None:
    """Observes until the run has ended or the parent is gone."""
    signal.pthread_sigmask(signal.SIG_BLOCK, KEPT_AWAY)
    become_ordinary()
    output = Output(1, announce=Output(2).write)
    observer = Observer(Rings(descriptor), output)
    while not observer.ended:
        # Asked before looking: what the parent wrote before it died is there by then.
        orphaned = os.getppid() != parent
        if observer.look(time.monotonic_ns()):
            continue
        if orphaned:
            break
        time.sleep(_POLL)
    observer.close()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
