"""Checksums of makers, as their fact tables describe them: plain loops over bits and bytes.

A checksum takes the identifier and the frame, whose place for the result is zero; it returns the result.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

Checksum: TypeAlias = Callable[[int, bytes], int]


def xor(_: int, data: bytes) -> int:
    """All bytes xored."""
    result = 0
    for byte in data:
        result ^= byte
    return result


def nibbles(data: bytes) -> list[int]:
    return [half for byte in data for half in (byte >> 4, byte & 0xF)]


def honda(can_id: int, data: bytes) -> int:
    """8 and the nibbles of the identifier and of the frame, as two's complement of four bits."""
    return -(8 + sum(nibbles(can_id.to_bytes(2, "big"))) + sum(nibbles(data))) & 0xF


def psa(start: int) -> Checksum:
    """The start less all nibbles, modulo 16."""
    return lambda _, data: start - sum(nibbles(data)) & 0xF


def crc8(polynomial: int, start: int, final: int, data: bytes) -> int:
    """CRC-8, most significant bit first."""
    value = start
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value << 1 ^ (polynomial if value & 0x80 else 0)) & 0xFF
    return value ^ final


def bmw_f(constant: int) -> Checksum:
    """CRC-8 0x1D from 0xFF over all bytes after the first, xored with the constant of the identifier."""
    return lambda _, data: crc8(0x1D, 0xFF, constant, data[1:])


def mqb(data_ids: Sequence[int]) -> Checksum:
    """CRC-8 0x2F from 0xFF, inverted, over all bytes after the first and the data id of the counter (E2E profile 2)."""
    return lambda _, data: crc8(0x2F, 0xFF, 0xFF, data[1:] + bytes([data_ids[data[1] & 0xF]]))
