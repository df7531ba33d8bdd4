"""How a checksum takes in bytes and what it makes of them in the end.

    register' = register + Σ bytes          sum8, and with j1939 and j1939-xbr folded at the end
    register' = register + Σ half bytes     nibble-sum
    register' = register ^ bytes            xor8; nibble-xor folds the result into its lower half
    division by a polynomial                crc8 to crc64, see crc.py

`j1939` is the message checksum of SAE J1939-71 SPN 4207 (TSC1), `j1939-xbr` that of SPN 3188 (XBR).
"""

from collections.abc import Callable
from functools import reduce
from operator import xor
from typing import Final, NamedTuple

from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.protection import crc
from hilbridge.settings.protection import ChecksumSettings

_HALVES: Final = bytes((byte >> 4) + (byte & 0xF) for byte in range(256))
"""The sum of a byte's half bytes."""


class Algorithm(NamedTuple):
    """Starts from `register`; `finish` turns the last register into the checksum, of which its bits keep the lowest."""

    register: int
    update: crc.Update
    finish: Callable[[int], int]


def algorithm(settings: ChecksumSettings, width: int, place: KeyPath) -> Algorithm:
    """The algorithm of a checksum of `width` bits. ConfigurationError: parameters or width that do not fit it."""
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
    if kind == "nibble-xor":
        return Algorithm(initial, _xor, lambda s: (s >> 4 ^ s) & 0xF ^ xor_out)
    update = _sum if kind == "sum8" else _nibble_sum
    mask = (1 << width) - 1
    if settings.negate:
        return Algorithm(0, update, lambda s: (initial - s) & mask ^ xor_out)
    return Algorithm(initial, update, lambda s: s & mask ^ xor_out)


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


def _xor(register: int, data: bytes | bytearray) -> int:
    return reduce(xor, data, register)
