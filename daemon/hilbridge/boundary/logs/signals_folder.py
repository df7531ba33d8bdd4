"""A folder of decoded signals: a table for each message, with a row for each of its frames in the order of the log.

| extension of the folder | a table | a value | not in this frame |
|---|---|---|---|
| .parquet | MESSAGE.parquet | double; 64-bit integer where factor 1 and offset 0 are; unit as metadata | null |
| .csv | MESSAGE.csv | shortest exact decimal | empty |

The column `time` is in seconds as in the log. In one table of all messages nearly every cell would be empty.
"""

import csv
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.logs.signals import Column, DecodedMessage, Values

_MOST_CELLS: Final = 16_000_000
"""Values that wait to be written: 144 MB."""

Part = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]
"""Places in the log, times [ns] and bytes, as a table, of frames of one message and length."""


class SignalsFolder:
    """A new folder of tables, which is whole at the end of the context, or not there. `rows` that were written."""

    def __init__(self, path: Path) -> None:
        """ConfigurationError: it is there already, no such format, its package is not installed."""
        kinds: dict[str, type[_Table]] = {".parquet": _Parquet, ".csv": _Csv}
        if path.suffix.lower() not in kinds:
            raise ConfigurationError(f"{path.name}: signals are written as {' or '.join(kinds)}")
        self._kind: Final = kinds[path.suffix.lower()]
        self._kind.require()
        try:
            path.mkdir()
        except FileExistsError:
            raise ConfigurationError(f"{path} is there already: name another folder") from None
        self.rows = 0
        self._path: Final = path
        self._tables: Final[dict[str, _Table]] = {}
        self._files: Final[set[str]] = set()
        self._waiting: dict[str, list[Part]] = {}
        self._messages: Final[dict[str, DecodedMessage]] = {}
        self._cells = 0

    @property
    def tables(self) -> int:
        """How many messages have a table."""
        return len(self._tables)

    def take(self, message: DecodedMessage, part: Part) -> None:
        """Take frames of a message, of one identifier and length."""
        self._messages[message.name] = message
        self._waiting.setdefault(message.name, []).append(part)
        self._cells += len(part[0]) * (message.signals + 1)
        if self._cells > _MOST_CELLS:
            self._flush()

    def _flush(self) -> None:
        for name, parts in self._waiting.items():
            message = self._messages[name]
            table = self._tables.get(name)
            if table is None:
                table = self._tables[name] = self._kind(self._path / self._file_name(name), message.columns())
            times, rows, lengths = _joined(parts)
            table.write(_seconds(times), _columns(message, rows, lengths))
            self.rows += len(times)
        self._waiting, self._cells = {}, 0

    def _file_name(self, message: str) -> str:
        """Return a message's name without what no file may have; not that of another table, whatever the case."""
        name = free = "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in message)
        while free.casefold() in self._files:
            free = f"{name}_{len(self._files) + 1}"
        self._files.add(free.casefold())
        return free

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_whole = False
        try:
            with ExitStack() as closing:
                closing.callback(self._close)
                if kind is None:
                    self._flush()
            is_whole = kind is None
        finally:
            if not is_whole:
                shutil.rmtree(self._path, ignore_errors=True)

    def _close(self) -> None:
        with ExitStack() as closing:
            for table in self._tables.values():
                closing.callback(table.close)


def _joined(parts: list[Part]) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64] | None]:
    """Return times and bytes of all parts in the order of the log; and the lengths, if they are not all the same."""
    places, times, tables = zip(*parts, strict=True)
    widths = [table.shape[1] for table in tables]
    order = np.argsort(np.concatenate(places), kind="stable")  # quick where they are in order
    if len(set(widths)) == 1:
        return np.concatenate(times)[order], np.concatenate(tables)[order], None
    wide = np.concatenate([np.pad(table, ((0, 0), (0, max(widths) - table.shape[1]))) for table in tables])
    lengths = np.repeat(widths, [len(one) for one in times])[order]
    return np.concatenate(times)[order], wide[order], lengths


def _columns(
    message: DecodedMessage, rows: NDArray[np.uint8], lengths: NDArray[np.int64] | None
) -> dict[str, tuple[Values, NDArray[np.bool_] | None]]:
    """Return the values of signals, and where they are missing; None: nowhere."""
    found: dict[str, tuple[Values, NDArray[np.bool_] | None]] = {}
    for name, values, where in message.decode(rows, lengths):
        if where is None:
            found[name] = values, None
        elif name not in found:
            found[name] = values, ~where
        else:  # on another page already
            before, missing = found[name]
            found[name] = np.where(where, values, before), None if missing is None else missing & ~where
    return found


def _seconds(times: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return times [ns] in seconds, the fraction by itself: a double has not the nanoseconds since 1970."""
    seconds: NDArray[np.float64] = times // SECOND + times % SECOND / SECOND
    return seconds


class _Table:
    """The table of a message."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        raise NotImplementedError

    @classmethod
    def require(cls) -> None:
        """Check that the format can be written."""

    def write(self, times: NDArray[np.float64], found: dict[str, tuple[Values, NDArray[np.bool_] | None]]) -> None:
        """Append rows."""
        raise NotImplementedError

    def close(self) -> None:
        """Complete the table."""
        raise NotImplementedError


class _Parquet(_Table):
    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow.parquet import ParquetWriter  # type: ignore[import-untyped]

        self._columns: Final = columns
        fields = [pa.field("time", pa.float64(), metadata={"unit": "s"})]
        fields += [pa.field(one.name, pa.from_numpy_dtype(one.kind), metadata={"unit": one.unit}) for one in columns]
        self._schema: Final = pa.schema(fields)
        self._writer: Final = ParquetWriter(path.with_name(f"{path.name}.parquet"), self._schema, use_dictionary=False)

    @classmethod
    def require(cls) -> None:
        if find_spec("pyarrow") is None:
            raise ConfigurationError(f".parquet needs the package pyarrow: {extra_remedy('parquet')}")

    def write(self, times: NDArray[np.float64], found: dict[str, tuple[Values, NDArray[np.bool_] | None]]) -> None:
        import pyarrow as pa

        arrays = [pa.array(times)]
        for one in self._columns:
            if one.name in found:
                values, missing = found[one.name]
                arrays.append(pa.array(values.astype(one.kind, copy=False), mask=missing))
            else:
                arrays.append(pa.nulls(len(times), pa.from_numpy_dtype(one.kind)))
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))

    def close(self) -> None:
        self._writer.close()


class _Csv(_Table):
    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._file: Final = path.with_name(f"{path.name}.csv").open("x", encoding="utf-8", newline="")
        self._writer: Final = csv.writer(self._file, lineterminator="\n")
        self._columns: Final = columns
        units = (f"{one.name} [{one.unit}]" if one.unit else one.name for one in columns)
        self._writer.writerow(("time [s]", *units))

    def write(self, times: NDArray[np.float64], found: dict[str, tuple[Values, NDArray[np.bool_] | None]]) -> None:
        cells: list[list[Any]] = [times.tolist()]
        for one in self._columns:
            values, missing = found.get(one.name, (None, None))
            column: list[Any] = [""] * len(times) if values is None else values.tolist()
            if missing is not None:
                column = ["" if gone else value for value, gone in zip(column, missing.tolist(), strict=True)]
            cells.append(column)
        self._writer.writerows(zip(*cells, strict=True))

    def close(self) -> None:
        self._file.close()
