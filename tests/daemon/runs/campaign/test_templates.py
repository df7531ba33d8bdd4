"""A bench that serves many runs: every row is the one that a bench of its own gives."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.runs.campaign import templates
from hilbridge.runs.campaign.play import line, play
from hilbridge.runs.campaign.prepared import Prepared
from hilbridge.runs.campaign.templates import MOST, Templates

from .campaigns import row_by, runs

BENCH = """
name: dice
vehicle: compact
rate: 100
buses:
  powertrain: {interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}
faults:
  - {kind: frame, bus: powertrain, message: EngineData1, effect: drop, probability: 0.5}
diagnostics:
  units:
    engine:
      bus: powertrain
      addresses: [{request: 0x7E0, answer: 0x7E8}]
      uds: {security: {provider: "hilbridge.bench.diagnostics.uds.demo_security:key", levels: [1]}}
"""

SCENARIO = """
parameters: {wait: 0.1}
steps:
  - set: {input.Key: 1}
  - after: "${wait}"
    expect: "vehicle.EngineRpm < 4000"
"""

CAMPAIGN = """
bench: dice.yaml
scenario: short.yaml
seeds: 3
vary:
  vehicle.body.mass: [900, 1500]
  wait: [0.1, 0.2]
figures:
  rpm: {of: vehicle.EngineRpm, take: highest}
"""


def of_shipped_code(folder: Path, *texts: str) -> tuple[Path, list[dict[str, object]]]:
    """Return the runs of a campaign, whatever code other tests have let pass in this process."""
    files, made = runs(folder, *texts)
    return files, [run | {"trusted": []} for run in made]


def test_rows_are_equal_to_the_byte(tmp_path: Path) -> None:
    """Whatever seed the bench had before: frames are dropped by dice here."""
    (tmp_path / "dice.yaml").write_text(BENCH, encoding="utf-8")
    files, made = of_shipped_code(tmp_path, CAMPAIGN, SCENARIO)
    prepared = Prepared(files)
    try:
        rows = [row_by(prepared, run) for run in made]
    finally:
        prepared.close()
    assert rows == [line(play(files, run)) for run in made]
    assert len(set(rows)) == len(made)


def test_a_bench_is_built_once_its_values_come_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For at most so many values; code of the user is run by no process but that of a run."""
    files, made = of_shipped_code(tmp_path)
    built: list[object] = []

    def build(_folder: Path, run: dict[str, dict[str, object]]) -> object:
        built.append(run["keys"]["set"])
        return built[-1]

    monkeypatch.setattr(templates, "build", build)
    kept = Templates(files)
    assert [kept.get(run) for run in made[:1]] == [None]
    assert kept.get(made[0] | {"trusted": ["digest"]}) is None
    assert not built
    assert kept.get(made[0]) is kept.get(made[0]) is built[0]
    for number in range(MOST):
        other = made[0] | {"bench_files": f"files-{number}"}
        assert [kept.get(other), kept.get(other)] == [None, built[-1]]
    assert [kept.get(made[0] | {"memory_limit": 100}), kept.get(made[0])] == [None, built[-1]]
    assert len(built) == MOST + 2


def test_values_that_come_in_turn_push_no_bench_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More of them than benches are kept: some are built once, and those of the others by their runs."""
    files, made = of_shipped_code(tmp_path)
    built: list[str] = []

    def build(_folder: Path, run: dict[str, str]) -> str:
        built.append(run["bench_files"])
        return built[-1]

    monkeypatch.setattr(templates, "build", build)
    kept = Templates(files)
    for _ in range(3):
        for number in range(MOST + 2):
            kept.get(made[0] | {"bench_files": f"files-{number}"})
    assert built == [f"files-{number}" for number in range(MOST)]


@pytest.mark.parametrize("can_be", [True, False])
def test_what_values_do_not_change_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_be: bool) -> None:
    """At the second run of the same files with values of its own; from then on those of vehicles are built here too.

    Not with values of the bench, nor where a run has a limit of memory, which does not hold here.
    """
    files, made = of_shipped_code(tmp_path)
    built: list[object] = []

    def build(_folder: Path, run: dict[str, dict[str, dict[str, float]]]) -> object:
        built.append(run["keys"]["set"])
        if not can_be:
            raise ConfigurationError("wrong")
        return built[-1]

    monkeypatch.setattr(templates, "build", build)
    kept = Templates(files)
    values = [{"vehicle.body.mass": float(mass)} for mass in range(900, 903)]
    others = [made[0] | {"keys": {"set": one}} for one in [*values, {"bench.rate": 50.0}]]
    assert [kept.get(run) for run in others] == [None, *(values[1:] if can_be else [None, None]), None]
    assert kept.get(made[0] | {"keys": {"set": {"vehicle.body.mass": 1.0}}, "memory_limit": 100}) is None
    assert built == ([{}, *values[1:]] if can_be else [{}])


def test_one_that_cannot_be_built_is_left_to_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose row has the reason; it is tried once."""
    files, made = of_shipped_code(tmp_path)
    tried: list[object] = []

    def build(_folder: Path, run: object) -> object:
        tried.append(run)
        raise ConfigurationError("wrong")

    monkeypatch.setattr(templates, "build", build)
    kept = Templates(files)
    assert [kept.get(made[0]) for _ in range(4)] == [None] * 4
    assert len(tried) == 1
