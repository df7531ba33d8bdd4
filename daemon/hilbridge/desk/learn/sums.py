"""Checksums that add or xor bytes: found by what is left when the covered bytes are taken out of the field.

With Σ over the covered bytes (or their halves) the remainder is a constant of the identifier: its start.

    sum        field − Σ             sum8, nibble-sum; negated: field + Σ
    xor        field ⊕ ⊕             xor8; nibble-xor folds the xor into a half byte
    fold       the sum from a start, with its carry added back: the starts are tried
    j1939      both sums of SAE J1939-71, with the identifier in front

A range of bytes is tried for each set of changing bytes; bytes that never change only move the constant.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.desk.learn.field import Field, Numbers
from hilbridge.desk.learn.log import Payloads

HOLDS: Final = 0.98
"""Share of the payloads that a rule must fit: senders that start or are faulty send other checksums."""

EDGE: Final = 2
"""Changing bytes of a longer frame, at either end, that a range may leave out."""

_FEW: Final = 12
"""Payloads on which the starts of a folded sum are tried first."""


class SumFit(NamedTuple):
    """A sum that fits over bytes `first` to `last`: the keys of a bench file, without place and range."""

    first: int
    last: int
    settings: dict[str, Any]
    symmetric: bool
    """Whether any of the covered bytes would do as the checksum of the others."""


class Ranges:
    """The ranges of bytes worth trying: one for each run of changing bytes, as wide as it can be."""

    def __init__(self, field: Field, varying: Sequence[int], length: int) -> None:
        others = [byte for byte in varying if byte not in field.whole_bytes]
        shortest = 2 if len(others) > 1 else 1
        self.all: Final = [
            (others[one - 1] + 1 if one else 0, others[two + 1] - 1 if two + 1 < len(others) else length - 1)
            for one in range(len(others))
            for two in range(one + shortest - 1, len(others))
            if len(others) <= CLASSIC_LENGTH or (one <= EDGE and two >= len(others) - EDGE)
        ]


def sum_fits(data: Payloads, field: Field, varying: Sequence[int], identifier: bytes) -> Iterator[SumFit]:
    """Yield the sums that a field may be, over different payloads of one identifier (as its 2 or 4 bytes)."""
    numbers = field.read(data)
    rest = (data & ~field.mask(data.shape[1])).astype(np.int64)
    sums = _running(np.add, rest)
    halves = _running(np.add, (rest & 15) + (rest >> 4))
    xors = _running(np.bitwise_xor, rest)
    mask = (1 << field.width) - 1
    for first, last in Ranges(field, varying, data.shape[1]).all:
        total = sums[:, last + 1] - sums[:, first]
        parity = xors[:, last + 1] ^ xors[:, first]
        half = halves[:, last + 1] - halves[:, first]
        if field.width == 4:
            parity = np.asarray((parity >> 4 ^ parity) & 15)
        for algorithm, left, negate, symmetric in (
            ("xor8" if field.width == 8 else "nibble-xor", numbers ^ parity, False, True),
            ("sum8", numbers - total, False, False),
            ("sum8", numbers + total, True, field.width == 8),
            ("nibble-sum", numbers - half, False, False),
            ("nibble-sum", numbers + half, True, field.width == 4),
        ):
            start = _constant(left & mask)
            if start is not None:
                yield SumFit(first, last, _keys(algorithm, start, negate, identifier, data.shape[1], mask), symmetric)
        yield from _folded_fits(numbers, total, field.width, identifier, first, last)
        if field.width == 4:
            yield from _j1939_fits(numbers, total + sum(identifier), first, last)


def _running(operation: np.ufunc, columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the running results of an operation over the columns, from 0 on."""
    result = np.zeros((len(columns), columns.shape[1] + 1), np.int64)
    operation.accumulate(columns, axis=1, out=result[:, 1:])
    return result


def _constant(left: Numbers) -> int | None:
    """Return the number that nearly all have; None: there is none."""
    counts = np.bincount(left)
    best = int(counts.argmax())
    return best if counts[best] >= HOLDS * len(left) else None


def _keys(algorithm: str, start: int, negate: bool, identifier: bytes, length: int, mask: int) -> dict[str, Any]:
    """Return the keys of a sum; its start is told by identifier and length where these explain it."""
    keys: dict[str, Any] = {"algorithm": algorithm}
    if negate:
        keys["negate"] = True
    if algorithm == "sum8" and not negate:
        for before, value in (
            (["identifier"], sum(identifier)),
            (["identifier", "length"], sum(identifier) + length),
        ):
            if start and value & mask == start:
                return keys | {"before": before}
    return keys | ({"initial": start} if start else {})


def _folded_fits(
    numbers: Numbers, total: Numbers, width: int, identifier: bytes, first: int, last: int
) -> Iterator[SumFit]:
    """Yield the folded sum with the plainest start that fits."""
    known = int.from_bytes(identifier, "little")
    starts = np.array([0, known, *(start for start in range(1, 256) if start != known)], np.int64)
    fit = (_fold(total[:_FEW, None] + starts, width) == numbers[:_FEW, None]).mean(axis=0) >= 1 - 1 / _FEW
    for start in starts[fit]:
        if (_fold(total + start, width) == numbers).mean() >= HOLDS:
            keys: dict[str, Any] = {"algorithm": "sum8", "fold": True}
            yield SumFit(first, last, keys | ({"initial": int(start)} if start else {}), symmetric=False)
            return


def _fold(total: Numbers, width: int) -> Numbers:
    total = (total & 0xFF) + (total >> 8)
    if width >= 8:
        return total & 0xFF
    return (total & 15) + (total >> 4) & 15


def _j1939_fits(numbers: Numbers, total: Numbers, first: int, last: int) -> Iterator[SumFit]:
    for algorithm, made in (
        ("j1939", ((total >> 6 & 3) + (total >> 3) + total) & 7),
        ("j1939-xbr", ((total >> 4) + total) & 15),
    ):
        if (made == numbers).mean() >= HOLDS:
            yield SumFit(first, last, {"algorithm": algorithm, "before": ["identifier"]}, symmetric=False)
