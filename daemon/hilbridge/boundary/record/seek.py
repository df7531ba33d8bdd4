"""The place of a time in a segment, found by halving it, so that what lies before is not read.

The records of a segment are themselves its index: each has its time, and a checksum from its offset, by which the next
whole one is found from any byte on. So nothing is written beside the segment that could be lost, damaged or left over
from what was cut off, and recordings of any age have it.
"""

import os
from pathlib import Path
from typing import BinaryIO, Final

from hilbridge.boundary.record.packed import open_segment
from hilbridge.boundary.record.segments import HEADER, Read, next_whole, whole_records

WINDOW: Final = 1 << 14
"""[byte] that are read at each place: some three hundred frames, so that one record with a wrong time tells nothing."""

FEW: Final = 1 << 18
"""[byte] that are not halved any more: reading them takes as long as the search."""


def offset_of(path: Path, t: int) -> int:
    """Return the offset of a record of a segment in front of which all are older than `t` [ns].

    A place where the search finds no whole record, or one that is not older, is taken for one behind: damage costs
    time, not rows. OSError: the segment cannot be read.
    """
    before = HEADER.size
    with open_segment(path) as file:
        behind = file.seek(0, os.SEEK_END)
        while behind - before > FEW:
            middle = (before + behind) // 2
            found = _records_from(file, middle)
            if found and all(0 <= when < t for _, _, when, _, _ in found):
                before = found[0][0]
            else:
                behind = middle
    return before


def _records_from(file: BinaryIO, offset: int) -> list[Read]:
    """Return the whole records in a window from any byte of a segment on."""
    file.seek(offset)
    content = file.read(WINDOW)
    skipped = next_whole(memoryview(content), offset)
    return [] if skipped is None else whole_records(content[skipped:], offset + skipped)[0]
