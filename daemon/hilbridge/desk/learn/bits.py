"""Statistics of bits: which ever change, how often, and which bytes stay as they are."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.desk.learn.log import Payloads


class BitStatistics(NamedTuple):
    """The bits of one identifier: `flips` is the share of frames in which a bit differs from the frame before.

    Bit 8·b + i is bit i of byte b. `varying` has the bits of each byte that ever change, as a mask.
    """

    flips: NDArray[np.float64]
    varying: NDArray[np.uint8]

    @property
    def changing_bytes(self) -> list[int]:
        return [int(byte) for byte in np.flatnonzero(self.varying)]


def bit_statistics(data: Payloads) -> BitStatistics:
    """Return the statistics of a series of payloads."""
    count, length = data.shape
    if count < 2 or length == 0:
        return BitStatistics(np.zeros(8 * length), np.zeros(length, np.uint8))
    changed = data[1:] ^ data[:-1]
    flips = np.unpackbits(changed, axis=1, bitorder="little").mean(axis=0)
    return BitStatistics(flips, np.bitwise_or.reduce(data ^ data[0], axis=0))


def changes(data: Payloads, ignored: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return of each frame but the first whether it differs from the one before, but for bits that are ignored."""
    kept = data & ~ignored
    return np.asarray((kept[1:] != kept[:-1]).any(axis=1))


def usual_payload(data: Payloads) -> bytes:
    """Return the payload that comes most often; of equals the last one."""
    if data.shape[1] == 0:
        return b""
    rows, last, counts = np.unique(data[::-1], axis=0, return_index=True, return_counts=True)
    best = max(range(len(rows)), key=lambda row: (counts[row], -last[row]))
    return bytes(rows[best])
