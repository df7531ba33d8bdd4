"""The observer process as seen from the tick process: started, supervised, restarted, ended."""

import os
import time
from collections.abc import Callable
from typing import Final

from hilbridge.common.units import MILLISECOND
from hilbridge.common.words import counted
from hilbridge.observe.bench_archive import BenchArchive
from hilbridge.observe.event_ring import EventWriter
from hilbridge.observe.rings import Rings
from hilbridge.process.child_process import Child, spawn
from hilbridge.process.supervised_process import SupervisedProcess

_NAP: Final = 0.001
MOST_NAPS: Final = 10_000
"""Naps of 1 ms without any room released in the event ring after which the run is given up."""


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
        self._naps = 0
        self._released = -1
        self._t = 0

    def poll(self, t: int) -> bool:
        self._t = t
        return super().poll(t)

    def make_room(self) -> bool:
        """Wait a millisecond for the observer to take events; called by the event writer on the virtual clock.

        ObserverError when it has taken nothing for MOST_NAPS waits, however often it was restarted.
        """
        self._nap()
        released = self._events.released
        if released != self._released:
            self._released = released
            self._naps = 0
        elif self._naps == MOST_NAPS:
            started = counted(1 + self.restarts, "time")
            raise ObserverError(
                f"the observer has not taken any event for {MOST_NAPS * _NAP:.0f} s (started {started})"
            )
        self._naps += 1
        return True

    def finish(self, put_end: Callable[[], bool], timeout: float) -> bool:
        """Write the END event and wait until the observer has written everything, however long that takes.

        An observer that dies meanwhile is restarted, and one without progress for `timeout` seconds is killed.
        Return False if its successor was killed too; what they had not written is lost.
        """
        pulse = self._rings.bookmarks.pulse
        beat, moved, chances = pulse[0], time.monotonic(), 2

        def nap() -> bool:
            nonlocal beat, moved, chances
            self._nap()
            now = time.monotonic()
            if pulse[0] != beat or now - moved < timeout:
                beat, moved = (pulse[0], now) if pulse[0] != beat else (beat, moved)
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
        return spawn("hilbridge.observe.observer", self._descriptors, os.getpid(), held=self._held)

    def _ended(self, process: Child, code: int) -> None:
        self._finished = code == 0  # status 0 only after the END event

    def _nap(self) -> None:
        """Wait for a millisecond, which advances the time of the supervision."""
        self.poll(self._t + MILLISECOND)
        time.sleep(_NAP)
