"""The verdict on a scenario after the run: a table for people, JUnit XML for test servers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hilbridge.common.console import make_console
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.units import SECOND
from hilbridge.common.words import counted
from hilbridge.configuration.scenariofile import ScenarioFile
from hilbridge.scenario.engine import StepOutcome, seconds
from hilbridge.scenario.report import Report, junit, suite_of

_STYLES: Final = {
    StepOutcome.PASSED: "green",
    StepOutcome.FAILED: "red",
    StepOutcome.CUT_OFF: "yellow",
    StepOutcome.NOT_REACHED: "dim",
}


def announce(file: ScenarioFile, report: Report, path: Path | None) -> None:
    """Print the table, and write JUnit XML if a path is given. ConfigurationError: it cannot be written."""
    _print(file, report, make_console())
    write_junit(file, report, path)


def write_junit(file: ScenarioFile, report: Report, path: Path | None) -> None:
    """Write JUnit XML if a path is given. ConfigurationError: it cannot be written."""
    write_report([suite_of(file.name, str(file.path), report)], path)


def write_report(suites: Sequence[ET.Element], path: Path | None) -> None:
    """Write the JUnit XML of test suites if a path is given. ConfigurationError: it cannot be written."""
    if path is not None:
        try:
            path.write_bytes(junit(suites))
        except OSError as error:
            raise ConfigurationError(f"cannot write {path}: {error.strerror}") from None


def _print(file: ScenarioFile, report: Report, console: Console) -> None:
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
    if file.settings.purpose:
        console.print(file.settings.purpose)
    console.print(table)
    passed = sum(row.outcome is StepOutcome.PASSED for row in rows)
    word = StepOutcome.PASSED if report.passed else StepOutcome.FAILED
    of = f"{passed} of {counted(len(rows), 'step')} passed in {seconds(report.duration)}"
    console.print(f"scenario {file.name} {word.value}: {of}", style=_STYLES[word])


def _time(t: int | None) -> str:
    return "" if t is None else f"{t / SECOND:.3f}"
