"""The reporter: the one object through which the tick process writes to the log, and into the rings.

No call waits in real time, opens a file or formats a line. A snapshot costs about 2 µs, a frame 1 µs.

A line of the log costs 15 to 20 µs between two sleeps, 7 of them for JSON, which carries every type of field (marshal
takes 2, for plain types alone). A tick is bounded by their number: it writes LINES, the others wait, in their order and
with their own time, for the ticks that follow. Before the first tick and after the last one no line waits.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from hilbridge.base.clock import Clock
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.boundary.observe import carried_frames
from hilbridge.boundary.observe.carried_frames import CarriedFrame
from hilbridge.boundary.observe.events import (
    LOG,
    MEMORY,
    PART_STATUS,
    STATE,
    STATISTICS,
    Fields,
    LogLevel,
    LogRecord,
    Snapshot,
    encode_part_status,
    encode_state,
    encode_statistics,
)
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record.boundary_records import END
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.gate import Gate
from vehiclesim.databus import DataBus

SNAPSHOT_INTERVAL: Final = 5 * MILLISECOND
"""[ns] Interval of the snapshots on the wall clock; a page reads at most sixty a second."""

VIRTUAL_PACE: Final = 100.0
"""The pace of a run on the virtual clock, for its snapshots: only its status line reads them."""

LINES: Final = 4
"""Number of lines of the log that one tick writes into the ring."""

_ALL: Final = 1 << 62
"""More lines than there ever are."""

MOST_WAITING: Final = 1000
"""Number of lines that may wait, for 250 ticks; those beyond it are left out and counted in a line."""


class Reporter:
    """A writer of snapshots and events into the rings.

    Boundary records go to `events` directly. `ticks` and `missed` count the ticks done and missed;
    `overload` is that of the snapshots, which the run sets (runs/run/overload.py).
    """

    def __init__(
        self,
        rings: Rings,
        databus: DataBus,
        buses: Sequence[Bus] = (),
        gates: Mapping[str, Gate] | None = None,
        pace: float = 1.0,
    ) -> None:
        """`gates`: those of the buses, in the order of the buses; a reload may exchange them.

        `pace`: how many times as fast as the wall clock the run is, roughly.
        """
        self.events = rings.event_writer()
        self._put = self.events.put
        self._put_snapshot = rings.snapshots.put
        self._put_carried = rings.carried.put
        self._pace = pace
        self._carried: Callable[[], Iterable[CarriedFrame]] | None = None
        self._carried_interval = self._next_carried = 0  # [ns] of the run
        self._databus = databus
        self._buses = buses
        self._gates = {} if gates is None else gates
        self.ticks = 0
        self.missed = 0
        self.overload = 0
        self._interval = round(pace * SNAPSHOT_INTERVAL)  # [ns] of the run
        self._next_snapshot = 0  # [ns]
        self._lines = _ALL  # that may still go in this tick
        self._waiting: Final[deque[tuple[int, LogRecord]]] = deque()
        self._left_out = 0

    def carry(self, newest: Callable[[], Iterable[CarriedFrame]], rate: int) -> None:
        """Write the frames that `newest` returns for the page, if any, `rate` times a second on the wall clock."""
        self._carried = newest
        self._carried_interval = round(self._pace * SECOND / rate)

    def log(self, level: LogLevel, t: int, event: str, **fields: Any) -> None:
        """Log an event at time `t` [ns] with named values, which must not be changed afterwards."""
        if len(self._waiting) == MOST_WAITING:
            self._left_out += 1
            return
        self._waiting.append((t, LogRecord(level, event, fields)))
        self._put_lines()

    def info(self, t: int, event: str, **fields: Any) -> None:
        """Log an event that is worth knowing; nothing is wrong."""
        self.log(LogLevel.INFO, t, event, **fields)

    def warning(self, t: int, event: str, **fields: Any) -> None:
        """Log that something works, but not as it should."""
        self.log(LogLevel.WARNING, t, event, **fields)

    def error(self, t: int, event: str, **fields: Any) -> None:
        """Log that something does not work."""
        self.log(LogLevel.ERROR, t, event, **fields)

    def state(self, t: int, state: Fields) -> bool:
        """Write the state that the next run begins with, as JSON values; return False if it did not fit."""
        return self._put(STATE, t, encode_state(state))

    def memory(self, t: int, unit: str, address: str, piece: str | int | None) -> bool:
        """Write a piece of memory that the next run begins with; return False if it did not fit."""
        return self._put(MEMORY, t, json.dumps([unit, address, piece]).encode())

    def part_status(self, t: int, part: str, counted: Any) -> None:
        """Write the status of a part of the bench, as JSON values."""
        self._put(PART_STATUS, t, encode_part_status(part, counted))

    def statistics(self, t: int, counted: Fields) -> None:
        """Write all counters so far, which the user asked for."""
        self._put(STATISTICS, t, encode_statistics(counted))

    def tick(self, clock: Clock) -> None:
        """Count the tick of the clock, and the ones that were missed before it; write a snapshot if one is due."""
        if clock.t >= self._next_snapshot:
            self._next_snapshot = clock.t + self._interval
            self.snapshot(clock.t, clock.missed, clock.lateness)
            if self._carried is not None and clock.t >= self._next_carried:
                self._next_carried = clock.t + self._carried_interval
                if frames := tuple(self._carried()):
                    self._put_carried(carried_frames.encode(frames))
        else:
            self._count(clock.missed)

    def _count(self, missed: int) -> None:
        self._lines = LINES
        if self._waiting:
            self._put_lines()
        self.ticks += 1
        self.missed += missed

    def snapshot(self, t: int, missed: int, lateness: int) -> None:
        """Count the tick, and write a snapshot whether one is due or not."""
        self._count(missed)
        received = transmitted = held_back = unarmed = 0
        for bus in self._buses:
            received += bus.received
        for index, gate in enumerate(self._gates.values()):
            transmitted += gate.statistics.passed
            held_back += gate.statistics.unarmed
            if not gate.armed:
                unarmed |= 1 << index
        self._put_snapshot(
            Snapshot(
                t=t,
                ticks=self.ticks,
                missed=self.missed,
                received=received,
                transmitted=transmitted,
                lateness=lateness,
                held_back=held_back,
                unarmed=unarmed,
                overload=self.overload,
                channels=self._databus.channels,
            ).encode()
        )

    def flush(self) -> None:
        """Write all waiting lines, because no tick follows; later lines do not wait."""
        self._lines = _ALL
        self._put_lines()

    def end(self, t: int, statistics: Fields) -> bool:
        """Write the last event: the run ended in good order. Return False if it did not fit; try again."""
        self.flush()
        return self._put(END, t, encode_statistics(statistics))

    def _put_lines(self) -> None:
        while self._waiting and self._lines > 0:
            self._lines -= 1
            t, record = self._waiting.popleft()
            self._put(LOG, t, record.encode())
            if self._left_out and not self._waiting:
                fields, self._left_out = {"lines": self._left_out}, 0
                self._waiting.append((t, LogRecord(LogLevel.WARNING, "lines of the log were left out", fields)))
