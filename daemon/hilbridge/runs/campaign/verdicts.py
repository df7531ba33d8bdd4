"""The verdicts of a campaign as JUnit XML: a test suite for each bench, vehicle and scenario, a test case for each run.

A test case is named after the values of its run, so that a test server finds it again when program or files have
changed. A run that failed has the element `failure`, one without a verdict (hung, died, refused, lost) `error`, one
that was not made or not tried `skipped`; their text is the command that makes the run at the desk. Times are those of
the runs.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Any
from xml.etree import ElementTree as ET

from hilbridge.bench.scenario.report import junit, legal
from hilbridge.runs.campaign.play import Row
from hilbridge.runs.campaign.runs import Campaign, command


def junit_of(campaign: Campaign, rows: Mapping[str, Row]) -> bytes:
    """Return the document; `rows`: by the names of the runs."""
    return junit(
        _suite(campaign, name, [rows.get(run.name, run.keys) for run in runs])
        for name, runs in groupby(campaign.runs, key=lambda run: _title(run.keys))
    )


def _title(keys: Mapping[str, Any]) -> str:
    vehicle = "" if keys["vehicle"] is None else f" with {keys['vehicle']}"
    return f"{keys['scenario']} on {keys['bench']}{vehicle}"


def _suite(campaign: Campaign, title: str, rows: list[Mapping[str, Any]]) -> ET.Element:
    name = legal(f"{campaign.file.name}: {title}")
    suite = ET.Element("testsuite", {"name": name})
    for row in rows:
        values = [f"{key}={value}" for key, value in row["set"].items()]
        time = f"{row.get('duration', 0):.3f}"
        case = ET.SubElement(
            suite,
            "testcase",
            {"classname": name, "name": legal(" ".join([*values, f"seed={row['seed']}"])), "time": time},
        )
        verdict = row.get("verdict")
        if verdict == "passed":
            continue
        kind = {None: "skipped", "not tried": "skipped", "failed": "failure"}.get(verdict, "error")
        what = ET.SubElement(case, kind, {"message": legal(row.get("reason", "not made"))})
        if verdict is not None:
            what.set("type", verdict)
            what.text = legal(command(row, campaign.file))
    suite.set("tests", str(len(suite)))
    for kind, plural in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(plural, str(len(suite.findall(f"testcase/{kind}"))))
    suite.set("time", f"{sum(row.get('duration', 0) for row in rows):.3f}")
    return suite
