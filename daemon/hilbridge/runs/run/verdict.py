"""The verdict on a scenario after the run: a table for people, and files: a page, JUnit XML for test servers, JSON."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hilbridge.base.common.console import make_console
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import write_output
from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.bench.scenario.engine import StepOutcome, seconds
from hilbridge.bench.scenario.page import Played, is_page, page
from hilbridge.bench.scenario.report import Report, junit, suite_of

_STYLES: Final = {
    StepOutcome.PASSED: "green",
    StepOutcome.FAILED: "red",
    StepOutcome.CUT_OFF: "yellow",
    StepOutcome.NOT_REACHED: "dim",
    StepOutcome.NOT_TRIED: "yellow",
    StepOutcome.SILENT: "yellow",
}


def announce(report: Report, note: str = "") -> None:
    """Print the table, and a note below it."""
    console = make_console()
    _print(report, console)
    if note:
        console.print(f"note: {note}", markup=False)


def write_reports(runs: Sequence[Played], paths: Sequence[Path], title: str) -> None:
    """Write files on some runs, each in the form that its extension names: page, JSON, else JUnit XML.

    ConfigurationError: one cannot be written.
    """
    for path in paths:
        try:
            write_output(path, _content(runs, path, title))
        except OSError as error:
            raise ConfigurationError(f"cannot write {path}: {error.strerror}") from None


def _content(runs: Sequence[Played], path: Path, title: str) -> bytes:
    if is_page(path):
        return page(title, runs).encode()
    if path.suffix.lower() == ".json":
        return json.dumps([run.report.facts() for run in runs], indent=2).encode() + b"\n"
    return junit(suite_of(run.report) for run in runs)


def _print(report: Report, console: Console) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="")
    for column in ("line", "from s", "to s"):
        table.add_column(column, justify="right", no_wrap=True)
    for column in ("step", "", "seen"):
        table.add_column(column, overflow="fold")
    rows = [row for row in report.rows if row.outcome is not StepOutcome.NOT_NEEDED]
    for row in rows:
        style = None if row.outcome is StepOutcome.PASSED else _STYLES[row.outcome]
        times = (_time(row.begin), _time(row.end))
        table.add_row(str(row.line), *times, row.title, row.outcome.value, row.seen, style=style)
    if report.purpose:
        console.print(report.purpose)
    console.print(table)
    passed = sum(row.outcome is StepOutcome.PASSED for row in rows)
    word = StepOutcome(report.verdict)
    of = f"{passed} of {counted(len(rows), 'step')} passed in {seconds(report.duration)}"
    console.print(f"scenario {report.name} {word.value}: {of}", style=_STYLES[word])


def _time(t: int | None) -> str:
    return "" if t is None else f"{t / SECOND:.3f}"
