"""Scenarios that start and stop while a bench runs."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.rows import plain
from hilbridge.bench.scenario.player import Player
from hilbridge.files.settings.scenario import ScenarioSettings

from .stages import TICK, Rig


class Bench(Rig):
    """A stage on which scenarios are played by `play`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, '{expect: "1"}')
        self.play = Player(self.stage)

    def start(self, *steps: dict[str, Any], keep: bool = False) -> None:
        settings = ScenarioSettings.model_validate({"steps": list(steps)}, strict=True)
        for _ in self.play.start("town", settings, settings.steps, keep=keep):
            pass

    def go(self, ticks: int) -> dict[str, Any]:
        for _ in range(ticks):
            self.t += TICK
            self.bus.exchange(self.t)
            self.play.advance(self.t)
        described = self.play.status()
        assert described is not None
        return plain(described)  # type: ignore[no-any-return]  # an object of JSON


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_before_the_first_one_there_is_none(bench: Bench) -> None:
    bench.play.advance(0)
    assert (bench.play.status(), bench.play.verdicts(), bench.play.is_on) == (None, [], False)


def test_how_far_it_is_and_what_became_of_it(bench: Bench) -> None:
    """Time counts from its own start; the last one stays known until another begins."""
    bench.t = 100 * TICK
    bench.start({"set": {"road.Slope": 0.1}}, {"expect": "road.Slope > 0.2"}, {"always": "1", "for": 0.05})
    assert bench.go(3) == {
        "name": "town",
        "time": 0.02,
        "state": "running",
        "steps": 3,
        "done": 2,
        "failures": [{"step": "expect road.Slope > 0.2", "seen": "road.Slope = 0.1"}],
    }
    assert bench.go(10)["state"] == "failed"
    assert [one.outcome for one in bench.play.verdicts()] == ["passed", "failed", "passed"]
    bench.start({"expect": "1"})
    assert bench.go(1)["state"] == "passed"


def test_one_at_a_time(bench: Bench) -> None:
    """A second one is refused until the first is over or stopped; what is stopped has been cut off."""
    bench.start({"wait": {"until": "0", "timeout": 100.0}})
    bench.go(1)
    with pytest.raises(ConfigurationError, match="the scenario town is under way"):
        bench.start({"expect": "1"})
    bench.play.stop()
    assert bench.go(1)["state"] == "stopped"
    assert [one.outcome for one in bench.play.verdicts()] == ["cut off"]
    with pytest.raises(ConfigurationError, match="no scenario is under way"):
        bench.play.stop()
    bench.start({"expect": "1"})
    assert bench.go(1)["state"] == "passed"


def test_what_it_holds_is_given_back_when_it_ends(bench: Bench) -> None:
    """In the tick of its end, whether it passed, failed or was stopped; a command, so that a recording has it."""
    back = {"command": "give-back", "by": "scenario town"}
    bench.start({"set": {"road.Slope": 0.1}}, {"expect": "1"})
    bench.go(5)
    assert [command for _, command in bench.commands] == [
        {"command": "set", "entry": "road.Slope", "value": 0.1, "by": "scenario town"},
        back,
    ]
    bench.start({"expect": "0"})
    bench.go(5)
    bench.start({"wait": {"until": "0", "timeout": 100.0}})
    bench.go(1)
    bench.play.stop()
    bench.go(5)
    assert [command for _, command in bench.commands[2:]] == [back, back]


def test_what_shall_be_kept_stays_held(bench: Bench) -> None:
    bench.start({"set": {"road.Slope": 0.1}}, keep=True)
    bench.go(5)
    assert [command["command"] for _, command in bench.commands] == ["set"]


def test_what_does_not_fit_the_bench_is_refused_with_its_key(bench: Bench) -> None:
    with pytest.raises(ConfigurationError, match="did you mean can") as raised:
        bench.start({"arm": {"cam": True}})
    assert raised.value.place == ("steps", 0, "arm", "cam")
    assert bench.play.status() is None


def test_nobody_goes_on_listening_when_it_is_over(bench: Bench) -> None:
    """However many were played and stopped: one listener for each bus, without receivers."""
    nodes: list[int] = []
    for _ in range(3):
        bench.start({"frame": {"bus": "can", "message": 5}, "within": 9.0})
        bench.go(2)
        nodes.append(len(bench.bus._nodes))
        bench.play.stop()
        assert [listener.receivers for listener in bench.play._listeners.values()] == [[]]
    assert len(set(nodes)) == 1


def test_a_step_is_built_a_part(bench: Bench) -> None:
    """Nothing is played before the last one is; another one may have begun by then."""
    settings = ScenarioSettings.model_validate({"steps": [{"expect": "1"}, {"expect": "1"}]}, strict=True)
    parts = bench.play.start("slow", settings, settings.steps)
    for _ in settings.steps:
        next(parts)
        assert bench.play.status() is None
    bench.start({"wait": {"until": "0", "timeout": 1}})
    with pytest.raises(ConfigurationError, match="the scenario town is under way"):
        list(parts)


def test_tables_are_read_by_the_sender(bench: Bench) -> None:
    """A bench that runs opens no file for anybody."""
    with pytest.raises(ConfigurationError, match="reads no tables") as raised:
        bench.start({"drive": {"cycle": "/etc/passwd"}})
    assert raised.value.place == ("steps", 0, "drive")
    bench.start({"drive": {"cycle": "nedc"}})
