"""JUnit XML of a campaign, as a test server counts it."""

from pathlib import Path
from xml.etree import ElementTree as ET

from hilbridge.runs.campaign.verdicts import junit_of

from .campaigns import CAMPAIGN, made_up, planned


def test_a_test_case_for_each_run_in_a_suite_for_each_vehicle(tmp_path: Path) -> None:
    """Failure, error and skipped as the run failed, died, or was not made; the same name with whatever program."""
    campaign = planned(tmp_path, CAMPAIGN + "vehicle: [compact, mx5-nd]\n")
    rows = made_up(campaign, "failed", "passed", "died", "passed", "passed")
    del rows[campaign.runs[4].name]
    first, second = ET.fromstring(junit_of(campaign, rows))
    assert [suite.get("name") for suite in (first, second)] == [
        f"masses: short.yaml on demo with {vehicle}" for vehicle in ("compact", "mx5-nd")
    ]
    counts = {key: first.get(key) for key in ("tests", "failures", "errors", "skipped", "time")}
    assert counts == {"tests": "6", "failures": "2", "errors": "1", "skipped": "1", "time": "1.000"}
    assert [[what.tag for what in case] for case in first] == [["failure"], [], ["error"], [], ["skipped"], ["failure"]]
    case = first[0]
    assert (case.get("name"), case.get("time")) == ("vehicle.body.mass=900.0 most=-1.0 seed=1", "0.250")
    assert case[0].get("message") == "line 5: expect x < 1: at 0 s: x = \ufffd"
    assert str(case[0].text).startswith("hilbridge run demo --clock virtual --scenario")
    assert [case.get("name") for case in first] == [case.get("name") for case in second]
