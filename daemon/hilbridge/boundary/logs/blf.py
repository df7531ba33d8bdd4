"""Vector's BLF: containers of objects, each with a head that says how large it is and what it holds.

The objects of CAN are read here; every other one is counted by its type, and one whose head is of a later version under
that. A place that does not move on, or no head where one must be, ends the log there: "damaged at byte n".

(Layout as in python-can's `can/io/blf.py` and SavvyCAN's `blfhandler.h`.)
"""

import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from struct import Struct
from typing import Final

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.base.common.words import counted
from hilbridge.boundary.logs.account import EVENT, Account, LogError
from hilbridge.boundary.logs.blf_runs import REMOTE_FLAG, TEN_MICROSECONDS, read_run
from hilbridge.boundary.logs.frames import Block, BlockBuilder, LogFrame, error_frame, make_frame
from hilbridge.boundary.logs.source import Source
from hilbridge.frames.codec.frame import EXTENDED, STANDARD_MASK

LARGEST_CONTAINER: Final = 16 << 20
"""[byte] of the objects that are compressed together; Vector's tools and python-can make 128 KiB of them."""

_FILE: Final = Struct("<4sL8xQQLL8H8H")
"""LOGG, size of the head, versions, size of the file and of its content, objects, times of start and end."""

_BASE: Final = Struct("<4sHHLL")
"""LOBJ, size of the head, its version, size of the object, its type."""

_VERSION_1: Final = Struct("<LHHQ")
_VERSION_2: Final = Struct("<LBxHQ8x")
"""Flags, ..., time."""

_CONTAINER: Final = Struct("<H6xL4x")
_MESSAGE: Final = Struct("<HBBL")
_FD: Final = Struct("<HBBLLBBB5x")
_FD_64: Final = Struct("<BBBBLLLLLLLHBBL")

_LOG_CONTAINER: Final = 10
_CAN_EXTENDED: Final = 0x8000_0000
_CAN_ID: Final = 0x1FFF_FFFF
_PADDING: Final = 8
_STEP: Final = 8192


def read_blf(source: Source, account: Account) -> Iterator[Block]:
    """Yield the data frames of a BLF file. LogError: it is none."""
    account.format = "BLF"
    head = source.read(_FILE.size)
    if len(head) < _FILE.size or head[:4] != b"LOGG":
        raise LogError("this is no BLF file")
    size, announced, _, _, _, *times = _FILE.unpack(head)[1:]
    source.read(max(0, size - _FILE.size))
    return _Reader(source, account, max(size, _FILE.size), announced, _moment(times[:8])).blocks()


def _moment(fields: Sequence[int]) -> int:
    """Return a SYSTEMTIME in nanoseconds since 1970, in UTC as python-can takes it; 0 if it is no date."""
    year, month, _, day, hour, minute, second, milliseconds = fields
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return 0
    return int(moment.timestamp()) * 10**9 + milliseconds * 10**6


class _Reader:
    def __init__(self, source: Source, account: Account, begin: int, announced: int, start: int) -> None:
        self._source: Final = source
        self._account: Final = account
        self._builder: Final = BlockBuilder()
        self._place = min(begin, source.taken)
        self._damaged = False
        self._unmarked = 0
        self._read = 0
        self._start: Final = start
        self._announced: Final = announced

    def blocks(self) -> Iterator[Block]:
        tail = b""
        for content in self._contents():
            data = tail + content
            yield from self._blocks_in(data)
            tail = data[self._read :]
            if self._account.cut:
                break
        if len(self._builder):
            yield self._finished()
        if tail.strip(b"\0") and not self._account.cut:
            self._account.cut = "it ends within an object"
        if self._unmarked:
            frames = counted(self._unmarked, "frame")
            self._account.notes.append(f"{frames} with 29-bit identifiers without their flag: taken as such")
        if self._source.damage:
            self._account.cut = self._source.damage
        elif not self._damaged:
            self._account.missing = max(0, self._announced - self._place)

    def _blocks_in(self, data: bytes) -> Iterator[Block]:
        """Read whole objects; `_read` is the place behind them."""
        self._read = 0
        after: int | None = 0
        while after is not None:
            self._read = after
            if (run := read_run(data, after, self._builder, self._source.position)) is not None:
                if len(self._builder):
                    yield self._finished()
                block, self._read = run
                yield block._replace(times=block.times + self._start).counted(self._account.channels)
            after = self._object(data, self._read)
            if len(self._builder) >= _STEP:
                yield self._finished()

    def _finished(self) -> Block:
        return self._builder.take(self._source.position).counted(self._account.channels)

    def _contents(self) -> Iterator[bytes]:
        """Yield the content of each container, and what is outside of them as it is."""
        while True:
            place, head = self._place, self._source.read(_BASE.size)
            if len(head) < _BASE.size:
                self._place += len(head)
                if head.strip(b"\0"):
                    self._account.cut = f"it is cut off at byte {place + len(head)}"
                return
            signature, _, _, size, kind = _BASE.unpack(head)
            if signature != b"LOBJ" or size < _BASE.size:
                self._damage(f"at byte {place}")
                return
            wanted = size - _BASE.size + size % 4
            body = self._source.read(wanted)
            self._place += _BASE.size + len(body)
            if len(body) < size - _BASE.size:
                self._account.cut = f"it is cut off at byte {self._place}"
            if kind != _LOG_CONTAINER:
                yield head + body
            else:
                yield self._unpacked(body[: size - _BASE.size], place)
            if self._account.cut:
                return

    def _damage(self, where: str) -> None:
        self._account.cut = self._account.cut or f"damaged {where}; the rest is not read"
        self._damaged = True

    def _unpacked(self, body: bytes, place: int) -> bytes:
        if len(body) < _CONTAINER.size:
            return b""
        method, _ = _CONTAINER.unpack_from(body)
        if method == 0:
            return body[_CONTAINER.size :]
        if method != 2:
            self._account.left_out["container of an unknown compression"] += 1
            return b""
        inflater = zlib.decompressobj()
        try:
            content = inflater.decompress(body[_CONTAINER.size :], LARGEST_CONTAINER)
        except zlib.error:
            self._damage(f"at byte {place}")
            return b""
        if inflater.unconsumed_tail:
            raise LogError(f"a container of the file unpacks to more than {LARGEST_CONTAINER >> 20} MiB")
        return content

    def _object(self, data: bytes, place: int) -> int | None:
        """Read the object at a place or behind its padding; return the place behind it; None: more bytes are needed."""
        found = data.find(b"LOBJ", place, place + _PADDING + 4)
        if found < 0:
            if len(data) - place > _PADDING + 4 and not self._account.cut:
                self._damage(f"before byte {self._place}")
            return None
        if len(data) < found + _BASE.size:
            return None
        head_size, version, size, kind = map(int, _BASE.unpack_from(data, found)[1:])
        if size < max(head_size, _BASE.size):
            self._damage(f"before byte {self._place}: an object of {size} bytes")
            return None
        if len(data) < found + size:
            return None
        self._take(data[found : found + size], head_size, version, kind)
        return found + size

    def _take(self, body: bytes, head_size: int, version: int, kind: int) -> None:
        read = _READERS.get(kind)
        if read is None:
            self._account.left_out[_OTHERS.get(kind, EVENT)] += 1
            return
        if version not in (1, 2):
            self._account.left_out[f"object with a head of version {version}"] += 1
            return
        try:
            flags, *_, time = (_VERSION_1 if version == 1 else _VERSION_2).unpack_from(body, _BASE.size)
            frame = read(self._start + time * (10_000 if flags == TEN_MICROSECONDS else 1), body[head_size:])
        except (struct.error, ValueError, IndexError):
            self._account.left_out["object that cannot be read"] += 1
            return
        if frame.can_id & EXTENDED and not body[head_size + 7] >> 7:
            self._unmarked += 1
        if self._account.has_data(frame.can_id):
            self._builder.add(frame)


def _message(time: int, body: bytes) -> LogFrame:
    channel, flags, code, can_id = _MESSAGE.unpack_from(body)
    remote = bool(flags & REMOTE_FLAG)
    data = b"" if remote else _bytes(body[_MESSAGE.size :], min(code, CLASSIC_LENGTH))
    return make_frame(time, can_id & _CAN_ID, data, str(channel), extended=_is_extended(can_id), remote=remote)


def _fd_message(time: int, body: bytes) -> LogFrame:
    channel, flags, _, can_id, _, _, fd_flags, length = _FD.unpack_from(body)
    remote = bool(flags & REMOTE_FLAG)
    data = b"" if remote else _bytes(body[_FD.size :], length)
    fd = bool(fd_flags & 1)
    return make_frame(
        time, can_id & _CAN_ID, data, str(channel),
        extended=_is_extended(can_id), fd=fd, switch=fd and bool(fd_flags & 2), remote=remote,
    )  # fmt: skip


def _fd_message_64(time: int, body: bytes) -> LogFrame:
    """Bytes beyond those that the file has are zero, as CANoe reads them (python-can#1905)."""
    channel, code, length, _, can_id, _, flags, *_, offset, _ = _FD_64.unpack_from(body)
    fd = bool(flags & 0x1000)
    remote = bool(flags & 0x10)
    length = min(length, FRAME_LENGTHS[code & 15] if fd else CLASSIC_LENGTH)
    end = min(len(body), max(0, offset - 32)) if offset else len(body)
    data = b"" if remote else body[_FD_64.size : end][:length].ljust(length, b"\0")
    return make_frame(
        time, can_id & _CAN_ID, data, str(channel),
        extended=_is_extended(can_id), fd=fd, switch=fd and bool(flags & 0x2000), remote=remote,
    )  # fmt: skip


def _is_extended(can_id: int) -> bool:
    """Return whether an identifier has 29 bits: it has the flag, or more than 11 bits (python-can's test files)."""
    return bool(can_id & _CAN_EXTENDED) or can_id & _CAN_ID > STANDARD_MASK


def _error(time: int, body: bytes) -> LogFrame:
    return error_frame(time, str(int.from_bytes(body[:2], "little")))


def _bytes(body: bytes, length: int) -> bytes:
    if len(body) < length:
        raise ValueError("fewer bytes than the length says")
    return body[:length]


_READERS: Final[dict[int, Callable[[int, bytes], LogFrame]]] = {
    1: _message,
    2: _error,
    73: _error,
    86: _message,
    100: _fd_message,
    101: _fd_message_64,
    104: _error,
}
"""CAN_MESSAGE, CAN_ERROR, CAN_ERROR_EXT, CAN_MESSAGE2, CAN_FD_MESSAGE, CAN_FD_MESSAGE_64, CAN_FD_ERROR_64."""

_OTHERS: Final = {139: "CAN XL frame"}
