"""The verdicts of a scenario, from this process or from a running bench, and their form as JUnit XML.

JUnit XML has a test case for each step, as test servers show them. A failed step has the element `failure`, one that
was cut off `error`, one that was not reached or not needed `skipped`. Times are those of the run, in seconds.
"""

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Self
from xml.etree import ElementTree as ET

from hilbridge.common.units import SECOND
from hilbridge.configuration.scenariofile import ScenarioFile
from hilbridge.scenario.engine import Scenario, StepOutcome


class ReportRow(NamedTuple):
    """The outcome of a step, its line in the file, and its times [ns] of the run; None if it was not reached."""

    line: int
    title: str
    outcome: StepOutcome
    seen: str
    begin: int | None
    end: int | None


class Report(NamedTuple):
    """The outcomes of all steps in order, and the duration [ns]."""

    rows: tuple[ReportRow, ...]
    duration: int

    @property
    def passed(self) -> bool:
        """Whether every step has passed."""
        return all(row.outcome.is_good for row in self.rows)

    @classmethod
    def of(cls, scenario: Scenario, file: ScenarioFile) -> Self:
        """Return the report of a scenario played in this process."""
        rows = [
            ReportRow(_line(file, i), one.step.title, one.outcome, one.seen, one.begin, one.end)
            for i, one in enumerate(scenario.verdicts)
        ]
        return cls(tuple(rows), scenario.duration)

    @classmethod
    def of_verdicts(cls, verdicts: list[dict[str, Any]], file: ScenarioFile) -> Self:
        """Return the report of a scenario played by a running bench (`Player.verdicts`)."""
        rows = [
            ReportRow(_line(file, i), one["title"], StepOutcome(one["outcome"]), one["seen"], one["begin"], one["end"])
            for i, one in enumerate(verdicts)
        ]
        begins = [row.begin for row in rows if row.begin is not None]
        ends = [row.end for row in rows if row.end is not None]
        return cls(tuple(rows), max(ends, default=0) - min(begins, default=0))


def _line(file: ScenarioFile, step: int) -> int:
    return file.line(("steps", step))


_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""

_ELEMENTS: Final = {
    StepOutcome.FAILED: "failure",
    StepOutcome.CUT_OFF: "error",
    StepOutcome.NOT_REACHED: "skipped",
    StepOutcome.NOT_NEEDED: "skipped",
}


def junit(suites: Iterable[ET.Element]) -> bytes:
    """Return the JUnit document of test suites, one for each scenario."""
    root = ET.Element("testsuites")
    root.extend(suites)
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def suite_of(name: str, file: str, report: Report) -> ET.Element:
    """Return the test suite of a scenario. `name` of the scenario, `file` with its path."""
    counts = {
        plural: sum(_ELEMENTS.get(row.outcome) == element for row in report.rows)
        for element, plural in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped"))
    }
    attributes = {
        "name": _legal(name),
        "tests": str(len(report.rows)),
        **{plural: str(count) for plural, count in counts.items()},
        "time": _seconds(report.duration),
    }
    suite = ET.Element("testsuite", attributes)
    for row in report.rows:
        _add_case(suite, row, name, file)
    return suite


def suite_of_error(name: str, file: str, reason: str) -> ET.Element:
    """Return the test suite of a scenario that could not be played."""
    row = ReportRow(1, "can be played", StepOutcome.CUT_OFF, reason, None, None)
    return suite_of(name, file, Report((row,), 0))


def _add_case(suite: ET.Element, row: ReportRow, name: str, file: str) -> None:
    lasted = 0 if row.begin is None or row.end is None else row.end - row.begin
    attributes = {
        "classname": _legal(name),
        "name": _legal(row.title),
        "file": _legal(file),
        "line": str(row.line),
        "time": _seconds(lasted),
    }
    case = ET.SubElement(suite, "testcase", attributes)
    if row.outcome in _ELEMENTS:
        begun = "" if row.begin is None else f"at {_seconds(row.begin)} s: "
        message = _legal(f"{begun}{row.seen or row.outcome.value}")
        ET.SubElement(case, _ELEMENTS[row.outcome], {"message": message})
    elif row.seen:
        ET.SubElement(case, "system-out").text = _legal(row.seen)


def _legal(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds / SECOND:.3f}"
