"""The page on scenarios, read by a parser of HTML."""

import re
from pathlib import Path

from hilbridge.base.common.units import SECOND
from hilbridge.bench.scenario.engine import StepOutcome
from hilbridge.bench.scenario.page import Played, is_page, page
from hilbridge.bench.scenario.report import Report, ReportRow

from ....benches import PageReader

ROWS = (
    ReportRow(2, "a <b> & c", "set input.Key 1", StepOutcome.PASSED, "", 0, 0),
    ReportRow(3, "expect vehicle.Speed > 10", "", StepOutcome.FAILED, "vehicle.Speed = 0 m/s", 0, 2 * SECOND),
    ReportRow(4, "expect 1", "", StepOutcome.NOT_REACHED, ""),
)
RED = Report("town & country", "town.yaml", "Drives <through> town", {"speed": 80}, ROWS, 2 * SECOND)
GREEN = Report("green", "launch", "", {}, ROWS[:1], 0)


def test_a_run_has_verdicts_figures_parameters_picture_and_command() -> None:
    text = page("Scenario town", [Played(RED, "hilbridge run demo --scenario town.yaml", "<svg><path/></svg>")])
    read = PageReader(text.replace("<path/>", ""))
    assert {
        ("code", "hilbridge run demo --scenario town.yaml"),
        ("dd", "speed = 80"),
        ("small", "set input.Key 1"),
    } <= set(read.texts)
    words = [words for _, words in read.texts]
    assert {"a <b> & c", "town & country:", "Drives <through> town", "vehicle.Speed = 0 m/s", "2.000"} <= set(words)
    assert [words for tag, words in read.texts if tag == "span"] == ["failed", "passed", "failed", "not reached"]
    assert "<figure><svg><path/></svg></figure>" in text


def test_several_runs_have_an_overview_that_leads_to_each() -> None:
    text = page("Scenarios", [Played(RED), Played(GREEN)])
    read = PageReader(text)
    assert ("p", "1 of 2 scenarios passed") in read.texts
    assert [reference.removeprefix("#") for reference in read.references] == re.findall(r'<section id="([^"]*)"', text)


def test_nothing_comes_from_outside() -> None:
    """No script, no address: the page can be sent by mail."""
    text = page("Scenarios", [Played(RED), Played(GREEN)])
    assert "<script" not in text
    assert "//" not in text.replace("<!DOCTYPE", "")


def test_a_page_is_known_by_its_name() -> None:
    assert is_page(Path("report.html"))
    assert not is_page(Path("report.xml"))


def test_text_of_a_file_hides_nothing() -> None:
    """A mark that turns the direction of the text round is shown; a line end stays one."""
    text = page("Scenario", [Played(RED._replace(purpose="first\n\u202eback"))])
    assert ("p", "first\n\\u202eback") in PageReader(text).texts
