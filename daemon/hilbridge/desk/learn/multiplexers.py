"""Multiplexers: a number in the frame that says what the other bits mean.

A selector of few values makes the rest calmer: from one frame of a page to the next of the same page fewer bits change
than from frame to frame. Pages that rotate are sent one after another.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.desk.learn.bits import usual_payload
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.field import Field
from hilbridge.desk.learn.log import Payloads

_MOST_PAGES: Final = 64
_CALMER: Final = 0.25
"""Share of the changes that may be left within the pages."""

_MOST_WITHOUT_ORDER: Final = 16
"""Pages at most, and of those that come in any order."""

_FEWEST_ROUNDS: Final = 3
_FEWEST_BITS: Final = 3


class Multiplexer(NamedTuple):
    """A selector with the numbers of its pages, in their order; `bits` that belong to it or follow it.

    `contents`: the payload of each page that comes most often.
    """

    field: Field
    pages: tuple[int, ...]
    rotates: bool
    bits: int
    certainty: Certainty
    contents: tuple[bytes, ...]

    def __str__(self) -> str:
        how = "one after another" if self.rotates else "in any order"
        return f"{self.field} selects one of {len(self.pages)} pages, {how}; {self.bits} bits go with it"


def find_multiplexer(data: Payloads, ignored: NDArray[np.uint8]) -> Multiplexer | None:
    """Return the multiplexer of a series; `ignored`: bits of counters and checksums, which do not count.

    A counter may be the selector of its frame too; a checksum is none.
    """
    count, length = data.shape
    if count < 12 or length < 2:
        return None
    best: Multiplexer | None = None
    for field in (
        Field(byte, shift, width) for width in (8, 4) for byte in range(length) for shift in range(0, 8, width)
    ):
        found = _selector(data, field, ignored)
        if found is not None and (best is None or found.bits > best.bits):
            best = found
    return best


def _selector(data: Payloads, field: Field, ignored: NDArray[np.uint8]) -> Multiplexer | None:
    numbers = field.read(data)
    pages = np.unique(numbers)
    if not 2 <= len(pages) <= _MOST_PAGES or len(numbers) < _FEWEST_ROUNDS * len(pages):
        return None
    rest = data & ~(ignored | field.mask(data.shape[1]))
    order = np.argsort(numbers, kind="stable")
    same = numbers[order][1:] == numbers[order][:-1]
    paged = rest[order]
    within = _flips((paged[1:] ^ paged[:-1])[same])
    between = _flips(rest[1:] ^ rest[:-1])
    dependent = (between > 0.05) & (within < _CALMER * between)
    bits = int(dependent.sum())
    if bits < _FEWEST_BITS or within.sum() > 0.5 * between.sum():
        return None
    own = np.bitwise_or.reduce(numbers ^ numbers[0])
    size = len(pages)
    rotates = bool((numbers[size:] == numbers[:-size]).mean() > 0.95)
    if not rotates and size > _MOST_WITHOUT_ORDER:
        return None
    first = int(np.argmin(numbers[:size]))
    listed = numbers[first : first + size] if rotates and first + size <= len(numbers) else pages
    certainty = Certainty.SURE if rotates and within.sum() < 0.1 * between.sum() else Certainty.LIKELY
    bits += int(own).bit_count()
    order_of_pages = tuple(int(number) for number in listed)
    contents = tuple(usual_payload(data[numbers == page] & ~ignored) for page in order_of_pages)
    return Multiplexer(field, order_of_pages, rotates, bits, certainty, contents)


def _flips(changed: NDArray[Any]) -> NDArray[np.float64]:
    """Return the share of changes in which each bit changes."""
    if not len(changed):
        return np.ones(8 * changed.shape[1])
    return np.asarray(np.unpackbits(changed, axis=1, bitorder="little").mean(axis=0))
