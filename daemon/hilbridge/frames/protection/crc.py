"""Cyclic redundancy checks by table, byte by byte.

The register r of w bits takes in a byte b, highest bit first, or with reflection lowest bit first:

    r' = (r << 8) ^ T[(r >> (w − 8)) ^ b]  mod 2^w            r' = (r >> 8) ^ T[(r ^ b) mod 2^8]

T[i] is what eight steps of the polynomial division leave of i. `polynomial` and `initial` are written as catalogues
do, without the leading term and highest bit first, also where the calculation is reflected.
"""

from binascii import crc32, crc_hqx
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple


class CrcParameters(NamedTuple):
    """A CRC as catalogues list it; `reflect` means both input and output."""

    width: int
    polynomial: int
    initial: int
    xor_out: int
    reflect: bool


SAE_J1850: Final = CrcParameters(8, 0x1D, 0xFF, 0xFF, reflect=False)
AUTOSAR_8H2F: Final = CrcParameters(8, 0x2F, 0xFF, 0xFF, reflect=False)
CCITT_FALSE: Final = CrcParameters(16, 0x1021, 0xFFFF, 0x0000, reflect=False)
ETHERNET: Final = CrcParameters(32, 0x04C11DB7, 0xFFFF_FFFF, 0xFFFF_FFFF, reflect=True)
AUTOSAR_P4: Final = CrcParameters(32, 0xF4ACFB13, 0xFFFF_FFFF, 0xFFFF_FFFF, reflect=True)
ECMA: Final = CrcParameters(64, 0x42F0E1EBA9EA3693, (1 << 64) - 1, (1 << 64) - 1, reflect=True)

DEFAULTS: Final = {"crc8": SAE_J1850, "crc16": CCITT_FALSE, "crc32": ETHERNET, "crc64": ECMA}
"""The usual CRC of each width, as in AUTOSAR's CRC library."""

Update = Callable[[int, bytes | bytearray], int]
"""A function from a register and further bytes to the register after them."""


def reflected(number: int, width: int) -> int:
    """Return the bits of a number in reverse order."""
    return int(f"{number:0{width}b}"[::-1], 2)


@cache
def table(width: int, polynomial: int, *, reflect: bool) -> tuple[int, ...]:
    """Return T for each of the 256 bytes."""
    return tuple(_entry(index, width, polynomial, reflect=reflect) for index in range(256))


def _entry(index: int, width: int, polynomial: int, *, reflect: bool) -> int:
    if reflect:
        return reflected(_entry(reflected(index, 8), width, polynomial, reflect=False), width)
    register = index << (width - 8)
    for _ in range(8):
        overflow = register >> (width - 1)
        register = (register << 1) & ((1 << width) - 1) ^ (polynomial if overflow else 0)
    return register


def start(parameters: CrcParameters) -> int:
    """Return the register before the first byte."""
    return reflected(parameters.initial, parameters.width) if parameters.reflect else parameters.initial


@cache
def update(parameters: CrcParameters) -> Update:
    """Return the function that takes in bytes, one for all frames that use it.

    Python's library has two of these in C, and CAN FD frames are long.
    """
    if parameters[:2] == CCITT_FALSE[:2] and not parameters.reflect:
        return lambda register, data: crc_hqx(data, register)
    if parameters[:2] == ETHERNET[:2] and parameters.reflect:
        return lambda register, data: crc32(data, register ^ 0xFFFF_FFFF) ^ 0xFFFF_FFFF
    entries = table(parameters.width, parameters.polynomial, reflect=parameters.reflect)
    top, mask = parameters.width - 8, (1 << parameters.width) - 1

    def narrow(register: int, data: bytes | bytearray) -> int:
        for byte in data:
            register = entries[register ^ byte]
        return register

    def highest_first(register: int, data: bytes | bytearray) -> int:
        for byte in data:
            register = (register << 8) & mask ^ entries[register >> top ^ byte]
        return register

    def lowest_first(register: int, data: bytes | bytearray) -> int:
        for byte in data:
            register = register >> 8 ^ entries[(register ^ byte) & 0xFF]
        return register

    if parameters.width == 8:
        return narrow
    return lowest_first if parameters.reflect else highest_first
