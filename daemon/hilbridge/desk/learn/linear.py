"""Checksums that are linear over GF(2), found by algebra in place of trying.

A CRC of w bits with the polynomial P, whatever its start, final xor and the constant bytes around the payload, obeys

    D(x) · x^(w + 8·s)  ≡  F(x)   mod P(x)

for the difference (xor) of any two payloads: D of the covered bytes, F of the checksum, s constant bytes behind them.
So P divides D·x^(w + 8·s) + F for every difference, and the greatest common divisor of these has all polynomials that
fit: no polynomial is tried, and none is forgotten. It is enough to look at a basis of the differences, 8 for each byte
at most, which all frames of a log are put into first. A field that is no linear function of the other bits is known by
that basis alone: it has a difference in which only the field differs.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.desk.learn.field import Field
from hilbridge.desk.learn.sums import EDGE

_REVERSED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

_WIDEST_SEARCH: Final = 16
"""[bit] up to which all divisors of a greater common divisor are looked for."""

_MOST_POLYNOMIALS: Final = 3
"""Polynomials that one hypothesis is followed with; with more the payloads say too little."""

_LEAST_RANK: Final = 3


def basis(payloads: Iterable[tuple[int, bytes]]) -> list[bytes]:
    """Return a basis of the differences between payloads of one class; each comes with its class."""
    leaders: dict[int, int] = {}
    first: dict[int, int] = {}
    length = 0
    for group, payload in payloads:
        length = len(payload)
        number = int.from_bytes(payload)
        start = first.setdefault(group, number)
        _reduce_into(leaders, number ^ start)
    return [vector.to_bytes(length) for vector in leaders.values()]


def _reduce_into(leaders: dict[int, int], vector: int) -> bool:
    """Add a vector to a basis; False if it depends on those that are there."""
    while vector:
        top = vector.bit_length()
        known = leaders.get(top)
        if known is None:
            leaders[top] = vector
            return True
        vector ^= known
    return False


def rank(vectors: Iterable[int]) -> int:
    """Return how many of the vectors are independent."""
    leaders: dict[int, int] = {}
    return sum(_reduce_into(leaders, vector) for vector in vectors)


def number_of(field: Field, payload: bytes) -> int:
    """Return the number that a payload has in a field."""
    return sum((payload[byte] >> shift & (1 << bits) - 1) << done for byte, shift, done, bits in field.pieces())


class Relations:
    """The linear relations between the bits of all payloads, as masks: the parity of the masked bits never changes."""

    def __init__(self, vectors: Sequence[bytes]) -> None:
        self._length: Final = len(vectors[0]) if vectors else 0
        rows = sorted((int.from_bytes(vector) for vector in vectors), reverse=True)
        for index, row in enumerate(rows):
            top = 1 << row.bit_length() - 1
            for above in range(index):
                if rows[above] & top:
                    rows[above] ^= row
        leading = [row.bit_length() - 1 for row in rows]
        free = set(range(8 * self._length)) - set(leading)
        self._masks: Final = [
            1 << bit | sum(1 << top for top, row in zip(leading, rows, strict=True) if row >> bit & 1) for bit in free
        ]

    def tell(self, field: Field) -> bool:
        """Return whether a field is a linear function of all other bits."""
        if not self._length:
            return False
        mask = int.from_bytes(field.mask(self._length).tobytes())
        return rank(relation & mask for relation in self._masks) == field.width


class CrcFit(NamedTuple):
    """A CRC that fits: over bytes `first` to `last` without the field, with `tail` constant bytes behind them.

    `rank`: independent differences of the covered bytes. `alternatives`: other polynomials that fit as well.
    """

    polynomial: int
    reflect: bool
    first: int
    last: int
    tail: int
    rank: int
    alternatives: int


def crc_fits(field: Field, vectors: Sequence[bytes], varying: Sequence[int], tails: Sequence[int]) -> Iterator[CrcFit]:
    """Yield the CRCs that a field may be; `varying`: bytes that change, `tails`: numbers of constant bytes to try.

    Of ranges and tails that the differences do not tell apart the widest range with the shortest tail is given.
    """
    length = len(vectors[0]) if vectors else 0
    own = field.whole_bytes
    others = [byte for byte in varying if byte not in own]
    numbers = [number_of(field, vector) for vector in vectors]
    mirrored = [int(f"{number:0{field.width}b}"[::-1], 2) for number in numbers]
    mask = bytes(255 - taken for taken in field.mask(length))
    rests = [bytes(byte & kept for byte, kept in zip(vector, mask, strict=True)) for vector in vectors]
    turned = [rest.translate(_REVERSED) for rest in rests]
    for first, last, tail in _ranges(length, others, own, tails):
        columns = [byte for byte in range(first, last + 1) if byte not in own]
        for reflect in (False, True):
            shift, payloads = field.width + 8 * tail, turned if reflect else rests
            covered = (
                int.from_bytes(bytes([row[byte] for byte in columns])) for row in payloads
            )  # the first few decide
            targets = mirrored if reflect else numbers
            found = _polynomials(field.width, (d << shift ^ f for d, f in zip(covered, targets, strict=True)))
            independent = rank(int.from_bytes(bytes([row[byte] for byte in columns])) for row in rests) if found else 0
            if independent >= _LEAST_RANK:
                for polynomial in found[:_MOST_POLYNOMIALS]:
                    yield CrcFit(polynomial, reflect, first, last, tail, independent, len(found) - 1)


def _ranges(length: int, others: Sequence[int], own: set[int], tails: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield first and last byte and tail of what the differences tell apart, the widest and shortest first."""
    seen = set()
    lowest = 0 if length <= CLASSIC_LENGTH else length - 1 - EDGE
    for tail in tails:
        for last in range(length - 1, lowest - 1, -1):
            below = [byte for byte in others if byte <= last]
            if last in own or not below:
                continue
            behind = sum(byte not in own for byte in range(below[-1] + 1, last + 1))
            for index, least in enumerate(below if length <= CLASSIC_LENGTH else below[: EDGE + 1]):
                key = (least, below[-1], behind + tail)
                if key not in seen:
                    seen.add(key)
                    yield (below[index - 1] + 1 if index else 0), last, tail


def _polynomials(width: int, multiples: Iterable[int]) -> list[int]:
    """Return the polynomials of a degree that divide all multiples, without their leading term."""
    common = 0
    for multiple in multiples:
        common = _gcd(common, multiple)
        if 0 < common < 1 << width:
            return []
    degree = common.bit_length() - 1
    if degree < width:
        return []
    if degree == width:
        return [common ^ 1 << width] if common ^ 1 << width else []
    if width > _WIDEST_SEARCH or degree > 3 * width:
        return []
    return [low for low in range(1, 1 << width) if _remainder(common, 1 << width | low) == 0]


def _gcd(one: int, other: int) -> int:
    while other:
        one, other = other, _remainder(one, other)
    return one


def _remainder(dividend: int, divisor: int) -> int:
    size = divisor.bit_length()
    while (excess := dividend.bit_length() - size) >= 0:
        dividend ^= divisor << excess
    return dividend
