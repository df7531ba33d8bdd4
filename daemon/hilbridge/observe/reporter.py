"""What the tick process tells the observer: the one object through which anything leaves for the log or the recording.

Nothing here waits in real time, opens a file or formats a line. A snapshot costs about 2 µs, a frame 1 µs.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from hilbridge.frames.bus import Bus
from hilbridge.observe.events import (
    LOG,
    SNAPSHOT_LAYOUT,
    STATE,
    TALLY,
    Fields,
    Level,
    LogRecord,
    encode_end,
    encode_state,
    encode_tally,
)
from hilbridge.observe.rings import Rings
from hilbridge.record.crossings import END
from vehiclesim.databus import DataBus


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

    def log(self, level: Level, t: int, event: str, **fields: Any) -> None:
        """A line of the log at time `t` [ns]: what happened, and named values."""
        self._put(LOG, t, LogRecord(level, event, fields).encode())

    def info(self, t: int, event: str, **fields: Any) -> None:
        """Worth knowing; nothing is wrong."""
        self.log(Level.INFO, t, event, **fields)

    def warning(self, t: int, event: str, **fields: Any) -> None:
        """Works, but not as it should."""
        self.log(Level.WARNING, t, event, **fields)

    def error(self, t: int, event: str, **fields: Any) -> None:
        """Something does not work."""
        self.log(Level.ERROR, t, event, **fields)

    def state(self, t: int, state: Fields) -> bool:
        """What the next run shall begin with, as JSON knows it; False when it did not fit."""
        return self._put(STATE, t, encode_state(state))

    def tally(self, t: int, part: str, counted: Any) -> None:
        """What was counted so far in a part of the bench, as JSON knows it."""
        self._put(TALLY, t, encode_tally(part, counted))

    def snapshot(self, t: int, missed: int, lateness: int) -> None:
        """The state after the tick of time `t` [ns], before which `missed` ticks were not done."""
        self.ticks += 1
        self.missed += missed
        received = transmitted = 0
        for bus in self._buses:
            received += bus.received
            transmitted += bus.transmitted
        self._put_snapshot(
            SNAPSHOT_LAYOUT.pack(
                t,
                self.ticks,
                self.missed,
                received,
                transmitted,
                lateness,
                *chain.from_iterable(self._databus.channels),
            )
        )

    def end(self, t: int, statistics: Fields) -> bool:
        """The last event: the run ended in good order. False when it did not fit; try again."""
        return self._put(END, t, encode_end(statistics))
