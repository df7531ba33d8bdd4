"""Presets: the counters and checksums of car makers, written out as recipes.

PRESETS has them all, each with who uses it and where the knowledge comes from; config/PRESETS.md is made from it.
Places are the usual ones; many frames differ, see their databases. opendbc's functions are the oracle of the tests.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.protection import BitField, ChecksumSettings, CounterSettings, Preset, ProtectionSettings
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK
from hilbridge.frames.protection.e2e import crc8h2f
from hilbridge.frames.protection.frame_recipes import FORD, HYUNDAI
from hilbridge.frames.protection.recipe import Recipe, bits
from hilbridge.frames.protection.volkswagen import DATA_IDS


class ByFrame(NamedTuple):
    """A constant that differs from frame to frame: its name, its values by identifier or length.

    `others` is that of frames that are not listed; None: they need the user's own.
    """

    constant: str
    by: Literal["identifier", "length"]
    values: Mapping[int, Any]
    others: Any = None


_BMW_E_USUAL: Final = (bits(0, 8), bits(8, 4))

_BMW_E: Final = ByFrame(
    "places of checksum and counter",
    "identifier",
    {
        **dict.fromkeys((0x0A8, 0x0A9, 0x0AA, 0x0AD, 0x0AE), _BMW_E_USUAL),
        **dict.fromkeys((0x0B5, 0x0B6, 0x0B7), _BMW_E_USUAL),
        0x0BA: (bits(40, 8), bits(48, 4)),
        0x130: (bits(36, 4), bits(32, 4)),
        0x190: (bits(60, 4), bits(24, 4)),
        0x194: _BMW_E_USUAL,
        0x1A0: (bits(56, 8), bits(52, 4)),
        0x1B4: (bits(56, 8), bits(24, 4)),
    },
    _BMW_E_USUAL,
)

_BMW_E_WITHOUT_IDENTIFIER: Final = 0x194

_BMW_F: Final = ByFrame(
    "final xor",
    "identifier",
    {
        0x0F3: 0x7A, 0x12F: 0x44, 0x19B: 0xFF, 0x1A1: 0xA9, 0x289: 0x82, 0x297: 0x28, 0x2A7: 0x9E, 0x2BB: 0xDE,
        0x33B: 0x6B, 0x369: 0xC5, 0x36E: 0xD8, 0x36F: 0x17, 0x3A7: 0x4A, 0x3F9: 0xF1, 0x3FD: 0xD6,
    },
)  # fmt: skip

_GIORGIO: Final = ByFrame("final xor", "identifier", {0x0DE: 0x10, 0x106: 0xF6, 0x122: 0xF1}, others=0x0A)

_FORD: Final = ByFrame("way", "identifier", FORD)

_HYUNDAI: Final = ByFrame("way", "identifier", HYUNDAI)

_HYUNDAI_CANFD: Final = ByFrame("final xor", "length", {8: 0x5F29, 16: 0x041D, 24: 0x819D, 32: 0x9F5B})

_PSA: Final = ByFrame("start", "identifier", {0x0E6: 0xC, 0x38D: 0x7, 0x42D: 0xC, 0x452: 0x4}, others=0xB)

_RIVIAN: Final = ByFrame(
    "final xor", "identifier", {0x120: 0x63, 0x150: 0x9A, 0x160: 0x12, 0x162: 0xD1, 0x208: 0xB1, 0x321: 0x97}
)

_VW_MLB: Final = ByFrame(
    "start",
    "identifier",
    {
        0x109: 0x08, 0x10B: 0x0A, 0x10C: 0x0D, 0x10D: 0x0C, 0x10F: 0x0E, 0x111: 0x10, 0x30C: 0x0F, 0x311: 0x12,
        0x324: 0x27, 0x397: 0x94,
    },
)  # fmt: skip

_VW_MQB: Final = ByFrame("data ids", "identifier", DATA_IDS)


class FrameFacts(NamedTuple):
    """The properties of a frame that a preset depends on."""

    name: Preset
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

    def constant(self, table: ByFrame, key: str) -> Any:
        """Return the constant of this frame; None where the user gives it as `key` of the checksum.

        ConfigurationError names the frames that are known, if neither the table nor the user has it.
        """
        index, known = self.identifier, [f"0x{one:03X}" for one in table.values]
        mine, frames = f"0x{index:X}", "the frames"
        if table.by == "length":
            index, known = self.length, [str(one) for one in table.values]
            mine, frames = str(index), "frames of this many bytes:"
        found = table.values.get(index, table.others)
        if found is None and not self.given(key):
            raise ConfigurationError(
                f"{self.name} knows the {table.constant} of {frames} {', '.join(known)}; {mine} is not among them. "
                f"Give checksum.{key}; `hilbridge presets` lists the presets of other makers",
                self.place,
            )
        return found


def preset(settings: ProtectionSettings, name: Preset, can_id: int, length: int, place: KeyPath) -> Recipe:
    """Return the recipe of a preset. ConfigurationError: a constant that it needs is not known for this frame."""
    if length < 2:
        raise ConfigurationError(f"{name} needs 2 bytes or more, the frame has {length}", place)
    frame = FrameFacts(name, can_id & EXTENDED_MASK, bool(can_id & EXTENDED), length, settings, place)
    return PRESETS[name].recipe(frame)


def _bmw_e(frame: FrameFacts) -> Recipe:
    checksum, counter = frame.constant(_BMW_E, "at")
    initial = 0 if frame.identifier == _BMW_E_WITHOUT_IDENTIFIER else frame.identifier
    return Recipe(
        CounterSettings(at=[counter], maximum=14),
        ChecksumSettings(at=[checksum], algorithm="sum8", fold=True, initial=initial),
    )


def _vw_mlb(frame: FrameFacts) -> Recipe:
    initial = frame.constant(_VW_MLB, "initial")
    checksum = ChecksumSettings(at=[bits(0, 8)], algorithm="xor8", initial=initial)
    return Recipe(CounterSettings(at=[bits(8, 4)]), checksum)


def _vw_mqb(frame: FrameFacts) -> Recipe:
    data_ids = frame.constant(_VW_MQB, "data_ids")
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
    xor_out = frame.constant(_GIORGIO, "xor_out")
    checksum = ChecksumSettings(at=frame.last(8), algorithm="crc8", initial=0, xor_out=xor_out)
    return Recipe(CounterSettings(at=frame.last(4, before=1)), checksum)


def _ford(frame: FrameFacts) -> Recipe:
    known: Recipe | None = frame.constant(_FORD, "fields")
    if known is not None:
        return known
    fields = frame.settings.checksum.fields if frame.settings.checksum is not None else []
    checksum = ChecksumSettings(algorithm="field-sum", negate=True, initial=0xFF, fields=fields)
    return Recipe(None, checksum)


def _hyundai(frame: FrameFacts) -> Recipe:
    known: Recipe | None = frame.constant(_HYUNDAI, "at")
    return known or Recipe(None, ChecksumSettings(algorithm="nibble-sum", negate=True))


def _hyundai_canfd(frame: FrameFacts) -> Recipe:
    xor_out = frame.constant(_HYUNDAI_CANFD, "xor_out")
    return Recipe(
        CounterSettings(at=[bits(16, 8)]),
        ChecksumSettings(at=[bits(0, 16)], algorithm="crc16", initial=0, xor_out=xor_out, after=["identifier"]),
    )


def _psa(frame: FrameFacts) -> Recipe:
    initial = frame.constant(_PSA, "initial")
    return Recipe(None, ChecksumSettings(algorithm="nibble-sum", negate=True, initial=initial))


def _rivian(frame: FrameFacts) -> Recipe:
    xor_out = frame.constant(_RIVIAN, "xor_out")
    return Recipe(
        CounterSettings(at=[bits(8, 4)], maximum=14),
        ChecksumSettings(at=[bits(0, 8)], algorithm="crc8", initial=0, xor_out=xor_out),
    )


def _bmw_f(frame: FrameFacts) -> Recipe:
    xor_out = frame.constant(_BMW_F, "xor_out")
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


class MakersPreset(NamedTuple):
    """A preset with the facts that a user needs to choose it: the cars that use it, and who found out."""

    used_by: str
    recipe: Callable[[FrameFacts], Recipe]
    source: str
    by_frame: ByFrame | None = None
    remark: str = ""


_SAE: Final = "SAE J1939-71"

PRESETS: Final[dict[Preset, MakersPreset]] = {
    "bmw-e": MakersPreset(
        "BMW E60, E65, E8x, E9x",
        _bmw_e,
        "HeinrichG-V12/E65_ReverseEngineering: the frames in docs/; Log1, a drive with a 760Li, where 113,000 frames "
        "of the identifiers below agree",
        _BMW_E,
        "Starts from the identifier, but 0x194 from 0; 0x130 and 0x190 have half a byte. The clusters of E60 and E9x "
        "do not check it, that of the E65 does.",
    ),
    "bmw-f": MakersPreset(
        "BMW F10, F30, Mini F5x",
        _bmw_f,
        "r00li/CarCluster, FinnAppel's and fatihcesur's cluster projects",
        _BMW_F,
    ),
    "chrysler": MakersPreset(
        "Chrysler, Dodge, Jeep, Ram", _chrysler, "opendbc: car/chrysler/chryslercan.py"
    ),
    "fca-giorgio": MakersPreset(
        "Alfa Romeo Giulia and Stelvio", _fca_giorgio, "opendbc: car/chrysler/chryslercan.py", _GIORGIO
    ),
    "ford": MakersPreset(
        "Ford, Lincoln",
        _ford,
        "opendbc: safety/modes/ford.h, car/ford/fordcan.py",
        _FORD,
        "Each frame adds other fields; a signal whose quality is not OK is refused whatever the checksum says.",
    ),
    "honda": MakersPreset(
        "Honda, Acura", _honda, "opendbc: car/honda/hondacan.py", None, "Starts from 11 with 29-bit identifiers."
    ),
    "hyundai": MakersPreset(
        "Hyundai, Kia, Genesis without CAN FD",
        _hyundai,
        "opendbc: safety/modes/hyundai.h, car/hyundai/hyundaican.py",
        _HYUNDAI,
        "LKAS11 has another checksum in every other car: it needs keys of its own.",
    ),
    "hyundai-canfd": MakersPreset(
        "Hyundai, Kia, Genesis with CAN FD", _hyundai_canfd, "opendbc: car/hyundai/hyundaicanfd.py", _HYUNDAI_CANFD
    ),
    "j1939": MakersPreset("Trucks and machines: TSC1", _j1939, f"{_SAE}, SPN 4206 and 4207"),
    "j1939-xbr": MakersPreset("Trucks: XBR, external brake request", _j1939_xbr, f"{_SAE}, SPN 3188 and 3189"),
    "psa": MakersPreset(
        "Peugeot, Citroën, DS, Opel (AEE2010)",
        _psa,
        "opendbc: car/psa/psacan.py; 0x0E6: morcibacsi/PSACANBridge, src/Can/Handlers/MessageHandler_0E6.cpp",
        _PSA,
        "The place differs from frame to frame: signal CHECKSUM of the database, or `at`.",
    ),
    "rivian": MakersPreset("Rivian R1", _rivian, "opendbc: safety/modes/rivian.h, car/rivian/riviancan.py", _RIVIAN),
    "subaru": MakersPreset("Subaru (global platform)", _subaru, "opendbc: car/subaru/subarucan.py"),
    "tesla": MakersPreset(
        "Tesla Model 3, Y", _tesla, "opendbc: car/tesla/teslacan.py", None,
        "Finds signals whose names end with Counter and Checksum.",
    ),
    "toyota": MakersPreset(
        "Toyota, Lexus", _toyota, "opendbc: car/toyota/toyotacan.py", None, "Most frames have no counter."
    ),
    "vw-mlb": MakersPreset(
        "Audi and Porsche on MLB", _vw_mlb, "opendbc: car/volkswagen/mlbcan.py", _VW_MLB,
        "Other frames of these cars are made as vw-mqb makes them: `protection: [vw-mlb, vw-mqb]` of the bus.",
    ),
    "vw-mqb": MakersPreset(
        "Volkswagen, Audi, Seat, Škoda on MQB and MEB", _vw_mqb, "opendbc: car/volkswagen/mqbcan.py", _VW_MQB,
        "AUTOSAR E2E profile 2. 0x6B4, the vehicle's identification number, never leaves a bus with this preset.",
    ),
    "vw-pq": MakersPreset(
        "Volkswagen, Audi, Seat, Škoda on PQ25, PQ35, PQ46", _vw_pq, "opendbc: car/volkswagen/mqbcan.py", None,
        "The place differs from frame to frame: signal CHECKSUM of the database, or `at`.",
    ),
}  # fmt: skip
