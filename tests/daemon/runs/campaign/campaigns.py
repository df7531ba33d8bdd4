"""A campaign of short runs, for the tests of this room."""

import itertools
from collections.abc import Mapping
from pathlib import Path

from hilbridge.files.configuration.campaignfile import CampaignFile, load_campaign
from hilbridge.runs.campaign.engines import described
from hilbridge.runs.campaign.play import Row
from hilbridge.runs.campaign.prepared import Prepared
from hilbridge.runs.campaign.results import FILES, write_files
from hilbridge.runs.campaign.runs import Campaign, CampaignRun, plan_campaign

SCENARIO = """
parameters: {wait: 0.02, most: 4000}
steps:
  - set: {input.Key: 1}
  - after: "${wait}"
    expect: "vehicle.EngineRpm < ${most}"
"""

CAMPAIGN = """
bench: demo
scenario: short.yaml
vary:
  vehicle.body.mass: {from: 900, to: 1500, steps: 3}
  most: [-1, 4000]
figures:
  rpm: {of: vehicle.EngineRpm, take: highest}
"""


def load(folder: Path, campaign: str = CAMPAIGN, scenario: str = SCENARIO) -> CampaignFile:
    """Return a campaign file, written with its scenario into a folder."""
    (folder / "short.yaml").write_text(scenario, encoding="utf-8")
    file = folder / "masses.yaml"
    file.write_text(campaign, encoding="utf-8")
    return load_campaign(file)


def planned(folder: Path, campaign: str = CAMPAIGN, scenario: str = SCENARIO) -> Campaign:
    return plan_campaign(load(folder, campaign, scenario))


def runs(folder: Path, campaign: str = CAMPAIGN, scenario: str = SCENARIO) -> tuple[Path, list[dict[str, object]]]:
    """Return the folder of the files of a campaign, and its runs as the processes that make them get them."""
    whole = planned(folder, campaign, scenario)
    write_files(folder, whole.files)
    return folder / FILES, [described(whole, run) for run in whole.runs]


def row_by(prepared: Prepared, run: Mapping[str, object]) -> bytes:
    """Return the row that comes of a run."""
    made = prepared.make(run)
    assert made is not None
    return made.row


def row_of(run: CampaignRun, verdict: str = "passed", /, **changed: object) -> Row:
    """Return a row of a run as a campaign makes it, with other values for some keys."""
    row: Row = {"run": run.name, **run.keys, "verdict": verdict, "reason": ""}
    if verdict in ("passed", "failed"):
        row |= {
            "limits": {},
            "steps": [2, 2],
            "duration": 0.25,
            "figures": {"rpm": 1.5},
            "frames": 7,
            "sha256": "a" * 64,
        }
    if verdict == "failed":
        row |= {"reason": "line 5: expect x < 1", "steps": [1, 2]}
    return row | changed


def made_up(campaign: Campaign, *verdicts: str) -> dict[str, Row]:
    """Return rows of the runs of a campaign, by their names, with these verdicts in turn; a figure `rpm` grows."""
    rows: dict[str, Row] = {}
    for number, (run, verdict) in enumerate(zip(campaign.runs, itertools.cycle(verdicts), strict=False)):
        rows[run.name] = {"run": run.name, **run.keys, "verdict": verdict, "reason": ""}
        if verdict in ("passed", "failed"):
            rows[run.name] |= {"duration": 0.25, "figures": {"rpm": 100.0 * number}, "frames": 7}
        if verdict != "passed":
            rows[run.name]["reason"] = "line 5: expect x < 1: at 0 s: x = \0"
    return rows
