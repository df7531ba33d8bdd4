"""A scenario in progress: its steps begin when they are due, and each gets a verdict.

A step begins when the step before it is over, or at or after a time. Background steps continue beside the others. A
failed step without which the others are meaningless (a wait that timed out, a command that was refused) ends the
scenario.

`advance` is called once a tick, after everything else: it sees the values and frames of the tick, and its changes
take effect from the next tick on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from hilbridge.common.errors import ConfigurationError
from hilbridge.common.units import SECOND
from hilbridge.settings.scenario import StepSettings


@dataclass(frozen=True, slots=True)
class Ending:
    """How a step ended. `seen`: the values that decided. After a `fatal` one the other steps make no sense."""

    passed: bool
    seen: str = ""
    fatal: bool = False


class StepActivity(Protocol):
    """A step under way.

    `acts`: it changes something; what is observed after it is observed in the next tick, which knows the change.
    `endless`: it has no end of its own; the scenario does not wait for it.
    """

    @property
    def acts(self) -> bool: ...

    @property
    def endless(self) -> bool: ...

    def begin(self, t: int) -> None:
        """The step begins at the end of the tick of time `t` [ns]. ConfigurationError: it cannot."""

    def look(self, t: int) -> Ending | None:
        """At the end of every tick, that of `begin` included: the ending, or None while it goes on."""

    def close(self, t: int) -> Ending | None:
        """The scenario is over: the ending of what is endless; None: the step was cut off."""


def seconds(nanoseconds: int) -> str:
    """A span for people."""
    return f"{nanoseconds / SECOND:g} s"


def in_nanoseconds(span: float) -> int:
    """A span [s] of the settings."""
    return round(span * SECOND)


class StepOutcome(Enum):
    """What can become of a step."""

    PASSED = "passed"
    FAILED = "failed"
    CUT_OFF = "cut off"
    """The scenario ended before the step did."""
    NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True)
class Step:
    """`title`: for people."""

    title: str
    settings: StepSettings
    activity: StepActivity


@dataclass(slots=True)
class Verdict:
    """What became of a step; `begin` and `end` [ns], None for what was not reached."""

    step: Step
    outcome: StepOutcome = StepOutcome.NOT_REACHED
    seen: str = ""
    begin: int | None = None
    end: int | None = None
    late: int = 0  # [ns] after its `at`


class Scenario:
    """`verdicts`: by step; `decided` counts those whose step has ended. `over`: nothing more happens."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.verdicts: Final = [Verdict(step) for step in steps]
        self.decided = 0
        self.over = False
        self._next = 0
        self._running: Final[list[Verdict]] = []
        self._foreground: Verdict | None = None
        self._start: int | None = None
        self._free = 0  # [ns] when the step before the next one was over
        self._acted = -1  # [ns] of the last tick in which something was changed
        self._now = 0

    @property
    def passed(self) -> bool:
        """Every step has."""
        return all(verdict.outcome is StepOutcome.PASSED for verdict in self.verdicts)

    @property
    def duration(self) -> int:
        """[ns] so far."""
        return self._now - (self._start or 0)

    def advance(self, t: int) -> bool:
        """At the end of the tick of time `t` [ns]; whether the scenario is over."""
        if self.over:
            return True
        if self._start is None:
            self._start = self._free = t
        self._now = t
        for verdict in tuple(self._running):
            if verdict.end is None:
                self._look(verdict)
        while self._is_due():
            self._begin(self.verdicts[self._next])
        if self._next == len(self.verdicts) and all(one.step.activity.endless for one in self._running):
            self.finish()
        return self.over

    def finish(self) -> None:
        """Ends it where it is."""
        for verdict in tuple(self._running):
            ending = verdict.step.activity.close(self._now)
            if ending is None:
                self._end(verdict, StepOutcome.CUT_OFF, f"after {seconds(self._now - (verdict.begin or 0))}")
            else:
                self._conclude(verdict, ending)
        self.over = True

    def _is_due(self) -> bool:
        """The next step begins in this tick."""
        if self.over or self._next == len(self.verdicts) or self._foreground is not None:
            return False
        step = self.verdicts[self._next].step
        if self._now < self._beginning(step.settings):
            return False
        return step.activity.acts or self._acted < self._now

    def _beginning(self, settings: StepSettings) -> int:
        """[ns] when a step is to begin."""
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
            self._look(verdict)

    def _look(self, verdict: Verdict) -> None:
        ending = verdict.step.activity.look(self._now)
        if ending is not None:
            self._conclude(verdict, ending)

    def _conclude(self, verdict: Verdict, ending: Ending) -> None:
        passed, seen = ending.passed, ending.seen
        if verdict.late:
            reason = f"began {seconds(verdict.late)} late, for the step before it lasted so long"
            passed, seen = False, f"{reason}; {seen}" if seen else reason
        self._end(verdict, StepOutcome.PASSED if passed else StepOutcome.FAILED, seen)
        if ending.fatal:
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
