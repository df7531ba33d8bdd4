"""The verdicts of a scenario, from this process or from a running bench, and their forms as JUnit XML and JSON.

JUnit XML has a test case for each step, as test servers show them. A failed step has the element `failure`, one that
was cut off `error`, one that was not reached, not needed or not tried `skipped`. Times are those of the run, in
seconds.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Self
from xml.etree import ElementTree as ET

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.bench.scenario.build import describe
from hilbridge.bench.scenario.engine import Scenario, StepOutcome, verdict_of
from hilbridge.files.configuration.scenariofile import ScenarioFile


class ReportRow(NamedTuple):
    """The outcome of a step, its line in the file, and its times [ns] of the run; None if it was not reached.

    `expected` is what the step does or expects, where its title is a name that the file gives it.
    """

    line: int
    title: str
    expected: str
    outcome: StepOutcome
    seen: str
    begin: int | None = None
    end: int | None = None


class Report(NamedTuple):
    """A scenario and its file, the outcomes of all steps in order, and the duration [ns]."""

    name: str
    source: str
    purpose: str
    parameters: Mapping[str, Any]
    rows: tuple[ReportRow, ...]
    duration: int

    @property
    def verdict(self) -> str:
        """The verdict: passed, failed, or not tried."""
        return verdict_of(row.outcome for row in self.rows)

    @property
    def passed(self) -> bool:
        """Whether every step has passed."""
        return self.verdict == "passed"

    @property
    def is_silent(self) -> bool:
        """Whether the other side was not there."""
        return any(row.outcome is StepOutcome.SILENT for row in self.rows)

    @classmethod
    def of(cls, scenario: Scenario, file: ScenarioFile) -> Self:
        """Return the report of a scenario played in this process."""
        outcomes = [(one.outcome, one.seen, one.begin, one.end) for one in scenario.verdicts]
        return cls(*_facts(file), _rows(file, outcomes), scenario.duration)

    @classmethod
    def of_verdicts(cls, verdicts: list[dict[str, Any]], file: ScenarioFile) -> Self:
        """Return the report of a scenario played by a running bench (`Player.verdicts`).

        ConfigurationError: they are those of other steps, or of another version.
        """
        try:
            outcomes = [(StepOutcome(one["outcome"]), one["seen"], one["begin"], one["end"]) for one in verdicts]
            rows = _rows(file, outcomes)
        except ValueError as error:
            raise ConfigurationError(f"the verdicts on {file.name} cannot be read: {error}") from None
        begins = [row.begin for row in rows if row.begin is not None]
        ends = [row.end for row in rows if row.end is not None]
        return cls(*_facts(file), rows, max(ends, default=0) - min(begins, default=0))

    @classmethod
    def of_error(cls, file: ScenarioFile, reason: str) -> Self:
        """Return the report of a scenario that could not be played."""
        return cls(*_facts(file), (ReportRow(1, "can be played", "", StepOutcome.CUT_OFF, reason),), 0)

    @classmethod
    def of_facts(cls, facts: dict[str, Any]) -> Self:
        """Return the report that `facts` describe."""
        rows = (ReportRow(**row | {"outcome": StepOutcome(row["outcome"])}) for row in facts["rows"])
        return cls(**facts | {"rows": tuple(rows)})

    def facts(self) -> dict[str, Any]:
        """Return the report for JSON; times in ns of the run."""
        rows = [row._asdict() | {"outcome": row.outcome.value} for row in self.rows]
        return self._asdict() | {"rows": rows}


def summary(verdicts: Sequence[str]) -> str:
    """Return the count of the verdicts on some scenarios: `18 of 23 scenarios passed, 5 not tried`."""
    untried = verdicts.count(StepOutcome.NOT_TRIED.value)
    rest = f", {untried} not tried" if untried else ""
    return f"{verdicts.count('passed')} of {counted(len(verdicts), 'scenario')} passed{rest}"


def is_green(verdicts: Sequence[str]) -> bool:
    """Return whether a suite has passed: at least one scenario has, and the others did or were not tried."""
    return "passed" in verdicts and set(verdicts) <= {"passed", StepOutcome.NOT_TRIED.value}


SILENCE: Final = "the tester is silent: the suite ends here"


def _facts(file: ScenarioFile) -> tuple[str, str, str, Mapping[str, Any]]:
    return file.name, file.source, file.settings.purpose, file.settings.parameters


def _rows(
    file: ScenarioFile, outcomes: Sequence[tuple[StepOutcome, str, int | None, int | None]]
) -> tuple[ReportRow, ...]:
    """Return the rows of the steps; an outcome has what was seen, and when it began and ended."""
    rows = []
    for i, (step, outcome) in enumerate(zip(file.settings.steps, outcomes, strict=True)):
        words = describe(step)
        rows.append(ReportRow(file.line(("steps", i)), step.name or words, words if step.name else "", *outcome))
    return tuple(rows)


_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""

_ELEMENTS: Final = {
    StepOutcome.FAILED: "failure",
    StepOutcome.CUT_OFF: "error",
    StepOutcome.NOT_REACHED: "skipped",
    StepOutcome.NOT_NEEDED: "skipped",
    StepOutcome.NOT_TRIED: "skipped",
    StepOutcome.SILENT: "skipped",
}


def junit(suites: Iterable[ET.Element]) -> bytes:
    """Return the JUnit document of test suites, one for each scenario."""
    root = ET.Element("testsuites")
    root.extend(suites)
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def suite_of(report: Report) -> ET.Element:
    """Return the test suite of a scenario."""
    counts = {
        plural: sum(_ELEMENTS.get(row.outcome) == element for row in report.rows)
        for element, plural in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped"))
    }
    attributes = {
        "name": legal(report.name),
        "tests": str(len(report.rows)),
        **{plural: str(count) for plural, count in counts.items()},
        "time": _seconds(report.duration),
    }
    suite = ET.Element("testsuite", attributes)
    if report.parameters:
        properties = ET.SubElement(suite, "properties")
        for name, value in report.parameters.items():
            ET.SubElement(properties, "property", {"name": legal(name), "value": legal(in_words(value))})
    for row in report.rows:
        _add_case(suite, row, report)
    return suite


def _add_case(suite: ET.Element, row: ReportRow, report: Report) -> None:
    lasted = 0 if row.begin is None or row.end is None else row.end - row.begin
    attributes = {
        "classname": legal(report.name),
        "name": legal(row.title),
        "file": legal(report.source),
        "line": str(row.line),
        "time": _seconds(lasted),
    }
    case = ET.SubElement(suite, "testcase", attributes)
    if row.outcome in _ELEMENTS:
        ET.SubElement(case, _ELEMENTS[row.outcome], {"message": legal(trouble_of(row))})
    elif row.seen:
        ET.SubElement(case, "system-out").text = legal(row.seen)


def in_words(parameter: float | str) -> str:
    """Return the value of a parameter as a file has it."""
    return parameter if isinstance(parameter, str) else f"{parameter:.12g}"


def trouble_of(row: ReportRow) -> str:
    """Return as text the outcome of a step that has not passed, and when it began."""
    begun = "" if row.begin is None else f"at {_seconds(row.begin)} s: "
    return f"{begun}{row.seen or row.outcome.value}"


def legal(text: str) -> str:
    """Return a text without the characters that XML does not allow."""
    return _FORBIDDEN.sub("\ufffd", text)


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds / SECOND:.3f}"
