"""Waits and expectations on the data bus. A tick is 10 ms."""

from pathlib import Path

from .stages import Rig


def test_an_expectation_at_a_moment_tells_the_values(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{expect: "road.Slope > 0.1 and vehicle.EngineRpm > 500"}')
    rig.put("road.Slope", 0.25)
    rig.put("vehicle.EngineRpm", 400)
    rig.tick(2)
    assert rig.verdicts() == ["failed"]
    assert rig.scenario.verdicts[0].seen == "road.Slope = 0.25, vehicle.EngineRpm = 400 rpm"


def test_what_is_not_available_does_not_hold(tmp_path: Path) -> None:
    """Neither a condition nor its opposite."""
    rig = Rig(tmp_path, '{expect: "request.EngineRpm < 100"}\n{expect: "request.EngineRpm >= 100"}')
    rig.tick(2)
    assert rig.verdicts() == ["failed", "failed"]
    assert rig.scenario.verdicts[0].seen == "request.EngineRpm is not available"


def test_within_a_time(tmp_path: Path) -> None:
    """The last tick of the time counts; with the condition the step is over."""
    rig = Rig(tmp_path, '{expect: "road.Slope > 0.1", within: 0.05}\n{expect: "road.Slope > 0.5", within: 0.05}')
    rig.tick(5)
    rig.put("road.Slope", 0.2)
    rig.tick(20)
    assert rig.verdicts() == ["passed", "failed"]
    assert rig.times() == [(0, 5), (5, 10)]
    assert rig.scenario.verdicts[1].seen == "after 0.05 s: road.Slope = 0.2"


def test_always_fails_at_the_first_exception(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{always: "road.Slope < 0.1", for: 0.1}')
    rig.tick(3)
    rig.put("road.Slope", 0.2)
    rig.tick()
    rig.put("road.Slope", 0)
    rig.tick(10)
    assert rig.times() == [(0, 3)]
    assert rig.scenario.verdicts[0].seen == "after 0.03 s: road.Slope = 0.2"
