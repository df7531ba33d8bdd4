"""Presets: the counters and checksums of car makers, written out as recipes.

| preset | checksum | of | counter |
|---|---|---|---|
| vw-mqb | byte 0 | AUTOSAR E2E profile 2, data ids of volkswagen.py | byte 1, low half |
| vw-pq | byte 0 | xor of the other bytes | byte 1, low half |
| honda | last byte, low half | 8 − half bytes of frame and identifier; 11 − … with 29 bits | last byte, bits 4 and 5 |
| toyota | last byte | bytes + bytes of the identifier + length | only where named |
| subaru | byte 0 | bytes + bytes of the identifier | byte 1, low half |
| tesla | last byte | as subaru | byte before, high half |
| chrysler | last byte | CRC-8 SAE J1850 | byte before, high half |
| fca-giorgio | last byte | CRC-8 0x1D from 0, xor by identifier | byte before, low half |
| hyundai-canfd | bytes 0 and 1 | CRC-16 0x1021 from 0, identifier after, xor by length | byte 2 |
| psa | where named | constant by identifier − half bytes | where named |
| bmw-f | byte 0 | CRC-8 0x1D, xor by identifier | byte 1, low half, 0…14 |
| j1939 | last byte, high half | SPN 4207 | last byte, low half, 0…7 (SPN 4206) |
| j1939-xbr | last byte, high half | SPN 3188 | last byte, low half (SPN 3189) |

Places are the usual ones; many frames differ, see their databases. Sources: the public database project opendbc
(its checksum functions serve as oracle in the tests), for bmw-f the cluster project CarCluster, SAE J1939-71.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from hilbridge.codec.frame import EXTENDED, EXTENDED_MASK
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.protection.e2e import crc8h2f
from hilbridge.protection.recipe import Recipe, bits
from hilbridge.protection.volkswagen import DATA_IDS
from hilbridge.settings.protection import BitField, ChecksumSettings, CounterSettings, Preset, ProtectionSettings

_GIORGIO_XOR: Final = {0x0DE: 0x10, 0x106: 0xF6, 0x122: 0xF1}
_GIORGIO_OTHER: Final = 0x0A

_HYUNDAI_XOR: Final = {8: 0x5F29, 16: 0x041D, 24: 0x819D, 32: 0x9F5B}
"""By length [byte]."""

_PSA_INITIAL: Final = {0x38D: 0x7, 0x42D: 0xC, 0x452: 0x4}
_PSA_OTHER: Final = 0xB

_BMW_XOR: Final = {
    0x0F3: 0x7A, 0x12F: 0x44, 0x19B: 0xFF, 0x1A1: 0xA9, 0x289: 0x82, 0x297: 0x28, 0x2A7: 0x9E, 0x2BB: 0xDE,
    0x33B: 0x6B, 0x369: 0xC5, 0x36E: 0xD8, 0x36F: 0x17, 0x3A7: 0x4A, 0x3F9: 0xF1, 0x3FD: 0xD6,
}  # fmt: skip


class FrameFacts(NamedTuple):
    """The properties of a frame that a preset depends on."""

    identifier: int
    extended: bool
    length: int
    settings: ProtectionSettings
    place: KeyPath

    def last(self, width: int, shift: int = 0, *, before: int = 0) -> list[BitField]:
        """Return bits of the last byte, or of one that many bytes before it."""
        return [bits(8 * (self.length - 1 - before) + shift, width)]

    def given(self, key: str) -> bool:
        """Return whether the user's checksum has a key of its own."""
        return self.settings.checksum is not None and key in self.settings.checksum.model_fields_set

    def looked_up(self, what: str, key: str, table: dict[int, int], index: int) -> int:
        """Return an entry of a table. ConfigurationError names the key to give where neither table nor user has it."""
        if index not in table and not self.given(key):
            raise ConfigurationError(f"{what} is not known: give checksum.{key}", self.place)
        return table.get(index, 0)


def preset(settings: ProtectionSettings, name: Preset, can_id: int, length: int, place: KeyPath) -> Recipe:
    """Return the recipe of a preset. ConfigurationError: a constant that it needs is not known for this frame."""
    if length < 2:
        raise ConfigurationError(f"{name} needs 2 bytes or more, the frame has {length}", place)
    return _PRESETS[name](FrameFacts(can_id & EXTENDED_MASK, bool(can_id & EXTENDED), length, settings, place))


def _vw_mqb(frame: FrameFacts) -> Recipe:
    data_ids = DATA_IDS.get(frame.identifier, [])
    if not data_ids and not frame.given("data_ids"):
        what = f"the data-id list of identifier 0x{frame.identifier:X}"
        raise ConfigurationError(f"{what} is not known: give checksum.data_ids", frame.place)
    return Recipe(CounterSettings(at=[bits(8, 4)]), crc8h2f(["data-id"], data_ids or [0]))


def _vw_pq(_: FrameFacts) -> Recipe:
    return Recipe(CounterSettings(at=[bits(8, 4)]), ChecksumSettings(at=[bits(0, 8)], algorithm="xor8"))


def _honda(frame: FrameFacts) -> Recipe:
    return Recipe(
        CounterSettings(at=frame.last(2, 4)),
        ChecksumSettings(
            at=frame.last(4), algorithm="nibble-sum", negate=True, initial=11 if frame.extended else 8,
            before=["identifier"],
        ),
    )  # fmt: skip


def _toyota(frame: FrameFacts) -> Recipe:
    return Recipe(None, ChecksumSettings(at=frame.last(8), algorithm="sum8", before=["identifier", "length"]))


def _subaru(_: FrameFacts) -> Recipe:
    checksum = ChecksumSettings(at=[bits(0, 8)], algorithm="sum8", before=["identifier"])
    return Recipe(CounterSettings(at=[bits(8, 4)]), checksum)


def _tesla(frame: FrameFacts) -> Recipe:
    checksum = ChecksumSettings(at=frame.last(8), algorithm="sum8", before=["identifier"])
    return Recipe(CounterSettings(at=frame.last(4, 4, before=1)), checksum)


def _chrysler(frame: FrameFacts) -> Recipe:
    checksum = ChecksumSettings(at=frame.last(8), algorithm="crc8")
    return Recipe(CounterSettings(at=frame.last(4, 4, before=1)), checksum)


def _fca_giorgio(frame: FrameFacts) -> Recipe:
    xor_out = _GIORGIO_XOR.get(frame.identifier, _GIORGIO_OTHER)
    checksum = ChecksumSettings(at=frame.last(8), algorithm="crc8", initial=0, xor_out=xor_out)
    return Recipe(CounterSettings(at=frame.last(4, before=1)), checksum)


def _hyundai_canfd(frame: FrameFacts) -> Recipe:
    xor_out = frame.looked_up(f"the constant of {frame.length} bytes", "xor_out", _HYUNDAI_XOR, frame.length)
    return Recipe(
        CounterSettings(at=[bits(16, 8)]),
        ChecksumSettings(at=[bits(0, 16)], algorithm="crc16", initial=0, xor_out=xor_out, after=["identifier"]),
    )


def _psa(frame: FrameFacts) -> Recipe:
    initial = _PSA_INITIAL.get(frame.identifier, _PSA_OTHER)
    return Recipe(None, ChecksumSettings(algorithm="nibble-sum", negate=True, initial=initial))


def _bmw_f(frame: FrameFacts) -> Recipe:
    what = f"the constant of identifier 0x{frame.identifier:X}"
    xor_out = frame.looked_up(what, "xor_out", _BMW_XOR, frame.identifier)
    return Recipe(
        CounterSettings(at=[bits(8, 4)], maximum=14),
        ChecksumSettings(at=[bits(0, 8)], algorithm="crc8", xor_out=xor_out),
    )


def _j1939(frame: FrameFacts) -> Recipe:
    return Recipe(
        CounterSettings(at=frame.last(4), maximum=7),
        ChecksumSettings(at=frame.last(4, 4), algorithm="j1939", before=["identifier"]),
    )


def _j1939_xbr(frame: FrameFacts) -> Recipe:
    return Recipe(
        CounterSettings(at=frame.last(4)),
        ChecksumSettings(at=frame.last(4, 4), algorithm="j1939-xbr", before=["identifier"]),
    )


_PRESETS: Final[dict[Preset, Callable[[FrameFacts], Recipe]]] = {
    "bmw-f": _bmw_f,
    "chrysler": _chrysler,
    "fca-giorgio": _fca_giorgio,
    "honda": _honda,
    "hyundai-canfd": _hyundai_canfd,
    "j1939": _j1939,
    "j1939-xbr": _j1939_xbr,
    "psa": _psa,
    "subaru": _subaru,
    "tesla": _tesla,
    "toyota": _toyota,
    "vw-mqb": _vw_mqb,
    "vw-pq": _vw_pq,
}
