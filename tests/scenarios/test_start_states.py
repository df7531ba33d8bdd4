"""Runs that begin in motion."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.testing import VirtualBench

from ..program import hilbridge

ROLLING = """\
start: {speed: 80, gear: 4, coolant: 90}
steps:
  - always: "21.8 < vehicle.Speed < 22.6 and vehicle.GearboxGear == 4 and auxiliary.CoolantTemperature > 85"
    for: 3
"""


def scenario(folder: Path, text: str) -> Path:
    file = folder / "rolling.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_scenario_begins_in_motion_and_a_replay_too(tmp_path: Path) -> None:
    """The state is a command of the recording; a steady drive stays one. The controls can be set as ever."""
    steps = (
        ROLLING + "  - set: {input.Throttle: 0, input.Brake: 0.4}\n  - expect: 'vehicle.Speed < 1'\n    within: 20\n"
    )
    options = ("--clock", "virtual", "--record", tmp_path / "recording")
    run = hilbridge("run", "demo", "--scenario", scenario(tmp_path, steps), *options)
    assert run.returncode == 0, run.stdout + run.stderr
    assert hilbridge("replay", tmp_path / "recording").stdout.startswith("identical")


def test_a_state_that_cannot_be_is_told_with_its_line(tmp_path: Path) -> None:
    file = scenario(tmp_path, ROLLING.replace("gear: 4", "gear: 1"))
    run = hilbridge("run", "demo", "--clock", "virtual", "--scenario", file)
    assert (run.returncode, "rolling.yaml:1: start.gear: at 80 km/h in gear 1" in run.stderr) == (2, True), run.stderr


def test_a_test_begins_in_motion() -> None:
    """The counters are the bench's: nobody has driven. Later, and in a scenario of a bench that runs, it is refused."""
    with VirtualBench("demo", start={"speed": 50}) as bench:
        assert bench.read("vehicle.Speed") == pytest.approx(50 / 3.6, rel=0.02)
        assert bench.read("auxiliary.Odometer") == 0
        bench.advance(1.0)
        assert 13 < bench.read("auxiliary.Odometer") < 15
        with pytest.raises(ConfigurationError, match="in the first tick"):
            bench.command("begin", start={"speed": 50})
