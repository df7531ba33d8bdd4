"""Keeps the numbers of a checksum of an unknown algorithm, of frames whose content rests.

Where each count of the counter always comes with one and the same payload, the byte or half byte that goes with the
count can be sent right without its rule: as an xor of the frame with a data id for each count. As soon as other bytes
change it is wrong, and the report says so.
"""

from functools import reduce
from operator import xor
from typing import Any, Final

import numpy as np

from hilbridge.desk.learn.counters import Counter
from hilbridge.desk.learn.field import Field, distinct
from hilbridge.desk.learn.log import Series

_LONGEST: Final = 64
"""Counts of which each payload is kept."""


def replayed(series: Series, counter: Counter) -> tuple[Field, dict[str, Any]] | None:
    """Return the byte or half byte that goes with the count, and a checksum that makes it; None: there is none."""
    rows = series.data[distinct(series.data)]
    if counter.size > _LONGEST or counter.step is None or len(rows) != counter.size:
        return None
    counts = counter.field.read(rows)
    rest = rows & ~counter.field.mask(series.length)
    moved = np.bitwise_or.reduce(rest ^ rest[0], axis=0)
    moving = np.flatnonzero(moved)
    if len(set(counts.tolist())) != len(rows) or len(moving) != 1:
        return None
    byte = int(moving[0])
    field = next((one for one in _halves(byte) if not moved[byte] & ~one.mask(series.length)[byte]), Field(byte, 0, 8))
    if field.touches(counter.field):
        return None
    numbers = field.read(rows)
    blank = rows & ~field.mask(series.length)
    data_ids = [0] * (counter.high + 1)
    for count, number, row in zip(counts.tolist(), numbers.tolist(), blank.tolist(), strict=True):
        data_ids[count] = number ^ reduce(xor, row) & (1 << field.width) - 1
    return field, {"algorithm": "xor8", "after": ["data-id"], "data_ids": data_ids}


def _halves(byte: int) -> tuple[Field, Field]:
    return Field(byte, 0, 4), Field(byte, 4, 4)
