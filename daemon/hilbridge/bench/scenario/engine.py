"""A scenario in progress: its steps begin when they are due, and each gets a verdict.

A step begins when the step before it is over, or at or after a time. Background steps continue beside the others. A
failed step without which the others are meaningless (a wait that timed out, a command that was refused) ends the
scenario.

`advance` is called once a tick, after everything else: it sees the values and frames of the tick, and its changes
take effect from the next tick on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.files.settings.scenario import StepSettings


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a step. `seen`: the values that decided. After a `fatal` ending the other steps are meaningless.

    `skip`: so many of the steps that follow are not needed. `untried`: in place of a failure, the scenario had no
    occasion to judge anything, and ends.
    """

    passed: bool
    seen: str = ""
    fatal: bool = False
    skip: int = 0
    untried: "StepOutcome | None" = None


class StepActivity(Protocol):
    """The activity of a step in progress.

    `acts`: it changes something; a later observation is made in the next tick, which contains the change. `endless`: it
    has no end of its own, and the scenario does not wait for it.
    """

    @property
    def acts(self) -> bool: ...

    @property
    def endless(self) -> bool: ...

    def begin(self, t: int) -> None:
        """Begin the step at the end of the tick of time `t` [ns]. ConfigurationError: it cannot begin."""

    def evaluate(self, t: int) -> Ending | None:
        """Return the ending, or None while the step continues.

        It is called at the end of every tick from that of `begin` on.
        """

    def close(self, t: int) -> Ending | None:
        """Return the ending of an endless step when the scenario ends; None: the step was cut off."""


def seconds(nanoseconds: int) -> str:
    """Return a time span as text in seconds."""
    return f"{nanoseconds / SECOND:g} s"


def in_nanoseconds(span: float) -> int:
    """Return a time span [s] of the settings in ns."""
    return round(span * SECOND)


class StepOutcome(Enum):
    """The outcome of a step."""

    PASSED = "passed"
    FAILED = "failed"
    CUT_OFF = "cut off"
    """The scenario ended before the step did."""
    NOT_REACHED = "not reached"
    NOT_NEEDED = "not needed"
    """A repeat was over before."""
    NOT_TRIED = "not tried"
    """The other side was there, and gave no occasion for the scenario."""
    SILENT = "silent"
    """The other side was not there."""

    @property
    def is_good(self) -> bool:
        """Whether a scenario can pass with it."""
        return self in (StepOutcome.PASSED, StepOutcome.NOT_NEEDED)


def verdict_of(outcomes: Iterable[StepOutcome]) -> str:
    """Return the verdict on a scenario by the outcomes of its steps: passed, failed, or not tried.

    A failed step decides; then one without an occasion, which cuts off what was in the background.
    """
    found = set(outcomes)
    if StepOutcome.FAILED not in found and found & {StepOutcome.NOT_TRIED, StepOutcome.SILENT}:
        return StepOutcome.NOT_TRIED.value
    return "passed" if all(outcome.is_good for outcome in found) else "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """A step with its `title` for people."""

    title: str
    settings: StepSettings
    activity: StepActivity


@dataclass(slots=True)
class Verdict:
    """The outcome of a step. `begin` and `end` [ns] are None if it was not reached."""

    step: Step
    outcome: StepOutcome = StepOutcome.NOT_REACHED
    seen: str = ""
    begin: int | None = None
    end: int | None = None
    late: int = 0  # [ns] after its `at`


class Scenario:
    """Plays steps. `verdicts`: one for each step; `decided` counts the steps that have ended; `over`: all have."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.verdicts: Final = [Verdict(step) for step in steps]
        self.decided = 0
        self.over = False
        self._next = 0
        self._running: Final[list[Verdict]] = []
        self._foreground: Verdict | None = None
        self._start: int | None = None
        self._free = 0  # [ns] when the step before the next one was over
        self._acted = -1  # [ns] last tick with an action
        self._now = 0

    @property
    def verdict(self) -> str:
        """The verdict: passed, failed, or not tried."""
        return verdict_of(verdict.outcome for verdict in self.verdicts)

    @property
    def duration(self) -> int:
        """Duration so far [ns]."""
        return self._now - (self._start or 0)

    def advance(self, t: int) -> bool:
        """Play the end of the tick of time `t` [ns]; return whether the scenario is over."""
        if self.over:
            return True
        if self._start is None:
            self._start = self._free = t
        self._now = t
        for verdict in tuple(self._running):
            if verdict.end is None:
                self._evaluate(verdict)
        while self._is_due():
            self._begin(self.verdicts[self._next])
        if self._next == len(self.verdicts) and all(one.step.activity.endless for one in self._running):
            self.finish()
        return self.over

    def finish(self) -> None:
        """End the scenario; steps in progress are closed or cut off."""
        for verdict in tuple(self._running):
            ending = verdict.step.activity.close(self._now)
            if ending is None:
                self._end(verdict, StepOutcome.CUT_OFF, f"after {seconds(self._now - (verdict.begin or 0))}")
            else:
                self._conclude(verdict, ending)
        self.over = True

    def _is_due(self) -> bool:
        """Return whether the next step begins in this tick."""
        if self.over or self._next == len(self.verdicts) or self._foreground is not None:
            return False
        step = self.verdicts[self._next].step
        if self._now < self._beginning(step.settings):
            return False
        return step.activity.acts or self._acted < self._now

    def _beginning(self, settings: StepSettings) -> int:
        """Return the time [ns] at which a step is to begin."""
        if settings.at is not None:
            return (self._start or 0) + in_nanoseconds(settings.at)
        return self._free + in_nanoseconds(settings.after or 0.0)

    def _begin(self, verdict: Verdict) -> None:
        self._next += 1
        verdict.begin = self._now
        if verdict.step.settings.at is not None:
            verdict.late = max(0, self._free - self._beginning(verdict.step.settings))
        self._running.append(verdict)
        if verdict.step.settings.background:
            self._free = self._now
        else:
            self._foreground = verdict
        try:
            verdict.step.activity.begin(self._now)
        except ConfigurationError as error:
            self._conclude(verdict, Ending(passed=False, seen=error.message, fatal=True))
        else:
            self._evaluate(verdict)

    def _evaluate(self, verdict: Verdict) -> None:
        ending = verdict.step.activity.evaluate(self._now)
        if ending is not None:
            self._conclude(verdict, ending)

    def _conclude(self, verdict: Verdict, ending: Ending) -> None:
        passed, seen = ending.passed, ending.seen
        if verdict.late:
            reason = f"began {seconds(verdict.late)} late, for the step before it lasted so long"
            passed, seen = False, f"{reason}; {seen}" if seen else reason
        outcome = ending.untried or (StepOutcome.PASSED if passed else StepOutcome.FAILED)
        self._end(verdict, outcome, seen)
        for skipped in self.verdicts[self._next : self._next + ending.skip]:
            skipped.outcome = StepOutcome.NOT_NEEDED
        self._next += ending.skip
        self.decided += ending.skip
        if ending.fatal or ending.untried is not None:
            self.finish()

    def _end(self, verdict: Verdict, outcome: StepOutcome, seen: str) -> None:
        verdict.outcome, verdict.seen, verdict.end = outcome, seen, self._now
        self.decided += 1
        self._running.remove(verdict)
        if verdict.step.activity.acts:
            self._acted = self._now
        if self._foreground is verdict:
            self._foreground = None
            self._free = self._now
