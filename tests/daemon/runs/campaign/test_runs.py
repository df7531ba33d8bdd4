"""The runs of a campaign: what they are named after, and what is refused before the first one."""

import re
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.trust import gate, store
from hilbridge.base.trust.code import read_code
from hilbridge.commands.cli import main
from hilbridge.files.configuration.campaignfile import CampaignFile, load_campaign
from hilbridge.runs.campaign.engines import described
from hilbridge.runs.campaign.play import play
from hilbridge.runs.campaign.results import FILES, write_files
from hilbridge.runs.campaign.runs import plan_campaign

from .campaigns import CAMPAIGN, SCENARIO, load, planned

VEHICLES = Path(__file__).parents[4] / "config/vehicles"


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
        ("bench: demo", "seeds: 100000000000\nbench: demo", "seeds: must be at most 1000000"),
        ("bench: demo", "seeds: -1\nbench: demo", "seeds: needs one seed at least"),
        ("bench: demo", "seeds: [-1]\nbench: demo", "seeds"),
    ],
)
def test_what_cannot_be_run_is_refused_before_the_first_run(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in CAMPAIGN
    with pytest.raises(ConfigurationError, match=re.escape(reason)):
        plan_campaign(load(tmp_path, CAMPAIGN.replace(old, new)))


TRACE = "time,speed\n0,0\n10,30\n"


def with_traces(folder: Path, *traces: str) -> CampaignFile:
    """Return a campaign whose scenario, five folders below, drives these traces."""
    deep = folder / "mine/p/q/r/s/t"
    deep.mkdir(parents=True, exist_ok=True)
    steps = "".join(f"  - drive: {{cycle: '{trace}'}}\n" for trace in traces)
    (deep / "s.yaml").write_text(f"steps:\n{steps}", encoding="utf-8")
    campaign = folder / "mine/evil.yaml"
    campaign.write_text("bench: demo\nscenario: p/q/r/s/t/s.yaml\n", encoding="utf-8")
    return load_campaign(campaign)


@pytest.mark.parametrize(
    ("trace", "reason"),
    [
        ("../../../../../.bash_profile", "leads out of its folder"),
        ("../../../../../../.bash_profile", "leads out of its folder"),
        ("sub/../../t.csv", "leads out of its folder"),
        ("ABSOLUTE/.bash_profile", "is an absolute name"),
        ("con.csv", "is the name of a device on Windows"),
        ("a:b.csv", "begins with a drive"),
        ("back\\slash.csv", "has the character"),
        ("S.yaml", "differs from 's.yaml' only in case"),
    ],
)
def test_a_campaign_writes_nothing_beside_its_results(tmp_path: Path, trace: str, reason: str) -> None:
    """A scenario that names a file elsewhere is refused by the name of that file, before anything is written."""
    with_traces(tmp_path)
    trace = trace.replace("ABSOLUTE", str(tmp_path))
    (tmp_path / "mine/p/q/r/s/t/sub").mkdir()
    place = tmp_path / "mine/p/q/r/s/t" / trace
    place.write_text(TRACE, encoding="utf-8")
    campaign = with_traces(tmp_path, trace)
    before = {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")}
    with pytest.raises(ConfigurationError) as refused:
        plan_campaign(campaign)
    assert f"s.yaml: the entry {trace!r} {reason}" in refused.value.message
    assert main(["campaign", str(campaign.path)]) == 2
    assert {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")} == before


def test_traces_beside_and_below_a_scenario_travel_and_links_are_what_they_lead_to(tmp_path: Path) -> None:
    """However their names are written; what is copied is never a link."""
    with_traces(tmp_path)
    deep = tmp_path / "mine/p/q/r/s/t"
    (deep / "cycles").mkdir()
    (deep / "cycles/a.csv").write_text(TRACE, encoding="utf-8")
    (tmp_path / "elsewhere.csv").write_text(TRACE, encoding="utf-8")
    (deep / "b.csv").symlink_to(tmp_path / "elsewhere.csv")
    planned = plan_campaign(with_traces(tmp_path, "./cycles/a.csv", "cycles//a.csv", "b.csv"))
    (run,) = planned.runs
    write_files(tmp_path / "worker", planned.files)
    folder = tmp_path / "worker" / FILES / run.scenario_files
    assert {each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()} == {
        "s.yaml", "b.csv", "cycles/a.csv",
    }  # fmt: skip
    assert not (folder / "b.csv").is_symlink()
    assert (folder / "b.csv").read_text(encoding="utf-8") == TRACE


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
