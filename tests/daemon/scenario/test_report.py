"""Verdicts as JUnit XML, read by another parser than the one that wrote them."""

from pathlib import Path
from xml.dom import minidom

from hilbridge.scenario.report import junit, suite_of

from .stages import Rig


def test_the_document(tmp_path: Path) -> None:
    """A test case for each step; failure, error and skipped as test servers know them, with counts that agree."""
    rig = Rig(
        tmp_path,
        """
        {name: "a <b> & c", set: {road.Slope: 0.1}}
        {always: "1", for: 9, background: true}
        {expect: "road.Slope > 0.2"}
        {wait: {until: "0", timeout: 0.05}}
        {expect: "1"}
        """,
    )
    rig.tick(20)
    document = minidom.parseString(junit([suite_of("town", "town.yaml", rig.report())]))
    (suite,) = document.getElementsByTagName("testsuite")
    assert {name: suite.getAttribute(name) for name in ("name", "tests", "failures", "errors", "skipped", "time")} == {
        "name": "town",
        "tests": "5",
        "failures": "2",
        "errors": "1",
        "skipped": "1",
        "time": "0.060",
    }
    cases = document.getElementsByTagName("testcase")
    assert cases[0].getAttribute("name") == "a <b> & c"
    assert [case.getAttribute("line") for case in cases] == ["2", "3", "4", "5", "6"]
    children = [[child.nodeName for child in case.childNodes if child.nodeName != "#text"] for case in cases]
    assert children == [[], ["error"], ["failure"], ["failure"], ["skipped"]]
    (failure, _) = document.getElementsByTagName("failure")
    assert failure.getAttribute("message") == "at 0.010 s: road.Slope = 0.1"


def test_characters_that_xml_does_not_have(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{name: "bell \\x07 rings", expect: "1"}')
    rig.tick(2)
    document = minidom.parseString(junit([suite_of("x", "x.yaml", rig.report())]))
    (case,) = document.getElementsByTagName("testcase")
    assert case.getAttribute("name") == "bell \ufffd rings"
