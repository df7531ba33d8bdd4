"""The frames of a run as a Vector BLF file: the same run gives the same file, to the byte.

Time stamps are run time from 0: the header's dates stay empty, and a frame of run time t [ns] is read back by
python-can as the double nearest to t / 1e9 s (exact to the nanosecond for 26 days, then to the precision of a double).
Bus n is channel n for python-can, which is n + 1 in the file; frames from outside are marked Rx, the bench's own Tx.

Frames are written in blocks: up to BLOCK consecutive frames of the same second of the run. Where a block ends follows
from the frames alone, never from when they were written. After each block the file is a valid BLF file whose header
says how much of it counts; a process that takes the file over cuts off what a predecessor left half written.

No frame is written twice or left out in that case. `dropped` counts, in memory that outlives this process, the frames
that the file lacks: a full disk kept them out, or they never arrived. So the next frame wanted has the ordinal

    objects in the file + dropped + frames of the unfinished block
"""

import contextlib
import os
from pathlib import Path
from typing import Final

from can import BLFReader, BLFWriter, Message

from hilbridge.frames.frame import BRS, ERROR, EXTENDED, FD, REMOTE, Frame

BLOCK: Final = 1024
"""Frames; the largest block of the largest frames still fits into one container of the file (128 KiB)."""

SECOND: Final = 1_000_000_000
ESI: Final = 0x02
"""In a frame's flags: the sender is error passive (as in SocketCAN's canfd_frame.flags)."""

_HEADER_SIZE: Final = 144


class FrameFile:
    """frames.blf while it grows.

    Frames come in the order of their ordinals; those that the file holds already are passed over. A block that cannot
    be written is left out and counted in `dropped`; `trouble` says why and is empty when the latest block was written.
    OSError when the file cannot be opened at all.
    """

    def __init__(self, path: Path, dropped: memoryview) -> None:
        self.trouble = ""
        self._path = path
        self._dropped = dropped
        self._block: list[Message] = []
        self._block_second = 0
        if not path.exists() or path.stat().st_size < _HEADER_SIZE:
            BLFWriter(path).stop()
        with BLFReader(path) as reader:
            self.frames: int = reader.object_count
            self._size = reader.file_size
            self._unpacked_size = reader.uncompressed_size

    @property
    def dropped(self) -> int:
        """Frames of the run that the file lacks."""
        return self._dropped[0]

    @property
    def pending(self) -> int:
        """Frames of the unfinished block, which exist in this process only."""
        return len(self._block)

    def add(self, t: int, ordinal: int, bus: int, frame: Frame, *, received: bool) -> None:
        """Takes the next frame of the run: number `ordinal`, on bus number `bus` at run time `t` [ns]."""
        self.advance(t)
        wanted = self.frames + self.dropped + len(self._block)
        if ordinal < wanted:
            return
        self._dropped[0] += ordinal - wanted
        self._block_second = t // SECOND
        self._block.append(_message(t, bus, frame, received=received))
        if len(self._block) == BLOCK:
            self.write_block()

    def advance(self, t: int) -> None:
        """Ends the block when run time `t` [ns] lies in a later second."""
        if self._block and t // SECOND != self._block_second:
            self.write_block()

    def write_block(self) -> None:
        """Writes the frames of the block, or counts them as dropped."""
        if not self._block:
            return
        try:
            self._append(self._block)
            self.trouble = ""
        except OSError as error:
            self._dropped[0] += len(self._block)
            self.trouble = os.strerror(error.errno or 0)
            with contextlib.suppress(OSError):
                os.truncate(self._path, self._size)
        self._block.clear()

    def _append(self, block: list[Message]) -> None:
        with self._path.open("r+b") as file:
            file.truncate(self._size)
            writer = BLFWriter(file, append=True)
            writer.object_count = self.frames
            writer.uncompressed_size = self._unpacked_size
            for message in block:
                writer.on_message_received(message)
            writer.stop()  # writes the container, then the header that makes it count, and closes the file
        self._size = self._path.stat().st_size
        self._unpacked_size = writer.uncompressed_size
        self.frames = writer.object_count


def _message(t: int, bus: int, frame: Frame, *, received: bool) -> Message:
    """As python-can knows it. Half a nanosecond more, because its writer cuts off below the nanosecond."""
    can_id, data, flags = frame
    return Message(
        timestamp=(t + 0.5) / SECOND,
        arbitration_id=frame.identifier,
        is_extended_id=bool(can_id & EXTENDED),
        is_remote_frame=bool(can_id & REMOTE),
        is_error_frame=bool(can_id & ERROR),
        is_fd=bool(flags & FD),
        bitrate_switch=bool(flags & BRS),
        error_state_indicator=bool(flags & ESI),
        is_rx=received,
        channel=bus,
        dlc=len(data),
        data=None if can_id & REMOTE else data,
    )
