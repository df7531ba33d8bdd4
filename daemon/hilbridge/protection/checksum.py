"""A frame's checksum: which bytes and terms enter it, and in what order.

    checksum = finish(after ← bytes ← before ← initial)

The bytes are those from `first` to `last` without the excluded ones and without those that the checksum fills; in a
byte that it shares, its own bits count as 0. The terms are numbers, the identifier, the frame's length, and a data id
chosen by the counter's number.
"""

from collections.abc import Callable
from typing import TypeAlias

from hilbridge.codec.frame import EXTENDED, EXTENDED_MASK
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.protection.algorithms import algorithm
from hilbridge.protection.position import Position
from hilbridge.settings.protection import ChecksumSettings, Term

Calculation: TypeAlias = Callable[[bytes | bytearray, int], int]
"""From a frame's bytes and its counter's number to the checksum, before its bits keep the lowest ones."""


def covered(settings: ChecksumSettings, position: Position, length: int, place: KeyPath) -> int:
    """The frame's bits that count, as a mask. ConfigurationError: bytes outside of the frame, or none at all."""
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
    """The function that calculates a checksum, from everything but a hook."""
    initial, update, finish = algorithm(settings, position.width, place)
    rounds = max(len(settings.data_ids), 1)
    before, after = (
        [_terms(side, settings.data_ids, round_, can_id, length) for round_ in range(rounds)]
        for side in (settings.before, settings.after)
    )
    starts = [update(initial, one) for one in before]
    runs = _runs(covered(settings, position, length, place), position, length)

    def calculate(data: bytes | bytearray, number: int) -> int:
        register = starts[number % rounds]
        for start, end, mask in runs:
            register = update(register, data[start:end] if mask == 0xFF else bytes((data[start] & mask,)))
        return finish(update(register, after[number % rounds]))

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
