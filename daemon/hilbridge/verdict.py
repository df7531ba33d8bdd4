"""What a scenario came to: a table for people, JUnit XML for test servers. Written when the run is over."""

from pathlib import Path
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hilbridge.configuration.scenariofile import ScenarioFile
from hilbridge.errors import ConfigurationError
from hilbridge.scenario.activity import seconds
from hilbridge.scenario.engine import Outcome, Scenario
from hilbridge.scenario.junit import junit
from hilbridge.settings.common import NANOSECONDS

_STYLES: Final = {Outcome.PASSED: "green", Outcome.FAILED: "red", Outcome.CUT_OFF: "yellow", Outcome.NOT_REACHED: "dim"}


def announce(file: ScenarioFile, scenario: Scenario, report: Path | None) -> None:
    """Prints the table, and writes the report if one is asked for. ConfigurationError: it cannot be written."""
    _print(file, scenario, Console(highlight=False, markup=False))
    if report is not None:
        try:
            report.write_bytes(junit(file.name, str(file.path), scenario))
        except OSError as error:
            raise ConfigurationError(f"cannot write {report}: {error.strerror}") from None


def _print(file: ScenarioFile, scenario: Scenario, console: Console) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="")
    for column in ("line", "from s", "to s"):
        table.add_column(column, justify="right", no_wrap=True)
    for column in ("step", "", "seen"):
        table.add_column(column, overflow="fold")
    for verdict in scenario.verdicts:
        times = (_time(verdict.begin), _time(verdict.end))
        row = (str(verdict.step.line), *times, verdict.step.title, verdict.outcome.value, verdict.seen)
        table.add_row(*row, style=None if verdict.outcome is Outcome.PASSED else _STYLES[verdict.outcome])
    if file.settings.purpose:
        console.print(file.settings.purpose)
    console.print(table)
    passed = sum(verdict.outcome is Outcome.PASSED for verdict in scenario.verdicts)
    word = Outcome.PASSED if scenario.passed else Outcome.FAILED
    of = f"{passed} of {len(scenario.verdicts)} steps passed in {seconds(scenario.duration)}"
    console.print(f"scenario {file.name} {word.value}: {of}", style=_STYLES[word])


def _time(t: int | None) -> str:
    return "" if t is None else f"{t / NANOSECONDS:.3f}"
