"""Runs of BLF objects that are alike, classic data frames one after the other, read at once as arrays."""

from typing import Final

import numpy as np

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.boundary.logs.frames import Block, BlockBuilder
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, STANDARD_MASK

_KINDS: Final = (1, 86)
"""CAN_MESSAGE, CAN_MESSAGE2."""

_SIZES: Final = range(48, 65, 4)
"""[byte] of such an object, without padding behind it."""

_HEAD: Final = 16
_SHORTEST: Final = 16
"""Objects of a run; for fewer it does not pay."""

TEN_MICROSECONDS: Final = 1
REMOTE_FLAG: Final = 0x80
_FIELDS: Final = {
    "flags": ("<u4", 16),
    "time": ("<u8", 24),
    "channel": ("<u2", 32),
    "kind": ("u1", 34),
    "code": ("u1", 35),
    "id": ("<u4", 36),
    "data": (("u1", (CLASSIC_LENGTH,)), 40),
}


def read_run(data: bytes, place: int, builder: BlockBuilder, position: int) -> tuple[Block, int] | None:
    """Return the data frames of the run that begins at a place, and the place behind it; None: there is no run."""
    if data[place : place + 4] != b"LOBJ" or int.from_bytes(data[place + 4 : place + 8], "little") != (1 << 16) | 32:
        return None
    size, kind = (int.from_bytes(data[place + begin : place + begin + 4], "little") for begin in (8, 12))
    count = (len(data) - place) // size if size in _SIZES and kind in _KINDS else 0
    if count < _SHORTEST:
        return None
    names = list(_FIELDS)
    formats, offsets = zip(*_FIELDS.values(), strict=True)
    kinds = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})
    rows = np.frombuffer(data, kinds, count, place)
    heads = np.frombuffer(data, np.uint8, count * size, place).reshape(count, size)[:, :_HEAD]
    extended = rows["id"] & EXTENDED != 0
    identifiers = rows["id"] & np.uint32(EXTENDED_MASK | EXTENDED)
    good = (heads == heads[0]).all(axis=1) & (rows["kind"] & REMOTE_FLAG == 0) & (rows["time"] < 1 << 48)
    good &= extended | (rows["id"] <= STANDARD_MASK)
    end = count if good.all() else int(np.argmin(good))
    if end < _SHORTEST:
        return None
    rows, identifiers = rows[:end], identifiers[:end]
    times = rows["time"].astype(np.int64) * np.where(rows["flags"] == TEN_MICROSECONDS, 10_000, 1)
    lengths = np.minimum(rows["code"], CLASSIC_LENGTH)
    table = np.empty(int(rows["channel"].max()) + 1, np.uint16)
    for channel in np.unique(rows["channel"]).tolist():
        table[channel] = builder.place_of(str(channel))
    content = rows["data"][np.arange(CLASSIC_LENGTH) < lengths[:, None]]
    flags = np.zeros(end, np.uint8)
    block = Block(times, identifiers, flags, lengths, table[rows["channel"]], content, builder.names, position)
    return block, place + end * size
