"""Recordings that begin and end while the bench runs: the tick process's side of it.

The observer makes the folder and writes (recordings.py); from here it gets an event. The recording has everything from
the next tick on, but not what the bench was like by then, so nobody can replay it, unless it begins with the run.
"""

import json
import time
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from hilbridge.common.errors import ConfigurationError
from hilbridge.common.units import SECOND
from hilbridge.observe.bench_archive import BenchArchive
from hilbridge.observe.events import RECORD_START, RECORD_STOP, About
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import RECORDING_SIZE, Rings
from hilbridge.record.boundary import Boundary


class RecordingStatus(NamedTuple):
    """The recording under way, since the event at `position`; no `folder`: there is none.

    The observer writes it into the shared memory, for its successor and for the status of the run: as a record of fixed
    size in a ring of its own (snapshot_ring.py), so that a crash in the middle of writing leaves the one before.
    """

    position: int = -1
    """Of the event that began or ended a recording last; everything up to there is done."""
    folder: str = ""
    since: int = 0
    """[ns] of the run."""
    lost: int = 0
    """Events of the run that were lost before."""
    damaged: int = 0
    """Times that unreadable events of the run were given up before."""
    error: str = ""
    """Why it could not be begun."""

    def encode(self) -> bytes:
        """A record."""
        return json.dumps(self).encode().ljust(RECORDING_SIZE)

    @classmethod
    def decode(cls, content: bytes) -> Self:
        """The inverse of `encode`."""
        return cls(*json.loads(content))


class RecordingSwitch:
    """`bench_archive`: what the manifests are made of; None: a recording can only begin with the run."""

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

    def start(self, folder: Path | None, t: int) -> Path:
        """Records from the tick after `t` [ns] on; into which folder. ConfigurationError: one is under way."""
        if self._bench_archive is None:
            raise ConfigurationError("on the virtual clock a recording begins with the run: --record")
        if self._folder and not self._status().error:
            raise ConfigurationError(f"the recording {self._folder} is under way")
        directory = folder or Path(self._about.home) / f"{self._about.name}-{self._date(t)}"
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
        """Ends the recording with the tick of time `t` [ns]; which one. ConfigurationError: there is none."""
        if not self._folder:
            raise ConfigurationError("nothing is recorded")
        self._put(RECORD_STOP, t, {"ticks": self._reporter.ticks})
        self._boundary.listen(None)
        folder, self._folder = self._folder, ""
        return Path(folder)

    def describe(self) -> dict[str, Any] | None:
        """None: nothing is recorded. `since` [s of the run]; `complete`: it lacks nothing so far.

        `begun`: the observer has heard of it; `error`: why it cannot record.
        """
        if not self._folder:
            return None
        status, bookmarks = self._status(), self._rings.bookmarks
        begun = status.position >= self._ordered
        lacks = bool(status.error or bookmarks.unrecorded[0] or self._reporter.events.lost > status.lost)
        return {
            "folder": self._folder,
            "since": self._since / SECOND,
            "bytes": bookmarks.size[0] if begun else 0,
            "complete": not (begun and lacks),
            "begun": begun,
            "error": status.error if begun else "",
        }

    def _listen(self) -> None:
        self._boundary.listen(self._reporter.events.put)

    def _status(self) -> RecordingStatus:
        """What the observer records; it may not have come to the latest order yet."""
        known = self._rings.recording.get()
        return RecordingStatus() if known is None else RecordingStatus.decode(known)

    def _put(self, kind: int, t: int, order: dict[str, Any]) -> None:
        position = self._reporter.events.position
        if not self._reporter.events.put(kind, t, json.dumps(order).encode()):
            raise ConfigurationError("the event ring is full; try again")
        self._ordered = position

    def _date(self, t: int) -> str:
        """When `t` is, in UTC, by the start of the run: nobody asks for the time here."""
        seconds = ((self._about.started or 0) + round(t / self._about.pace)) // SECOND
        return time.strftime("%Y%m%d-%H%M%S", time.gmtime(seconds))
