"""The parts of a bench: the one list of their kinds, and what each view shows of all of them.

A view goes through `VIEWS` in its order: hilbridge ctl status, metrics, statistics of the log, the page. A part that is
built from its section of the bench file needs a row of `KINDS`, and nothing else in this package.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.rows import Counted, Layout, PlainRow, Row, layout_of, plain_rows
from hilbridge.bench import rows
from hilbridge.bench.bench import Bench
from hilbridge.bench.kinds import KINDS
from hilbridge.bench.parts.part import Part, PartKind
from hilbridge.boundary.control.lines import USUAL


class View(NamedTuple):
    """The rows of one part.

    `usual`: it is in a status by default; `listed`: as a list there, whose rows have their names within them.
    `logged`: the name of its counters in the statistics of the log; empty: they are not there.
    """

    layout: Layout
    rows: Callable[[Bench], Iterable[tuple[str, Row]]]
    usual: bool = True
    listed: bool = False
    logged: str = ""

    @property
    def is_measured(self) -> bool:
        """Whether metrics follow from it."""
        return any(self.layout.families())


LAYOUTS: Final = "layouts"
"""The part of a status that says how the others are shown."""


def _views(kind: PartKind) -> Iterator[tuple[str, View]]:
    """Yield the views of a part: its own rows, then its further tables."""
    logged = kind.key if kind.logged is None else kind.logged
    yield kind.key, View(kind.layout, _rows_of(kind.key, lambda part: part.rows()), kind.usual, kind.listed, logged)
    for key, table in kind.tables.items():
        rows_of = _rows_of(kind.key, table.rows)
        yield key, View(layout_of(table.row, table.title), rows_of, table.usual, logged=table.logged)


def _rows_of(
    key: str, table: Callable[[Part], Iterable[tuple[str, Row]]]
) -> Callable[[Bench], Iterable[tuple[str, Row]]]:
    def part_rows(bench: Bench) -> Iterable[tuple[str, Row]]:
        part = bench.wiring.parts.get(key)
        return () if part is None else table(part)

    return part_rows


VIEWS: Final[Mapping[str, View]] = {
    "buses": View(layout_of(rows.BusRow, "bus"), rows.bus_rows),
    **{key: view for kind in KINDS for key, view in _views(kind)},
    "ports": View(layout_of(rows.PortRow, "port"), rows.port_rows, usual=False),
    "plan": View(layout_of(rows.PlanRow, "bus"), rows.plan_rows, usual=False),
    "frames": View(layout_of(rows.FrameRow, "bus"), rows.frame_rows, usual=False, listed=True),
}
"""The parts by their keys in the status; those of packages come beside them (`views_of`)."""


_BEFORE: Final = ("statistics", "values")
_AFTER: Final = ("recording", "scenario", "page", "fabric", "service")
"""Usual parts that are no rows."""

OF_RUN: Final = ("statistics", "recording", "recordings", "page", "fabric", "reload", "scenario", "verdicts", "service")
"""The parts of a status that are of the run; of a bench without a run they are left out."""


def resolve(bench: Bench, wanted: Iterable[str], others: Collection[str]) -> list[str]:
    """Return the parts of a request, each once, `usual` as those that it stands for.

    `others`: parts of the bench that are no rows.

    ConfigurationError: there is no such part.
    """
    views, known = views_of(bench), (*others, *OF_RUN)
    parts: dict[str, None] = {}
    for name in wanted:
        if name == USUAL:
            parts |= dict.fromkeys((*_BEFORE, *(key for key, view in views.items() if view.usual), *_AFTER))
        elif name in views or name in known:
            parts[name] = None
        else:
            names = ", ".join(sorted({*views, *known, USUAL}))
            raise ConfigurationError(f"the status has no part {quoted(name)} (there is: {names})", ("parts",))
    return list(parts)


def views_of(bench: Bench) -> Mapping[str, View]:
    """Return the views of a bench, with those of the parts that packages beyond hilbridge have brought."""
    return {**VIEWS, **{key: view for kind in bench.wiring.brought.values() for key, view in _views(kind)}}


def layouts(bench: Bench) -> dict[str, object]:
    """Return the layouts of all parts, as JSON knows them."""
    return {key: view.layout.plain() for key, view in views_of(bench).items()}


def status_of(bench: Bench, key: str) -> dict[str, PlainRow]:
    """Return the rows of a part by name."""
    return plain_rows(views_of(bench)[key].rows(bench))


def counted(bench: Bench) -> dict[str, dict[str, Counted]]:
    """Return the counters of all parts that are not 0: by part as the log calls it, by the names of its rows."""
    return {
        view.logged: {name: view.layout.counted(row._asdict()) for name, row in view.rows(bench)}
        for view in views_of(bench).values()
        if view.logged
    }
