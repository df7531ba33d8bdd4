"""Reading of a log: the frames of one bus, by identifier, as arrays.

Error frames and remote frames carry no content: they are counted, as is all else that is left out
(boundary/logs/account.py). Times are those of the log, and ascend; frames that are a little out of order (gateways and
loggers of several buses write so) are sorted and counted.
"""

from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.logs.account import Account
from hilbridge.boundary.logs.frames import MOST_FRAMES, Block
from hilbridge.boundary.logs.reading import OneBus
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, FD

Payloads = NDArray[np.uint8]
"""A row for each frame, a column for each byte."""

_OUT_OF_ORDER: Final = SECOND
"""[ns] by which a frame may lie before the newest one; a clock that goes back further was set, or logs were joined."""


class Series(NamedTuple):
    """The frames of one identifier: times [ns], ascending, and payloads of one length.

    `can_id` has its flag for 29 bits. `others` counts frames of other lengths, which are left out.
    """

    can_id: int
    fd: bool
    times: NDArray[np.int64]
    data: Payloads
    others: dict[int, int]

    @property
    def identifier(self) -> int:
        return self.can_id & EXTENDED_MASK

    @property
    def extended(self) -> bool:
        return bool(self.can_id & EXTENDED)

    @property
    def length(self) -> int:
        return int(self.data.shape[1])

    @property
    def name(self) -> str:
        """The identifier as people write it."""
        return f"0x{self.identifier:08X}" if self.extended else f"0x{self.identifier:03X}"


class Reading(NamedTuple):
    """How a log was read: its data frames of one bus, what was left out, and whether someone ended it early."""

    frames: int
    account: Account
    out_of_order: int
    channel: str
    interrupted: bool

    def words(self) -> list[str]:
        """Return what was left out, assumed or sorted: a line for each."""
        order = [f"{self.out_of_order} frames out of order, sorted"] if self.out_of_order else []
        return [*self.account.words(), *order]


class Log(NamedTuple):
    """The frames of a log by identifier, and how it was read; `first` and `last` time [ns]."""

    path: Path
    series: list[Series]
    reading: Reading
    first: int
    last: int

    @property
    def frames(self) -> int:
        return self.reading.frames

    @property
    def channel(self) -> str:
        return self.reading.channel

    @property
    def interrupted(self) -> bool:
        return self.reading.interrupted

    @property
    def seconds(self) -> float:
        return (self.last - self.first) / SECOND


class _Growing:
    """The frames of one identifier and length while they are read."""

    def __init__(self) -> None:
        self.times = array("q")
        self.data = bytearray()


class _Series:
    """The frames of a bus by identifier, flag for CAN FD and length, while they are read."""

    def __init__(self) -> None:
        self.growing: dict[tuple[int, bool, int], _Growing] = {}

    def take(self, block: Block) -> None:
        """Take the frames of a block, identifier by identifier."""
        for rows, table in block.groups():
            key = (int(block.can_ids[rows[0]]), bool(block.flags[rows[0]] & FD), table.shape[1])
            series = self.growing.setdefault(key, _Growing())
            series.times.frombytes(block.times[rows].tobytes())
            series.data += table.tobytes()


class _Order:
    """The check that times ascend, but for a little."""

    def __init__(self, path: Path) -> None:
        self.frames = self.out_of_order = 0
        self._path: Final = path
        self._newest: int | None = None

    def take(self, times: NDArray[np.int64]) -> None:
        """Take the times of a block. ConfigurationError: one is far before the newest one, or there are too many."""
        newest = np.maximum.accumulate(np.concatenate(([times[0] if self._newest is None else self._newest], times)))
        back = newest[:-1] - times
        if (far := np.flatnonzero(back > _OUT_OF_ORDER)).size:
            seconds = f"{int(back[far[0]]) / SECOND:g} s"
            where = f"{self._path}: frame {self.frames + int(far[0]) + 1}"
            reason = f"the time runs backwards by {seconds}: cut the log there, and learn from one part"
            raise ConfigurationError(f"{where}: {reason}")
        self._newest = int(newest[-1])
        self.out_of_order += int((back > 0).sum())
        self.frames += len(times)
        if self.frames > MOST_FRAMES:
            raise ConfigurationError(f"{self._path}: the log has more than {MOST_FRAMES} frames; cut it")


def read_blocks(
    path: Path,
    channel: str | None,
    take: Callable[[Block], None],
    progress: Callable[[float], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Reading:
    """Hand the data frames of one bus to `take` in the order of the log.

    `progress` takes the bytes that were read, `stopped` ends it early. ConfigurationError: no such file or format, a
    line that cannot be read, several buses and no `channel`, no frames, times that run backwards.
    """
    bus = OneBus(path, channel, progress, stopped)
    order = _Order(path)
    for block in bus.blocks():
        if len(block.times):
            order.take(block.times)
            take(block)
    if not order.frames:
        words = "; ".join(bus.account.words())
        raise ConfigurationError(f"{path}: there are no data frames in it{f', but: {words}' if words else ''}")
    return Reading(order.frames, bus.account, order.out_of_order, bus.used, bus.interrupted)


def read_frames(
    path: Path,
    channel: str | None,
    progress: Callable[[float], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Log:
    """Read the frames of one bus by identifier; see `read_blocks`."""
    by_identifier = _Series()
    reading = read_blocks(path, channel, by_identifier.take, progress, stopped)
    series = _by_identifier(by_identifier.growing)
    first = min(int(one.times[0]) for one in series)
    last = max(int(one.times[-1]) for one in series)
    return Log(path, series, reading, first, last)


def _by_identifier(growing: dict[tuple[int, bool, int], _Growing]) -> list[Series]:
    """Return a series for each identifier, of the length that most of its frames have."""
    lengths: dict[tuple[int, bool], dict[int, _Growing]] = {}
    for (can_id, fd, length), frames in growing.items():
        lengths.setdefault((can_id, fd), {})[length] = frames
    found = []
    for (can_id, fd), by_length in sorted(lengths.items()):
        length = max(by_length, key=lambda one: (len(by_length[one].times), one))
        frames = by_length.pop(length)
        times = np.frombuffer(frames.times, np.int64)
        data = np.frombuffer(frames.data, np.uint8).reshape(len(times), length)
        order = np.argsort(times, kind="stable")
        others = {other: len(rest.times) for other, rest in by_length.items()}
        found.append(Series(can_id, fd, times[order], data[order], others))
    return found
