"""The outputs of a run to other processes and to the disk: shared memory, observer, recording, stored state."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

from hilbridge.base.clock import Clock, RealClock
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.stored_state import StoredState
from hilbridge.boundary.observe.event_ring import LARGEST
from hilbridge.boundary.observe.events import About, encode_state
from hilbridge.boundary.observe.process import ObserverProcess
from hilbridge.boundary.observe.recording_switch import RecordingSwitch
from hilbridge.boundary.observe.reporter import VIRTUAL_PACE, Reporter
from hilbridge.boundary.record.state import StateData, state_path
from hilbridge.boundary.record.state_lock import lock_state
from hilbridge.boundary.record.state_start import keep_at_start, keep_unused, load_state
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.runs.run.preparation import RunOptions, make_bench_archive, make_rings

_PIECES: Final = 2
"""Pieces of memory that are handed over at once, some 0.1 ms each; a flash on CAN is slower than their 320 KiB/s."""

_RETRY: Final = 10 * MILLISECOND
"""[ns] after which a state that had no room in the event ring is handed over again."""

_FINISH: Final = 5.0
"""[s] without progress of the observer, while it writes what is left, before it is killed."""


class Observation:
    """The tick process's side of the observer: `reporter` is the one way to the log and the recording."""

    def __init__(self, file: BenchFile, bench: Bench, options: RunOptions) -> None:
        """Restore the stored state of the bench, and make the shared memory.

        ConfigurationError: there is no memory, the recording cannot be made, another run keeps its state in the same
        file, or that is there and cannot be used (boundary/record/state_start.py).
        """
        self.complaints: Final[list[str]] = []
        """Parts of the stored state that cannot be used, with the reason."""
        path = None if options.is_virtual else state_path(file.settings.state, file.settings.name)
        self._unlocked = ""
        lock = None if path is None else self._lock(path)
        with ExitStack() as unless_begun:
            if lock is not None:
                unless_begun.callback(os.close, lock)
            state = load_state(path, self.complaints.append)
            self._stored_state: Final = StoredState(bench)
            self._restore(state, path)
            self._is_stored: Final = path is not None and self._is_storable()
            bench.nvram.connected = self._is_stored
            self.rings: Final = make_rings(
                file, bench, options, path if self._is_stored else None, state, self._unlocked
            )
            self.bench_archive: Final = None if options.is_virtual else make_bench_archive(file, bench, options)
            self.reporter: Final = Reporter(
                self.rings, bench.vehicle.data, list(bench.buses.values()), bench.gates, options.pace or VIRTUAL_PACE
            )
            self.process: Final = ObserverProcess(self.rings, self.reporter.events, self.bench_archive, lock)
            unless_begun.pop_all()
        self.recording: Final = RecordingSwitch(self.rings, self.reporter, bench.boundary, self.bench_archive)
        self.last_end: Final = About.decode(self.rings.about).last_end
        self._bench: Final = bench
        self._restarts = 0
        self._writing: tuple[int, int] | None = None  # number of the last, and position in the ring before its state
        self._retry = 0  # [ns] when a state that had no room is handed over again
        self._begun: list[int] = []

    @property
    def unstored(self) -> str:
        """The words of the service's status line while the newest state could not be written; empty: it could."""
        bookmarks = self.rings.bookmarks
        if self._unlocked or bookmarks.unstored[0] > bookmarks.stored[0]:
            return "the state is NOT STORED: the log has the reason"
        return ""

    def _restore(self, state: StateData, path: Path | None) -> None:
        """Restore the state; one that is not used as a whole is kept, because the run will write over it."""
        unused: list[str] = []
        self._stored_state.restore(state, unused.append)
        if path is None or self._unlocked:
            self.complaints.extend(unused)
            return
        if unused:
            aside = keep_unused(path)
            self.complaints.extend(f"{reason}; the whole of it is kept as {aside.name}" for reason in unused)
        keep_at_start(path, self.complaints.append)

    def _is_storable(self) -> bool:
        """Return whether the state, which grows with the trouble codes that are stored, fits into the event ring."""
        size = len(encode_state(self._stored_state.state()))
        if size > LARGEST // 2:
            largest = f"at most {LARGEST / 2e6:.1f} MB can be"
            self.complaints.append(f"nothing is kept of this bench: its state has {size / 1e6:.1f} MB, and {largest}")
        return size <= LARGEST // 2

    def _lock(self, path: Path) -> int | None:
        """Lock the stored state; without a lock another run might write there, so this one does not: a complaint."""
        try:
            return lock_state(path)
        except OSError as error:
            self._unlocked = f"cannot be locked: {error.strerror or error}"
            remedy = "let the user of the bench write its folder, or say 'state: none'"
            self.complaints.append(f"the stored state {path} {self._unlocked}; nothing is written there: {remedy}")
            return None

    def start(self, *, waits: bool) -> None:
        """Start the observer, and connect the bench to the log; `waits`: the run waits for room in the event ring.

        ConfigurationError: no process can be started.
        """
        try:
            self.process.start()
        except OSError as error:
            reason = f"the observer process cannot be started: {error.strerror}"
            raise ConfigurationError(reason, may_pass=True) from error
        if waits:
            self.reporter.events.make_room = self.process.make_room
        self._bench.event_log.connect(self.reporter)

    def record_durations(self, clock: Clock, *, excused: bool) -> None:
        """Record the times of the tick, unless it is `excused`; answer times are those begun in the last tick."""
        if not excused:
            self.rings.lateness.record(clock.lateness + clock.missed * clock.wall_period)
            self.rings.step_time.record(clock.busy)
            for ticks in self._begun:  # `busy` is of the tick before, in which these answers were begun
                self.rings.answer_time.record(ticks * clock.wall_period + clock.busy)
        self._begun = self._bench.wiring.control_units.answer_delays()

    def note_origin(self, clock: Clock) -> None:
        """Tell the observer when t = 0 was, once the first tick is done."""
        if isinstance(clock, RealClock):
            self.rings.origin[0] = clock.origin

    def poll(self, t: int) -> None:
        """Supervise the observer, and store the state when it is due; called some ten times a second."""
        self.process.poll(t)
        if self.process.restarts != self._restarts:
            self._restarts = self.process.restarts
            self.reporter.warning(t, "observer restarted", times=self._restarts)
            self._stored_state.store_all_memory()
            self._writing = None  # it may have taken pieces of memory along
        if self._is_stored and self._store_memory(t, _PIECES) and self._stored_state.due(t):
            self._store_state(t)

    def write_nvram(self, t: int) -> None:
        """Have the observer write what control units wait for, and tell them when it has; called once a tick."""
        nvram = self._bench.nvram
        if not nvram.is_busy:
            return
        if self._writing is None:
            if t >= self._retry and self._store_memory(t, _PIECES):
                writing = nvram.asked, self.reporter.events.position
                self._writing = writing if self._store_state(t) else None
                self._retry = t if self._writing else t + _RETRY
            return
        number, position = self._writing
        stored, unstored = self.rings.bookmarks.stored[0], self.rings.bookmarks.unstored[0]
        if max(stored, unstored) > position:
            self._writing = None
            self._bench.boundary.written(t, number, written=stored > position)
            nvram.end(number, written=stored > position)

    def _store_state(self, t: int) -> bool:
        """Hand over the state; return False if it had no room."""
        taken = self.reporter.state(t, self._stored_state.state())
        if taken:
            self._stored_state.handed_over(t)
        return taken

    def _store_memory(self, t: int, most: int | None = None) -> bool:
        """Hand over changed pieces of memory; return whether that is all: the state tells that they are there."""
        return self._stored_state.store_memory(partial(self.reporter.memory, t), most)

    def abandon(self) -> None:
        """End an observer that takes no events any more."""
        self.process.finish(lambda: False, 0.0)

    def report_failure(self, t: int, error: BaseException) -> None:
        """Log why the run ends without an END event: the observer then marks the recording as incomplete."""
        self.reporter.flush()
        self.reporter.error(t, "the run was given up", reason=repr(error))

    def finish(self, t: int, statistics: Callable[[], dict[str, Any]]) -> bool:
        """Log the end of the run, and wait until everything is written; False: something was lost."""

        def end() -> bool:
            """Hand over the rest; every record waits for room now."""
            if self._is_stored and self._store_memory(t):
                self.reporter.state(t, self._stored_state.state(ended=True))
            return self.reporter.end(t, statistics())

        written = self.process.finish(end, _FINISH)
        if not written:
            sys.stderr.write(f"hilbridge: the observer stood still for {_FINISH:g} s, twice: the rest is lost\n")
        return written and not self.rings.bookmarks.incomplete[0]
