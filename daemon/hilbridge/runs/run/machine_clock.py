"""The clock of the machine, which the date of a run follows: steps of it, daylight saving, its time zone.

    lead = date of the machine - monotonic clock    looked at once a second; a change of 0.1 s or more moves the date

The two clocks slew alike; so only a clock that was set, a machine that slept, or another offset of the time zone
changes the lead. A late tick does not. The change is an input of the run: a recording has the command with its tick,
and its replay shows the same dates. At a pace other than 1 nothing is followed.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from hilbridge.base.clock import machine_date
from hilbridge.base.common.event_log import EventLog
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.clock_sync import REMEDY, is_synchronised
from hilbridge.bench.bench import Bench

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC).replace(tzinfo=None)
_LEAST: Final = 0.1
"""[s]"""

_INTERVAL: Final = SECOND
_SYNC_INTERVAL: Final = 30 * SECOND


class MachineClock:
    """The clock of this machine, for one run; `poll` it some times a second."""

    def __init__(
        self,
        bench: Bench,
        event_log: EventLog,
        set_date: Callable[[str, bool], object],
        read: Callable[[str | None], datetime] = machine_date,
        ask: Callable[[], bool | None] = is_synchronised,
        monotonic: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`set_date(date, smoothly)` gives the command; `read(zone)` returns the date of the machine.

        `monotonic`: the clock [ns] that the ticks follow.
        """
        self._bench: Final = bench
        self._log: Final = event_log
        self._set: Final = set_date
        self._read: Final = read
        self._ask: Final = ask
        self._monotonic: Final = monotonic
        self._lead = self._read_lead()
        self._next = self._next_sync = 0
        self._synchronised: bool | None = None

    @property
    def trouble(self) -> str:
        """The words of the service about the clock; empty: nothing is known against it."""
        return "the clock of the machine is NOT SYNCHRONISED" if self._synchronised is False else ""

    def poll(self, t: int) -> None:
        """Look whether the date has to be set, after the tick of time `t` [ns], and whether the clock is right."""
        if t >= self._next_sync:
            self._next_sync = t + _SYNC_INTERVAL
            self._look(t)
        if t >= self._next:
            self._next = t + _INTERVAL
            if self._bench.settings.follows_clock:
                self._follow(t)

    def _look(self, t: int) -> None:
        now = self._ask()
        if now is False and self._synchronised is not False:
            reason = "dates and names of recordings may be wrong; both follow once the clock is set"
            self._log.warning(t, "clock not synchronised", reason=reason, remedy=REMEDY)
        elif now and self._synchronised is False:
            self._log.info(t, "clock synchronised")
        self._synchronised = now

    def _follow(self, t: int) -> None:
        lead = self._read_lead()
        by = lead - self._lead
        if abs(by.total_seconds()) < _LEAST or self._bench.date.is_slewing(t):
            return
        self._lead = lead
        date = self._bench.date.at(t) + by
        self._set(date.isoformat(), self._bench.settings.clock_follows == "smoothly")
        by_s = round(by.total_seconds(), 3)
        self._log.info(t, "date follows the machine", date=date.isoformat(timespec="seconds"), by_s=by_s)

    def _read_lead(self) -> timedelta:
        """Return how far the date of the machine is ahead of the monotonic clock, as if that were a date."""
        date = self._read(self._bench.settings.time_zone)
        return date - (_EPOCH + timedelta(microseconds=self._monotonic() // 1000))
