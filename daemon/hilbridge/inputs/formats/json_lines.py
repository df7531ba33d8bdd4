"""Lines of JSON: `{"throttle": 512, "key": 1}`.

Names are compared without regard to case, unknown ones are ignored; `true` is 1, `null` is as if the name were not
there. A line may hold any of the wanted fields.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from hilbridge.inputs.formats.format import INCOMPLETE, LINE_ENDS, Readings, Refused, shown
from hilbridge.inputs.signal_conditioner import GARBAGE, Reading


class JsonLines:
    """Looks for the fields of these names."""

    ends = LINE_ENDS

    def __init__(self, fields: Sequence[str]) -> None:
        self._fields: Final = [field.lower() for field in fields]
        self._wanted: Final = ", ".join(fields)
        self._parse: Final = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_number).decode

    def decode(self, packet: bytes) -> Readings:
        try:
            found = self._parse(packet.decode())
        except (ValueError, RecursionError):
            raise Refused(GARBAGE, f"{shown(packet)} is no JSON") from None
        if not isinstance(found, dict):
            raise Refused(GARBAGE, f"{shown(packet)} is no JSON object")
        readings = [_reading(found.get(field)) for field in self._fields]
        if all(one is None for one in readings):
            raise Refused(INCOMPLETE, f"{shown(packet)} lacks all of {self._wanted}")
        return readings


def _members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a name that comes twice has no number."""
    found: dict[str, Any] = {}
    for name, value in members:
        folded = name.lower()
        found[folded] = "" if folded in found else value
    return found


def _reading(value: Any) -> Reading | None:
    match value:
        case None | str():
            return value
        case bool() | int() | float():
            return float(value)
    return ""


def _no_number(text: str) -> NoReturn:
    """NaN and Infinity are not JSON, though Python reads them."""
    raise ValueError(text)
