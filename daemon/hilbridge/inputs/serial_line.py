"""Driver inputs from lines of text: what arrives on a serial port, in any portions, turned into samples.

A line ends with LF, CR or both. Names are compared without regard to case. Two formats:

    pairs   throttle=512 key=1      separated by blanks, commas or semicolons; unknown names are ignored
    csv     512,1                   separated by commas, semicolons or tabs; exactly the columns of the bench file

A line of pairs may hold any of the wanted fields. It sets those and leaves the others as they are, until they time
out. A line counts as a whole or not at all: a wanted field that is no decimal number, or comes twice, spoils it. What
precedes the first line end after the port was opened is thrown away, because the tail of a line can look like one.
"""

import math
import re
from typing import Final

from hilbridge.errors import ConfigurationError, KeyPath
from hilbridge.inputs.source import Binding, Source, bind
from hilbridge.settings import SerialInput

MAXIMUM_LINE: Final = 256
"""Bytes of a line, its end not counted; a longer one is dropped up to its end."""

MAXIMUM_LINES: Final = 16
"""Lines of one portion that are looked at, the newest ones; at 1,000 portions a second no board sends more."""

GARBAGE: Final = "garbage"
"""A wanted field is no finite decimal number, or comes twice."""
INCOMPLETE: Final = "incomplete"
"""No wanted field, or not as many cells as columns."""
OVERLONG: Final = "overlong"
"""No line end within MAXIMUM_LINE bytes."""
OUT_OF_RANGE: Final = "out_of_range"
"""A position that the control does not have, or a number too large to be one."""
FLOOD: Final = "flood"
"""More than MAXIMUM_LINES at once."""

_REASONS: Final = (GARBAGE, INCOMPLETE, OUT_OF_RANGE, OVERLONG, FLOOD)

_NUMBER: Final = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")
"""Narrower than float(): no nan, inf, 1_000 or 0x10."""

_PAIR_SEPARATORS: Final = re.compile(rb"[ \t,;]+")
_COLUMN_SEPARATORS: Final = re.compile(rb"[,;\t]")


_LONGEST_QUOTE: Final = 40


class SerialLineSource(Source):
    """The samples of one serial port. `feed` takes what was read from it, `reset` tells that it was opened anew."""

    def __init__(self, settings: SerialInput, place: KeyPath = ()) -> None:
        """`place`: key path of this input in the bench file. ConfigurationError: see `bind`, or no such column."""
        bindings = bind(settings.signals, place)
        factors = [1.0] * len(bindings)
        super().__init__(settings.port, bindings, factors, settings.timeout, _REASONS)
        self._fields: Final = [binding.field.lower().encode() for binding in bindings]
        self._positions: Final[list[int]] = []
        self._columns: Final = len(settings.columns)
        if settings.format == "csv":
            columns = [column.lower().encode() for column in settings.columns]
            for binding, field in zip(bindings, self._fields, strict=True):
                if columns.count(field) != 1:
                    how_often = "more than once" if field in columns else "not"
                    raise ConfigurationError(f"column {binding.field!r} is {how_often} in 'columns'", binding.place)
                self._positions.append(columns.index(field))
        fields = ", ".join(binding.field for binding in bindings)
        self._wanted: Final = f"its {self._columns} columns" if self._positions else f"all of {fields}"
        self._pending = b""
        self._skipping = True

    def reset(self) -> None:
        """The port was opened: the rest of a line that began before is not looked at."""
        self._pending = b""
        self._skipping = True

    def feed(self, data: bytes, t: int) -> None:
        """Takes bytes in any portions; `t` [ns] is the time of the lines that they complete."""
        *ended, rest = (self._pending + data).replace(b"\r", b"\n").split(b"\n")
        if ended and self._skipping:
            self._skipping = False
            ended = ended[1:]
        lines = [line for line in ended if line]
        if len(lines) > MAXIMUM_LINES:
            self._reject(FLOOD, t, len(lines) - MAXIMUM_LINES)
        for line in lines[-MAXIMUM_LINES:]:
            self._take(line, t)
        if len(rest) > MAXIMUM_LINE:
            if not self._skipping:
                self._reject(OVERLONG, t)
            self._skipping = True
        self._pending = b"" if self._skipping else rest

    def _take(self, line: bytes, t: int) -> None:
        if len(line) > MAXIMUM_LINE:
            self._reject(OVERLONG, t)
            return
        cells = self._cells_by_position(line) if self._positions else self._cells_by_name(line)
        if all(cell is None for cell in cells):
            self._reject(INCOMPLETE, t, what=f"{_shown(line)} lacks {self._wanted}")
        elif any(cell is not None and not _NUMBER.fullmatch(cell) for cell in cells):
            self._reject(GARBAGE, t, what=f"{_shown(line)} has no plain decimal numbers")
        else:
            readings = [None if cell is None else float(cell) for cell in cells]
            if all(map(_is_possible, self.bindings, readings)):
                self._accept(readings, t)
            else:
                self._reject(OUT_OF_RANGE, t, what=_shown(line))

    def _cells_by_position(self, line: bytes) -> list[bytes | None]:
        """One cell per wanted field; a line with another number of columns holds none of them."""
        columns = _COLUMN_SEPARATORS.split(line)
        if len(columns) != self._columns:
            return [None]
        return [columns[position].strip(b" ") for position in self._positions]

    def _cells_by_name(self, line: bytes) -> list[bytes | None]:
        """One cell per wanted field, None for what the line does not hold."""
        found: dict[bytes, bytes] = {}
        for pair in _PAIR_SEPARATORS.split(line):
            name, _, value = pair.partition(b"=")
            name = name.lower()
            found[name] = b"" if name in found else value  # twice: no number
        return [found.get(field) for field in self._fields]


def _is_possible(binding: Binding, reading: float | None) -> bool:
    """False for a key at 5; a pedal beyond its calibrated ends only stands at the end."""
    if reading is None:
        return True
    control = binding.control
    return math.isfinite(reading) and (control.travel or control.lowest <= reading <= control.highest)


def _shown(line: bytes) -> str:
    """A line of the board inside a message."""
    return repr(line[:_LONGEST_QUOTE].decode("ascii", errors="replace"))
