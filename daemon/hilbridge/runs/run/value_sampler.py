"""Sampling of the data bus during a replay: rows of integers at an interval, handed on in blocks of bounded size."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record.values_file import Integers, Times
from vehiclesim.channels import NAN
from vehiclesim.databus import DataBus
from vehiclesim.entries import Entries, Entry

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
        self._entries: Final = entries
        self._known: Entries | None = None
        self._places: list[tuple[int, int] | None] = []
        self._interval: Final = max(interval, 1)
        self._take: Final = take
        self._due = 0
        self._filled = 0
        self._times: Final = np.empty(_BLOCK, np.float64)
        self._integers: Final = np.empty((_BLOCK, len(entries)), np.int32)
        self.rows = 0

    def sample(self, data: DataBus, t: int) -> None:
        """Take the row of the tick of time `t` [ns], if one is due."""
        if t < self._due:
            return
        self._due = (t // self._interval + 1) * self._interval
        channels = data.channels
        if data.entries is not self._known:  # a reload may declare others
            self._known = data.entries
            self._places = [self._known.find(entry.path) for entry in self._entries]
        self._times[self._filled] = t / SECOND
        self._integers[self._filled] = [
            NAN if place is None else channels[place[0]][place[1]] for place in self._places
        ]
        self._filled += 1
        self.rows += 1
        if self._filled == _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Hand on the rows that wait."""
        if self._filled:
            filled, self._filled = self._filled, 0
            self._take(self._times[:filled], self._integers[:filled])
