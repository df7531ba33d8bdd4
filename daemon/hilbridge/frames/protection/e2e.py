"""AUTOSAR E2E profiles, written out (PRS_E2EProtocol). H: the header's offset; all bytes but the CRC's own count.

| profile | CRC at | of | counter at | header | terms |
|---|---|---|---|---|---|
| 1A | H, 8 bits | 0x1D, from 0 | H+1, 4 bits, 0…14 | | data id, low and high byte, before |
| 1B | H | as 1A | as 1A | | low byte before even counts, high byte before odd ones |
| 1C | H | as 1A | as 1A | bits 8…11 of the data id in the upper half of H+1 | its low byte and 0, before |
| 2 | 0, 8 bits | 0x2F | byte 1, 4 bits, 0…15 | | one of 16 data ids, chosen by the count, after |
| 4 | H+8, 32 bits | 0xF4ACFB13 | H+2, 16 bits | length (16), data id (32) at H+4 | |
| 5 | H, 16 bits Intel | 0x1021 | H+2, 8 bits | | data id, low byte first, after |
| 6 | H, 16 bits | 0x1021 | H+4, 8 bits | length (16) at H+2 | data id, high byte first, after |
| 7 | H, 64 bits | 0x42F0E1EBA9EA3693 | H+12, 32 bits | length (32) at H+8, data id (32) at H+16 | |
| 11A, 11C | as 1A, 1C | | | | |

Numbers of several bytes are Motorola where nothing else is said.
"""

from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.words import counted
from hilbridge.files.settings.protection import ChecksumSettings, CounterSettings, E2ESettings, Term
from hilbridge.frames.protection.crc import AUTOSAR_8H2F, AUTOSAR_P4
from hilbridge.frames.protection.recipe import ConstantField, Recipe, big_endian, bits

_HEADER: Final = {"4": 12, "5": 3, "6": 5, "7": 20}
"""[byte] with the CRC; 2 in the other profiles."""


def e2e(settings: E2ESettings, length: int, place: KeyPath) -> Recipe:
    """Return the recipe of a profile in a frame of `length` bytes. ConfigurationError: the header does not fit."""
    needed = settings.offset + _HEADER.get(settings.profile, 2)
    if length < needed:
        reason = f"the header reaches to byte {needed - 1}, the frame has {counted(length, 'byte')}"
        raise ConfigurationError(reason, place)
    header, data_id = settings.offset, settings.data_id or 0
    low, high = data_id & 0xFF, data_id >> 8 & 0xFF
    match settings.profile:
        case "1A" | "11A":
            return _profile_1(header, [low, high])
        case "1B":
            return _profile_1(header, ["data-id"], data_ids=[low, high])
        case "1C" | "11C":
            return _profile_1(header, [low, 0], ConstantField(bits(8 * header + 12, 4), high))
        case "2":
            return Recipe(CounterSettings(at=[bits(8, 4)]), crc8h2f(["data-id"], settings.data_ids))
        case "4":
            return Recipe(
                CounterSettings(at=[big_endian(header + 2, 16)]),
                ChecksumSettings(at=[big_endian(header + 8, 32)], algorithm="crc32", polynomial=AUTOSAR_P4.polynomial),
                (ConstantField(big_endian(header, 16), length), ConstantField(big_endian(header + 4, 32), data_id)),
            )
        case "5":
            return Recipe(
                CounterSettings(at=[bits(8 * header + 16, 8)]),
                ChecksumSettings(at=[bits(8 * header, 16)], algorithm="crc16", after=[low, high]),
            )
        case "6":
            return Recipe(
                CounterSettings(at=[bits(8 * header + 32, 8)]),
                ChecksumSettings(at=[big_endian(header, 16)], algorithm="crc16", after=[high, low]),
                (ConstantField(big_endian(header + 2, 16), length),),
            )
        case "7":
            return Recipe(
                CounterSettings(at=[big_endian(header + 12, 32)]),
                ChecksumSettings(at=[big_endian(header, 64)], algorithm="crc64"),
                (
                    ConstantField(big_endian(header + 8, 32), length),
                    ConstantField(big_endian(header + 16, 32), data_id),
                ),
            )


def crc8h2f(after: list[Term], data_ids: list[int]) -> ChecksumSettings:
    """Return the CRC of profile 2."""
    return ChecksumSettings(
        at=[bits(0, 8)], algorithm="crc8", polynomial=AUTOSAR_8H2F.polynomial, after=after, data_ids=data_ids
    )


def _profile_1(header: int, before: list[Term], *constants: ConstantField, data_ids: list[int] | None = None) -> Recipe:
    return Recipe(
        CounterSettings(at=[bits(8 * header + 8, 4)], maximum=14),
        ChecksumSettings(
            at=[bits(8 * header, 8)],
            algorithm="crc8", initial=0, xor_out=0, before=before, data_ids=data_ids or [],
        ),
        constants,
    )  # fmt: skip
