"""`hilbridge run --scenario` with several scenarios or a folder: each in a run of its own, one verdict on all of them.

Every scenario is played by a `hilbridge run` in a process of its own, so that none sees what another one left. Ctrl-C
ends the scenario that is played in good order; the others are not reached, and the verdicts so far are kept.
"""

import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from signal import SIGINT
from typing import Final, NamedTuple

from hilbridge.base.common.bundle_files import check_names
from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, Problem
from hilbridge.base.common.units import SECOND
from hilbridge.base.plots.style import check_plot
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.bench.scenario.page import Played, is_page
from hilbridge.bench.scenario.report import SILENCE, Report, ReportRow, is_green, summary, trouble_of
from hilbridge.commands.table import print_table
from hilbridge.files.configuration.changes import Changes
from hilbridge.files.configuration.scenariofile import ScenarioFile, load_scenario, parameter
from hilbridge.runs.run.verdict import write_reports

_LOOK: Final = 0.1
"""[s] between two looks at the run."""


class Outputs(NamedTuple):
    """The outputs of a suite: the folder of recordings, the files of its verdicts, the folder of pictures."""

    record: Path | None = None
    reports: Sequence[Path] = ()
    plot: Path | None = None

    @property
    def pictured(self) -> bool:
        """Whether a report has pictures."""
        return any(map(is_page, self.reports)) and find_spec("matplotlib") is not None


class _Outcome(NamedTuple):
    """The outcome of a scenario: a word, its report, the command that plays it again, and its picture."""

    word: str
    played: Played

    def row(self) -> Sequence[str]:
        """Return the row of the table."""
        report = self.played.report
        bad = next((row for row in report.rows if not row.outcome.is_good), None)
        passed = sum(row.outcome.is_good for row in report.rows)
        time = f"{report.duration / SECOND:.3f}"
        return report.name, self.word, f"{passed} of {len(report.rows)}", time, _reason(bad)


def play_suite(
    bench: str,
    names: Sequence[str],
    settings: Sequence[str],
    options: Sequence[str],
    outputs: Outputs,
) -> int:
    """Play scenarios one after the other; return the exit status: 0, or 130 after Ctrl-C.

    It is 1 where one has failed, none has passed, or not all were reached: a silent tester ends the suite.

    `settings`: parameters as NAME=VALUE, each for the scenarios that have it; `options`: of every run. Recordings and
    pictures have the names of their scenarios.

    ConfigurationError, before the first run: what is wrong with the files, a parameter that none has, or a name of a
    scenario that no file or folder can have.
    """
    files = _load(names, settings)
    if outputs.record is not None or outputs.plot is not None:
        check_names([file.name for file, _ in files])
    if outputs.plot is not None:
        _make_folder(outputs.plot)
    outcomes: list[_Outcome] = []
    with interruption() as stop:
        for number, (file, own) in enumerate(files, start=1):
            sys.stderr.write(f"{number} of {len(files)}: {file.name} ... ")
            sys.stderr.flush()
            outcomes.append(_play(bench, file, [*options, *own], outputs, lambda: stop.requested))
            sys.stderr.write(f"{outcomes[-1].word}\n")
            if stop.requested or outcomes[-1].played.report.is_silent:
                break
    write_reports([outcome.played for outcome in outcomes], outputs.reports, f"Scenarios on {bench}")
    print_table(("scenario", "verdict", "steps passed", "time s", "first failure"), [one.row() for one in outcomes])
    verdicts = [outcome.word for outcome in outcomes] + ["not reached"] * (len(files) - len(outcomes))
    print(summary(verdicts))
    if stop.requested:
        return EXIT_INTERRUPTED
    if outcomes[-1].played.report.is_silent:
        print(SILENCE)
    return 0 if is_green(verdicts) else 1


def _load(names: Sequence[str], settings: Sequence[str]) -> list[tuple[ScenarioFile, list[str]]]:
    """Return the files, each with the options of its parameters."""
    given = dict(map(parameter, settings))
    used: set[str] = set()
    files: list[tuple[ScenarioFile, list[str]]] = []
    problems: list[Problem] = []
    for name in names:
        try:
            file = load_scenario(name)
        except InvalidFileError as error:
            problems += error.problems
            continue
        own = [name for name in given if name in file.settings.parameters or name not in Changes.of(given).scenario]
        used.update(own)
        files.append((file, [part for name in own for part in ("--set", f"{name}={given[name]}")]))
    if problems:
        raise InvalidFileError(problems)
    if unused := next((name for name in given if name not in used), None):
        raise ConfigurationError(f"no scenario has the parameter {unused!r}")
    seen: set[str] = set()
    for file, _ in files:
        if file.name in seen:
            raise ConfigurationError(f"two scenarios are called {file.name}")
        seen.add(file.name)
    return files


def _make_folder(folder: Path) -> None:
    check_plot(folder / "picture.svg", made=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"--plot of several scenarios is a folder; {folder}: {error.strerror}") from None


def _play(
    bench: str, file: ScenarioFile, options: Sequence[str], outputs: Outputs, stopped: Callable[[], bool]
) -> _Outcome:
    with tempfile.TemporaryDirectory(prefix="hilbridge-") as folder:
        result, picture = Path(folder) / "report.json", Path(folder) / f"{file.name}.svg"
        again = ["run", bench, "--scenario", file.source, *options]
        extra = [] if outputs.record is None else ["--record", str(outputs.record / file.name)]
        if outputs.plot is not None or outputs.pictured:
            extra += ["--plot", str(picture)]
        command = [sys.executable, "-P", "-m", "hilbridge", *again, *extra, "--report", str(result)]
        status, said = _run(command, Path(folder) / "errors", stopped)
        try:
            report = Report.of_facts(json.loads(result.read_text(encoding="utf-8"))[0])
            word = report.verdict if status == (0 if report.passed else 1) else "failed"
        except (OSError, ValueError):
            word, report = "error", Report.of_error(file, said or f"exit status {status}")
        drawn = ""
        if picture.is_file():
            drawn = picture.read_text(encoding="utf-8")
            if outputs.plot is not None:
                shutil.copy(picture, outputs.plot)
    return _Outcome(word, Played(report, shlex.join(["hilbridge", *again]), drawn[drawn.find("<svg") :]))


def _run(command: list[str], errors: Path, stopped: Callable[[], bool]) -> tuple[int, str]:
    """Run a command to its end; return its status and what it wrote to stderr. A wish to stop is passed on once."""
    with errors.open("wb") as written:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=written, process_group=0)
        told = False
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_LOOK)
                    break
                if stopped() and not told:
                    process.send_signal(SIGINT)
                    told = True
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    return process.returncode, errors.read_text(encoding="utf-8", errors="replace").strip()


def _reason(row: ReportRow | None) -> str:
    return "" if row is None else f"line {row.line}: {row.title}: {trouble_of(row)}"
