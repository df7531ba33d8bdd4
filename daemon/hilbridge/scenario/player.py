"""Scenarios on a bench that runs: one at a time; of the last one it stays known what became of it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from hilbridge.bus.frame_listener import FrameListener
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.units import SECOND
from hilbridge.scenario.build import ScenarioContext, build_steps
from hilbridge.scenario.engine import Scenario, StepOutcome
from hilbridge.scenario.sampler import Sampler
from hilbridge.settings.scenario import ScenarioSettings


class Player:
    """`stage` gives the bench as it is when a scenario starts. `advance` belongs to the end of every tick."""

    def __init__(self, stage: Callable[[], ScenarioContext]) -> None:
        self._stage: Final = stage
        self._listeners: Final[dict[str, FrameListener]] = {}  # by bus; they remain attached
        self._scenario: Scenario | None = None
        self._course: Sampler | None = None
        self._name = ""
        self._stopped = False

    @property
    def is_on(self) -> bool:
        """A scenario is under way."""
        return self._scenario is not None and not self._scenario.over

    def start(self, name: str, settings: ScenarioSettings) -> Iterator[None]:
        """Build a scenario, a step for each `next`, and begin it in the tick of the last one.

        A step takes up to 0.5 ms, so a tick cannot build a long scenario in one go.

        ConfigurationError: one is under way, it does not fit the bench (with the key path), or the bench has changed.
        """
        self._require_silence()
        stage = self._stage()
        steps = []
        for step in build_steps(settings, replace(stage, listeners=self._listeners)):
            steps.append(step)
            yield
        self._require_silence()
        if self._stage().faults is not stage.faults:
            raise ConfigurationError("the bench file was read anew meanwhile; try again")
        self.take(name, Scenario(steps))

    def _require_silence(self) -> None:
        if self.is_on:
            raise ConfigurationError(f"the scenario {self._name} is under way")

    def take(self, name: str, scenario: Scenario, course: Sampler | None = None) -> None:
        """Plays a scenario that was built already; `course` follows it."""
        self._name, self._scenario, self._course, self._stopped = name, scenario, course, False

    def stop(self) -> None:
        """Ends it where it is; steps under way are cut off. ConfigurationError: none is under way."""
        if self._scenario is None or self._scenario.over:
            raise ConfigurationError("no scenario is under way")
        self._stopped = True
        self._scenario.finish()

    def advance(self, t: int) -> None:
        """The end of the tick of time `t` [ns]."""
        if self._scenario is not None and not self._scenario.over:
            before = self._scenario.decided
            self._scenario.advance(t)
            if self._course is not None:
                self._course.advance(t, decisive=self._scenario.decided != before)

    def describe(self) -> dict[str, Any] | None:
        """How far it is; None: there was none yet. `time` [s] of the scenario; `steps` of which `done` are over."""
        scenario = self._scenario
        if scenario is None:
            return None
        over = [verdict for verdict in scenario.verdicts if verdict.end is not None]
        return {
            "name": self._name,
            "time": scenario.duration / SECOND,
            "state": self._state(scenario),
            "steps": len(scenario.verdicts),
            "done": len(over),
            "failures": [
                {"step": verdict.step.title, "seen": verdict.seen}
                for verdict in over
                if verdict.outcome is StepOutcome.FAILED
            ],
        }

    def verdicts(self) -> list[dict[str, Any]]:
        """What became of each step; times in ns of the run."""
        return [
            {
                "title": verdict.step.title,
                "outcome": verdict.outcome.value,
                "seen": verdict.seen,
                "begin": verdict.begin,
                "end": verdict.end,
            }
            for verdict in (self._scenario.verdicts if self._scenario is not None else ())
        ]

    def _state(self, scenario: Scenario) -> str:
        if not scenario.over:
            return "running"
        return "stopped" if self._stopped else "passed" if scenario.passed else "failed"
