"""Rows of a status: the facts, counters and gauges of one thing of a bench, typed, with what every view shows of them.

A row is a NamedTuple whose fields say what they are:

    class RouteRow(NamedTuple):
        route: Annotated[str, fact("carries")]
        forwarded: Annotated[int, counter("forwarded", FRAMES)]

| kind | value | in a table | as a metric |
|---|---|---|---|
| fact | anything | its text | as a number |
| trouble | text, empty while nothing is wrong | its text, before others of its column | 1 while it is empty |
| armed | whether it may send | `armed`, or the command that arms | 1 or 0 |
| counter | a number that only grows, or some by reason | the number, or their sum | the number |
| gauge | a number | the number | the number |

Fields with the same label share a column: its first text that is not empty, or the sum of its numbers. A label that is
a mapping names the columns of the reasons of a counter, `*` those of all others; a reason with an empty label is left
out of tables and metrics. A counter that is a list is in the log alone; of a list of rows a table has the first field
of each. The layout of a row class is plain data, so that a program of another process shows rows which it has never
heard of.
"""

import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple, Protocol, Self, TypeAlias

from hilbridge.base.common.remedies import arm_remedy

Kind: TypeAlias = Literal["fact", "trouble", "armed", "counter", "gauge"]
Label: TypeAlias = str | Mapping[str, str]
Counts: TypeAlias = Mapping[str, "float | Counts"]
"""Numbers by their reason; or by two reasons, one within the other."""

Value: TypeAlias = str | float | bool | Sequence[str] | Sequence[int] | Counts | None
"""A field of a row, as JSON knows it."""

PlainRow: TypeAlias = Mapping[str, Value]

Counted: TypeAlias = dict[str, "float | Sequence[int]"]
"""The counters of a row by name."""

MISFITS: Final = (AttributeError, KeyError, TypeError, ValueError)
"""The errors by which a layout or a row of another program turns out to be none."""

HEXADECIMAL: Final = "hex"
"""The unit of a number that is printed in hexadecimal."""

_OTHERS: Final = "*"


class Row(Protocol):
    """A row: a NamedTuple with annotated fields."""

    def _asdict(self) -> dict[str, Any]:
        """Return the fields by name."""


class Family(NamedTuple):
    """A family of metrics: name (in `_total` what only grows), meaning, and the names of its labels.

    The first label is the name of the row; those behind it are the reasons of a counter, or else the name of the field.
    """

    name: str
    text: str
    labels: tuple[str, ...]


class Shown(NamedTuple):
    """The use of one field in the views. An empty label: in no table."""

    kind: Kind
    label: Label = ""
    family: Family | None = None
    unit: str = "1"
    texts: tuple[str, str] = ("no", "yes")
    """For people: false, true."""

    def label_of(self, reason: str) -> str:
        """Return the column of a reason of a counter."""
        return self.label if isinstance(self.label, str) else self.label.get(reason, self.label.get(_OTHERS, ""))

    def is_left_out(self, reason: str) -> bool:
        """Return whether a reason of a counter is left out of tables and metrics."""
        return not isinstance(self.label, str) and self.label.get(reason) == ""


def fact(
    label: Label = "", family: Family | None = None, unit: str = "1", texts: tuple[str, str] = ("no", "yes")
) -> Shown:
    """Annotate a field that says what something is; `texts`: of one that is false or true."""
    return Shown("fact", label, family, unit, texts)


def trouble_fact(label: Label = "", family: Family | None = None) -> Shown:
    """Annotate a text that says why something does not work; it is empty while it does."""
    return Shown("trouble", label, family)


def armed_fact(label: Label = "", family: Family | None = None) -> Shown:
    """Annotate whether something may send."""
    return Shown("armed", label, family)


def counter(label: Label = "", family: Family | None = None, unit: str = "1") -> Shown:
    """Annotate a number that only grows, or several by their reason."""
    return Shown("counter", label, family, unit)


def gauge(label: Label = "", family: Family | None = None, unit: str = "1") -> Shown:
    """Annotate a number that rises and falls."""
    return Shown("gauge", label, family, unit)


class Layout(NamedTuple):
    """The fields of a row class in their order. `title`: heading of the column of the rows' names."""

    title: str
    fields: Mapping[str, Shown]

    def plain(self) -> dict[str, Any]:
        """Return the layout as JSON knows it."""
        return {"title": self.title, "fields": {name: list(shown) for name, shown in self.fields.items()}}

    @classmethod
    def of_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Return the inverse of `plain`. An error of MISFITS: it is no layout."""
        return cls(_require_text(plain["title"]), {name: _shown(*parts) for name, parts in plain["fields"].items()})

    @property
    def columns(self) -> tuple[str, ...]:
        """The headings of a table: the title, then each label once."""
        labels = [label for shown in self.fields.values() for label in _labels(shown.label)]
        return (self.title, *dict.fromkeys(filter(None, labels)))

    def cells(self, name: str, row: PlainRow) -> tuple[str, ...]:
        """Return the texts of a row below `columns`."""
        cells: dict[str, str | float] = dict.fromkeys(self.columns[1:], "")
        for label, value in self._shown_values(name, row):
            before = cells[label]
            if isinstance(value, str):
                cells[label] = before or value
            else:
                cells[label] = value if isinstance(before, str) else before + value
        return (
            name,
            *(one if isinstance(one, str) else f"{one:g}" if one % 1 else f"{one:.0f}" for one in cells.values()),
        )

    def named(self, rows: Mapping[str, PlainRow] | Sequence[PlainRow]) -> Iterator[tuple[str, PlainRow]]:
        """Yield rows by name; those of a list have theirs in the field that is called as `title`."""
        if isinstance(rows, Mapping):
            yield from rows.items()
        else:
            yield from ((str(row[self.title]), row) for row in rows)

    def _shown_values(self, name: str, row: PlainRow) -> Iterator[tuple[str, str | float]]:
        """Yield the value of each field and reason that has a column; troubles first."""
        for field, shown in sorted(self.fields.items(), key=lambda item: item[1].kind != "trouble"):
            value = row[field]
            if isinstance(value, Mapping) and shown.kind != "fact":
                yield from ((label, 0) for label in _labels(shown.label) if label)
                for reasons, number in _counts(value):
                    if label := shown.label_of(reasons[0]):
                        yield label, number
            elif isinstance(shown.label, str) and shown.label:
                yield shown.label, _cell(name, shown, value)

    def samples(self, rows: Mapping[str, PlainRow]) -> Iterator[tuple[Family, tuple[str, ...], float]]:
        """Yield the samples of all families, each with the values of its labels."""
        for field, shown in self.fields.items():
            if shown.family is None:
                continue
            for name, row in rows.items():
                for reasons, number in _numbers(field, shown, row[field]):
                    yield shown.family, (name, *reasons)[: len(shown.family.labels)], number

    def families(self) -> Iterator[Family]:
        """Yield each family of metrics once."""
        yield from dict.fromkeys(shown.family for shown in self.fields.values() if shown.family is not None)

    def counted(self, row: PlainRow) -> Counted:
        """Return the counters of a row that are not 0, with the reasons of each as counters of their own."""
        counted: Counted = {}
        for field, shown in self.fields.items():
            value = row[field]
            if shown.kind == "counter" and isinstance(value, list):
                counted[field] = value
            elif shown.kind == "counter":
                counted |= {" ".join(reasons): number for reasons, number in _numbers(field, shown, value)}
        return {name: count for name, count in counted.items() if count}


class TextTable(NamedTuple):
    """The rows of a part as text; `misfits`: what of them cannot be read, and why."""

    columns: Sequence[str]
    cells: list[Sequence[str]]
    misfits: list[str]


def table_of(part: str, layout: Any, rows: Any) -> TextTable:
    """Return the table of a part of another program's status: of its plain layout and its rows."""
    cells: list[Sequence[str]] = []
    misfits = []
    try:
        known = Layout.of_plain(layout)
        for name, row in known.named(rows):
            try:
                cells.append(known.cells(name, row))
            except MISFITS as error:
                misfits.append(f"{part}.{name}: {error!r}")
    except MISFITS as error:
        return TextTable((part,), [], [f"{part}: {error!r}"])
    return TextTable(known.columns, cells, misfits)


@cache
def layout_of(row: type[Row], title: str) -> Layout:
    """Return the layout of a row class. TypeError: a field is not annotated with its kind."""
    fields = {}
    for name, hint in typing.get_type_hints(row, include_extras=True).items():
        shown = next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Shown)), None)
        if shown is None:
            raise TypeError(f"{row.__name__}.{name} is neither a fact, a trouble, a counter nor a gauge")
        fields[name] = shown
    return Layout(title, fields)


def plain(value: object) -> Any:
    """Return what a status is made of, as JSON knows it: a row as its fields by name, with the rows within it."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {field: plain(one) for field, one in value._asdict().items()}
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], tuple | dict):
        return [plain(one) for one in value]
    return value


def plain_rows(rows: Iterable[tuple[str, Row]]) -> dict[str, PlainRow]:
    """Return rows by name, as JSON knows them."""
    return {name: plain(row) for name, row in rows}


def _shown(kind: Kind, label: Any, family: Sequence[Any] | None, unit: str, texts: Sequence[str]) -> Shown:
    """Return what another program says of a field. TypeError, ValueError: it is something else."""
    off, on = texts
    labels = [*label, *label.values()] if isinstance(label, dict) else [label]
    known = Family(*family)._replace(labels=tuple(family[2])) if family is not None else None
    for text in (kind, *labels, unit, off, on, *(() if known is None else (*known[:2], *known.labels))):
        _require_text(text)
    return Shown(kind, label, known, unit, (off, on))


def _require_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _labels(label: Label) -> Iterable[str]:
    return (label,) if isinstance(label, str) else label.values()


def _cell(name: str, shown: Shown, value: Value) -> str | float:
    if shown.kind == "armed":
        return "armed" if value else f"not armed: {arm_remedy(name)}"
    if value is None:
        return ""
    if isinstance(value, bool):
        return shown.texts[value]
    if isinstance(value, int) and shown.unit == HEXADECIMAL:
        return f"{value:02X}"
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{one} {number}" for one, number in value.items())
    return ", ".join(str(next(iter(one.values()), "")) if isinstance(one, Mapping) else str(one) for one in value)


def _numbers(field: str, shown: Shown, value: Value) -> Iterable[tuple[tuple[str, ...], float]]:
    """Return the samples of a field: its number by its name, or that of each reason."""
    if isinstance(value, Mapping):
        return [(reasons, number) for reasons, number in _counts(value) if not shown.is_left_out(reasons[0])]
    return [] if value is None or isinstance(value, list) else [((field,), _number(shown.kind, value))]


def _counts(counts: Counts, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    for reason, count in counts.items():
        if isinstance(count, Mapping):
            yield from _counts(count, (*above, reason))
        else:
            yield (*above, reason), count


def _number(kind: Kind, value: Value) -> float:
    if kind == "trouble":
        return float(not value)
    return value if isinstance(value, int | float) else float("nan")
