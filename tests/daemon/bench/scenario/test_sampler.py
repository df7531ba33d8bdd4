"""Samples of the values that the steps of a scenario name."""

import math
from itertools import pairwise
from pathlib import Path

import pytest

from hilbridge.bench.scenario.sampler import ALWAYS, Sampler
from hilbridge.files.settings.scenario import ScenarioSettings
from hilbridge.frames.codec.frame import Frame

from .stages import TICK, Rig

FRAME = 'frame: {bus: can, message: EngineData1, signals: {EngineRpm: "> 500"}}, within: 5'


class Followed(Rig):
    """A scenario with its sampler."""

    def __init__(self, folder: Path, steps: str) -> None:
        super().__init__(folder, steps)
        settings = [verdict.step.settings for verdict in self.scenario.verdicts]
        self.course = Sampler(ScenarioSettings(steps=settings).steps, self.stage())

    def go(self, ticks: int) -> None:
        for _ in range(ticks):
            before = self.scenario.decided
            self.tick()
            self.course.advance(self.t, decisive=self.scenario.decided != before)

    def values(self, path: str) -> list[float]:
        return list(self.course.quantities[path].values)


def test_the_usual_is_followed_and_what_is_named(tmp_path: Path) -> None:
    """Each once, in the order of the steps, with its unit."""
    rig = Followed(tmp_path, '{expect: "vehicle.Speed > 1 and auxiliary.CoolantTemperature > 1"}\n{set: {Key: 1}}')
    units = {path: one.unit for path, one in rig.course.quantities.items()}
    assert list(units) == [*ALWAYS, "auxiliary.CoolantTemperature", "input.Key"]
    assert (units["vehicle.Speed"], units["auxiliary.CoolantTemperature"], units["input.Key"]) == ("m/s", "°C", "")


def test_a_sample_each_10_ms(tmp_path: Path) -> None:
    """In the entry's own unit; what is not available is not-a-number."""
    rig = Followed(tmp_path, '{always: "request.EngineTorque < 5", background: true}\n{expect: "1", after: 9}')
    rig.put("vehicle.Speed", 1.5)
    rig.go(2)
    rig.put("vehicle.Speed", 2.5)
    rig.go(1)
    assert rig.values("vehicle.Speed") == [1.5, 1.5, 2.5]
    assert rig.course.times == pytest.approx([0.0, 0.01, 0.02])
    assert all(map(math.isnan, rig.values("request.EngineTorque")))


def test_signals_are_those_of_the_newest_frame(tmp_path: Path) -> None:
    """By cantools; there is none before the first frame, and a frame that is too short is none."""
    rig = Followed(tmp_path, f"{{{FRAME}}}")
    message = rig.database.message("EngineData1")
    rest = {signal.name: 0 for signal in message.signals}
    rig.go(1)
    for rpm in (400.0, 450.0):
        data = message.encode(rest | {"EngineRpm": rpm})
        rig.bus.transmit(Frame(message.frame_id, data), None)
        rig.bus.transmit(Frame(message.frame_id, data[:2]), None)
        rig.go(2)
    values = rig.values("can.EngineData1.EngineRpm")
    assert math.isnan(values[0])
    assert values[1:] == [400.0, 400.0, 450.0, 450.0]


def test_of_a_decision_the_very_values_are_kept(tmp_path: Path) -> None:
    """Also between two samples; of a time without decision it is the sample before."""
    rig = Followed(tmp_path, '{expect: "vehicle.Speed > 1", within: 5}')
    rig.course.advance(0)
    rig.put("vehicle.Speed", 7.0)
    rig.course.advance(TICK // 2, decisive=True)
    assert rig.course.value("vehicle.Speed", TICK // 2) == 7.0
    assert rig.course.value("vehicle.Speed", TICK // 4) == 0.0
    assert rig.values("vehicle.Speed") == [0.0]
    assert math.isnan(rig.course.value("vehicle.Speed", -1))


def test_a_long_scenario_is_sampled_less_often(tmp_path: Path) -> None:
    """An hour has between 3000 and 6000 samples at equal distances."""
    rig = Followed(tmp_path, '{expect: "vehicle.Speed > 1", within: 5000}')
    for t in range(0, 3600 * 100, 4):
        rig.course.advance(t * TICK)
    times = rig.course.times
    assert 3000 <= len(times) < 6000
    assert len(rig.values("vehicle.Speed")) == len(times)
    assert (times[0], times[-1] > 3590) == (0.0, True)
    assert {round(b - a, 9) for a, b in pairwise(times)} == {round(times[1], 9)}
