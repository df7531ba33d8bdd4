"""A CSV file with a header line, as columns of numbers in known units; all that is wrong with it has its line.

A header cell is a quantity and its unit: `speed km/h`, `Speed [km/h]`, `speed_kmh`. Blank lines are skipped.
"""

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, Problem, quoted
from hilbridge.base.common.words import counted


class Column(NamedTuple):
    """The content that a column may have: a factor for each unit that it may have, and bounds after that factor."""

    units: Mapping[str, float]
    highest: float
    lowest: float = 0.0
    whole: bool = False


class _Row(NamedTuple):
    """A line of the file that is not empty."""

    line: int
    cells: list[str]


class _Column(NamedTuple):
    """A column as the header describes it."""

    name: str
    factor: float


class CsvFile:
    """The columns of a file, and the line of each row.

    A reader may refuse more, and calls `verdict` at the end.
    """

    def __init__(self, path: Path, what: str, quantities: Mapping[str, Column], needed: Sequence[str]) -> None:
        """ConfigurationError when it cannot be read at all; `what` names the file in messages."""
        self.values: dict[str, list[float]] = {}
        self.lines: list[int] = []
        self.problems: list[Problem] = []
        self._file: Final = str(path)
        self._quantities: Final = quantities
        rows = _rows(path, what)
        if not rows:
            self.refuse(1, "", "the file is empty; the first line names the columns")
            return
        columns = list(self._header(rows[0]))
        for name in needed:
            if not self.problems and name not in self.values:
                self.refuse(rows[0].line, "", f"there is no column '{name}'")
        if self.problems:
            return
        for row in rows[1:]:
            self._take(row, columns)
        if len(rows) < 3:
            self.refuse(rows[-1].line, "", f"a {what} has at least two lines below its header")

    def check_ascending(self, name: str, unit: str) -> None:
        """Refuse a column that does not ascend; after everything else, for only a sound file has full columns."""
        if self.problems:
            return
        values = self.values[name]
        for one, two, line in zip(values, values[1:], self.lines[1:], strict=False):
            if two <= one:
                self.refuse(line, name, f"{two:g} {unit} after {one:g} {unit}; {name}s ascend")

    def verdict(self) -> None:
        """Raise InvalidFileError with everything that is wrong, if anything is."""
        if self.problems:
            raise InvalidFileError(self.problems)

    def refuse(self, line: int, column: str, reason: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(self._file, line, (column,) if column else (), reason))

    def _header(self, row: _Row) -> Iterator[_Column]:
        for cell in row.cells:
            name, _, unit = re.sub(r"[\s_()\[\]]+", " ", cell.strip().lower()).strip().partition(" ")
            if name not in self._quantities:
                self.refuse(row.line, "", f"unknown column {quoted(cell)}; known: {', '.join(self._quantities)}")
            elif name in self.values:
                self.refuse(row.line, name, "this column is there twice")
            elif unit not in self._quantities[name].units:
                units = [one for one in self._quantities[name].units if one]
                found = f"the unit {quoted(unit)}" if unit else "no unit"
                example = f", such as '{name} {units[0]}'" if units else ""
                self.refuse(row.line, name, f"{found}, but {' or '.join(units) or 'none'} is expected{example}")
            else:
                self.values[name] = []
                yield _Column(name, self._quantities[name].units[unit])

    def _take(self, row: _Row, columns: list[_Column]) -> None:
        if len(row.cells) != len(columns):
            self.refuse(row.line, "", f"{counted(len(row.cells), 'value')} for {counted(len(columns), 'column')}")
            return
        self.lines.append(row.line)
        for cell, (name, factor) in zip(row.cells, columns, strict=True):
            quantity = self._quantities[name]
            try:
                value = float(cell) * factor
            except ValueError:
                self.refuse(row.line, name, f"{quoted(cell)} is not a number")
                continue
            if not (math.isfinite(value) and quantity.lowest <= value <= quantity.highest):
                self.refuse(row.line, name, f"{cell.strip()} is out of range")
            elif quantity.whole and value != int(value):
                self.refuse(row.line, name, f"{cell.strip()} is not a whole number")
            self.values[name].append(value)


def _rows(path: Path, what: str) -> list[_Row]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, skipinitialspace=True)
            return [_Row(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except (OSError, UnicodeError, csv.Error) as error:
        raise ConfigurationError(f"the {what} {path} cannot be read: {error}") from None
