"""The runs of a campaign: what they are named after, and what is refused before the first one."""

import re
from pathlib import Path

import pytest

from hilbridge.campaign.engines import described
from hilbridge.campaign.play import play
from hilbridge.campaign.results import FILES, write_files
from hilbridge.campaign.runs import plan_campaign
from hilbridge.common.errors import ConfigurationError
from hilbridge.configuration.campaignfile import CampaignFile
from hilbridge.trust import gate, store
from hilbridge.trust.code import read_code

from .campaigns import CAMPAIGN, SCENARIO, load, planned

VEHICLES = Path(__file__).parents[3] / "config/vehicles"


def test_a_name_is_made_of_all_that_decides_the_row(tmp_path: Path) -> None:
    """Nothing changed: the same names. Value, seed, figure or a file changed: none of them."""
    names = {run.name for run in planned(tmp_path).runs}
    assert len(names) == 6
    assert {run.name for run in planned(tmp_path).runs} == names
    for campaign, scenario in (
        (CAMPAIGN.replace("900", "901").replace("steps: 3", "steps: 2").replace("1500", "1501"), SCENARIO),
        (CAMPAIGN + "seeds: [7]\n", SCENARIO),
        (CAMPAIGN.replace("highest", "last"), SCENARIO),
        (CAMPAIGN, SCENARIO.replace("Key: 1", "Key: 0")),
        (CAMPAIGN + "vehicle: mx5-nd\n", SCENARIO),
    ):
        assert names.isdisjoint(run.name for run in planned(tmp_path, campaign, scenario).runs)


def test_a_campaign_that_grows_keeps_the_names_it_had(tmp_path: Path) -> None:
    before = {run.name for run in planned(tmp_path).runs}
    assert before < {run.name for run in planned(tmp_path, CAMPAIGN + "seeds: 2\n").runs}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("scenario: short.yaml", "scenario: shirt.yaml", "shirt"),
        ("vehicle.body.mass: {from: 900", "vehicle.body.mass: {from: -900", "body.mass: must be at least"),
        ("vehicle.body.mass", "vehicle.body.mess", "unknown key"),
        ("most: [-1, 4000]", "mist: [1]", "no parameter 'mist'"),
        ("most: [-1, 4000]", "most: [1, 1]", "masses.yaml:4: vary: two runs have the same values"),
        ("most: [-1, 4000]", "bench.vehicle: [mx5]", "is the campaign's own key 'vehicle'"),
        ("steps: 3", "steps: 100000}\n  wait: {from: 1, to: 2, steps: 100000", "20,000,000,000 runs"),
        ("bench: demo", "bench: dema", "did you mean 'demo'"),
    ],
)
def test_what_cannot_be_run_is_refused_before_the_first_run(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in CAMPAIGN
    with pytest.raises(ConfigurationError, match=re.escape(reason)):
        plan_campaign(load(tmp_path, CAMPAIGN.replace(old, new)))


@pytest.fixture
def another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test begins as a process does."""
    monkeypatch.setattr(gate, "_GATE", gate._Gate())


def test_code_that_nobody_has_trusted_is_refused_before_the_first_run(tmp_path: Path, another_process: None) -> None:
    """With the place that names it; nothing of it has run."""
    campaign = with_own_code(tmp_path)
    with pytest.raises(ConfigurationError, match=r"geared\.yaml:\d+: blocks\[0\]\.type: .*own_gear\.py.*has trusted"):
        plan_campaign(campaign)


def test_trusted_code_travels_with_its_trust(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, another_process: None
) -> None:
    """On a machine where nobody has trusted it, it runs in the runs of this campaign, and in no other."""
    campaign = with_own_code(tmp_path)
    store.add([read_code(tmp_path / "own_gear.py")])
    planned = plan_campaign(campaign)
    assert planned.trusted == [read_code(tmp_path / "own_gear.py").digest]
    (run,) = planned.runs
    write_files(tmp_path / "worker", planned.files)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another machine"))
    for trusted, verdict in (([], "refused"), (planned.trusted, "passed")):
        monkeypatch.setattr(gate, "_GATE", gate._Gate())
        row = play(tmp_path / "worker" / FILES, described(planned, run) | {"trusted": trusted})
        assert row["verdict"] == verdict, row["reason"]
    assert not store.entries()


def with_own_code(folder: Path) -> CampaignFile:
    """Return a campaign of one run of a vehicle that names a Python file beside it."""
    for kind, name in (("py", "own_gear.py"), ("yaml", "geared.yaml")):
        shipped = (VEHICLES / f"overdrive.{kind}").read_text(encoding="utf-8")
        (folder / name).write_text(shipped.replace("overdrive.py:", "own_gear.py:") + "\n# mine\n", encoding="utf-8")
    return load(folder, "bench: demo\nvehicle: geared.yaml\nscenario: short.yaml\n")
