"""The frames of a car from one log or several, by identifier: logs follow one another, as if the car had paused."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from hilbridge.base.common.units import SECOND
from hilbridge.desk.learn.log import Log, Series, read_frames

_PAUSE: Final = 10 * SECOND
"""[ns] from the end of a log to the beginning of the next."""


class Car(NamedTuple):
    """A car as its logs show it: the frames by identifier (with flag), and how each log was read."""

    series: dict[int, Series]
    logs: list[Log]

    @property
    def frames(self) -> int:
        """Return the number of frames that were read."""
        return sum(log.frames for log in self.logs)

    @property
    def seconds(self) -> float:
        """Return the length of the logs [s]."""
        return sum(log.seconds for log in self.logs)


def read_car(paths: Iterable[Path], channel: str | None = None) -> Car:
    """Read the logs of a car; ConfigurationError as of `read_frames`."""
    logs = [read_frames(path, channel) for path in paths]
    parts: dict[int, list[Series]] = {}
    end = 0
    for log in logs:
        for one in log.series:
            parts.setdefault(one.can_id, []).append(one._replace(times=one.times - log.first + end))
        end += log.last - log.first + _PAUSE
    return Car({can_id: _joined(several) for can_id, several in parts.items()}, logs)


def _joined(several: list[Series]) -> Series:
    """Return the frames of an identifier in all logs, of the length that most of them have."""
    by_length: dict[int, int] = {}
    for one in several:
        for length, frames in ({one.length: len(one.times)} | one.others).items():
            by_length[length] = by_length.get(length, 0) + frames
    length = max(by_length, key=lambda one: (by_length[one], one))
    same = [one for one in several if one.length == length] or several[:1]
    others = {other: frames for other, frames in by_length.items() if other != same[0].length}
    times, data = (np.concatenate(arrays) for arrays in zip(*((one.times, one.data) for one in same), strict=True))
    return same[0]._replace(times=times, data=data, others=others)
