"""The observer as the tick process keeps it: started, looked after, started again, ended."""

import os
import time
from collections.abc import Callable
from typing import Final

from hilbridge.common.units import MILLISECOND
from hilbridge.observe.bench_archive import BenchArchive
from hilbridge.observe.event_ring import EventWriter
from hilbridge.observe.rings import Rings
from hilbridge.process.child_process import Child, spawn
from hilbridge.process.supervised_process import SupervisedProcess

_NAP: Final = 0.001
PATIENCE: Final = 10_000
"""Naps of 1 ms without any room coming free in the event ring after which the run is given up."""


class ObserverError(Exception):
    """The observer does not take events out of the ring, and the run cannot go on without."""


class ObserverProcess(SupervisedProcess):
    """The observer of this run, on its rings."""

    def __init__(self, rings: Rings, events: EventWriter, bench_archive: BenchArchive | None = None) -> None:
        super().__init__()
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
        """For the event writer on the virtual clock: waits a millisecond for the observer to take something.

        ObserverError when it has taken nothing for PATIENCE waits, however often it was started.
        """
        self._nap()
        released = self._events.released
        if released != self._released:
            self._released = released
            self._naps = 0
        elif self._naps == PATIENCE:
            raise ObserverError(
                f"the observer has not taken any event for {PATIENCE * _NAP:.0f} s (started {1 + self.restarts} times)"
            )
        self._naps += 1
        return True

    def finish(self, put_end: Callable[[], bool], timeout: float) -> bool:
        """Puts the END event and waits until the observer has written everything, however long that takes.

        An observer that dies meanwhile is started again, and one that does not get on for `timeout` seconds is killed.
        False: so was its successor; what they had not yet written is lost.
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
        return spawn("hilbridge.observe.observer", self._descriptors, os.getpid())

    def _ended(self, process: Child, code: int) -> None:
        self._finished = code == 0  # an observer ends in good order after the END event only

    def _nap(self) -> None:
        """Where the run waits for its observer, the time goes on by naps."""
        self.poll(self._t + MILLISECOND)
        time.sleep(_NAP)
