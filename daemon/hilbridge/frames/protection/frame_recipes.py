"""Protection that its maker designed frame by frame: Ford, and Hyundai and Kia without CAN FD, by identifier.

    Ford       0xFF - (counter + bytes of values + quality flags), of those that belong to one group of signals
    Hyundai    -(sum of half bytes) mod 16, or the number of bits that are 1, xor 9, or a CRC

A sum leaves out what lies in none of its fields.
"""

from collections.abc import Mapping
from typing import Final

from hilbridge.files.settings.protection import BitField, ChecksumSettings, CounterSettings
from hilbridge.frames.protection.recipe import Recipe, bits, motorola


def _ford(checksum: int, counter: BitField, *fields: BitField) -> Recipe:
    """Return the recipe of a frame with its checksum in a byte, which covers the counter and fields."""
    return Recipe(
        CounterSettings(at=[counter]),
        ChecksumSettings(
            at=[bits(8 * checksum, 8)], algorithm="field-sum", negate=True, initial=0xFF, fields=[counter, *fields]
        ),
    )


FORD: Final[Mapping[int, Recipe]] = {
    0x091: _ford(4, bits(40, 8), bits(0, 8), bits(8, 8), bits(16, 8), bits(24, 8), bits(54, 2), bits(52, 2)),
    0x202: _ford(1, bits(19, 4), bits(37, 2), bits(48, 8), bits(56, 8)),
    0x3D6: _ford(
        1, motorola(60, 4), motorola(6, 3), motorola(23, 3), motorola(20, 8), motorola(55, 3), motorola(52, 8),
        motorola(28, 3), motorola(25, 8), motorola(33, 2), motorola(47, 8),
    ),
    0x415: _ford(3, bits(18, 4), bits(0, 8), bits(8, 8), bits(22, 2)),
}  # fmt: skip
"""Yaw_Data_FD1, EngVehicleSpThrottle2, LateralMotionControl2 and BrakeSysFeatures."""


def _nibbles(checksum: BitField, counter: BitField, exclude: list[int]) -> Recipe:
    return Recipe(
        CounterSettings(at=[counter]),
        ChecksumSettings(at=[checksum], algorithm="nibble-sum", negate=True, exclude=exclude),
    )


HYUNDAI: Final[Mapping[int, Recipe]] = {
    0x260: _nibbles(bits(56, 4), bits(60, 2), []),
    0x386: Recipe(
        CounterSettings(at=[bits(14, 2), bits(30, 2)]),
        ChecksumSettings(
            at=[bits(46, 2), bits(62, 2)],
            algorithm="field-sum",
            fields=[bits(16 * wheel + bit, 1) for wheel in range(4) for bit in range(14)],
            xor_out=9,
        ),
    ),
    0x38D: Recipe(
        CounterSettings(at=[bits(35, 4)], maximum=14),
        ChecksumSettings(at=[bits(56, 8)], algorithm="crc8", initial=0x22, xor_out=0xDF),
    ),
    0x394: _nibbles(bits(48, 4), bits(13, 3), [7]),
    0x421: _nibbles(bits(60, 4), bits(56, 4), []),
}
"""EMS16, WHL_SPD11, FCA11, TCS13 and SCC12."""
