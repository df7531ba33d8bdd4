"""A segment of a recording that is full, made smaller: `record.000000.z` in the place of `record.000000`.

    packed segment = blocks
    block = [ "hilz" | its number (32 bit) | size of the segment (64) | length of the stream (32) | CRC-32 of these ]
            zlib stream (RFC 1950) of 256 KiB of the segment, in the last block of what is left

A reader gets the bytes of the segment, at the offsets that they had. Each block is unpacked by itself, so that a place
is found without what lies before it, and damage costs one block: one that is missing, or that its checksums refuse, is
read as zeros, which are no record. What was cut off at the end is missing by the size that each block tells.

It is written under another name, synchronised and renamed before the segment itself goes: a crash at any moment leaves
the one, the other, or both.
"""

import errno
import io
import os
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from hilbridge.base.common.lasting_files import is_there, synchronise

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BLOCK: Final = 1 << 18
"""[byte] of a segment in a block: level 1 of zlib takes 3 ms for it, and gains little with more."""

MAGIC: Final = b"hilz"
HEADER: Final = struct.Struct("<4sIQII")

_LEVEL: Final = 1
_LONGEST: Final = BLOCK + (BLOCK >> 8) + 64
"""[byte] of a packed block at most; zlib adds 5 bytes for each 16 KiB that it cannot make smaller, and 6."""

_BEST: Final = 1032
"""How many times smaller zlib makes anything at most: a segment that claims to be larger is not believed."""

_MOST_FALSE: Final = 1024
"""Places that look like the beginning of a block, and are none, after which no more blocks are looked for."""

_CHUNK: Final = 1 << 16


class Place(NamedTuple):
    """Where the zlib stream of a block lies in its file, and its length [byte]."""

    offset: int
    length: int


def packed_path(segment: Path) -> Path:
    """Return where a segment lies when it is packed."""
    return segment.with_name(f"{segment.name}.z")


def growing_path(segment: Path) -> Path:
    """Return where it lies while it is being packed; no one reads that."""
    return segment.with_name(f"new.{segment.name}.z")


def block(number: int, size: int, content: bytes) -> bytes:
    """Return block `number` of a segment of `size` bytes."""
    stream = zlib.compress(content, _LEVEL)
    return _head(number, size, len(stream)) + stream


def pack(segment: Path, give_up: Callable[[], bool] = bool) -> int | None:
    """Pack a segment to which no one writes any more, and remove it; return the size of what is left [byte].

    None: `give_up` has said so, and all is as it was; so it is with an OSError.
    """
    growing = growing_path(segment)
    growing.unlink(missing_ok=True)
    source = os.open(segment, os.O_RDONLY | os.O_CLOEXEC)
    try:
        packed = _pack(source, growing, give_up)
        if packed is not None:
            growing.replace(packed_path(segment))
    finally:
        os.close(source)
        growing.unlink(missing_ok=True)
    if packed is not None:
        synchronise(segment.parent)
        segment.unlink(missing_ok=True)  # the bounds of the recording may have removed it meanwhile
    return packed


def _pack(source: int, growing: Path, give_up: Callable[[], bool]) -> int | None:
    """Write the blocks, and return how many bytes they have when they are on the disk; None: given up."""
    status, packed = os.fstat(source), 0
    target = os.open(growing, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.fchmod(target, stat.S_IMODE(status.st_mode))
        for number in range(-(-status.st_size // BLOCK)):
            if give_up():
                return None
            content = _read(source, min(BLOCK, status.st_size - number * BLOCK))
            rest = memoryview(block(number, status.st_size, content))
            packed += len(rest)
            while rest:
                rest = rest[os.write(target, rest) :]
        os.fsync(target)
    finally:
        os.close(target)
    return packed


def _read(source: int, length: int) -> bytes:
    """Return so many bytes. OSError: there are fewer, so the segment cannot be given up for what was read of it."""
    content = b""
    while len(content) < length:
        part = os.read(source, length - len(content))
        if not part:
            raise OSError(errno.EIO, "the segment ends too soon")
        content += part
    return content


def open_segment(segment: Path) -> BinaryIO:
    """Open a segment for reading, packed or not. OSError: it cannot be read."""
    try:
        return segment.open("rb")
    except FileNotFoundError:
        if not is_there(packed_path(segment)):
            raise
        return io.BufferedReader(PackedSegment(packed_path(segment)), _CHUNK)


def segment_size(segment: Path) -> int:
    """Return how many bytes of a segment can be read, packed or not. OSError: it cannot be read."""
    with open_segment(segment) as file:
        return file.seek(0, os.SEEK_END)


def size_on_disk(segment: Path) -> int:
    """Return how much room a segment takes, packed or not [byte]. OSError: there is none."""
    packed = packed_path(segment)
    return (packed if is_there(packed) else segment).stat().st_size


class PackedSegment(io.RawIOBase):
    """The bytes of a segment that is packed. OSError: the file cannot be read; damage in it is read as zeros."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.size = 0
        self._file: Final = path.open("rb")
        self._at = 0
        self._places: Final[dict[int, Place]] = {}
        self._number = -1  # of the block in `_content`
        self._content = b""
        try:
            for number, size, place in _blocks(self._file):
                self._places.setdefault(number, place)
                self.size = max(self.size, size)
            self.size = min(self.size, self._file.seek(0, os.SEEK_END) * _BEST)
        except BaseException:
            self._file.close()
            raise

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to an offset of the segment; return it."""
        begin = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self.size}[whence]
        self._at = max(0, begin + offset)
        return self._at

    def tell(self) -> int:
        """Return the offset of the segment."""
        return self._at

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Read up to the end of the block at hand; return how many bytes these are."""
        with memoryview(buffer).cast("B") as target:
            number, begin = divmod(self._at, BLOCK)
            part = self._of(number)[begin : begin + len(target)]
            target[: len(part)] = part
        self._at += len(part)
        return len(part)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()

    def _of(self, number: int) -> bytes:
        """Return the content of a block; zeros where there is none."""
        if number != self._number:
            length = max(0, min(BLOCK, self.size - number * BLOCK))
            self._content = self._unpacked(number, length) or bytes(length)
            self._number = number
        return self._content

    def _unpacked(self, number: int, length: int) -> bytes | None:
        if number not in self._places:
            return None
        place = self._places[number]
        self._file.seek(place.offset)
        stream = zlib.decompressobj()
        try:
            content = stream.decompress(self._file.read(place.length), length + 1)
        except zlib.error:
            return None
        return content if stream.eof and len(content) == length else None


def _head(number: int, size: int, length: int) -> bytes:
    content = HEADER.pack(MAGIC, number, size, length, 0)[:-4]
    return content + zlib.crc32(content).to_bytes(4, "little")


def _blocks(file: BinaryIO) -> Iterator[tuple[int, int, Place]]:
    """Yield number, size of the segment, and place of each block, by the headers alone."""
    at, false = 0, 0
    while True:
        file.seek(at)
        content = file.read(HEADER.size)
        if len(content) < HEADER.size:
            return
        _, number, size, length, _ = HEADER.unpack(content)
        if content == _head(number, size, length) and length <= _LONGEST and number * BLOCK < size:
            yield number, size, Place(at + HEADER.size, length)
            at += HEADER.size + length
            continue
        false += 1
        found = _next_magic(file, at + 1) if false < _MOST_FALSE else None
        if found is None:
            return
        at = found


def _next_magic(file: BinaryIO, at: int) -> int | None:
    """Return the place of the next bytes that look like the beginning of a block."""
    while True:
        file.seek(at)
        content = file.read(_CHUNK)
        found = content.find(MAGIC)
        if found >= 0:
            return at + found
        if len(content) < len(MAGIC):
            return None
        at += len(content) - len(MAGIC) + 1
