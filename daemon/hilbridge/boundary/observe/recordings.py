"""The recordings of a run, made by the observer: one from the start, or several in between, one at a time.

The status of the recording lies in the shared memory, so that an observer that takes over continues it and repeats
nothing: events up to its position are passed over.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Protocol

from hilbridge.base.common.errors import ConfigurationError, reason_of
from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.boundary.observe.bench_archive import ArchivePlace, BenchArchive
from hilbridge.boundary.observe.event_ring import RingEvent
from hilbridge.boundary.observe.events import RECORD_START, RECORD_STOP, About, LogLevel
from hilbridge.boundary.observe.notices import RecordingWork
from hilbridge.boundary.observe.recorder import MOST_IN_BLF, Recorder
from hilbridge.boundary.observe.recording_names import is_near, name_anew
from hilbridge.boundary.observe.recording_status import RecordingStatus
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.recording import BoundaryRecord, Recording
from hilbridge.boundary.record.segments import MEGABYTE

_BEAT: Final = 1024
"""Number of records read between two beats of the pulse."""


_NAP: Final = 0.01
"""[s]"""


class Log(Protocol):
    """A function that writes a line of the log."""

    def __call__(self, level: LogLevel, event: str, **fields: Any) -> None: ...


class Recordings:
    """The recordings of one run: `take` every event, `write` after some of them, `close` at the end of the run."""

    def __init__(
        self,
        about: About,
        rings: Rings,
        bench_archive: BenchArchive | None,
        log: Log,
        wall: Callable[[int], int] | None = None,
    ) -> None:
        """`wall` returns the time of day [ns since 1970] of a time of the run, by the clock as it is now."""
        self._wall: Final = wall
        self._name: Final = about.name
        self._noted: int | None = None  # beginning of the recording that its manifest has [ns since 1970]
        self._limits: Final = about.limits
        self._rings: Final = rings
        self._bench_archive: Final = bench_archive
        self._log: Final = log
        self._reader: Final = rings.event_reader()
        known = rings.recording.get()
        self._status = RecordingStatus(folder=about.record or "") if known is None else RecordingStatus.decode(known)
        self._recorder: Recorder | None = None
        self._is_bounded = False
        self._exports: Final[list[subprocess.Popen[bytes]]] = []
        if self._status.folder and not self._status.error:
            self._open()

    @property
    def trouble(self) -> str:
        """Reason why the latest records could not be written; empty when they were, or when nothing is recorded."""
        return self._recorder.trouble if self._recorder else ""

    def recorded(self) -> RecordingWork | None:
        """Return the amount of the recording under way, if there is one."""
        if self._recorder is None:
            return None
        return RecordingWork(self._recorder.frames, self._recorder.size, self._rings.bookmarks.unrecorded[0])

    def take(self, event: RingEvent) -> None:
        """Take an event of the recording, or one that begins or ends it."""
        if event.position <= self._status.position:
            return
        if event.kind == RECORD_START:
            self._begin(event)
        elif event.kind == RECORD_STOP:
            self._end(event)
        elif self._recorder:
            self._recorder.take(event)

    def write(self) -> None:
        """Write what was taken to the file, and let go of exports that have ended. Then the ring may be released."""
        if self._recorder:
            self._recorder.write()
            self._rings.bookmarks.size[0] = self._recorder.size
            self._tell_bounds(self._recorder)
            self._tell_unremoved(self._recorder)
            self._note_beginning(self._recorder)
        if self._exports:
            self._exports[:] = [export for export in self._exports if export.poll() is None]

    def close(self, t: int, ended: bool) -> None:
        """End the recording with the run, at `t` [ns]; `ended`: the run ended in good order."""
        if self._recorder:
            recorder, self._recorder = self._recorder, None
            directory = self._conclude(recorder, t, [] if ended else ["the daemon died before the run ended"])
            self._make_blf(recorder.frames, directory, self._write_blf)
        for export in self._exports:
            while export.poll() is None:
                self._rings.bookmarks.pulse[0] += 1
                time.sleep(_NAP)

    def _begin(self, event: RingEvent) -> None:
        order = json.loads(event.payload)
        bookmarks = self._rings.bookmarks
        bookmarks.unrecorded[0] = bookmarks.unwritten[0] = bookmarks.size[0] = bookmarks.left[0] = 0
        self._is_bounded = False
        since, damaged = order["since"], bookmarks.damaged[0]
        self._status = RecordingStatus(event.position, order["folder"], since, order["lost"], damaged)
        try:
            if self._bench_archive is None:
                raise ConfigurationError("there is nothing to make a manifest of")
            facts, files = self._bench_archive.get(ArchivePlace(*order["place"]))
            manifest.create(Path(order["folder"]), facts | {"since": since / 1e9}, files)
        except ConfigurationError as error:
            self._fail(error.message)
        else:
            self._open()
        self._rings.recording.put(self._status.encode())
        if self._recorder:
            self._log(LogLevel.INFO, "recording", directory=order["folder"])

    def _end(self, event: RingEvent) -> None:
        if self._recorder:
            recorder, self._recorder = self._recorder, None
            recorder.end(event)
            directory = self._conclude(recorder, event.t, [])
            self._make_blf(recorder.frames, directory, self._export_blf)
        self._status = RecordingStatus(event.position)
        self._rings.recording.put(self._status.encode())

    def _open(self) -> None:
        self._noted = None
        try:
            self._recorder = Recorder(Path(self._status.folder), self._rings.bookmarks, self._limits)
        except OSError as error:
            self._fail(f"cannot record into {self._status.folder}: {error.strerror}")
            self._rings.recording.put(self._status.encode())

    def _tell_bounds(self, recorder: Recorder) -> None:
        """Log, once, that the disk is nearly full, and that the recording has reached its own bound."""
        bookmarks, left = self._rings.bookmarks, recorder.room.left
        if left and not bookmarks.left[0]:
            remedy = "make room, or end the recording: hilbridge ctl record stop"
            self._log(LogLevel.WARNING, "the disk is nearly full", left_mb=left // MEGABYTE, remedy=remedy)
        bookmarks.left[0] = left
        if recorder.removed and not self._is_bounded:
            self._is_bounded = True
            reason = (
                f"{recorder.size / MEGABYTE:,.0f} MB are kept: its oldest segments are removed, so it has no replay"
            )
            remedy = "recording: {size: MB} in the bench file"
            self._log(LogLevel.WARNING, "recording at its bound", reason=reason, remedy=remedy)

    def _tell_unremoved(self, recorder: Recorder) -> None:
        """Log that the recording grows beyond its bounds, or does so no more, and have the run say it."""
        if (reason := recorder.unremoved) == self._status.unremoved:
            return
        self._status = self._status._replace(unremoved=reason)
        self._rings.recording.put(self._status.encode())
        if reason:
            remedy = f"let the user of the bench write {recorder.directory}; it is tried again by itself"
            what = "the oldest segment of the recording cannot be removed"
            self._log(LogLevel.ERROR, what, reason=reason, remedy=remedy)
        else:
            self._log(LogLevel.INFO, "the oldest segments of the recording are removed again")

    def _fail(self, reason: str) -> None:
        self._rings.bookmarks.incomplete[0] = 1
        self._status = self._status._replace(error=reason)
        self._log(LogLevel.ERROR, "cannot record", directory=self._status.folder, reason=reason)

    def _conclude(self, recorder: Recorder, t: int, missing: list[str]) -> Path:
        """End a recording at `t` [ns of the run], and return where it lies by then."""
        bookmarks = self._rings.bookmarks
        if lost := self._reader.lost - self._status.lost:
            missing.append(f"{lost} events were lost: the event ring was full")
        if damaged := bookmarks.damaged[0] - self._status.damaged:
            missing.append(f"unreadable events were given up {counted(damaged, 'time')}")
        self._note_beginning(recorder)
        try:
            missing = recorder.close(t - self._status.since, missing)
        except (OSError, ValueError) as error:  # it was read before it is written
            missing.append(f"the manifest was not written: {reason_of(error)}")
        directory = self._name_anew(recorder.directory)
        if missing:
            bookmarks.incomplete[0] = 1
            self._log(LogLevel.WARNING, "recording incomplete", directory=str(directory), missing=missing)
        else:
            self._log(LogLevel.INFO, "recording complete", directory=str(directory), frames=recorder.frames)
        return directory

    def _note_beginning(self, recorder: Recorder) -> None:
        """Write when the recording began into its manifest, by the clock as it is now; again after a step of that.

        A recording that a power cut breaks off has the right time, too.
        """
        if self._wall is None:
            return
        began = self._wall(self._status.since)
        if self._noted is not None and is_near(began, self._noted):
            return
        self._noted = began
        facts = {"began": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(began // SECOND))}
        try:
            manifest.update(recorder.directory, facts)
        except (OSError, ValueError) as error:
            reason = reason_of(error)
            self._log(LogLevel.WARNING, "the beginning was not noted", directory=str(recorder.directory), reason=reason)

    def _name_anew(self, directory: Path) -> Path:
        """Give a recording that was named by a wrong clock its right name, now that nothing writes into it."""
        if self._wall is None:
            return directory
        try:
            right = name_anew(directory, self._name, self._wall(self._status.since))
        except OSError as error:
            self._log(LogLevel.WARNING, "recording not named anew", directory=str(directory), reason=reason_of(error))
            return directory
        if right != directory:
            self._log(LogLevel.INFO, "recording named anew", directory=str(right), was=directory.name)
        return right

    def _make_blf(self, frames: int, directory: Path, make: Callable[[Path], None]) -> None:
        """Make frames.blf for other tools, but not of a long recording: there the log names the command."""
        if frames > MOST_IN_BLF:
            remedy = f"hilbridge export {directory} FILE"
            self._log(LogLevel.INFO, "no frames.blf of so many frames", remedy=remedy)
            return
        try:
            make(directory)
        except (OSError, ConfigurationError) as error:
            self._log(LogLevel.WARNING, "frames.blf was not made", reason=str(error))

    def _write_blf(self, directory: Path) -> None:
        from hilbridge.boundary.record.export import make_blf  # python-can takes 90 ms and 10 MB

        make_blf(self._beating(Recording(directory).records()), directory / manifest.FRAMES)

    def _beating(self, records: Iterator[BoundaryRecord]) -> Iterator[BoundaryRecord]:
        for number, record in enumerate(records):
            if number % _BEAT == 0:
                self._rings.bookmarks.pulse[0] += 1
            yield record

    def _export_blf(self, directory: Path) -> None:
        """Make frames.blf in a process of its own, because the events of the run must be taken meanwhile."""
        command = [sys.executable, "-P", "-m", "hilbridge", "export", str(directory), str(directory / manifest.FRAMES)]
        nowhere = subprocess.DEVNULL
        self._exports.append(subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere))
