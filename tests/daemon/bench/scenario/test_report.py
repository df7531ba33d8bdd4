"""Verdicts as JUnit XML, read by another parser than the one that wrote them."""

import json
from pathlib import Path
from xml.dom import minidom

from hilbridge.bench.scenario.report import Report, junit, suite_of
from hilbridge.files.configuration.scenariofile import load_scenario

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
    document = minidom.parseString(junit([suite_of(rig.report())]))
    (suite,) = document.getElementsByTagName("testsuite")
    assert {name: suite.getAttribute(name) for name in ("name", "tests", "failures", "errors", "skipped", "time")} == {
        "name": "scenario",
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


def test_a_report_survives_json(tmp_path: Path) -> None:
    """As it goes from the run of a scenario to its suite; a name of one's own keeps what is expected beside it."""
    rig = Rig(tmp_path, '{name: slope, expect: "road.Slope == 0"}\n{wait: {until: "0", timeout: 9}}')
    rig.tick(2)
    report = rig.report()
    assert Report.of_facts(json.loads(json.dumps(report.facts()))) == report
    assert [(row.title, row.expected) for row in report.rows] == [("slope", "expect road.Slope == 0"), ("wait 0", "")]


def test_a_packaged_scenario_goes_by_its_name(tmp_path: Path) -> None:
    """Not by the place where it is installed; any other by its path."""
    (tmp_path / "own.yaml").write_text('steps:\n  - expect: "1"\n', encoding="utf-8")
    assert load_scenario("launch").source == "launch"
    assert load_scenario(str(tmp_path / "own.yaml")).source == str(tmp_path / "own.yaml")


def test_characters_that_xml_does_not_have(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{name: "bell \\x07 rings", expect: "1"}')
    rig.tick(2)
    document = minidom.parseString(junit([suite_of(rig.report())]))
    (case,) = document.getElementsByTagName("testcase")
    assert case.getAttribute("name") == "bell \ufffd rings"
