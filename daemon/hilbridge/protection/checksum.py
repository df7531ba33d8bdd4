"""A frame's checksum: which bytes and terms enter it, and in what order.

    checksum = finish(after ← bytes ← before ← initial)

The bytes are those from `first` to `last` without the excluded ones and without those that the checksum fills; in a
byte that it shares, its own bits count as 0. The terms are numbers, the identifier, the frame's length, and a data id
chosen by the counter's number.
"""

from collections.abc import Callable
from typing import TypeAlias

from hilbridge.codec.frame import EXTENDED, EXTENDED_MASK
from hilbridge.codec.generated import function
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
    register, update, finish = algorithm(settings, position.width, place)
    rounds = max(len(settings.data_ids), 1)
    before, after = (
        [_terms(side, settings.data_ids, round_, can_id, length) for round_ in range(rounds)]
        for side in (settings.before, settings.after)
    )
    starts = [update(register, one) for one in before]
    names = {"update": update, "finish": finish, "starts": starts, "start": starts[0], "ends": after}
    start = f"starts[number % {rounds}]" if rounds > 1 else "start"
    text = f"update({start}, {_gathered(covered(settings, position, length, place), position, length)})"
    if settings.after:
        text = f"update({text}, ends[number % {rounds}])"
    calculate: Calculation = function("data, number", f"finish({text})", names)
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


def _gathered(mask: int, position: Position, length: int) -> str:
    """Text for the bytes of `data` that count: runs of whole ones, and shared ones without the checksum's bits."""
    parts: list[str] = []
    start: int | None = None
    for byte in range(length + 1):
        counts = bool(mask >> 8 * byte & 0xFF)
        shared = counts and bool(position.taken(byte))
        if start is not None and (shared or not counts):
            parts.append(f"data[{start}:{byte}]")
            start = None
        if shared:
            parts.append(f"bytes((data[{byte}] & {position.taken(byte) ^ 0xFF},))")
        elif counts and start is None:
            start = byte
    return " + ".join(parts)
