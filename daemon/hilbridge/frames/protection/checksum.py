"""A frame's checksum: which bytes and terms enter it, and in what order.

    checksum = finish(after ← bytes ← before ← initial)

The bytes are those from `first` to `last` without the excluded ones and without those that the checksum fills; in a
byte that it shares, its own bits count as 0. The terms are numbers, the identifier, the frame's length, and a data id
chosen by the counter's number. The algorithms:

    register' = register + Σ bytes          sum8, and with j1939 and j1939-xbr folded at the end
    register' = register + Σ half bytes     nibble-sum
    fold: s' = s mod 2^8 + s // 2^8         a sum's carry added back, and with w < 8 bits again at 2^w
    register' = register + Σ numbers         field-sum: of fields of the frame, in place of its bytes
    register' = register ^ bytes            xor8; nibble-xor folds the result into its lower half
    division by a polynomial                crc8 to crc64, see crc.py

`j1939` is the message checksum of SAE J1939-71 SPN 4207 (TSC1), `j1939-xbr` that of SPN 3188 (XBR).
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import xor
from typing import Final, NamedTuple, TypeAlias

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.trust.kinds import CHECKSUM
from hilbridge.base.trust.user_function import import_function
from hilbridge.files.settings.protection import ChecksumSettings, Term
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK
from hilbridge.frames.protection import crc
from hilbridge.frames.protection.position import Position

Calculation: TypeAlias = Callable[[bytes | bytearray, int], int]
"""A function from a frame's bytes and its counter's number to the checksum, before its bits keep the lowest ones."""


def covered(settings: ChecksumSettings, position: Position, length: int, place: KeyPath) -> int:
    """Return the frame's bits that count, as a mask. ConfigurationError: bytes outside of the frame, or none at all."""
    last = length - 1 if settings.last is None else settings.last
    for key, byte in (("last", last), *(("exclude", byte) for byte in settings.exclude)):
        if byte >= length:
            raise ConfigurationError(f"there is no byte {byte} in {length}", (*place, key))
    mask = sum(0xFF << 8 * byte for byte in range(settings.first, last + 1) if byte not in settings.exclude)
    mask &= ~position.occupied
    if mask == 0:
        raise ConfigurationError("no byte counts", (*place, "first"))
    return mask


def calculation(
    settings: ChecksumSettings, position: Position, can_id: int, length: int, place: KeyPath
) -> Calculation:
    """Return the function that calculates a checksum, from everything but a hook."""
    initial, update, finish = algorithm(settings, position.width, place)
    rounds = max(len(settings.data_ids), 1)
    before, after = (
        [_terms(side, settings.data_ids, round_, can_id, length) for round_ in range(rounds)]
        for side in (settings.before, settings.after)
    )
    starts = [update(initial, one) for one in before]
    runs = _runs(covered(settings, position, length, place), position, length)
    if settings.backwards:
        return _backwards(starts, runs, after, update, finish)

    def calculate(data: bytes | bytearray, number: int) -> int:
        register = starts[number % rounds]
        for start, end, mask in runs:
            register = update(register, data[start:end] if mask == 0xFF else bytes((data[start] & mask,)))
        return finish(update(register, after[number % rounds]))

    return calculate


def _backwards(
    starts: list[int],
    runs: list[tuple[int, int, int]],
    after: list[bytes],
    update: crc.Update,
    finish: Callable[[int], int],
) -> Calculation:
    """Return the function that takes the bytes from the last to the first."""

    def calculate(data: bytes | bytearray, number: int) -> int:
        counting = b"".join(
            bytes(data[start:end]) if mask == 0xFF else bytes((data[start] & mask,)) for start, end, mask in runs
        )
        register = update(starts[number % len(starts)], counting[::-1])
        return finish(update(register, after[number % len(after)]))

    return calculate


def field_sum(settings: ChecksumSettings, fields: Sequence[Position]) -> Calculation:
    """Return the function that adds the numbers of fields: initial + sum or initial − sum."""
    initial, xor_out, sign = settings.initial or 0, settings.xor_out or 0, -1 if settings.negate else 1

    def calculate(data: bytes | bytearray, _number: int) -> int:
        return initial + sign * sum(field.read(data) for field in fields) ^ xor_out

    return calculate


def _terms(terms: list[Term], data_ids: list[int], round_: int, can_id: int, length: int) -> bytes:
    result = b""
    for term in terms:
        if term == "identifier":
            result += (can_id & EXTENDED_MASK).to_bytes(4 if can_id & EXTENDED else 2, "little")
        elif term == "length":
            result += bytes([length])
        elif term == "data-id":
            result += bytes([data_ids[round_]])
        elif isinstance(term, int):
            result += bytes([term])
    return result


def _runs(counted: int, position: Position, length: int) -> list[tuple[int, int, int]]:
    """Return the bytes that count as (start, end, mask): runs of whole ones, and one by one those with a mask."""
    runs: list[tuple[int, int, int]] = []
    for byte in range(length):
        if not counted >> 8 * byte & 0xFF:
            continue
        mask = position.taken(byte) ^ 0xFF
        if mask == 0xFF and runs and runs[-1][1:] == (byte, 0xFF):
            runs[-1] = (runs[-1][0], byte + 1, 0xFF)
        else:
            runs.append((byte, byte + 1, mask))
    return runs


_HALVES: Final = bytes((byte >> 4) + (byte & 0xF) for byte in range(256))
"""The sum of a byte's half bytes."""


class Algorithm(NamedTuple):
    """The steps of a checksum: the first `register`, `update` by bytes, and `finish` from the last register.

    The checksum's bits keep the lowest of the result.
    """

    register: int
    update: crc.Update
    finish: Callable[[int], int]


def algorithm(settings: ChecksumSettings, width: int, place: KeyPath) -> Algorithm:
    """Return the algorithm of a checksum of `width` bits. ConfigurationError: parameters or width do not fit it.

    ValueError: an algorithm without steps, such as `hook`.
    """
    kind = settings.algorithm or ""
    if kind in crc.DEFAULTS:
        return _crc(settings, crc.DEFAULTS[kind], width, place)
    initial, xor_out = settings.initial or 0, settings.xor_out or 0
    if kind == "j1939":
        return Algorithm(initial, _sum, lambda s: (((s >> 6) & 3) + (s >> 3) + s) & 7 ^ xor_out)
    if kind == "j1939-xbr":
        return Algorithm(initial, _sum, lambda s: ((s >> 4) + s) & 0xF ^ xor_out)
    if kind == "xor8":
        return Algorithm(initial, _xor, lambda s: s ^ xor_out)
    if kind == "parity":
        return Algorithm(initial, _xor, lambda s: s.bit_count() & 1 ^ xor_out)
    if kind == "nibble-xor":
        return Algorithm(initial, _xor, lambda s: (s >> 4 ^ s) & 0xF ^ xor_out)
    if kind in _SUMS:
        update, mask = _SUMS[kind], (1 << width) - 1
        if settings.fold:
            return Algorithm(initial, update, lambda s: _folded(s, width) & mask ^ xor_out)
        if settings.negate:
            return Algorithm(0, update, lambda s: (initial - s) & mask ^ xor_out)
        return Algorithm(initial, update, lambda s: s & mask ^ xor_out)
    raise ValueError(f"no steps for the checksum algorithm {kind!r}")


def _crc(settings: ChecksumSettings, usual: crc.CrcParameters, width: int, place: KeyPath) -> Algorithm:
    given = {key: value for key in usual._fields[1:] if (value := getattr(settings, key)) is not None}
    parameters = usual._replace(**given)
    for key in ("polynomial", "initial", "xor_out"):
        if getattr(parameters, key) >> usual.width:
            raise ConfigurationError(f"does not fit into {usual.width} bits", (*place, key))
    if width > usual.width:
        raise ConfigurationError(f"{width} bits for a checksum of {usual.width}", (*place, "at"))
    return Algorithm(crc.start(parameters), crc.update(parameters), parameters.xor_out.__xor__)


def _sum(register: int, data: bytes | bytearray) -> int:
    return register + sum(data)


def _nibble_sum(register: int, data: bytes | bytearray) -> int:
    return register + sum(data.translate(_HALVES))


def _folded(total: int, width: int) -> int:
    """Return a sum with its carry beyond 8 bits added back once; narrower checksums do so again at their own width."""
    total = (total & 0xFF) + (total >> 8)
    return total if width >= 8 else (total & (1 << width) - 1) + (total >> width)


def _xor(register: int, data: bytes | bytearray) -> int:
    return reduce(xor, data, register)


_SUMS: Final[dict[str, crc.Update]] = {"sum8": _sum, "nibble-sum": _nibble_sum}


class Hook:
    """A checksum that a Python function of the user calculates: `FILE.py:FUNCTION` or `MODULE:FUNCTION`.

        def checksum(data: bytes, identifier: int, count: int) -> int

    gets the frame with the checksum's bits at 0, the identifier without flag bits and the number of the counter (0
    without one). A file lies beside the bench file. An exception of the function must
    not end the bridge: the checksum is 0 then. `failures` counts exceptions, and results that are no whole number.
    """

    def __init__(self, name: str, position: Position, can_id: int, length: int, place: KeyPath) -> None:
        """ConfigurationError: no such module or function, or one that fails on a frame of zeros."""
        self.failures = 0
        self._function: Final = import_function(name, CHECKSUM, place)
        self._identifier: Final = can_id & EXTENDED_MASK
        self._position: Final = position
        self(bytes(length), 0)
        if self.failures:
            raise ConfigurationError(f"{name} makes no whole number of {length} bytes of 0", place)

    def __call__(self, data: bytes | bytearray, number: int) -> int:
        """Return the checksum of a frame."""
        blank = bytearray(data)
        self._position.write(blank, 0)
        try:
            return int(self._function(bytes(blank), self._identifier, number).__index__())
        except Exception:  # noqa: BLE001 - a function of the user may raise anything
            self.failures += 1
            return 0
