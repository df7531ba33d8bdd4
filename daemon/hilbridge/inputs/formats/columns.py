"""Lines of columns: `512,1`, separated by commas, semicolons or tabs; exactly the columns of the bench file."""

import re
from collections.abc import Sequence
from typing import Final

from hilbridge.common.errors import ConfigurationError
from hilbridge.inputs.formats.format import INCOMPLETE, LINE_ENDS, Readings, Refused, reading, shown

_SEPARATORS: Final = re.compile(rb"[,;\t]")


class Columns:
    """Takes the fields of these names by the place of their column. ConfigurationError: a field has not one column."""

    ends = LINE_ENDS

    def __init__(self, fields: Sequence[str], columns: Sequence[str]) -> None:
        names = [column.lower() for column in columns]
        for field in fields:
            if names.count(field.lower()) != 1:
                how_often = "more than once" if field.lower() in names else "not"
                raise ConfigurationError(f"column {field!r} is {how_often} in 'columns'")
        self._columns: Final = len(columns)
        self._positions: Final = [names.index(field.lower()) for field in fields]

    def decode(self, packet: bytes) -> Readings:
        """A line with another number of columns holds none of them."""
        cells = _SEPARATORS.split(packet)
        if len(cells) != self._columns:
            raise Refused(INCOMPLETE, f"{shown(packet)} lacks its {self._columns} columns")
        return [reading(cells[position].strip(b" ")) for position in self._positions]
