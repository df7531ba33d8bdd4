"""The Clock channel: the date of the run goes on from its start with the ticks, so a replay has the same dates.

    date(t) = begin + t + shift(t)

`shift` is 0 until a command sets the date, as a run in real time does when the clock of the machine was set or its time
zone has another offset: the command is an input of the run, so its replay sets the same. Where it is to be smooth, the
shift grows over a time, in which the seconds of the date are a tenth longer or shorter.
"""

from datetime import datetime, timedelta
from typing import Final

from vehiclesim.channels import ClockData
from vehiclesim.databus import DataBus

_MICROSECOND: Final = 1_000
"""[ns]"""

SLEW: Final = 10
"""A date that is set smoothly makes up for a second in so many."""

LARGEST_SLEW: Final = 60.0
"""[s] A difference that is larger is made up for at once: none of a day or an hour can be smooth."""


class RunDate:
    """The date of a run that begins at `begin`, on the data bus."""

    def __init__(self, data: DataBus, begin: datetime) -> None:
        self._values: Final = data.clock
        self._begin: Final = begin
        self._next = 0
        self._shift = 0  # [µs], before `_since`
        self._goal = 0  # [µs], once the slew is over
        self._since = 0  # [µs]
        self.write(0)

    def at(self, t: int) -> datetime:
        """Return the date of time `t` [ns]."""
        elapsed = t // _MICROSECOND
        return self._begin + timedelta(microseconds=elapsed + self._shift_at(elapsed))

    def is_slewing(self, t: int) -> bool:
        """Return whether the date still goes where it was set smoothly, at time `t` [ns]."""
        return self._shift_at(t // _MICROSECOND) != self._goal

    def set(self, t: int, date: datetime, *, smoothly: bool) -> None:
        """Have the date be `date` at time `t` [ns], or go there from `t` on; OverflowError: it is beyond all dates."""
        elapsed = t // _MICROSECOND
        goal = (date - self._begin) // timedelta(microseconds=1) - elapsed
        now = self._shift_at(elapsed)
        is_slewed = smoothly and abs(goal - now) <= LARGEST_SLEW * 1e6
        self._shift, self._goal, self._since = now if is_slewed else goal, goal, elapsed
        self._next = 0

    def write(self, t: int) -> None:
        """Write the time `t` [ns]; the date where a second has passed since it was written."""
        values = self._values
        values[ClockData.ELAPSED] = t // _MICROSECOND
        if t >= self._next:
            self._write_date(t)

    def _shift_at(self, elapsed: int) -> int:
        """Return the shift [µs] after `elapsed` [µs] of the run."""
        missing = self._goal - self._shift
        made_up = (elapsed - self._since) // SLEW
        if abs(missing) <= made_up:
            return self._goal
        return self._shift + (made_up if missing > 0 else -made_up)

    def _write_date(self, t: int) -> None:
        now = self.at(t)
        left = 1_000_000 - now.microsecond  # [µs] of the date; of the run fewer while the date is the faster one
        if self._shift != self._goal:
            left = max(1, left * SLEW // (SLEW + 1))
        self._next = (t // _MICROSECOND + left) * _MICROSECOND
        values = self._values
        values[ClockData.YEAR], values[ClockData.MONTH], values[ClockData.DAY] = now.year, now.month, now.day
        values[ClockData.WEEKDAY] = now.isoweekday()
        values[ClockData.HOUR], values[ClockData.MINUTE], values[ClockData.SECOND] = now.hour, now.minute, now.second
        values[ClockData.DAY_OF_YEAR] = now.timetuple().tm_yday
