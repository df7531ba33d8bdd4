"""`hilbridge shrink`: what is left of a failing run fails in the same way when `hilbridge run` makes it."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from hilbridge.commands.cli import main

from ..program import demo_bench

NEEDED: Final = """\
  - set: {input.Key: 1}
  - after: 0.2037
    set: {input.Brake: 0.4711, input.Throttle: 0.3}
"""
NOISE: Final = """\
  - set: {input.Handbrake: 1, input.AutomaticGear: 2}
  - fault: {kind: frame, bus: powertrain, message: EngineData1, effect: drop, probability: 0.5}
    name: dropping
  - send: {bus: powertrain, message: 0x321, data: "01 02"}
  - wait: {until: "input.Handbrake > 0.5", timeout: 1}
  - expect: "vehicle.Speed < 5"
"""
MORE: Final = """\
  - clear: dropping
  - set: {input.Handbrake: 0}
"""
CONDITION: Final = "vehicle.EngineRpm > 100 and input.Brake > 0.3"
NEVER: Final = f'  - name: no brake while it turns\n    always: "not ({CONDITION})"\n    for: 0.3\n'
SCENARIO: Final = f"purpose: all at once\nsteps:\n{NOISE}{NEEDED}{MORE}{NEVER}"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo with a slow tick, and the scenarios beside it."""
    folder = tmp_path_factory.mktemp("shrink")
    (folder / "failing.yaml").write_text(SCENARIO, encoding="utf-8")
    (folder / "passing.yaml").write_text("steps: [{expect: 'vehicle.Speed < 1'}]\n", encoding="utf-8")
    return demo_bench(folder, ("rate: 1000 ", "rate: 100 "))


@pytest.fixture(scope="module")
def recording(bench: Path) -> Path:
    """A recording in which the condition comes to hold by commands, among others."""
    (bench.parent / "played.yaml").write_text(
        f"steps:\n{NOISE}{NEEDED}{MORE}  - wait: {{until: '{CONDITION}', timeout: 1}}\n"
    )
    words = ["run", str(bench), "--clock", "virtual", "--scenario", str(bench.parent / "played.yaml"), "--log", "json"]
    assert main([*words, "--record", str(bench.parent / "recording")]) == 0
    return bench.parent / "recording"


def inputs(file: Path) -> list[dict[str, Any]]:
    """The steps that do something, without their times and names."""
    steps = yaml.safe_load(file.read_text(encoding="utf-8"))["steps"]
    acting = [step for step in steps if "always" not in step]
    return [{key: value for key, value in step.items() if key not in ("at", "name")} for step in acting]


def played(bench: Path, scenario: Path, report: Path) -> list[dict[str, Any]]:
    """The steps that fail when the scenario is run."""
    words = ["run", str(bench), "--clock", "virtual", "--scenario", str(scenario), "--log", "json"]
    assert main([*words, "--report", str(report)]) == 1
    (facts,) = json.loads(report.read_text(encoding="utf-8"))
    return [row for row in facts["rows"] if row["outcome"] != "passed"]


def test_a_failing_scenario_keeps_the_inputs_that_it_needs(
    bench: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The key and the brake, with rounder numbers; the run of the file fails at the same step."""
    file = tmp_path / "short.yaml"
    assert main(["shrink", str(bench), "--scenario", str(bench.parent / "failing.yaml"), "-o", str(file)]) == 0
    said = capfd.readouterr()
    assert f"{file}: 2 inputs, found in " in said.out
    assert "run once more from the file: failed: " in said.out
    key, brake = inputs(file)
    assert key == {"set": {"input.Key": 1.0}}
    assert brake in ({"set": {"input.Brake": 1.0}}, {"set": {"input.Brake": 0.5}})
    (failed,) = played(bench, file, tmp_path / "report.json")
    assert failed["title"] == "no brake while it turns"


def test_a_recording_is_cut_to_what_leads_to_the_condition(
    recording: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The result is the same with one run at a time as with all processors."""
    files = [tmp_path / "one.yaml", tmp_path / "all.yaml"]
    for file, jobs in zip(files, (("--jobs", "1"), ()), strict=True):
        assert main(["shrink", str(recording), CONDITION, "-o", str(file), *jobs]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    assert "holds at " in capfd.readouterr().err
    assert len(inputs(files[0])) == 2
    assert {name for step in inputs(files[0]) for name in step["set"]} == {"input.Key", "input.Brake"}
    (failed,) = played(recording / "bench/bench.yaml", files[0], tmp_path / "report.json")
    assert failed["title"] == f"never {CONDITION}"


def test_a_bound_on_the_runs_ends_it_with_the_best_so_far(
    bench: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "short.yaml"
    order = ["shrink", str(bench), "--scenario", str(bench.parent / "failing.yaml"), "-o", str(file)]
    assert main([*order, "--tries", "8"]) == 0
    said = capfd.readouterr()
    assert "not all was tried: 8 runs were made" in said.err
    (failed,) = played(bench, file, tmp_path / "report.json")
    assert failed["title"] == "no brake while it turns"
    assert main([*order[:-1], str(tmp_path / "none.yaml"), "--seconds", "0.001"]) in (0, 1)
    assert "s of the processor were used" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("{bench}",), "say what the failure is"),
        (("{recording}", CONDITION, "--scenario", "{folder}/failing.yaml"), "say what the failure is"),
        (("{recording}", "vehicle.Speed > 90"), "the condition does not hold in "),
        (("{recording}", "vehicle.Sped > 90"), "column 1: unknown data bus entry"),
        (("{folder}", CONDITION), "is no recording"),
        (("{bench}", "--scenario", "{folder}/passing.yaml"), "the scenario passes here"),
        (("{bench}", "--scenario", "{folder}/failing.yaml", "-o", "{folder}/failing.yaml"), "is there already"),
        (("{bench}", "--scenario", "{folder}/absent.yaml"), "absent.yaml"),
        (("{recording}", CONDITION, "--set", "a=1"), "--set is of a scenario"),
    ],
)
def test_a_wrong_order_is_an_error(
    bench: Path,
    recording: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {"bench": bench, "recording": recording, "folder": bench.parent}
    assert main(["shrink", *(word.format(**places) for word in words)]) == 2
    assert reason in capfd.readouterr().err
    assert not (tmp_path / "shrunk.yaml").exists()
