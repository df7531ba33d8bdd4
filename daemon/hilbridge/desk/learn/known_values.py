"""Reading of known values beside a log: a CSV file with a time column, such as a speed and a revolution counter.

A header cell is a name and, perhaps, a unit in brackets: `time [s]`, `speed [km/h]`. Empty cells are no values. The
times are those of the log, or count from its first frame on: what overlaps the log is meant.
"""

import csv
import math
import re
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, Problem, quoted
from hilbridge.base.common.units import SECOND

_TIMES: Final = {"time", "t", "timestamp", "timestamps", "seconds"}

_FACTORS: Final = {"": 1.0, "s": 1.0, "sec": 1.0, "ms": 1e-3}

_MOST_PROBLEMS: Final = 10

_LEAST_OVERLAP: Final = 2.0
"""[s]"""


class Known(NamedTuple):
    """A column: its values over time [ns] of the log."""

    name: str
    unit: str
    times: NDArray[np.float64]
    values: NDArray[np.float64]


def read_known(path: Path, first: int, last: int) -> list[Known]:
    """Return the columns of a file that overlaps the log from `first` to `last` [ns].

    ConfigurationError: it cannot be read, has no time or no other column, no numbers, or does not overlap the log.
    """
    header, rows = _read(path)
    time_column = next((i for i, (name, _) in enumerate(header) if name.casefold() in _TIMES), None)
    if time_column is None:
        names = ", ".join(name for name, _ in header)
        raise ConfigurationError(f"{path}:1: there is no column 'time'; there are {names}")
    unit = header[time_column][1].casefold()
    if unit not in _FACTORS:
        raise ConfigurationError(f"{path}:1: time: the unit {quoted(unit)}, but s or ms is expected")
    if len(header) < 2:
        raise ConfigurationError(f"{path}:1: there are no values beside the time")
    if len(rows) < 2:
        raise ConfigurationError(f"{path}: there are {len(rows)} lines of values: too few")
    table = np.array(rows)
    times = _log_times(path, table[:, time_column] * _FACTORS[unit] * SECOND, first, last)
    found = []
    for index, (name, its_unit) in enumerate(header):
        there = np.isfinite(table[:, index])
        if index != time_column and there.sum() >= 2:
            found.append(Known(name, its_unit, times[there], table[there, index]))
    if not found:
        raise ConfigurationError(f"{path}: its columns have no numbers")
    return found


def _log_times(path: Path, times: NDArray[np.float64], first: int, last: int) -> NDArray[np.float64]:
    """Return the times as those of the log: as they are, or counted from its first frame."""
    for shifted in (times, times + first):
        if min(shifted[-1], last) - max(shifted[0], first) >= min(_LEAST_OVERLAP * SECOND, (last - first) / 2):
            return shifted
    raise ConfigurationError(
        f"{path}: its times, {times[0] / SECOND:.3f} to {times[-1] / SECOND:.3f} s, do not overlap those of the log, "
        f"{first / SECOND:.3f} to {last / SECOND:.3f} s, nor the {(last - first) / SECOND:.1f} s from its start"
    )


def _read(path: Path) -> tuple[list[tuple[str, str]], list[list[float]]]:
    problems: list[Problem] = []
    rows: list[list[float]] = []
    header: list[tuple[str, str]] = []
    time_column = -1
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, skipinitialspace=True)
            for cells in reader:
                if not any(cell.strip() for cell in cells):
                    continue
                if not header:
                    header = [_named(cell) for cell in cells]
                    time_column = next((i for i, (name, _) in enumerate(header) if name.casefold() in _TIMES), -1)
                    continue
                reason = _take(cells, header, time_column, rows)
                if reason:
                    problems.append(Problem(str(path), reader.line_num, (), reason))
                if len(problems) >= _MOST_PROBLEMS:
                    break
    except (OSError, UnicodeError, csv.Error) as error:
        raise ConfigurationError(f"the values {path} cannot be read: {error}") from None
    if problems:
        raise InvalidFileError(problems)
    if not header:
        raise ConfigurationError(f"{path}: the file is empty; the first line names the columns")
    return header, rows


def _named(cell: str) -> tuple[str, str]:
    """Return name and unit of a header cell."""
    match = re.fullmatch(r"(.*?)\s*[\[(](.*)[\])]", cell.strip())
    return (match[1], match[2].strip()) if match else (cell.strip(), "")


def _take(cells: list[str], header: list[tuple[str, str]], time_column: int, rows: list[list[float]]) -> str | None:
    """Add a line to the rows; return what is wrong with it."""
    if len(cells) != len(header):
        return f"{len(cells)} values for {len(header)} columns"
    numbers = []
    for index, cell in enumerate(cells):
        try:
            number = float(cell) if cell.strip() else math.nan
        except ValueError:
            return f"{header[index][0]}: {quoted(cell)} is not a number"
        if math.isinf(number) or (index == time_column and math.isnan(number)):
            return f"{header[index][0]}: {quoted(cell)} is not a number"
        numbers.append(number)
    if rows and time_column >= 0 and numbers[time_column] < rows[-1][time_column]:
        return f"{numbers[time_column]:g} after {rows[-1][time_column]:g}: times ascend"
    rows.append(numbers)
    return None
