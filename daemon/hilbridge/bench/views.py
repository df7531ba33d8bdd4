"""The parts of a bench: the one list of their kinds, and what each view shows of all of them.

A view goes through `VIEWS` in its order: hilbridge ctl status, metrics, statistics of the log, the page. A part that is
built from its section of the bench file needs a row of `KINDS`, and nothing else in this package.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.rows import Layout, Row, layout_of, plain_rows
from hilbridge.bench import rows
from hilbridge.bench.bench import Bench
from hilbridge.bench.kinds import KINDS
from hilbridge.boundary.control.lines import USUAL


class View(NamedTuple):
    """The rows of one part. `usual`: it is in a status by default."""

    layout: Layout
    rows: Callable[[Bench], Iterable[tuple[str, Row]]]
    usual: bool = True

    @property
    def is_measured(self) -> bool:
        """Whether metrics follow from it."""
        return any(self.layout.families())


LAYOUTS: Final = "layouts"
"""The part of a status that says how the others are shown."""


def _view_of(key: str) -> Callable[[Bench], Iterable[tuple[str, Row]]]:
    def part_rows(bench: Bench) -> Iterable[tuple[str, Row]]:
        part = bench.wiring.parts.get(key)
        return () if part is None else part.rows()

    return part_rows


VIEWS: Final[Mapping[str, View]] = {
    "buses": View(layout_of(rows.BusRow, "bus"), rows.bus_rows),
    **{kind.key: View(kind.layout, _view_of(kind.key)) for kind in KINDS},
    "ports": View(layout_of(rows.PortRow, "port"), rows.port_rows, usual=False),
    "sources": View(layout_of(rows.SourceRow, "source"), rows.source_rows, usual=False),
    "units": View(layout_of(rows.UnitRow, "control unit"), rows.unit_rows),
    "testers": View(layout_of(rows.TesterRow, "control unit"), rows.tester_rows, usual=False),
    "codes": View(layout_of(rows.CodesRow, "control unit"), rows.code_rows, usual=False),
    "plan": View(layout_of(rows.PlanRow, "bus"), rows.plan_rows, usual=False),
}
"""The parts by their keys in the status; those of packages come beside them (`views_of`)."""


_BEFORE: Final = ("statistics", "values")
_AFTER: Final = ("inputs", "faults", "troubles", "recording", "scenario", "page", "fabric", "service")
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
    return {**VIEWS, **{key: View(kind.layout, _view_of(key)) for key, kind in bench.wiring.brought.items()}}


def layouts(bench: Bench) -> dict[str, Any]:
    """Return the layouts of all parts, as JSON knows them."""
    return {key: view.layout.plain() for key, view in views_of(bench).items()}


def status_of(bench: Bench, key: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a part by name."""
    return plain_rows(views_of(bench)[key].rows(bench))


def counted(bench: Bench, key: str) -> dict[str, dict[str, float]]:
    """Return the counters of a part that are not 0, by the names of its rows."""
    view = views_of(bench)[key]
    return {name: view.layout.counted(row._asdict()) for name, row in view.rows(bench)}
