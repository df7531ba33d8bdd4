"""The verdicts of a scenario as JUnit XML: a test case per step, as test servers show them.

failed: `failure`; cut off: `error`; not reached: `skipped`. Times are those of the run, in seconds.
"""

import re
from typing import Final
from xml.etree import ElementTree as ET

from hilbridge.common.units import SECOND
from hilbridge.scenario.engine import Outcome
from hilbridge.scenario.report import Report, Row

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has not."""

_ELEMENTS: Final = {Outcome.FAILED: "failure", Outcome.CUT_OFF: "error", Outcome.NOT_REACHED: "skipped"}


def junit(name: str, file: str, report: Report) -> bytes:
    """The document. `name` of the scenario, `file` with its path."""
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
    root = ET.Element("testsuites")
    suite = ET.SubElement(root, "testsuite", attributes)
    for row in report.rows:
        _add_case(suite, row, name, file)
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _add_case(suite: ET.Element, row: Row, name: str, file: str) -> None:
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
