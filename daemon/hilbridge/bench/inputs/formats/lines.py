"""Formats of text: lines of pairs, of columns, of JSON, and NMEA sentences.

Names are compared without regard to case, and unknown ones are ignored. A line of pairs or JSON may hold any of the
wanted fields.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import xor
from typing import Any, Final, NoReturn

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.formats.format import CHECKSUM, INCOMPLETE, MakeFormat, Readings, TextSettings, shown
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, Reading, Refused
from hilbridge.files.settings import SerialInput

LINE_ENDS: Final = b"\r\n"

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")
"""Narrower than float(): no nan, inf, 1_000 or 0x10."""

_BETWEEN_PAIRS: Final = re.compile(rb"[ \t,;]+")
_BETWEEN_COLUMNS: Final = re.compile(rb"[,;\t]")

_NMEA_CHECKSUM: Final = re.compile(rb"\*[0-9A-Fa-f]{2}")
_NMEA_CHECKSUM_LENGTH: Final = 3


class Pairs:
    """`throttle=512 key=1`: pairs separated by blanks, commas or semicolons."""

    ends = LINE_ENDS

    def __init__(self, fields: Sequence[str], settings: TextSettings) -> None:
        del settings
        self._fields: Final = [field.lower().encode() for field in fields]
        self._wanted: Final = ", ".join(fields)

    def decode(self, packet: bytes) -> Readings:
        """Return the readings of the wanted fields; a field that comes twice has no number."""
        found: dict[bytes, bytes] = {}
        for pair in _BETWEEN_PAIRS.split(packet):
            name, _, value = pair.partition(b"=")
            name = name.lower()
            found[name] = b"" if name in found else value
        readings = [parse_cell(found[field]) if field in found else None for field in self._fields]
        if all(reading is None for reading in readings):
            raise Refused(INCOMPLETE, f"{shown(packet)} lacks all of {self._wanted}")
        return readings


class Columns:
    """`512,1`: exactly the columns of the bench file, separated by commas, semicolons or tabs.

    ConfigurationError: a field has no column, or more than one.
    """

    ends = LINE_ENDS

    def __init__(self, fields: Sequence[str], settings: TextSettings) -> None:
        names = [column.lower() for column in settings.columns]
        for field in fields:
            if names.count(field.lower()) != 1:
                how_often = "more than once" if field.lower() in names else "not"
                raise ConfigurationError(f"column {field!r} is {how_often} in 'columns'")
        self._columns: Final = len(names)
        self._positions: Final = [names.index(field.lower()) for field in fields]

    def decode(self, packet: bytes) -> Readings:
        """Return the readings of the wanted columns; a line with another number of columns is refused."""
        cells = _BETWEEN_COLUMNS.split(packet)
        if len(cells) != self._columns:
            raise Refused(INCOMPLETE, f"{shown(packet)} lacks its {self._columns} columns")
        return [parse_cell(cells[position].strip(b" ")) for position in self._positions]


class NmeaSentences:
    """`$HB,512,1*hh`: the columns behind the sentence's first word, in the manner of NMEA 0183.

    hh is the exclusive or of the bytes between `$` and `*`, in two hexadecimal digits; it is required. Sentences whose
    first word is another one are meant for others.
    """

    ends = LINE_ENDS

    def __init__(self, fields: Sequence[str], settings: SerialInput) -> None:
        self._address: Final = settings.sentence.encode()
        self._columns: Final = Columns(fields, settings)

    def decode(self, packet: bytes) -> Readings | None:
        """Return the readings of a sentence; bytes before the `$` are the rest of one that lost its end."""
        sentence = packet[packet.rfind(b"$") + 1 :]
        body, checksum = sentence[:-_NMEA_CHECKSUM_LENGTH], sentence[-_NMEA_CHECKSUM_LENGTH:]
        if b"$" not in packet or not _NMEA_CHECKSUM.fullmatch(checksum):
            raise Refused(GARBAGE, f"{shown(packet)} is no sentence $...*hh")
        if int(checksum[1:], 16) != reduce(xor, body, 0):
            raise Refused(CHECKSUM, shown(packet))
        address, _, cells = body.partition(b",")
        return self._columns.decode(cells) if address == self._address else None


class JsonLines:
    """`{"throttle": 512, "truck": {"speed": 71.2}}`: `true` is 1, `null` is as if the name were absent.

    `truck.speed` is `speed` in the object `truck`.
    """

    ends = LINE_ENDS

    def __init__(self, fields: Sequence[str], settings: TextSettings) -> None:
        del settings
        self._fields: Final = [field.lower() for field in fields]
        self._wanted: Final = ", ".join(fields)
        self._parse: Final = json.JSONDecoder(object_pairs_hook=_fold_names, parse_constant=_refuse_constant).decode

    def decode(self, packet: bytes) -> Readings:
        """Return the readings of the wanted names."""
        try:
            found = self._parse(packet.decode())
        except (ValueError, RecursionError):
            raise Refused(GARBAGE, f"{shown(packet)} is no JSON") from None
        if not isinstance(found, dict):
            raise Refused(GARBAGE, f"{shown(packet)} is no JSON object")
        readings = [_parse_member(_find(found, field)) for field in self._fields]
        if all(reading is None for reading in readings):
            raise Refused(INCOMPLETE, f"{shown(packet)} lacks all of {self._wanted}")
        return readings


def parse_cell(cell: bytes) -> Reading:
    """Return a number where the cell is one, else a word."""
    text = cell.decode("ascii", errors="replace")
    return float(text) if _NUMBER.fullmatch(text) else text


def _fold_names(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with names in lower case; a name that comes twice has no number."""
    found: dict[str, Any] = {}
    for name, value in members:
        folded = name.lower()
        found[folded] = "" if folded in found else value
    return found


def _find(found: dict[str, Any], name: str) -> Any:
    """Return the member of a name, or that of the object that the name begins with; None without it."""
    if name in found or "." not in name:
        return found.get(name)
    outer, _, inner = name.partition(".")
    within = found.get(outer)
    return _find(within, inner) if isinstance(within, dict) else None


def _parse_member(value: Any) -> Reading | None:
    match value:
        case None | str():
            return value
        case bool() | int() | float():
            return float(value)
    return ""


def _refuse_constant(text: str) -> NoReturn:
    """Refuse NaN and Infinity: they are not JSON, though Python reads them."""
    raise ValueError(text)


LINE_FORMATS: Final[Mapping[str, MakeFormat]] = {
    "pairs": Pairs,
    "csv": Columns,
    "nmea": NmeaSentences,
    "json": JsonLines,
}
"""The formats by the names of the bench file."""
