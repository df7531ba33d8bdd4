"""Starting and stopping a recording while the bench runs, in the tick process.

The observer makes the folder and writes (recordings.py); this switch sends it an event. The recording has everything
from the next tick on, but not the state of the bench by then, so it can only be replayed if it begins with the run.
"""

import json
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.bench_archive import BenchArchive
from hilbridge.boundary.observe.events import RECORD_START, RECORD_STOP, About
from hilbridge.boundary.observe.recording_names import dated_name
from hilbridge.boundary.observe.recording_status import RecordingStatus
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.boundary.record.segments import MEGABYTE


class RecordingRow(NamedTuple):
    """The recording under way. `since` [s of the run].

    `complete`: it lacks nothing so far; `begun`: the observer has taken the order; `error`: why it cannot record.
    """

    folder: str
    since: float
    bytes: int
    complete: bool
    begun: bool
    error: str


class RecordingSwitch:
    """The switch of a run. `bench_archive`: the source of manifests; None: a recording can only begin with the run."""

    def __init__(
        self, rings: Rings, reporter: Reporter, boundary: Boundary, bench_archive: BenchArchive | None
    ) -> None:
        self._about: Final = About.decode(rings.about)
        self._rings: Final = rings
        self._reporter: Final = reporter
        self._boundary: Final = boundary
        self._bench_archive: Final = bench_archive
        self._period: Final = SECOND // self._about.rate
        self._folder = self._about.record or ""
        self._since = 0
        self._ordered = -1  # position of the event that has changed it last
        if self._folder:
            self._listen()

    @property
    def home(self) -> str:
        """The folder of recordings for which no other is named."""
        return self._about.home

    def start(self, folder: Path | None, t: int) -> Path:
        """Record from the tick after `t` [ns] on; return the folder. ConfigurationError: one is under way."""
        if self._bench_archive is None:
            raise ConfigurationError("on the virtual clock a recording begins with the run: --record")
        if self._folder and not self._known().error:
            raise ConfigurationError(f"the recording {self._folder} is under way")
        directory = folder or Path(self._about.home) / dated_name(self._about.name, time.time_ns())
        order = {
            "folder": str(directory),
            "since": t + self._period,
            "place": self._bench_archive.newest,
            "lost": self._reporter.events.lost,
        }
        self._put(RECORD_START, t, order)
        self._folder, self._since = str(directory), t + self._period
        self._listen()
        return directory

    def stop(self, t: int) -> Path:
        """End the recording with the tick of time `t` [ns]; return its folder. ConfigurationError: there is none."""
        if not self._folder:
            raise ConfigurationError("nothing is recorded")
        self._put(RECORD_STOP, t, {"ticks": self._reporter.ticks})
        self._boundary.listen(None)
        folder, self._folder = self._folder, ""
        return Path(folder)

    def status(self) -> RecordingRow | None:
        """Return the status of the recording; None: nothing is recorded."""
        if not self._folder:
            return None
        known, bookmarks = self._known(), self._rings.bookmarks
        begun = known.position >= self._ordered
        lacks = bool(known.error or bookmarks.unrecorded[0] or self._reporter.events.lost > known.lost)
        return RecordingRow(
            self._folder,
            self._since / SECOND,
            bookmarks.size[0] if begun else 0,
            not (begun and lacks),
            begun,
            known.error if begun else "",
        )

    @property
    def trouble(self) -> str:
        """The words of the service's status line about a recording that fails or soon will; empty: none."""
        status = self.status()
        if status is None:
            return ""
        if not status.complete:
            return f"the recording is NOT COMPLETE: {status.error or 'the log has the reason'}"
        if reason := self._known().unremoved:
            return f"the recording is BEYOND ITS BOUNDS: its oldest segment cannot be removed: {reason}"
        left = self._rings.bookmarks.left[0]
        return f"the disk of the recording is nearly full: {left // MEGABYTE:,} MB are left" if left else ""

    def _listen(self) -> None:
        self._boundary.listen(self._reporter.events.put)

    def _known(self) -> RecordingStatus:
        """Return what the observer records; it may not have taken the latest order yet."""
        content = self._rings.recording.get()
        return RecordingStatus() if content is None else RecordingStatus.decode(content)

    def _put(self, kind: int, t: int, order: dict[str, Any]) -> None:
        position = self._reporter.events.position
        if not self._reporter.events.put(kind, t, json.dumps(order).encode()):
            raise ConfigurationError("the event ring is full; try again")
        self._ordered = position
