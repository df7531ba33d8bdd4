"""`hilbridge run --scenario` with several scenarios or a folder: each in a run of its own, one verdict on all of them.

Every scenario is played by a `hilbridge run` in a process of its own, so that none sees what another one left. Ctrl-C
ends the scenario that is played in good order; the others are not reached, and the verdicts so far are kept.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from signal import SIGINT
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from hilbridge.commands.table import print_table
from hilbridge.common.errors import ConfigurationError, InvalidFileError, Problem
from hilbridge.common.words import counted
from hilbridge.configuration.scenariofile import ScenarioFile, load_scenario, parameter
from hilbridge.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.run.verdict import write_report
from hilbridge.scenario.report import suite_of_error

_LOOK: Final = 0.1
"""[s] between two looks at the run."""


class _Outcome(NamedTuple):
    """The outcome of a scenario: its JUnit test suite, and whether it has passed."""

    file: ScenarioFile
    word: str
    suite: ET.Element

    def row(self) -> Sequence[str]:
        """Return the row of the table."""
        count = int(self.suite.get("tests", "0"))
        bad = next(
            (case for case in self.suite if case.find("failure") is not None or case.find("error") is not None), None
        )
        passed = sum(len(case) == 0 or case[0].tag == "system-out" for case in self.suite)
        return self.file.name, self.word, f"{passed} of {count}", self.suite.get("time", ""), _reason(bad)


def play_suite(
    bench: str,
    names: Sequence[str],
    settings: Sequence[str],
    options: Sequence[str],
    record: Path | None,
    report: Path | None,
) -> int:
    """Play scenarios one after the other; return the exit status: 0, or 1 if one has not passed, or 130 after Ctrl-C.

    `settings`: parameters as NAME=VALUE, each for the scenarios that have it; `options`: of every run; `record`: folder
    of the recordings, one by the name of each scenario; `report`: file of the JUnit XML.

    ConfigurationError, before the first run: what is wrong with the files, or a parameter that none has.
    """
    files = _load(names, settings)
    outcomes: list[_Outcome] = []
    with interruption() as stop:
        for number, (file, own) in enumerate(files, start=1):
            sys.stderr.write(f"{number} of {len(files)}: {file.name} ... ")
            sys.stderr.flush()
            extra = [] if record is None else ["--record", str(record / file.name)]
            outcomes.append(_play(bench, file, [*options, *own, *extra], lambda: stop.requested))
            sys.stderr.write(f"{outcomes[-1].word}\n")
            if stop.requested:
                break
    write_report([outcome.suite for outcome in outcomes], report)
    print_table(("scenario", "verdict", "steps passed", "time s", "first failure"), [one.row() for one in outcomes])
    passed = sum(outcome.word == "passed" for outcome in outcomes)
    print(f"{passed} of {counted(len(files), 'scenario')} passed")
    if stop.requested:
        return EXIT_INTERRUPTED
    return 0 if passed == len(files) else 1


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
        own = [name for name in given if name in file.settings.parameters]
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


def _play(bench: str, file: ScenarioFile, options: Sequence[str], stopped: Callable[[], bool]) -> _Outcome:
    with tempfile.TemporaryDirectory(prefix="hilbridge-") as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "hilbridge", "run", bench, "--scenario", str(file.path), *options]
        status, said = _run([*command, "--report", str(report)], Path(folder) / "errors", stopped)
        with suppress(OSError, ET.ParseError):
            suite = next(iter(ET.parse(report).getroot()))  # noqa: S314  # a run of ours has written it
            return _Outcome(file, "passed" if status == 0 else "failed", suite)
    return _Outcome(file, "error", suite_of_error(file.name, str(file.path), said or f"exit status {status}"))


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


def _reason(case: ET.Element | None) -> str:
    if case is None:
        return ""
    message = next((one.get("message", "") for one in case if one.tag in ("failure", "error")), "")
    return f"line {case.get('line')}: {case.get('name')}: {message}"


def options_of(clock: str, pace: float | None, duration: float | None, seed: int | None, *, web: bool) -> Iterator[str]:
    """Yield the options of the command line that every run of a suite gets."""
    yield from ("--clock", clock)
    for name, value in (("--pace", pace), ("--duration", duration), ("--seed", seed)):
        if value is not None:
            yield from (name, f"{value:.12g}")
    if not web:
        yield "--no-web"
