r"""The primary record: an append-only binary file in segments, `record.000000`, `record.000001` ...

    segment = [ "hilrec1\n" | number (32 bit) | frames before it (64) | CRC-32 ] records
    record  = [ length of the body (32) | CRC-32 | body ]        body = [ position (64) | t (64) | kind (8) | payload ]

The checksum of a record starts from its offset in the file. `position` is that of the record in the event ring: it only
grows, so a process that takes over the file after a crash knows which records it has already. Integers are
little-endian, times run time [ns].

A segment that is full may be packed (packed.py), which is read as the same bytes.

Written bytes are never changed. A record that a killed process has left half written is cut off by the process that
takes over, and skipped by a reader. Records for which the disk was full are counted, and a GAP record lies in their
place.
"""

import contextlib
import errno
import os
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from hilbridge.base.common.errors import reason_of
from hilbridge.base.common.lasting_files import is_there, read_file
from hilbridge.boundary.record.boundary_records import FRAME
from hilbridge.boundary.record.packed import open_segment, packed_path, size_on_disk
from hilbridge.boundary.record.packer import Packer, settle

GAP: Final = 0
"""Kind of a record with the number of records that are missing in its place."""

GAP_LAYOUT: Final = struct.Struct("<Q")
"""Number of missing records; 0: not known."""

MAGIC: Final = b"hilrec1\n"
HEADER: Final = struct.Struct("<8sIQI")
FRAMING: Final = struct.Struct("<II")
BODY: Final = struct.Struct("<qqB")
LARGEST: Final = 1 << 20
"""[byte] Largest body; a greater length is damage."""

MEGABYTE: Final = 1_000_000

_HEAD: Final = struct.Struct("<IIqqB")
"""Framing and body up to the payload."""

_CHUNK: Final = 1 << 16
"""[byte] that are read at a time: more records at once would be looked through by the collector."""

_MOST_CHECKED: Final = 64 << 20
"""[byte] whose checksums are computed in search of the next record behind damage: a tenth of a second."""

_NAME: Final = re.compile(r"record\.(\d{6,})(?:\.z)?")


class SegmentLimits(NamedTuple):
    """The size of a segment, and the bounds beyond which the oldest segments are removed."""

    segment: int = 32 * MEGABYTE
    """[byte] Size at which the next segment begins."""
    segments: int | None = None
    size: int | None = None
    """[byte] Most of all segments together."""


class SegmentPosition(NamedTuple):
    """The readable part of a segment: its frames, the newest position (-1: none), and its size [byte]."""

    frames: int
    position: int
    size: int


def segment_path(directory: Path, number: int) -> Path:
    """Return the path of a segment."""
    return directory / f"record.{number:06}"


def segment_numbers(directory: Path) -> list[int]:
    """Return the numbers of the segments of a directory, in order."""
    return sorted({int(found[1]) for path in directory.iterdir() if (found := _NAME.fullmatch(path.name))})


def header(number: int, frames: int) -> bytes:
    """Return the header of a segment that has `frames` frames before it."""
    content = HEADER.pack(MAGIC, number, frames, 0)[:-4]
    return content + zlib.crc32(content).to_bytes(4, "little")


def frames_before(content: bytes, number: int) -> int | None:
    """Return the number of frames before a segment from its header; None: this is no header of it."""
    if len(content) < HEADER.size:
        return None
    magic, named, frames, check = HEADER.unpack_from(content)
    whole = magic == MAGIC and named == number and zlib.crc32(content[: HEADER.size - 4]) == check
    return int(frames) if whole else None


def record(offset: int, position: int, t: int, kind: int, payload: bytes) -> bytes:
    """Return the bytes of a record for an offset of a segment."""
    body = BODY.pack(position, t, kind) + payload
    return FRAMING.pack(len(body), zlib.crc32(body, offset & 0xFFFFFFFF)) + body


Read: TypeAlias = tuple[int, int, int, int, bytes]
"""A record that was read whole: where it begins in its segment, its position, time [ns], kind and payload."""


def whole_records(content: bytes, offset: int) -> tuple[list[Read], int]:
    """Return the whole records at the beginning of `content`, which begins at `offset` of its segment, and their size.

    Every frame of a recording passes here: it is read in as few calls as there can be.
    """
    found: list[Read] = []
    at, size, fixed = 0, len(content), BODY.size
    last = size - _HEAD.size
    while at <= last:
        length, check, position, t, kind = _HEAD.unpack_from(content, at)
        begin = at + FRAMING.size
        after = begin + length
        if not fixed <= length <= LARGEST or after > size:
            break
        body = content[begin:after]
        if zlib.crc32(body, (offset + at) & 0xFFFFFFFF) != check:
            break
        found.append((offset + at, position, t, kind, body[fixed:]))
        at = after
    return found, at


def stretches(file: BinaryIO, offset: int) -> Iterator[tuple[int, int | None, list[Read] | None]]:
    """Read a segment from `offset` on, where `file` stands: begin, end and records of each stretch.

    The records of a stretch that is unreadable are None, and so is its end where no record follows.
    """
    rest, is_end = b"", False
    while True:
        if not is_end:
            chunk = file.read(_CHUNK)
            rest, is_end = rest + chunk, not chunk
        found, size = whole_records(rest, offset)
        if found:
            yield offset, offset + size, found
        offset += size
        rest = rest[size:]
        if is_end and not rest:
            return
        if is_end or len(rest) > FRAMING.size + LARGEST:
            skipped = next_whole(memoryview(rest), offset)
            if skipped is None:
                yield offset, None, None
                return
            yield offset, offset + skipped, None
            offset, rest = offset + skipped, rest[skipped:]


def next_whole(content: memoryview, offset: int) -> int | None:
    """Return how many bytes lie before the next whole record of `content`; None: none is found within bounds."""
    work = 0
    # zeros are what a block that could not be unpacked is read as; three may belong to the length of a record
    zeros = 0 if any(content[: FRAMING.size]) else len(content) - len(bytes(content).lstrip(b"\0"))
    for at in range(max(1, zeros - 3), min(len(content) - FRAMING.size - BODY.size, FRAMING.size + LARGEST) + 1):
        length, check = FRAMING.unpack_from(content, at)
        begin = at + FRAMING.size
        if BODY.size <= length <= LARGEST and begin + length <= len(content):
            if zlib.crc32(content[begin : begin + length], (offset + at) & 0xFFFFFFFF) == check:
                return at
            work += length
            if work > _MOST_CHECKED:
                return None
    return None


class SegmentWriter:
    """A writer that appends records to the newest segment of a directory, also after a process that was killed.

    `unwritten` and `lost` are 64-bit cells that outlive this process: numbers of records missing since the last one
    written, and since the start. `trouble` is the reason why the latest records could not be written; empty when they
    were. `cause_of_loss` is the newest reason why any were lost. `unremoved` is the reason why the oldest segment could
    not be removed and the recording is beyond its bounds; the next segment brings another attempt. OSError when no
    segment can be written at the start.
    """

    def __init__(
        self,
        directory: Path,
        unwritten: memoryview,
        lost: memoryview,
        limits: SegmentLimits | None = None,
        refusal: Callable[[], str] = str,
        packer: Packer | None = None,
    ) -> None:
        """`refusal` returns why nothing may be written at present; empty: it may. `packer`: packs full segments."""
        self.trouble = ""
        self.cause_of_loss = ""
        self.frames = 0
        self.removed = 0
        self.unremoved = ""
        self._directory = directory
        self._limits = limits or SegmentLimits()
        self._refusal = refusal
        self._packer = packer
        self._unwritten = unwritten
        self._lost = lost
        self._waiting: list[bytes] = []
        self._waiting_frames = 0
        self._reported = 0  # missing records in the waiting GAP record
        self._position = -1
        self._offset = 0
        numbers = segment_numbers(directory)
        self._number = numbers[-1] if numbers else 0
        for number in numbers[:-1]:
            with contextlib.suppress(OSError):
                settle(segment_path(directory, number))
        self._sizes = {number: size_on_disk(segment_path(directory, number)) for number in numbers}
        self._descriptor = self._take_over() if numbers else self._begin(0)

    @property
    def size(self) -> int:
        """[byte] Size of the current segment."""
        return self._sizes[self._number]

    @property
    def kept(self) -> int:
        """[byte] Size of all segments that are kept, on the disk."""
        return sum(self._sizes.values())

    def add(self, position: int, t: int, kind: int, payload: bytes) -> None:
        """Take a record; skip one that is in the file already."""
        if position <= self._position:
            return
        if self._unwritten[0] and not self._waiting:
            self._reported = self._unwritten[0]
            self._append(position - 1, t, GAP, GAP_LAYOUT.pack(self._reported))
        self._append(position, t, kind, payload)
        self._waiting_frames += kind == FRAME
        self._position = position

    def write(self) -> None:
        """Write the added records to the file, where they outlive this process; count them as missing if that fails."""
        if not self._waiting:
            return
        content = b"".join(self._waiting)
        try:
            if refusal := self._refusal():
                raise OSError(errno.ENOSPC, refusal)
            _write_all(self._descriptor, content)
        except OSError as error:
            self.miss(len(self._waiting) - (self._reported > 0))
            self.trouble = self.cause_of_loss = error.strerror or str(error)
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self.size)
                os.lseek(self._descriptor, self.size, os.SEEK_SET)
        else:
            self.frames += self._waiting_frames
            self._sizes[self._number] += len(content)
            self._unwritten[0] -= self._reported
            self.trouble = ""
        self._waiting.clear()
        self._waiting_frames = self._reported = 0
        self._offset = self.size
        if self._packer is not None:
            self._note_packed(self._packer)
        if self.size >= self._limits.segment:
            self._begin_next()

    def close(self) -> None:
        """Write the rest and wait until it is on the disk. OSError: it may not be."""
        self.write()
        if self._packer is not None:
            self._packer.close()
            self._note_packed(self._packer)
        try:
            os.fsync(self._descriptor)
        finally:
            os.close(self._descriptor)

    def miss(self, count: int) -> None:
        """Count records that are missing."""
        self._unwritten[0] += count
        self._lost[0] += count

    def _note_packed(self, packer: Packer) -> None:
        for path, size in packer.packed():
            number = int(path.suffix[1:])
            if number in self._sizes:
                self._sizes[number] = size
            else:  # it was removed meanwhile
                packed_path(path).unlink(missing_ok=True)

    def _append(self, position: int, t: int, kind: int, payload: bytes) -> None:
        self._waiting.append(record(self._offset, position, t, kind, payload))
        self._offset += len(self._waiting[-1])

    def _begin(self, number: int) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(segment_path(self._directory, number), flags, 0o644)
        try:
            _write_all(descriptor, header(number, self.frames))
        except OSError:
            os.close(descriptor)
            segment_path(self._directory, number).unlink()
            raise
        self._number = number
        self._sizes[number] = self._offset = HEADER.size
        return descriptor

    def _take_over(self) -> int:
        """Continue behind the last whole record of the newest segment."""
        path = segment_path(self._directory, self._number)
        place = survey(path, self._number)
        if place is None:  # not even its header was written
            path.unlink()
            del self._sizes[self._number]
            previous = max(self._sizes, default=None)
            before = survey(segment_path(self._directory, previous), previous) if previous is not None else None
            self.frames, self._position = (before.frames, before.position) if before else (0, -1)
            return self._begin(self._number)
        self.frames, self._position, size = place
        if self._position < 0 and self._number - 1 in self._sizes:  # a new segment without a record
            before = survey(segment_path(self._directory, self._number - 1), self._number - 1)
            self._position = before.position if before else -1
        descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        os.ftruncate(descriptor, size)
        os.lseek(descriptor, size, os.SEEK_SET)
        self._sizes[self._number] = self._offset = size
        return descriptor

    def _begin_next(self) -> None:
        """Begin the next segment; if that fails, the old one continues to grow."""
        try:
            descriptor = self._begin(self._number + 1)
        except OSError as error:
            self.trouble = f"no new segment: {os.strerror(error.errno or 0)}"
            return
        old, self._descriptor = self._descriptor, descriptor
        with contextlib.suppress(OSError):
            os.close(old)
        if self._packer is not None:
            self._packer.add(segment_path(self._directory, self._number - 1))
        self._remove_the_oldest()

    def _remove_the_oldest(self) -> None:
        segments, size = self._limits.segments, self._limits.size
        while len(self._sizes) > 1 and (
            (segments is not None and len(self._sizes) > segments) or (size is not None and self.kept > size)
        ):
            oldest = min(self._sizes)
            try:
                segment_path(self._directory, oldest).unlink(missing_ok=True)
                packed_path(segment_path(self._directory, oldest)).unlink(missing_ok=True)
            except OSError as error:
                self.unremoved = reason_of(error)
                return
            del self._sizes[oldest]
            self.removed += 1
        self.unremoved = ""


def survey(path: Path, number: int) -> SegmentPosition | None:
    """Return the readable part of a segment; None when it has no header. OSError: it cannot be read to its end.

    What is behind that part is cut off, so what was only not read must not be taken for damage.
    """
    if is_there(packed_path(path)):
        with open_segment(path) as file:
            content = file.read()
    else:
        content = read_file(path)
    frames = frames_before(content[: HEADER.size], number)
    if frames is None:
        return None
    found, size = whole_records(content[HEADER.size :], HEADER.size)
    frames += sum(kind == FRAME for _, _, _, kind, _ in found)
    return SegmentPosition(frames, found[-1][1] if found else -1, HEADER.size + size)


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
