"""The observer as the tick process keeps it: started, looked after, started again, ended."""

import os
import subprocess
import time
from collections.abc import Callable
from typing import Final

from hilbridge.backoff import Backoff
from hilbridge.child_process import spawn
from hilbridge.observe.event_ring import EventWriter
from hilbridge.observe.rings import Rings

_NAP: Final = 0.001
PATIENCE: Final = 10_000
"""Naps of 1 ms without any room coming free in the event ring after which the run is given up."""


class ObserverError(Exception):
    """The observer does not take events out of the ring, and the run cannot go on without."""


class ObserverProcess:
    """At most one observer process at a time, on the rings of this run.

    `restarts` counts how often it had to be started again.
    """

    def __init__(self, rings: Rings, events: EventWriter) -> None:
        self.restarts = 0
        self._rings = rings
        self._events = events
        self._process: subprocess.Popen[bytes] | None = None
        self._backoff = Backoff()
        self._finished = False
        self._naps = 0
        self._released = -1

    @property
    def pid(self) -> int | None:
        """Of the running process."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Starts the process; OSError when that fails."""
        self._process = spawn("hilbridge.observe.observer", [self._rings.descriptor], os.getpid())
        self._backoff.succeeded(time.monotonic_ns())

    def poll(self) -> bool:
        """Looks after the process without waiting; call it some ten times a second. False: there is none at present."""
        now = time.monotonic_ns()
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return True
            self._process = None
            self._finished = code == 0  # an observer ends in good order after the END event only
            self._backoff.failed(now)
        if self._finished or not self._backoff.due(now):
            return False
        try:
            self.start()
        except OSError:
            self._backoff.failed(now)
            return False
        self.restarts += 1
        return True

    def make_room(self) -> bool:
        """For the event writer on the virtual clock: waits a millisecond for the observer to take something.

        ObserverError when it has taken nothing for PATIENCE waits, however often it was started.
        """
        self.poll()
        released = self._events.released
        if released != self._released:
            self._released = released
            self._naps = 0
        elif self._naps == PATIENCE:
            raise ObserverError(
                f"the observer has not taken any event for {PATIENCE * _NAP:.0f} s (started {1 + self.restarts} times)"
            )
        self._naps += 1
        time.sleep(_NAP)
        return True

    def finish(self, put_end: Callable[[], bool], timeout: float) -> bool:
        """Puts the END event and waits until the observer has written everything; at most `timeout` seconds.

        An observer that dies meanwhile is started again. False: it was killed at the time-out, and what it had not
        yet written is lost.
        """
        deadline = time.monotonic() + timeout
        self._events.make_room = lambda: self._nap(deadline)
        if put_end():
            while not self._finished and self._nap(deadline):
                pass
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        return self._finished

    def _nap(self, deadline: float) -> bool:
        self.poll()
        time.sleep(_NAP)
        return time.monotonic() < deadline
