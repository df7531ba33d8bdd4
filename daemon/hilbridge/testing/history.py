"""The values of a bench over the time of a test, from its start on or for the last five minutes."""

from array import array
from collections import deque
from itertools import accumulate, chain
from typing import Final, NamedTuple

from hilbridge.base.common.units import MILLISECOND, SECOND
from vehiclesim.databus import DataBus
from vehiclesim.entries import SIZES, STANDARD

PERIOD: Final = 10 * MILLISECOND
"""[ns] Shortest time between two samples."""

_MOST: Final = 30_000
"""Samples: five minutes, and 30 MB."""

_OFFSETS: Final = (0, *accumulate(SIZES))


class Course(NamedTuple):
    """The values of an entry in its unit, NaN where it was not available, and their times [s]."""

    times: list[float]
    values: list[float]


class History:
    """The samples of all entries of a data bus."""

    def __init__(self) -> None:
        self._entries = STANDARD
        self._samples: Final[deque[tuple[int, array[int]]]] = deque(maxlen=_MOST)
        self._due = 0

    def sample(self, t: int, data: DataBus) -> None:
        """Keep the values of time `t` [ns], if the last ones are old enough."""
        if t >= self._due:
            self._due = t + PERIOD
            self._entries = data.entries
            self._samples.append((t, array("q", chain.from_iterable(data.channels))))

    def course(self, channel: int, index: int, since: int) -> Course:
        """Return the values of an entry from time `since` [ns] on."""
        place, scratch, times, values = _OFFSETS[channel] + index, DataBus(), [], []
        scratch.declare(self._entries)
        for t, integers in self._samples:
            if t >= since:
                scratch.set(channel, index, integers[place])
                times.append(t / SECOND)
                values.append(scratch.read(channel, index))
        return Course(times, values)
