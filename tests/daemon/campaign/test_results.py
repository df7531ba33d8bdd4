"""The folder of results: what is in it stays, whatever comes."""

import json
from pathlib import Path

import pytest

from hilbridge.campaign.play import line
from hilbridge.campaign.results import ROWS, Results
from hilbridge.campaign.runs import plan_campaign
from hilbridge.common.errors import ConfigurationError
from hilbridge.configuration.campaignfile import load_campaign

from .campaigns import planned


def row(run: str) -> bytes:
    return line({"run": run, "verdict": "passed"})


def test_a_full_disk_is_told_and_the_rows_before_it_stay(tmp_path: Path) -> None:
    """The next call goes on with them, and so with the run whose row was not kept."""
    campaign = planned(tmp_path)
    folder = tmp_path / "results"
    first, second, *_ = (run.name for run in campaign.runs)
    with Results(folder, campaign) as results:
        results.add(row(first))
        results._file.close()
        results._file = Path("/dev/full").open("ab")  # noqa: SIM115 - results close it
        with pytest.raises(ConfigurationError, match=r"a row was not kept in .*: No space left on device"):
            results.add(row(second))
    assert (folder / ROWS).read_bytes() == row(first)
    with Results(folder, campaign) as results:
        assert [*results.rows] == [first]


def test_a_row_counts_once(tmp_path: Path) -> None:
    campaign = planned(tmp_path)
    name = campaign.runs[0].name
    with Results(tmp_path / "results", campaign) as results:
        results.add(row(name))
        results.add(row(name))
    assert (tmp_path / "results" / ROWS).read_bytes() == row(name)


def test_results_of_another_campaign_are_left_alone(tmp_path: Path) -> None:
    campaign = planned(tmp_path)
    with Results(tmp_path / "results", campaign) as results:
        results.add(row(campaign.runs[0].name))
    other = tmp_path / "speeds.yaml"
    other.write_bytes((tmp_path / "masses.yaml").read_bytes())
    with pytest.raises(ConfigurationError, match="holds results of masses: name another folder with --into"):
        Results(tmp_path / "results", plan_campaign(load_campaign(other)))
    assert (tmp_path / "results" / ROWS).read_bytes() == row(campaign.runs[0].name)
    assert json.loads((tmp_path / "results/manifest.json").read_text())["campaign"] == "masses"


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results/thesis.tex").write_text("years", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"holds something else \(thesis.tex\)"):
        Results(tmp_path / "results", planned(tmp_path))
    assert [each.name for each in (tmp_path / "results").iterdir()] == ["thesis.tex"]
