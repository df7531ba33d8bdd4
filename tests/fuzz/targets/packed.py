"""A packed segment: whatever its blocks hold, it is read to an end, within bounds, and so is the recording that has it.

An input is the file itself, or from "!" on a row of blocks whose headers are right: number, size of the segment (8 and
24 bits), length (8), and the bytes that are packed.
"""

import os
import struct
from shutil import copytree

from hilbridge.boundary.record.packed import BLOCK, block, open_segment, packed_path
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.segments import segment_path

from . import recording
from .damaged import _records
from .packaged import scratch_file

_FOLDER = copytree(recording._FOLDER, scratch_file("packed"))
_SEGMENT = segment_path(_FOLDER, 0)
_LAYOUT = struct.Struct("<BIB")
_MOST = 64 * BLOCK
"""[byte] of a segment; a row of blocks of any size that a file of this size could have takes too long here."""


def _row(*blocks: tuple[int, int, bytes]) -> bytes:
    return b"!" + b"".join(_LAYOUT.pack(number, size, len(part)) + part for number, size, part in blocks)


SEEDS = [
    block(0, len(_records()), _records()),
    block(0, 2 * BLOCK, bytes(BLOCK)) + block(1, 2 * BLOCK, _records()[:200]),
    _row((0, 60, b"hilrec1\n" + bytes(40))),
    _row((3, 1 << 20, b"abc"), (0, 1 << 20, b"")),
    b"hilz" * 9,
]


def one_input(data: bytes) -> None:
    content = data if data[:1] != b"!" else b"".join(_blocks(data[1:]))
    _SEGMENT.unlink(missing_ok=True)
    packed_path(_SEGMENT).write_bytes(content)
    with open_segment(_SEGMENT) as file:
        size = file.seek(0, os.SEEK_END)
        assert size <= 1032 * len(content)
        file.seek(size // 2)
        assert len(file.read(BLOCK)) == min(BLOCK, size - size // 2)
    if size <= _MOST:
        for _ in Recording(_FOLDER).records():
            pass


def _blocks(data: bytes) -> list[bytes]:
    blocks, at = [], 0
    while at + _LAYOUT.size <= len(data):
        number, size, length = _LAYOUT.unpack_from(data, at)
        at += _LAYOUT.size
        blocks.append(block(number, size % _MOST, data[at : at + length]))
        at += length
    return blocks
