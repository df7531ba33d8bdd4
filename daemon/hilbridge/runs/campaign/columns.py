"""The rows of a campaign as a table: a column for each value, named by its place in the row, such as `set.bench.rate`.

A column has one type. What a row does not have is null there: `limits` of a run that passed, or the figures of one
that died.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.runs.campaign.play import Row

_NUMBERS: Final = frozenset(("duration", "figures", "limits"))
"""First words of the columns that are numbers, though one may happen to hold whole ones or none."""


def columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return the values of all rows by column; columns in the order in which rows have them, keys of `set` together."""
    flat = [dict(_flat(row)) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    order = list(dict.fromkeys(name.partition(".")[0] for name in names))
    names.sort(key=lambda name: order.index(name.partition(".")[0]))
    return {name: [row.get(name) for row in flat] for name in names}


def _flat(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in row.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def check_parquet() -> None:
    """Raise ConfigurationError if the package that writes Parquet is not there."""
    if find_spec("pyarrow") is None:
        raise ConfigurationError(f".parquet needs the package pyarrow: {extra_remedy('parquet')}")


def parquet(rows: Sequence[Row]) -> bytes:
    """Return the rows as a file of Apache Parquet.

    Numbers are doubles, or 64-bit integers where every value of the column is whole. Values of several kinds, and whole
    numbers that are too large, are text.
    """
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyarrow.parquet import write_table  # type: ignore[import-untyped]

    table = columns(rows)
    arrays = {}
    for name, values in table.items():
        kinds = {type(value) for value in values if value is not None}
        if name == "steps":
            kind = pa.list_(pa.int64())
        elif name.partition(".")[0] in _NUMBERS:
            kind = pa.float64()
        elif kinds == {bool}:
            kind = pa.bool_()
        elif kinds == {int} and all(value is None or abs(value) < 1 << 63 for value in values):
            kind = pa.int64()
        elif float in kinds and kinds <= {int, float}:
            kind = pa.float64()
        else:
            kind = pa.string()
            values = [value if value is None else str(value) for value in values]  # noqa: PLW2901 - of another kind
        arrays[name] = pa.array(values, kind)
    file = BytesIO()
    write_table(pa.table(arrays), file)
    return file.getvalue()
