"""The demo bench after a scenario that was played beside its demo driver."""

from collections.abc import Iterator

import pytest

from hilbridge.bench.scenario.player import Player
from hilbridge.files.configuration.scenariofile import load_scenario
from hilbridge.testing import VirtualBench


class Demo:
    """The demo bench under its demo driver, with a player of scenarios as a run has it."""

    def __init__(self, bench: VirtualBench) -> None:
        self.bench = bench
        self.player = Player(lambda: bench.parts.scenario_context(bench.obey))

    def play(self, name: str) -> None:
        settings = load_scenario(name).settings
        for _ in self.player.start(name, settings, settings.steps):
            pass

    def advance(self, seconds: float) -> None:
        """A tick of 10 ms at a time: scenarios act at the end of one."""
        for _ in range(round(seconds * 100)):
            self.bench.advance(0.01)
            self.player.advance(round(self.bench.time * 1e9))

    def drivers(self) -> set[str]:
        """Who holds what a driver moves."""
        driven = {"Throttle", "Brake", "Clutch", "ManualGear", "Key"}
        rows = self.bench.command("status", parts=["inputs"])["inputs"]
        return {row["source"] for row in rows if row["control"] in driven}

    def top_speed(self, seconds: float) -> float:
        speeds = []
        for _ in range(round(seconds)):
            self.advance(1.0)
            speeds.append(self.bench.read("vehicle.Speed"))
        return max(speeds)


@pytest.fixture
def demo() -> Iterator[Demo]:
    with VirtualBench("demo", demo_driver=True) as bench:
        bench.advance(20.0)
        yield Demo(bench)


def test_the_demo_driver_drives_on_after_a_scenario_that_was_stopped(demo: Demo) -> None:
    """What the scenario held is the demo driver's again, and so is the weather the bench's."""
    demo.play("hill")
    demo.advance(6.0)
    assert "scenario hill" in demo.drivers()
    demo.player.stop()
    demo.advance(0.1)
    assert demo.drivers() == {"demo driver"}
    assert demo.bench.read("road.HeadWind") == 0.0
    assert demo.top_speed(90.0) > 15.0


def test_the_demo_driver_drives_on_after_a_scenario_that_failed(demo: Demo) -> None:
    """`launch` expects a parked car; whatever it leaves, the key too is the demo driver's within ten seconds."""
    demo.play("launch")
    while demo.player.is_on:
        demo.advance(0.5)
    status = demo.player.status()
    assert status is not None
    assert status.state == "failed"
    demo.advance(10.0)
    assert demo.drivers() == {"demo driver"}
    assert demo.top_speed(90.0) > 15.0


def test_what_somebody_else_took_over_stays_held(demo: Demo) -> None:
    demo.play("hill")
    demo.advance(6.0)
    demo.bench.set("road.HeadWind", 3.0)
    demo.player.stop()
    demo.advance(0.1)
    assert demo.bench.read("road.HeadWind") == 3.0
