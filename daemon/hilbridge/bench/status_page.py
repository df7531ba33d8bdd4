"""config/STATUS.md: the rows of a status, made from their classes."""

from collections.abc import Iterator
from typing import Final

from hilbridge.base.common.rows import Family, Label, Layout
from hilbridge.bench.views import VIEWS, View

_INTRODUCTION: Final = """\
# Status

The parts of a running bench that show themselves by rows: what `hilbridge ctl status --json` has of each, the column
in `hilbridge ctl status`, `top` and the page, and the family of metrics of `/metrics`, where each begins with
`hilbridge_`. A *counter* only grows, and those that are not 0 are in the statistics of the log; a *gauge* rises and
falls; a *trouble* is a text, empty while nothing is wrong, and 1 as a metric while it is empty. A field without
column and metric is in JSON alone. This page is made by `hilbridge ctl status --reference`; edit the rows
(`bench/rows.py` of `daemon/hilbridge`, and `rows.py` or `part.py` in the folder of a part), not here.
"""


def status_page() -> str:
    """Return the page."""
    lines = (line for key, view in VIEWS.items() for line in _chapter(key, view))
    return "\n".join((_INTRODUCTION, *lines)).strip() + "\n"


def _chapter(key: str, view: View) -> Iterator[str]:
    layout = view.layout
    yield f"## {key}\n"
    where = "In every status" if view.usual else f"Where `{key}` is requested"
    form = f"a list; `{layout.title}` names each row" if view.listed else f"by the name of the {layout.title}"
    logged = f"; in the log: `{view.logged}`" if view.logged else ""
    yield f"{where}, {form}{logged}.\n"
    yield "| Field | Kind | Column | Metric |"
    yield "|---|---|---|---|"
    for name, shown in layout.fields.items():
        yield f"| `{name}` | {shown.kind} | {_column(shown.label)} | {_metric(shown.family)} |"
    yield ""
    yield from _meanings(layout)


def _column(label: Label) -> str:
    if isinstance(label, str):
        return label
    return ", ".join(f"{reason}: {text}" for reason, text in label.items() if text).replace("*", "others")


def _metric(family: Family | None) -> str:
    return "" if family is None else f"`{family.name}{{{', '.join(family.labels)}}}`"


def _meanings(layout: Layout) -> Iterator[str]:
    families = [*layout.families()]
    yield from (f"- `{family.name}`: {family.text}" for family in families)
    if families:
        yield ""
