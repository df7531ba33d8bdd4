"""The driver of a scenario, in the car of the demo bench."""

from pathlib import Path

import pytest

from hilbridge.bench.scenario.build import build
from hilbridge.bench.scenario.engine import Scenario
from hilbridge.files.configuration.scenariofile import load_scenario
from hilbridge.testing import VirtualBench

from .stages import TICK, Rig


def driven(folder: Path, *steps: str) -> tuple[Scenario, list[float]]:
    """A scenario of these steps on the demo bench, and the speed [km/h] after every 0.1 s."""
    file = folder / "drive.yaml"
    file.write_text("steps:\n" + "".join(f"  - {step}\n" for step in steps), encoding="utf-8")
    speeds = []
    with VirtualBench("demo") as bench:
        scenario = build(load_scenario(str(file)), bench.parts.scenario_context(bench.obey))
        for tick in range(60_000):
            bench.advance(0.001)
            if tick % 100 == 0:
                speeds.append(bench.read("vehicle.Speed") * 3.6)
            if scenario.advance(tick * 1_000_000):
                break
    return scenario, speeds


def test_it_starts_the_engine_and_follows_the_trace(tmp_path: Path) -> None:
    """In the gear that is asked for; ±2 km/h is what a driver of an emission test may miss."""
    steps = ("{drive: {points: [[0, 0], [2, 0], [8, 25], [12, 25]], gear: 2, tolerance: 2}}",)
    scenario, speeds = driven(tmp_path, *steps, '{expect: "vehicle.GearboxGear == 2"}')
    assert [one.outcome.value for one in scenario.verdicts] == ["passed", "passed"], scenario.verdicts[0].seen
    assert speeds[-1] == pytest.approx(25, abs=2)


def test_a_trace_that_no_car_can_follow_fails_where_it_is_left(tmp_path: Path) -> None:
    scenario, _ = driven(tmp_path, "{drive: {points: [[0, 0], [1, 0], [2, 90], [20, 90]], tolerance: 2}}")
    (verdict,) = scenario.verdicts
    assert verdict.outcome.value == "failed"
    assert "s into the trace" in verdict.seen


def test_it_brings_the_car_to_a_speed(tmp_path: Path) -> None:
    """From the speed that it has, in the gear that is asked for; the car of the demo bench does not go 250 km/h."""
    steps = ("{drive: {speed: 30}}", "{drive: {speed: 50, gear: 3, acceleration: 2}}", "{drive: {speed: 20}}")
    scenario, speeds = driven(tmp_path, *steps)
    assert [one.outcome.value for one in scenario.verdicts] == ["passed"] * 3, scenario.verdicts
    assert speeds[-1] == pytest.approx(20, abs=3)
    assert max(speeds) == pytest.approx(50, abs=3)
    scenario, _ = driven(tmp_path, "{drive: {speed: 250, acceleration: 20}}")
    (verdict,) = scenario.verdicts
    assert (verdict.step.title, verdict.outcome.value) == ("drive 250 km/h", "failed")
    assert verdict.seen.endswith("not 250")


def test_an_engine_that_does_not_start_ends_the_scenario(tmp_path: Path) -> None:
    """There is none: the data bus stands still."""
    rig = Rig(tmp_path, '{drive: {cycle: nedc}}\n{expect: "1"}')
    rig.tick(1001)
    assert rig.verdicts() == ["failed", "not reached"]
    assert rig.scenario.verdicts[0].seen == "the engine does not start"
    assert rig.scenario.duration == 1000 * TICK
    assert {command["entry"] for _, command in rig.commands} == {
        "Throttle",
        "Brake",
        "Clutch",
        "ManualGear",
        "AutomaticGear",
        "Key",
    }
