"""The observer process as seen from the tick process: started, supervised, restarted, ended."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.base.common.words import counted
from hilbridge.base.process.child_process import Child, spawn
from hilbridge.base.process.supervised_process import SupervisedProcess
from hilbridge.boundary.observe.bench_archive import BenchArchive
from hilbridge.boundary.observe.event_ring import EventWriter
from hilbridge.boundary.observe.rings import Rings

_NAP: Final = 0.001
MOST_NAPS: Final = 10_000
"""Naps of 1 ms without an observer that lives, and without any room released, after which the run is given up."""

_LOOK: Final = 1000
"""Naps between two looks at the processor time of an observer that releases no room."""

_TOLD_AFTER: Final = 5
"""[s] without any room released after which it is told what the run waits for."""

_MOST_WORK: Final = 10.0
"""[s] of the processor that an observer may take without releasing any room, before the run is given up."""


class ObserverError(Exception):
    """The observer does not take events out of the ring, and the run cannot continue."""


class ObserverProcess(SupervisedProcess):
    """The observer process of a run, on its rings. It holds the lock of the stored state as long as it writes."""

    def __init__(
        self,
        rings: Rings,
        events: EventWriter,
        bench_archive: BenchArchive | None = None,
        state_lock: int | None = None,
    ) -> None:
        super().__init__()
        self._held = () if state_lock is None else (state_lock,)
        self._descriptors = [rings.descriptor, *(() if bench_archive is None else (bench_archive.descriptor,))]
        self._rings = rings
        self._events = events
        self._finished = False
        self._naps = 0  # without an observer
        self._alive = 0  # with one
        self._worked = 0.0  # [s] its processor time when it last released room
        self._released = -1
        self.wants_end: Callable[[], bool] = lambda: False
        """Whether the user wants the end of the run."""
        self._t = 0

    def poll(self, t: int) -> bool:
        self._t = t
        return super().poll(t)

    def make_room(self) -> bool:
        """Wait a millisecond for the observer to take events; called by the event writer on the virtual clock.

        An observer that lives is waited for however long it gets no processor, and told once. ObserverError: for
        MOST_NAPS waits there was none, however often it was restarted; it works and takes nothing; or the user wants
        the end of the run.
        """
        self._nap()
        released = self._events.released
        if released != self._released:
            self._released, self._naps, self._alive, self._worked = released, 0, 0, self._work()
            return True
        if self._process is None:
            self._naps += 1
        else:
            self._alive += 1
        if self._naps > MOST_NAPS:
            started = counted(1 + self.restarts, "time")
            raise ObserverError(
                f"the observer has not taken any event for {MOST_NAPS * _NAP:.0f} s (started {started})"
            )
        if self._alive and self._alive % _LOOK == 0:
            self._look()
        return True

    def _look(self) -> None:
        """Judge an observer that lives and releases nothing. ObserverError: it is of no use."""
        if self._work() - self._worked > _MOST_WORK:
            raise ObserverError(f"the observer has worked for {_MOST_WORK:g} s and has not taken any event")
        if self.wants_end():
            raise ObserverError(f"ended while it waited for the observer (process {self.pid}), which takes no events")
        if self._alive == _LOOK * _TOLD_AFTER:
            sys.stderr.write(
                f"hilbridge: waiting for the observer (process {self.pid}), which has taken no event for "
                f"{_TOLD_AFTER} s; a second signal ends the run without it\n"
            )

    def _work(self) -> float:
        """Return the processor time [s] of the observer so far; 0 where there is none."""
        return self._stat()[1]

    def _lacks_processor(self) -> bool:
        """Return whether the observer would go on if it got a processor, and has not had much of one in vain."""
        state, work = self._stat()
        return state == "R" and work - self._worked < _MOST_WORK

    def _stat(self) -> tuple[str, float]:
        """Return state and processor time [s] of the observer (proc_pid_stat(5))."""
        try:
            text = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii", errors="replace")
            state, *numbers = text.rpartition(")")[2].split()
            return state, (int(numbers[10]) + int(numbers[11])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return "", 0.0

    def finish(self, put_end: Callable[[], bool], timeout: float) -> bool:
        """Write the END event and wait until the observer has written everything, however long that takes.

        An observer that dies meanwhile is restarted, and one without progress for `timeout` seconds is killed, unless
        it is ready to run and gets no processor.
        Return False if its successor was killed too; what they had not written is lost.
        """
        pulse = self._rings.bookmarks.pulse
        beat, moved, chances = pulse[0], time.monotonic(), 2

        def nap() -> bool:
            nonlocal beat, moved, chances
            self._nap()
            now = time.monotonic()
            if pulse[0] != beat:
                beat, moved, self._worked = pulse[0], now, self._work()
                return True
            if now - moved < timeout:
                return True
            if self._lacks_processor():
                moved = now
                return True
            chances -= 1
            moved = now
            if self._process is not None:
                self._process.kill()
            return chances > 0

        self._events.make_room = nap
        if put_end():
            while not self._finished and nap():
                pass
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        return self._finished

    @property
    def _wanted(self) -> bool:
        return not self._finished

    def _spawn(self) -> Child:
        return spawn("hilbridge.boundary.observe.observer", self._descriptors, os.getpid(), held=self._held)

    def _ended(self, process: Child, code: int) -> None:
        self._finished = code == 0  # status 0 only after the END event

    def _nap(self) -> None:
        """Wait for a millisecond, which advances the time of the supervision."""
        self.poll(self._t + MILLISECOND)
        time.sleep(_NAP)
