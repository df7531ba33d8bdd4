"""Sampling of the data bus during a replay: rows of integers at an interval, handed on in blocks of bounded size."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hilbridge.common.units import SECOND
from hilbridge.record.values_file import Integers, Times
from vehiclesim.channels import Entry, find
from vehiclesim.databus import DataBus

INTERVAL: Final = 10_000_000
"""[ns] between two samples, by default: what frames and instruments show of a vehicle is no faster."""

_BLOCK: Final = 4096
"""Rows that are kept in memory; with all entries 2 MB."""


class ValueSampler:
    """A sampler of entries: one row with the first tick, and with the first tick from each multiple of `interval` on.

    `take` receives the times [s] and integers of full blocks of rows, which are valid until it returns; `rows` counts.
    """

    def __init__(self, entries: Sequence[Entry], interval: int, take: Callable[[Times, Integers], None]) -> None:
        """`interval` [ns]: 0 is every tick."""
        self._places: Final = [place for entry in entries if (place := find(entry.path)) is not None]
        self._interval: Final = max(interval, 1)
        self._take: Final = take
        self._due = 0
        self._filled = 0
        self._times: Final = np.empty(_BLOCK, np.float64)
        self._integers: Final = np.empty((_BLOCK, len(self._places)), np.int32)
        self.rows = 0

    def sample(self, data: DataBus, t: int) -> None:
        """Take the row of the tick of time `t` [ns], if one is due."""
        if t < self._due:
            return
        self._due = (t // self._interval + 1) * self._interval
        channels = data.channels
        self._times[self._filled] = t / SECOND
        self._integers[self._filled] = [channels[channel][index] for channel, index in self._places]
        self._filled += 1
        self.rows += 1
        if self._filled == _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Hand on the rows that wait."""
        if self._filled:
            filled, self._filled = self._filled, 0
            self._take(self._times[:filled], self._integers[:filled])
