"""Keeps the numbers of a checksum that nobody knows how to make, of frames whose content rests.

Where each count of the counter always comes with one and the same payload, the byte that goes with the count can be
sent right without its rule: as an xor of the frame with a data id for each count. As soon as other bytes change it is
wrong, and the report says so.
"""

from functools import reduce
from operator import xor
from typing import Any, Final

import numpy as np

from hilbridge.learn.counters import Counter
from hilbridge.learn.field import Field, distinct
from hilbridge.learn.log import Series

_LONGEST: Final = 64
"""Counts of which each payload is kept."""


def replayed(series: Series, counter: Counter) -> tuple[Field, dict[str, Any]] | None:
    """Return the byte that goes with the count, and a checksum that makes it; None: it is not as simple."""
    rows = series.data[distinct(series.data)]
    if counter.size > _LONGEST or counter.step is None or len(rows) != counter.size:
        return None
    counts = counter.field.read(rows)
    rest = rows & ~counter.field.mask(series.length)
    moving = np.flatnonzero((rest != rest[0]).any(axis=0))
    if len(set(counts.tolist())) != len(rows) or len(moving) != 1 or moving[0] == counter.field.byte:
        return None
    field = Field(int(moving[0]), 0, 8)
    data_ids = [0] * (counter.high + 1)
    for count, row in zip(counts.tolist(), rows.tolist(), strict=True):
        data_ids[count] = reduce(xor, row)
    return field, {"algorithm": "xor8", "after": ["data-id"], "data_ids": data_ids}
