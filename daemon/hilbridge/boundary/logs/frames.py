"""Frames of a log: one by one as a format's parser makes them, and in blocks of arrays as readers hand them on."""

import json
from array import array
from collections import Counter
from collections.abc import Iterator
from struct import Struct
from typing import BinaryIO, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, EXTENDED_MASK, FD, REMOTE, STANDARD_MASK

MOST_FRAMES: Final = 2_000_000
"""Frames of a log that is held in memory: 52 MB; a quarter of an hour of a busy 500 kbit/s bus."""

_MOST_TIME: Final = 1 << 62
_HEAD: Final = Struct("<IIIq")
"""Frames, bytes of data, bytes of the names, bytes of the file that were read."""


class LogFrame(NamedTuple):
    """A frame with its time [ns], its identifier with flag bits and its channel as the file calls it."""

    time: int
    can_id: int
    data: bytes
    flags: int = 0
    channel: str = "1"


def make_frame(
    time: int,
    identifier: int,
    data: bytes,
    channel: str,
    *,
    extended: bool,
    fd: bool | None = None,
    switch: bool = False,
    remote: bool = False,
) -> LogFrame:
    """Return a data or remote frame; `fd`: None where the format does not say, and more than 8 bytes do.

    ValueError: identifier, number of bytes or time cannot be.
    """
    fd = len(data) > CLASSIC_LENGTH if fd is None else fd
    if not 0 <= identifier <= (EXTENDED_MASK if extended else STANDARD_MASK):
        raise ValueError("identifier")
    if len(data) > (FRAME_LENGTHS[-1] if fd else CLASSIC_LENGTH) or abs(time) > _MOST_TIME:
        raise ValueError("length or time")
    can_id = identifier | (EXTENDED if extended else 0) | (REMOTE if remote else 0)
    return LogFrame(time, can_id, data, (FD if fd else 0) | (BRS if switch else 0), channel)


def error_frame(time: int, channel: str) -> LogFrame:
    """Return an error frame, which has neither identifier nor data here."""
    return LogFrame(time, ERROR, b"", 0, channel)


class Block(NamedTuple):
    """Data frames in the order of the log, as arrays; `channels` are places in `names`, `data` is without gaps.

    `position`: bytes of the file that were read when the block was complete.
    """

    times: NDArray[np.int64]
    can_ids: NDArray[np.uint32]
    flags: NDArray[np.uint8]
    lengths: NDArray[np.uint8]
    channels: NDArray[np.uint16]
    data: NDArray[np.uint8]
    names: tuple[str, ...]
    position: int = 0

    @property
    def offsets(self) -> NDArray[np.int64]:
        """The place of each frame's bytes in `data`."""
        ends = np.cumsum(self.lengths, dtype=np.int64)
        return ends - self.lengths

    def of_channel(self, name: str) -> "Block":
        """Return the frames of one channel."""
        if self.names == (name,):
            return self
        chosen = self.channels == (self.names.index(name) if name in self.names else len(self.names))
        parts = [one[chosen] for one in self[:4]]
        data = self.data[np.repeat(chosen, self.lengths)]
        return Block._make([*parts, np.zeros(len(parts[0]), np.uint16), data, (name,), self.position])

    def counted(self, channels: Counter[str]) -> "Block":
        """Count the frames by their channels; return the block."""
        numbers = np.bincount(self.channels, minlength=len(self.names)).tolist()
        channels.update({name: number for name, number in zip(self.names, numbers, strict=True) if number})
        return self

    def frames(self) -> Iterator[tuple[int, int, int, bytes]]:
        """Yield time, identifier, flags and bytes of each frame."""
        data, offset = self.data.tobytes(), 0
        rows = (self.times.tolist(), self.can_ids.tolist(), self.flags.tolist(), self.lengths.tolist())
        for time, can_id, flags, length in zip(*rows, strict=True):
            yield time, can_id, flags, data[offset : offset + length]
            offset += length

    def groups(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
        """Yield places and bytes, as a table, of the frames that are alike in identifier, length and CAN FD."""
        if not len(self.times):  # none of the channel that was chosen
            return
        fd = self.flags & FD != 0
        keys = (self.can_ids.astype(np.uint64) << np.uint64(8)) | (self.lengths << np.uint64(1)) | fd
        order = np.argsort(keys, kind="stable")
        begins = np.flatnonzero(np.diff(keys[order], prepend=~keys[order[:1]]))
        offsets = self.offsets
        for rows in np.split(order, begins[1:]):
            yield rows, self.data[offsets[rows][:, None] + np.arange(int(self.lengths[rows[0]]))]

    def write(self, file: BinaryIO) -> None:
        """Write the block for `read_block`."""
        names = json.dumps(self.names).encode()
        file.write(_HEAD.pack(len(self.times), len(self.data), len(names), self.position) + names)
        file.writelines(part.tobytes() for part in self[:6])


def read_block(file: BinaryIO) -> Block | None:
    """Read a block that was written; None: the last one is over. EOFError: the writer ended within one."""
    count, size, names, position = _HEAD.unpack(_read(file, _HEAD.size))
    if count == 0:
        return None
    listed = tuple(json.loads(_read(file, names)))
    kinds = ((np.int64, count), (np.uint32, count), (np.uint8, count), (np.uint8, count), (np.uint16, count))
    parts = [np.frombuffer(_read(file, number * np.dtype(kind).itemsize), kind) for kind, number in kinds]
    return Block._make([*parts, np.frombuffer(_read(file, size), np.uint8), listed, position])


def write_end(file: BinaryIO) -> None:
    """Write that there are no more blocks."""
    file.write(_HEAD.pack(0, 0, 0, 0))


def _read(file: BinaryIO, size: int) -> bytes:
    data = file.read(size)
    if len(data) < size:
        raise EOFError
    return data


class BlockBuilder:
    """A block while it grows, frame by frame."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._clear()

    def _clear(self) -> None:
        self._times, self._ids, self._channels = array("q"), array("I"), array("H")
        self._flags, self._lengths, self._data = bytearray(), bytearray(), bytearray()

    def __len__(self) -> int:
        return len(self._times)

    def add(self, frame: LogFrame) -> None:
        """Take a data frame."""
        self._times.append(frame.time)
        self._ids.append(frame.can_id)
        self._flags.append(frame.flags)
        self._lengths.append(len(frame.data))
        self._channels.append(self.place_of(frame.channel))
        self._data += frame.data

    def place_of(self, channel: str) -> int:
        """Return the place of a channel in the names of the blocks. ValueError: too many channels."""
        place = self._names.setdefault(channel, len(self._names))
        if place > np.iinfo(np.uint16).max:
            raise ValueError("channels")
        return place

    @property
    def names(self) -> tuple[str, ...]:
        """The channels so far."""
        return tuple(self._names)

    def take(self, position: int) -> Block:
        """Return what has grown, and begin anew."""
        block = Block(
            np.frombuffer(self._times, np.int64),
            np.frombuffer(self._ids, np.uint32),
            np.frombuffer(self._flags, np.uint8),
            np.frombuffer(self._lengths, np.uint8),
            np.frombuffer(self._channels, np.uint16),
            np.frombuffer(self._data, np.uint8),
            self.names,
            position,
        )
        self._clear()
        return block
