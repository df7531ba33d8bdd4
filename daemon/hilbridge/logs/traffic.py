"""The traffic of one bus of a log in memory, as a rest bus plays it: frames in the form of codec/frame.py."""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.codec.frame import LOGGED
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.common.words import counted
from hilbridge.logs.frames import Block
from hilbridge.logs.reading import OneBus

MOST_FRAMES: Final = 2_000_000
"""52 MB in memory; a quarter of an hour of a busy 500 kbit/s bus."""

_HEAD: Final = np.dtype([("time", "<i8"), ("can_id", "<u4"), ("flags", "u1"), ("length", "u1")])
"""LOGGED, for numpy."""


class TrafficLog(NamedTuple):
    """The data frames of a log. `left_out`: what was left out or assumed; `summary`: the sum of all of it."""

    frames: bytes
    left_out: str
    summary: str = ""


def read_log(path: Path, channel: str | int | None, place: KeyPath = ()) -> TrafficLog:
    """Read the frames of a log of one bus, or of the channel that is named; `place`: key path of the file.

    ConfigurationError: no such file, no known format, too many frames, several channels and none named.
    """
    bus = OneBus(path, channel, place)
    clock = _Clock()
    parts: list[bytes] = []
    count = 0
    for block in bus.blocks():
        count += len(block.times)
        if count > MOST_FRAMES:
            reason = f"the log has more than {MOST_FRAMES} frames; cut it, or choose a channel"
            raise ConfigurationError(f"{path}: {reason}", place)
        parts.append(_packed(block, clock.ascending(block.times)))
    words = bus.account.words()
    if clock.back:
        words.append(f"{counted(clock.back, 'frame')} with a time before the frame before: at the time of that one")
    whole = f"{bus.account.format}: {counted(count, 'frame')}"
    return TrafficLog(b"".join(parts), "; ".join(words), "; ".join((whole, *words)))


class _Clock:
    """The time of a log from its first frame on, which stands still where the log's goes back."""

    def __init__(self) -> None:
        self.back = 0
        self._start: int | None = None
        self._latest = 0

    def ascending(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        if not len(times):
            return times
        self._start = int(times[0]) if self._start is None else self._start
        wanted = np.concatenate(([self._latest], times - self._start))
        ascending: NDArray[np.int64] = np.maximum.accumulate(wanted)[1:]
        self.back += int((ascending > wanted[1:]).sum())
        self._latest = int(ascending[-1])
        return ascending


def _packed(block: Block, times: NDArray[np.int64]) -> bytes:
    """Return frames with their heads one after the other."""
    count = len(times)
    heads = np.empty(count, _HEAD)
    heads["time"], heads["can_id"] = times, block.can_ids
    heads["flags"], heads["length"] = block.flags, block.lengths
    offsets = block.offsets
    places = offsets + np.arange(count) * LOGGED.size
    packed = np.empty(count * LOGGED.size + len(block.data), np.uint8)
    packed[places[:, None] + np.arange(LOGGED.size)] = heads.view(np.uint8).reshape(count, LOGGED.size)
    packed[np.repeat(places + LOGGED.size - offsets, block.lengths) + np.arange(len(block.data))] = block.data
    return packed.tobytes()
