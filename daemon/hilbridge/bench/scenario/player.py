"""Playing scenarios on a running bench: one at a time; the result of the last one is kept."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.bench.scenario.build import build_steps, check_vehicle
from hilbridge.bench.scenario.context import ScenarioContext
from hilbridge.bench.scenario.engine import Scenario, StepOutcome
from hilbridge.bench.scenario.sampler import Sampler
from hilbridge.boundary.control.lines import execute
from hilbridge.files.settings.scenario import ScenarioSettings, StepSettings
from hilbridge.frames.bus.frame_listener import FrameListener


class FailureRow(NamedTuple):
    """A step that has failed, and what was seen."""

    step: str
    seen: str


class ScenarioRow(NamedTuple):
    """The progress of a scenario. `time` [s] is its own; `done` of the `steps` are over."""

    name: str
    time: float
    state: str
    steps: int
    done: int
    failures: list[FailureRow]


class VerdictRow(NamedTuple):
    """The outcome of a step; times in ns of the run, None before it begins and before its end."""

    title: str
    outcome: str
    seen: str
    begin: int | None
    end: int | None


class Player:
    """Plays scenarios. What one that was started holds at its end is given back in that tick, unless it shall be kept.

    `context` returns the bench at the start of a scenario; `advance` is called at the end of every tick.
    """

    def __init__(self, context: Callable[[], ScenarioContext]) -> None:
        self._context: Final = context
        self._listeners: Final[dict[str, FrameListener]] = {}  # by bus; they remain attached
        self._scenario: Scenario | None = None
        self._sampler: Sampler | None = None
        self._name = ""
        self._begin: Callable[[], object] | None = None
        self._give_back: Callable[[], object] | None = None  # what the scenario holds
        self._stopped = False

    @property
    def is_on(self) -> bool:
        """Whether a scenario is in progress."""
        return self._scenario is not None and not self._scenario.over

    def start(
        self, name: str, settings: ScenarioSettings, steps: Iterable[StepSettings], *, keep: bool = False
    ) -> Iterator[None]:
        """Build a scenario of these steps, one for each `next`, and begin it in the tick of the last one.

        `keep`: it gives back nothing. What someone else has set since stays held in any case.

        A step takes up to 0.5 ms, so a tick cannot build a long scenario in one go.

        ConfigurationError: one is in progress, it does not fit the bench (with the key path), or the bench has changed.
        """
        self._require_idle()
        if settings.start is not None:
            raise ConfigurationError("a bench that runs is in a state already: give the scenario a run", ("start",))
        context = replace(self._context(), listeners=self._listeners, holder=f"scenario {name}")
        check_vehicle(settings, context.vehicle)
        built = []
        for step in build_steps(steps, context):
            built.append(step)
            yield
        self._require_idle()
        if self._context().faults is not context.faults:
            raise ConfigurationError("the bench file was read anew meanwhile; try again")
        self.play(name, Scenario(built))
        if not keep:
            self._give_back = partial(execute, context.obey, "give-back", by=context.holder)

    def _require_idle(self) -> None:
        if self.is_on:
            raise ConfigurationError(f"the scenario {self._name} is under way")

    def play(
        self,
        name: str,
        scenario: Scenario,
        sampler: Sampler | None = None,
        begin: Callable[[], object] | None = None,
    ) -> None:
        """Play a scenario that is already built; `sampler` samples it, `begin` is done before its first step."""
        self._begin = begin
        self._name, self._scenario, self._sampler, self._stopped = name, scenario, sampler, False
        self._give_back = None

    def stop(self) -> None:
        """End the scenario; steps in progress are cut off. ConfigurationError: none is in progress."""
        if self._scenario is None or self._scenario.over:
            raise ConfigurationError("no scenario is under way")
        self._stopped = True
        self._scenario.finish()
        self._conclude()

    def advance(self, t: int) -> None:
        """Play the end of the tick of time `t` [ns]."""
        if self._scenario is not None and not self._scenario.over:
            if self._begin is not None:
                self._begin()
                self._begin = None
            before = self._scenario.decided
            self._scenario.advance(t)
            if self._sampler is not None:
                self._sampler.advance(t, decisive=self._scenario.decided != before)
            if self._scenario.over:
                self._conclude()

    def status(self) -> ScenarioRow | None:
        """Return the progress; None before the first scenario."""
        scenario = self._scenario
        if scenario is None:
            return None
        over = [verdict for verdict in scenario.verdicts if verdict.end is not None]
        return ScenarioRow(
            self._name,
            scenario.duration / SECOND,
            self._state(scenario),
            len(scenario.verdicts),
            len(over),
            [FailureRow(verdict.step.title, verdict.seen) for verdict in over if verdict.outcome is StepOutcome.FAILED],
        )

    def verdicts(self) -> list[VerdictRow]:
        """Return the outcome of each step."""
        return [
            VerdictRow(verdict.step.title, verdict.outcome.value, verdict.seen, verdict.begin, verdict.end)
            for verdict in (self._scenario.verdicts if self._scenario is not None else ())
        ]

    def _conclude(self) -> None:
        if self._give_back is not None:
            self._give_back()

    def _state(self, scenario: Scenario) -> str:
        if not scenario.over:
            return "running"
        return "stopped" if self._stopped else scenario.verdict
