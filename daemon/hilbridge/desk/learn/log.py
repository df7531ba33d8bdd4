"""Reading of a log: the frames of one bus, by identifier, as arrays.

Error frames and remote frames carry no content: they are counted. Times are those of the log, and ascend; frames that
are a little out of order (gateways and loggers of several buses write so) are sorted and counted.
"""

from array import array
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record.traffic_log import MOST_FRAMES, OpenLog, Tally, reason
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK

if TYPE_CHECKING:
    import can

Payloads = NDArray[np.uint8]
"""A row for each frame, a column for each byte."""

_OUT_OF_ORDER: Final = SECOND
"""[ns] by which a frame may lie before the newest one; a clock that goes back further was set, or logs were joined."""

_STEP: Final = 500
"""Frames between two looks at the progress."""


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


class Log(NamedTuple):
    """The frames of a log by identifier; what of it was left out; `first` and `last` time [ns].

    `missing`: bytes at the end that the head of the file announces.
    """

    path: Path
    series: list[Series]
    frames: int
    error_frames: int
    remote_frames: int
    out_of_order: int
    first: int
    last: int
    channel: str
    interrupted: bool
    missing: int

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

    def take(self, time: int, message: "can.Message") -> None:
        """Take a frame of `time` [ns]."""
        data = message.data
        key = (can_id_of(message), message.is_fd, len(data))
        series = self.growing.get(key)
        if series is None:
            series = self.growing[key] = _Growing()
        series.times.append(time)
        series.data += data


class Reading(NamedTuple):
    """How a log was read: its data frames of one bus, what was left out, and whether somebody ended it early."""

    frames: int
    error_frames: int
    remote_frames: int
    out_of_order: int
    channel: str
    interrupted: bool
    missing: int


class _Chooser:
    """The choice of the data frames of a bus while they are read, and the count of what was left out."""

    def __init__(self, log: OpenLog, channel: str | None, take: "Callable[[int, can.Message], None]") -> None:
        self.tally: Final = Tally()
        self.out_of_order = self.frames = 0
        self._log: Final = log
        self._channel: Final = channel
        self._take: Final = take
        self._newest = 0

    def choose(self, message: "can.Message") -> None:
        """Take a message or not. ConfigurationError: its time is far before the newest one, or there are too many."""
        name = self._log.channel(message)
        if not self.tally.is_data(message, name) or self._channel not in (None, name):
            return
        time = round(message.timestamp * SECOND)
        self.frames += 1
        if self.frames == 1 or time >= self._newest:
            self._newest = time
        elif self._newest - time <= _OUT_OF_ORDER:
            self.out_of_order += 1
        else:
            back = f"{(self._newest - time) / SECOND:g} s"
            reason = f"the time runs backwards by {back}: cut the log there, and learn from one part"
            raise ConfigurationError(f"{self._log.place}: {reason}")
        if self.frames > MOST_FRAMES:
            raise ConfigurationError(f"{self._log.place}: the log has more than {MOST_FRAMES} frames; cut it")
        self._take(time, message)


def can_id_of(message: "can.Message") -> int:
    """Return the identifier of a message with its flag for 29 bits."""
    return message.arbitration_id | (EXTENDED if message.is_extended_id else 0)


def read_messages(
    path: Path,
    channel: str | None,
    take: "Callable[[int, can.Message], None]",
    progress: Callable[[float], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Reading:
    """Hand the data frames of one bus to `take`, each with its time [ns], in the order of the log.

    `progress` takes the bytes that were read, `stopped` ends it early. ConfigurationError: no such file or format, a
    line that cannot be read, several buses and no `channel`, no frames, times that run backwards.
    """
    if not path.is_file():
        raise ConfigurationError(f"there is no log {path}")
    log: OpenLog | None = None
    try:
        log = OpenLog(path)
        return _read(log, path, _Chooser(log, channel, take), channel, progress, stopped)
    except ConfigurationError:
        raise
    except Exception as error:
        where, why = (path, reason(path, error)) if log is None else (log.place, log.reason(error))
        raise ConfigurationError(f"{where}: {why}") from error
    finally:
        if log is not None:
            log.close()


def _read(
    log: OpenLog,
    path: Path,
    chooser: _Chooser,
    channel: str | None,
    progress: Callable[[float], None],
    stopped: Callable[[], bool],
) -> Reading:
    interrupted = False
    for count, message in enumerate(log.messages):
        if count % _STEP == 0:
            progress(log.position)
            if stopped():
                interrupted = True
                break
        chooser.choose(message)
    tally = chooser.tally
    tally.require_one(path, channel)
    if not chooser.frames:
        seen = f", but {tally.left_out}" if tally.left_out else ""
        raise ConfigurationError(f"{path}: there are no data frames in it{seen}")
    used = channel if channel is not None else next(iter(tally.channels))
    order = chooser.out_of_order
    return Reading(chooser.frames, tally.errors, tally.remotes, order, used, interrupted, log.missing)


def read_frames(
    path: Path,
    channel: str | None,
    progress: Callable[[float], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Log:
    """Read the frames of one bus by identifier; see `read_messages`."""
    by_identifier = _Series()
    read = read_messages(path, channel, by_identifier.take, progress, stopped)
    series = _by_identifier(by_identifier.growing)
    first = min(int(one.times[0]) for one in series)
    last = max(int(one.times[-1]) for one in series)
    return Log(
        path,
        series,
        read.frames,
        read.error_frames,
        read.remote_frames,
        read.out_of_order,
        first,
        last,
        read.channel,
        read.interrupted,
        read.missing,
    )


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
