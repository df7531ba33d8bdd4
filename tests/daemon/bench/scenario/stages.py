"""A stage without a vehicle, for the steps of scenarios: a data bus, one CAN bus, commands that are kept."""

import json
from pathlib import Path
from typing import Any

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.scenario.build import build
from hilbridge.bench.scenario.context import ScenarioContext
from hilbridge.bench.scenario.engine import Scenario
from hilbridge.bench.scenario.report import Report
from hilbridge.files.configuration.scenariofile import load_scenario
from hilbridge.files.settings.faults import FaultSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from vehiclesim.databus import DataBus
from vehiclesim.entries import find
from vehiclesim.parameters import VehicleSettings

TICK = 10_000_000
"""[ns]"""

DBC = Path(__file__).parents[4] / "dbc/powertrain.dbc"


class Rig:
    """Plays a scenario tick by tick. What is set by command is on the data bus at once."""

    def __init__(self, folder: Path, steps: str) -> None:
        self.t = -TICK
        self.data = DataBus()
        self.bus = Bus("can")
        self.database = load_database(DBC)
        self.commands: list[tuple[int, dict[str, Any]]] = []
        self.refusal: str | None = None
        self._folder = folder
        self.scenario = self.build(steps)

    def build(self, steps: str) -> Scenario:
        """A scenario of these steps, in the flow style of YAML, one a line."""
        file = self._folder / "scenario.yaml"
        lines = "".join(f"  - {step.strip()}\n" for step in steps.strip().splitlines())
        file.write_text(f"steps:\n{lines}", encoding="utf-8")
        return build(load_scenario(str(file)), self.stage())

    def stage(self) -> ScenarioContext:
        """What it is played on."""
        return ScenarioContext(self.data, VehicleSettings(), {"can": self.bus}, {"can": self.database}, self, self.obey)

    def check(self, settings: FaultSettings, place: KeyPath) -> None:
        """There is one bus, and nothing else that could fail."""
        if getattr(settings, "bus", "can") != "can":
            raise ConfigurationError("unknown bus", (*place, "bus"))

    def obey(self, line: bytes) -> bytes:
        command = json.loads(line)
        self.commands.append((self.t, command))
        if self.refusal is not None:
            return json.dumps({"error": self.refusal}).encode()
        if command["command"] == "set":
            self.put(command["entry"], command["value"])
        return b'{"fault": 7}' if command["command"] == "fault-add" else b"{}"

    def put(self, entry: str, value: float) -> None:
        """A value onto the data bus."""
        place = find(entry if "." in entry else f"input.{entry}")
        assert place is not None
        self.data.write(*place, value)

    def tick(self, count: int = 1) -> None:
        """So many ticks."""
        for _ in range(count):
            self.t += TICK
            self.bus.exchange(self.t)
            self.scenario.advance(self.t)

    def report(self) -> Report:
        """What reports are made of."""
        return Report.of(self.scenario, load_scenario(str(self._folder / "scenario.yaml")))

    def verdicts(self) -> list[str]:
        """The outcome of each step."""
        return [verdict.outcome.value for verdict in self.scenario.verdicts]

    def times(self) -> list[tuple[float | None, float | None]]:
        """Begin and end of each step, in ticks."""
        return [
            (None if one.begin is None else one.begin / TICK, None if one.end is None else one.end / TICK)
            for one in self.scenario.verdicts
        ]
