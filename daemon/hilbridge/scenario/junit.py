"""The verdicts of a scenario as JUnit XML: a test case per step, as test servers show them.

failed: `failure`; cut off: `error`; not reached: `skipped`. Times are those of the run, in seconds.
"""

import re
from typing import Final
from xml.etree import ElementTree as ET

from hilbridge.scenario.engine import Outcome, Scenario, Verdict
from hilbridge.settings.common import NANOSECONDS

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has not."""

_ELEMENTS: Final = {Outcome.FAILED: "failure", Outcome.CUT_OFF: "error", Outcome.NOT_REACHED: "skipped"}


def junit(name: str, file: str, scenario: Scenario) -> bytes:
    """The document. `name` of the scenario, `file` with its path."""
    counts = {
        plural: sum(_ELEMENTS.get(verdict.outcome) == element for verdict in scenario.verdicts)
        for element, plural in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped"))
    }
    attributes = {
        "name": _legal(name),
        "tests": str(len(scenario.verdicts)),
        **{plural: str(count) for plural, count in counts.items()},
        "time": _seconds(scenario.duration),
    }
    root = ET.Element("testsuites")
    suite = ET.SubElement(root, "testsuite", attributes)
    for verdict in scenario.verdicts:
        _add_case(suite, verdict, name, file)
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _add_case(suite: ET.Element, verdict: Verdict, name: str, file: str) -> None:
    lasted = 0 if verdict.begin is None or verdict.end is None else verdict.end - verdict.begin
    attributes = {
        "classname": _legal(name),
        "name": _legal(verdict.step.title),
        "file": _legal(file),
        "line": str(verdict.step.line),
        "time": _seconds(lasted),
    }
    case = ET.SubElement(suite, "testcase", attributes)
    if verdict.outcome in _ELEMENTS:
        begun = "" if verdict.begin is None else f"at {_seconds(verdict.begin)} s: "
        message = _legal(f"{begun}{verdict.seen or verdict.outcome.value}")
        ET.SubElement(case, _ELEMENTS[verdict.outcome], {"message": message})
    elif verdict.seen:
        ET.SubElement(case, "system-out").text = _legal(verdict.seen)


def _legal(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds / NANOSECONDS:.3f}"
