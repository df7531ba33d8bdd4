"""A file of decoded signals: a row for each frame in the order of the log, a column for each signal, empty elsewhere.

| extension | a value | not in this frame |
|---|---|---|
| .parquet | double; 64-bit integer where factor 1 and offset 0 are; unit as metadata | null |
| .csv | shortest exact decimal | empty |

Columns: `time` [s] as in the log, `message`-`signal` names joined by a point. Rows without a message are not written.
"""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from hilbridge.common.errors import ConfigurationError
from hilbridge.common.remedies import extra_remedy
from hilbridge.common.units import SECOND
from hilbridge.logs.signals import Column, Values

Rows = Mapping[str, Sequence[tuple[NDArray[np.int64], Values]]]
"""The values of columns, with the rows where they are."""

EXTENSIONS: Final = (".parquet", ".csv")


class SignalsFile:
    """A new file of signals, which is whole at the end of the context, or not there."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        """ConfigurationError: it is there already, no such format, its package is not installed."""
        if path.suffix.lower() not in EXTENSIONS:
            raise ConfigurationError(f"{path.name}: signals are written as {' and '.join(EXTENSIONS)}")
        if path.exists():
            raise ConfigurationError(f"{path} is there already: name another file")
        self._path: Final = path
        self._format: Final = (_Parquet if path.suffix.lower() == ".parquet" else _Csv)(path, columns)

    def write(self, times: NDArray[np.int64], rows: Rows) -> None:
        """Append rows: their times [ns], and the values of their columns."""
        self._format.write(times, rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._format.close()
        if kind is not None:
            self._path.unlink(missing_ok=True)


class _Parquet:
    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        try:
            import pyarrow as pa  # type: ignore[import-untyped]
            from pyarrow.parquet import ParquetWriter  # type: ignore[import-untyped]
        except ImportError:
            raise ConfigurationError(f".parquet needs the package pyarrow: {extra_remedy('parquet')}") from None
        self._pa: Any = pa
        self._columns: Final = columns
        fields = [pa.field("time", pa.float64(), metadata={"unit": "s"})]
        fields += [pa.field(one.name, pa.from_numpy_dtype(one.kind), metadata={"unit": one.unit}) for one in columns]
        self._schema: Final = pa.schema(fields)
        self._writer: Final = ParquetWriter(path, self._schema, use_dictionary=False)

    def write(self, times: NDArray[np.int64], rows: Rows) -> None:
        count = len(times)
        nulls: dict[Any, Any] = {}
        arrays = [self._pa.array(_seconds(times))]
        for one, field in zip(self._columns, list(self._schema)[1:], strict=True):
            parts = rows.get(one.name)
            if not parts:
                if field.type not in nulls:
                    nulls[field.type] = self._pa.nulls(count, field.type)
                arrays.append(nulls[field.type])
                continue
            values, missing = np.zeros(count, one.kind), np.ones(count, np.bool_)
            for places, found in parts:
                values[places], missing[places] = found, False
            arrays.append(self._pa.array(values, mask=missing))
        self._writer.write_table(self._pa.Table.from_arrays(arrays, schema=self._schema), row_group_size=count)

    def close(self) -> None:
        self._writer.close()


class _Csv:
    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._file: Final = path.open("x", encoding="utf-8", newline="")
        self._writer: Final = csv.writer(self._file, lineterminator="\n")
        self._columns: Final = columns
        units = (f"{one.name} [{one.unit}]" if one.unit else one.name for one in columns)
        self._writer.writerow(("time [s]", *units))

    def write(self, times: NDArray[np.int64], rows: Rows) -> None:
        cells: list[list[Any]] = [_seconds(times).tolist()]
        for one in self._columns:
            column: list[Any] = [""] * len(times)
            for places, found in rows.get(one.name, ()):
                for place, value in zip(places.tolist(), found.tolist(), strict=True):
                    column[place] = value
            cells.append(column)
        self._writer.writerows(zip(*cells, strict=True))

    def close(self) -> None:
        self._file.close()


def _seconds(times: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return times [ns] in seconds, the fraction by itself: a double has not the nanoseconds since 1970."""
    seconds: NDArray[np.float64] = times // SECOND + times % SECOND / SECOND
    return seconds
