"""Lines of pairs: `throttle=512 key=1`, separated by blanks, commas or semicolons.

Names are compared without regard to case, unknown ones are ignored. A line may hold any of the wanted fields.
"""

import re
from collections.abc import Sequence
from typing import Final

from hilbridge.inputs.formats.format import INCOMPLETE, LINE_ENDS, Readings, Refused, reading, shown

_SEPARATORS: Final = re.compile(rb"[ \t,;]+")


class Pairs:
    """Looks for the fields of these names."""

    ends = LINE_ENDS

    def __init__(self, fields: Sequence[str]) -> None:
        self._fields: Final = [field.lower().encode() for field in fields]
        self._wanted: Final = ", ".join(fields)

    def decode(self, packet: bytes) -> Readings:
        """A field that comes twice has no number."""
        found: dict[bytes, bytes] = {}
        for pair in _SEPARATORS.split(packet):
            name, _, value = pair.partition(b"=")
            name = name.lower()
            found[name] = b"" if name in found else value
        readings = [reading(found[field]) if field in found else None for field in self._fields]
        if all(one is None for one in readings):
            raise Refused(INCOMPLETE, f"{shown(packet)} lacks all of {self._wanted}")
        return readings
