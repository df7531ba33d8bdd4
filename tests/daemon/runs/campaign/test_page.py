"""The page on a campaign: read by a parser of HTML, without a browser (tests/browser has one)."""

import json
import re
from pathlib import Path

from hilbridge.runs.campaign.page import MOST_SHOWN, causes, page, shown

from ....benches import PageReader
from .campaigns import CAMPAIGN, made_up, planned


def test_a_page_has_failures_charts_and_all_rows(tmp_path: Path) -> None:
    """With the commands; of what is the same in all runs there is no column."""
    campaign = planned(tmp_path, CAMPAIGN.replace("bench:", "purpose: <light> & heavy\nbench:"))
    rows = made_up(campaign, "failed", "passed", "passed")
    first = campaign.runs[0].name
    rows[first]["limits"] = {"vehicle.EngineRpm": {"lowest": 200.0}, "vehicle.Speed": {"lowest": 1.5, "highest": 2.0}}
    (tmp_path / "results/recordings" / first).mkdir(parents=True)
    text = page(campaign, [*rows.values()], tmp_path / "results", {first: "<svg id='drawn'></svg>"})
    read = PageReader(text)
    words = [words for _, words in read.texts]
    assert {"<light> & heavy", "2 failed", "4 passed", "of 6 runs", "line 5: expect x < 1: at 0 s: x = \\x00"} <= set(
        words
    )
    assert f"hilbridge replay {tmp_path}/results/recordings/{first}" in words
    assert "200 ≤ vehicle.EngineRpm, 1.5 ≤ vehicle.Speed ≤ 2" in words
    assert text.count("id='drawn'") == 1
    assert read.references == ["#planes", "#failures", "#distributions", "#effects", "#runs"]
    assert all(f'<section id="{name[1:]}">' in text for name in read.references)
    data = json.loads(re.findall(r'<script type="application/json" id="rows">(.*?)</script>', text)[0])
    assert data["names"] == ["run", "verdict", "set.vehicle.body.mass", "set.most", "figures.rpm", "reason"]
    assert data["columns"][0] == [run.name for run in campaign.runs]
    assert data["columns"][4] == [0.0, 100.0, 200.0, 300.0, 400.0, 500.0]
    assert [*data["again"]] == [campaign.runs[0].name, campaign.runs[3].name]
    assert data["again"][first].endswith("--set vehicle.body.mass=900.0 --set most=-1.0 --seed 1")


def test_where_it_fails_is_a_plane_of_two_values(tmp_path: Path) -> None:
    """A point for each run, at the corners of what was varied; what did not pass is drawn last, and so on top."""
    campaign = planned(tmp_path)
    rows = made_up(campaign, "failed", "passed", "passed")
    text = page(campaign, [*rows.values()], tmp_path, {})
    plane = re.findall(r'<section id="planes">.*?</section>', text, re.DOTALL)[0]
    points = re.findall(r'<circle class="(good|bad)"[^>]* cx="([\d.]+)" cy="([\d.]+)"', plane)
    assert [kind for kind, _, _ in points] == ["good"] * 4 + ["bad"] * 2
    assert len({x for _, x, _ in points}) == 3
    assert len({y for _, _, y in points}) == 2
    assert "All others" not in text
    whole = page(campaign, [*made_up(campaign, "passed").values()], tmp_path, {})
    assert 'id="planes"' not in whole


def test_nothing_comes_from_outside_and_no_value_ends_the_script(tmp_path: Path) -> None:
    campaign = planned(tmp_path)
    rows = made_up(campaign, "failed")
    for row in rows.values():
        row["reason"] = "line 5: </script><script>alert(1)</script>: at 0 s"
    text = page(campaign, [*rows.values()], tmp_path, {})
    assert text.count("<script") == text.count("</script>") == 2
    assert "alert(1)</script>" not in text
    assert "http" not in text


def test_a_campaign_without_rows_has_a_page(tmp_path: Path) -> None:
    """After Ctrl-C before the first run."""
    read = PageReader(page(planned(tmp_path), [], tmp_path, {}))
    assert ("span", "6 not made") in read.texts
    assert read.references == ["#runs"]


def test_examples_of_every_cause_are_shown(tmp_path: Path) -> None:
    """Also of one that is rare beside another: by the step that failed, whatever values its words have."""
    campaign = planned(tmp_path, CAMPAIGN + "seeds: 50\n")
    rows = [*made_up(campaign, "failed").values()]
    for number, row in enumerate(rows):
        row["reason"] = f"line 5: expect x < {number}: at 0 s"
    rows[-1]["reason"] = "line 9: expect y < 1: at 0 s"
    rows[-2] |= {"verdict": "hung", "reason": "it took longer than 300 s"}
    assert [len(group) for group in causes(rows)] == [298, 1, 1]
    names = shown(rows)
    assert {rows[0]["run"], rows[-1]["run"], rows[-2]["run"]} <= set(names)
    assert len(names) <= MOST_SHOWN
