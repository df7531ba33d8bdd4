"""The values of a recording in the formats of other tools: a row for each sample, a column for each entry.

| extension | format | a number | a code | not available |
|---|---|---|---|---|
| .mf4 | ASAM MDF 4.1 | double, with unit and meaning | integer with a value-to-text table | NaN, empty text |
| .csv | header cells `time [s]`, `vehicle.Speed [m/s]` | shortest exact decimal | integer | empty |
| .parquet | Apache Parquet | double, with unit and meaning as metadata | integer, codes as metadata | null |

The time is run time in seconds, from 0; dates in a file have no meaning.
"""

import csv
import json
import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_there
from hilbridge.base.common.remedies import extra_remedy
from vehiclesim.channels import NAN, UNAVAILABLE_LOAD
from vehiclesim.entries import Entry

Times = NDArray[np.float64]
Integers = NDArray[np.int32]

_LOAD: Final = "vehicle.EngineLoad"


class ValuesFile(AbstractContextManager["ValuesFile"]):
    """A new file of values; `write` appends rows, and the file is whole at the end of the context."""

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None:
        self._path: Final = path
        self._entries: Final = entries

    def write(self, times: Times, integers: Integers) -> None:
        """Append rows: their times [s], and the integers of the data bus, a column for each entry."""
        raise NotImplementedError

    def close(self) -> None:
        """Complete the file."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except BaseException:
            self._path.unlink(missing_ok=True)
            raise
        if kind is not None:
            self._path.unlink(missing_ok=True)

    def _columns(self, integers: Integers) -> list[tuple[Entry, Integers, NDArray[np.bool_]]]:
        """Return for each entry its integers, and where they mean a value that is not available."""
        columns = zip(self._entries, integers.T, strict=True)
        return [(entry, column, _is_missing(entry, column)) for entry, column in columns]


def physical(entry: Entry, integers: Integers) -> Times:
    """Return integers of the data bus in the unit of their entry; what is not available is not-a-number."""
    return np.where(_is_missing(entry, integers), math.nan, integers / entry.resolution)


def open_values(path: Path, entries: Sequence[Entry]) -> ValuesFile:
    """Begin a file of values. OSError: it cannot be written."""
    return _FORMATS[path.suffix.lower()](path, entries)


def check_values(path: Path) -> None:
    """Raise ConfigurationError, before any work is done, for a file that cannot be made."""
    extension = path.suffix.lower()
    if extension not in _FORMATS:
        raise ConfigurationError(f"{path.name}: values are written as {', '.join(_FORMATS)}")
    if is_there(path):
        raise ConfigurationError(f"{path} is there already: name another file")
    for kind, package, extra in ((".mf4", "asammdf", "mf4"), (".parquet", "pyarrow", "parquet")):
        if extension == kind and find_spec(package) is None:
            raise ConfigurationError(f"{kind} needs the package {package}: {extra_remedy(extra)}")


class _CsvValues(ValuesFile):
    def __init__(self, path: Path, entries: Sequence[Entry]) -> None:
        super().__init__(path, entries)
        self._file: Final = path.open("x", encoding="utf-8", newline="")
        self._writer: Final = csv.writer(self._file, lineterminator="\n")
        units = (f"{entry.path} [{entry.unit}]" if entry.unit else entry.path for entry in entries)
        self._writer.writerow(("time [s]", *units))

    def write(self, times: Times, integers: Integers) -> None:
        columns: list[list[Any]] = [times.tolist()]
        for entry, column, missing in self._columns(integers):
            numbers = column.tolist() if entry.resolution == 1 else (column / entry.resolution).tolist()
            columns.append(["" if gone else number for number, gone in zip(numbers, missing.tolist(), strict=True)])
        self._writer.writerows(zip(*columns, strict=True))

    def close(self) -> None:
        self._file.close()


class _Mf4Values(ValuesFile):
    """Rows go into asammdf's temporary file on disk, and from there compressed into the file."""

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None:
        from asammdf import MDF

        super().__init__(path, entries)
        path.touch(exist_ok=False)
        self._file: Final = MDF(version="4.10")
        self._file.header.abs_time = 0
        self._began = False
        self.write(np.empty(0), np.empty((0, len(entries)), np.int32))

    def write(self, times: Times, integers: Integers) -> None:
        from asammdf import Signal

        samples = [
            column.copy() if entry.codes else physical(entry, column)
            for entry, column in zip(self._entries, integers.T, strict=True)
        ]
        if self._began:
            self._file.extend(0, [(each, None) for each in (times, *samples)])
            return
        self._began = True
        signals = [
            Signal(each, times, name=entry.path, unit=entry.unit, comment=entry.meaning, conversion=_table(entry))
            for entry, each in zip(self._entries, samples, strict=True)
        ]
        self._file.append(signals, comment="values of the data bus", common_timebase=True)

    def close(self) -> None:
        self._file.save(self._path, overwrite=True, compression=2)
        self._file.close()


class _ParquetValues(ValuesFile):
    def __init__(self, path: Path, entries: Sequence[Entry]) -> None:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow.parquet import ParquetWriter  # type: ignore[import-untyped]

        super().__init__(path, entries)
        fields = [pa.field("time", pa.float64(), metadata={"unit": "s", "meaning": "Time of the run."})]
        for entry in entries:
            codes = {"codes": json.dumps(dict(entry.codes))} if entry.codes else {}
            kind = pa.int32() if entry.codes else pa.float64()
            fields.append(pa.field(entry.path, kind, metadata={"unit": entry.unit, "meaning": entry.meaning, **codes}))
        path.touch(exist_ok=False)
        self._writer: Final = ParquetWriter(path, pa.schema(fields))

    def write(self, times: Times, integers: Integers) -> None:
        import pyarrow as pa

        arrays = [pa.array(times)]
        for entry, column, missing in self._columns(integers):
            values = column if entry.codes else column / entry.resolution
            arrays.append(pa.array(values, mask=missing))
        self._writer.write_batch(pa.record_batch(arrays, schema=self._writer.schema))

    def close(self) -> None:
        self._writer.close()


_FORMATS: Final[dict[str, type[ValuesFile]]] = {".mf4": _Mf4Values, ".csv": _CsvValues, ".parquet": _ParquetValues}

EXTENSIONS: Final = tuple(_FORMATS)
"""The extensions of files of values."""


def _table(entry: Entry) -> dict[str, Any] | None:
    """Return the value-to-text table of a code, as asammdf takes it; an unknown integer has the text ""."""
    if not entry.codes:
        return None
    table: dict[str, Any] = {"default": ""}
    for number, (code, state) in enumerate(entry.codes):
        table |= {f"val_{number}": code, f"text_{number}": state}
    return table


def _is_missing(entry: Entry, integers: Integers) -> NDArray[np.bool_]:
    """Return where integers say that a value is not available."""
    missing: NDArray[np.bool_] = integers == NAN
    return missing | (integers == UNAVAILABLE_LOAD) if entry.path == _LOAD else missing
