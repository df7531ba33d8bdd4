"""The Clock channel: the date of the run goes on from its start with the ticks, so a replay has the same dates.

    date(t) = begin + t

Local time, without a change to or from summer time during the run.
"""

from datetime import datetime, timedelta
from typing import Final

from vehiclesim.channels import ClockData
from vehiclesim.databus import DataBus

_MICROSECOND: Final = 1_000
"""[ns]"""


class RunDate:
    """The date of a run that begins at `begin`, on the data bus."""

    def __init__(self, data: DataBus, begin: datetime) -> None:
        self._values: Final = data.clock
        self._begin: Final = begin
        self._next = 0
        self.write(0)

    def write(self, t: int) -> None:
        """Write the time `t` [ns]; the date where a second has passed since it was written."""
        values = self._values
        values[ClockData.ELAPSED] = t // _MICROSECOND
        if t >= self._next:
            self._write_date(t)

    def _write_date(self, t: int) -> None:
        elapsed = t // _MICROSECOND
        now = self._begin + timedelta(microseconds=elapsed)
        self._next = (elapsed + 1_000_000 - now.microsecond) * _MICROSECOND
        values = self._values
        values[ClockData.YEAR], values[ClockData.MONTH], values[ClockData.DAY] = now.year, now.month, now.day
        values[ClockData.WEEKDAY] = now.isoweekday()
        values[ClockData.HOUR], values[ClockData.MINUTE], values[ClockData.SECOND] = now.hour, now.minute, now.second
        values[ClockData.DAY_OF_YEAR] = now.timetuple().tm_yday
