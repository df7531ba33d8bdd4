"""What the tick process tells the observer: the one object through which anything leaves for the log or the recording.

Nothing here waits in real time, opens a file or formats a line. A snapshot costs about 2 µs, a frame 1 µs.

A line of the log costs 15 to 20 µs between two sleeps, 7 of them for JSON, which carries whatever its fields are
(marshal takes 2, and knows the plain types alone). What bounds a tick is their number: it puts LINES, the others wait,
in their order and with their own time, for the ticks that follow. Before the first tick and after the last one nothing
waits.
"""

import math
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from hilbridge.bus.bus import Bus
from hilbridge.common.units import MILLISECOND
from hilbridge.observe.events import (
    LOG,
    STATE,
    STATISTICS,
    TALLY,
    Fields,
    LogLevel,
    LogRecord,
    Snapshot,
    encode_state,
    encode_statistics,
    encode_tally,
)
from hilbridge.observe.rings import Rings
from hilbridge.record.boundary_records import END
from vehiclesim.databus import DataBus

SNAPSHOT_INTERVAL: Final = 5 * MILLISECOND
"""[ns] from one snapshot to the next; who looks often does so sixty times a second."""

LINES: Final = 4
"""Of the log that one tick puts into the ring."""

MOST_WAITING: Final = 1000
"""Lines, for 250 ticks; what comes on top is left out, and the number of them told."""


class Reporter:
    """Writes snapshots and events into the rings.

    What crosses the boundary of the bench goes to `events` directly. `ticks` and `missed` count the ticks done and not
    done.
    """

    def __init__(self, rings: Rings, databus: DataBus, buses: Sequence[Bus] = ()) -> None:
        self.events = rings.event_writer()
        self._put = self.events.put
        self._put_snapshot = rings.snapshots.put
        self._databus = databus
        self._buses = buses
        self.ticks = 0
        self.missed = 0
        self._next_snapshot = 0  # [ns]
        self._lines = math.inf  # that may still go in this tick
        self._waiting: Final[deque[tuple[int, LogRecord]]] = deque()
        self._left_out = 0

    def log(self, level: LogLevel, t: int, event: str, **fields: Any) -> None:
        """A line of the log at time `t` [ns]: what happened, and named values, which nobody changes afterwards."""
        if len(self._waiting) == MOST_WAITING:
            self._left_out += 1
            return
        self._waiting.append((t, LogRecord(level, event, fields)))
        self._put_lines()

    def info(self, t: int, event: str, **fields: Any) -> None:
        """Worth knowing; nothing is wrong."""
        self.log(LogLevel.INFO, t, event, **fields)

    def warning(self, t: int, event: str, **fields: Any) -> None:
        """Works, but not as it should."""
        self.log(LogLevel.WARNING, t, event, **fields)

    def error(self, t: int, event: str, **fields: Any) -> None:
        """Something does not work."""
        self.log(LogLevel.ERROR, t, event, **fields)

    def state(self, t: int, state: Fields) -> bool:
        """What the next run shall begin with, as JSON knows it; False when it did not fit."""
        return self._put(STATE, t, encode_state(state))

    def tally(self, t: int, part: str, counted: Any) -> None:
        """What was counted so far in a part of the bench, as JSON knows it."""
        self._put(TALLY, t, encode_tally(part, counted))

    def statistics(self, t: int, counted: Fields) -> None:
        """All counters so far, because somebody asked."""
        self._put(STATISTICS, t, encode_statistics(counted))

    def tick(self, t: int, missed: int, lateness: int) -> None:
        """The tick of time `t` [ns] is done, before which `missed` were not; a snapshot where the last one is old."""
        if t >= self._next_snapshot:
            self._next_snapshot = t + SNAPSHOT_INTERVAL
            self.snapshot(t, missed, lateness)
        else:
            self._count(missed)

    def _count(self, missed: int) -> None:
        self._lines = LINES
        if self._waiting:
            self._put_lines()
        self.ticks += 1
        self.missed += missed

    def snapshot(self, t: int, missed: int, lateness: int) -> None:
        """The same, and the state after it whether somebody needs it or not."""
        self._count(missed)
        received = transmitted = 0
        for bus in self._buses:
            received += bus.received
            transmitted += bus.transmitted
        self._put_snapshot(
            Snapshot(t, self.ticks, self.missed, received, transmitted, lateness, self._databus.channels).encode()
        )

    def hurry(self) -> None:
        """No tick follows: whatever waits is put, and nothing will wait."""
        self._lines = math.inf
        self._put_lines()

    def end(self, t: int, statistics: Fields) -> bool:
        """The last event: the run ended in good order. False when it did not fit; try again."""
        self.hurry()
        return self._put(END, t, encode_statistics(statistics))

    def _put_lines(self) -> None:
        while self._waiting and self._lines > 0:
            self._lines -= 1
            t, record = self._waiting.popleft()
            self._put(LOG, t, record.encode())
            if self._left_out and not self._waiting:
                told, self._left_out = {"lines": self._left_out}, 0
                self._waiting.append((t, LogRecord(LogLevel.WARNING, "lines of the log were left out", told)))
