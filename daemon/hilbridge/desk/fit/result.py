"""The result of a fit: the engine with rounded parameters, how well it meets the targets, how sure each value is."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, KeyPath
from hilbridge.desk.fit.model import GoalResult, Model, is_sound
from hilbridge.desk.fit.parameters import with_values
from hilbridge.desk.fit.priors import litres
from hilbridge.desk.fit.solver import Progress, can_be_met, solve
from hilbridge.desk.fit.targets import Targets
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import AirPathSettings, EngineSettings, FuelKind
from vehiclesim.plausibility import Implausible, implausible

_DIGITS: Final = 5
"""Significant digits of a parameter."""

_TOLD: Final = 0.9
"""A standard deviation above this share of what was expected beforehand: the targets determine nothing."""


_PULLED: Final = 0.2
"""[tolerances] of a miss from which a target is looked at."""


_MOST: Final = 8
"""Targets that are left out in turn at most."""


def rounded(value: float, digits: int = _DIGITS) -> float:
    """Return the value with so many significant digits."""
    return float(f"{value:.{digits}g}")


class Parameter(NamedTuple):
    """A value that was sought."""

    name: str
    value: float
    deviation: float  # standard deviation
    assumed: bool  # the targets say nothing about it


class Contradiction(NamedTuple):
    """Targets that no engine meets together."""

    missed: tuple[GoalResult, ...]
    to_blame: tuple[KeyPath, ...]  # without any one of these targets, all others can be met
    complete: bool  # all suspects were looked at


class FitResult(NamedTuple):
    """The end of a fit."""

    targets: Targets
    engine: EngineSettings
    parameters: tuple[Parameter, ...]
    outcomes: tuple[GoalResult, ...]
    contradiction: Contradiction | None
    sound: bool
    interrupted: bool

    def implausible(self) -> list[Implausible]:
        """Return what no engine has. Whether this one is charged, targets do not say: it may be."""
        targets = self.targets.settings
        air = AirPathSettings(fuel=FuelKind(targets.fuel), displacement=litres(targets), max_boost=1.0)
        return implausible(self.engine, Engine(self.engine).specifications(), air)

    @property
    def good(self) -> bool:
        """Every target is met, by an engine that a vehicle file may have."""
        return self.sound and self.contradiction is None


def fit(targets: Targets, seed: int = 0, progress: Progress | None = None) -> FitResult:
    """Seek the engine that meets the targets; its figures are measured with the rounded parameters.

    InvalidFileError for targets that leave no engine to begin with.
    """
    try:
        model = Model(targets)
    except ConfigurationError as error:
        raise InvalidFileError([targets.file.problem(error.place, error.message)]) from None
    found = solve(model, seed, progress)
    parameters = []
    for unknown, at, deviation in zip(model.unknowns, found.u, found.deviations, strict=True):
        value = min(max(rounded(unknown.value(at)), unknown.low), unknown.high)
        spread = rounded(deviation * unknown.spread, 2)
        parameters.append(Parameter(unknown.name, value, spread, assumed=deviation > _TOLD))
    engine = _with_rounded_rows(model.engine_of({each.name: each.value for each in parameters}))
    outcomes = model.outcomes(engine)
    contradiction = None if found.interrupted else find_contradiction(targets, outcomes, found.u, progress)
    interrupted = found.interrupted or (contradiction is not None and not contradiction.complete)
    return FitResult(targets, engine, tuple(parameters), outcomes, contradiction, is_sound(engine), interrupted)


def _with_rounded_rows(engine: EngineSettings) -> EngineSettings:
    """Return the engine with the rows of its tables rounded as its parameters are."""
    rows = ("table_rpm", "table_torque", "table_resistive_torque")
    return with_values(engine, {name: tuple(map(rounded, getattr(engine, name))) for name in rows})


def find_contradiction(
    targets: Targets, outcomes: Sequence[GoalResult], start: Sequence[float], progress: Progress | None = None
) -> Contradiction | None:
    """Return the contradiction, None when every goal is met. Ctrl-C ends the search with what was found until then."""
    missed = tuple(outcome for outcome in outcomes if not outcome.met)
    if not missed:
        return None
    worst = sorted(outcomes, key=lambda outcome: -abs(outcome.miss))
    least = 0.0 if targets.settings.has_plateau else _PULLED  # a table meets the one that draws it up to the others
    suspects = list(dict.fromkeys(outcome.goal.target for outcome in worst if abs(outcome.miss) >= least))[:_MOST]
    to_blame = []
    complete = True
    try:
        for number, suspect in enumerate(suspects):
            if progress is not None:
                progress("leaving out targets", number / len(suspects))
            if can_be_met(Model(targets, without=suspect), start):
                to_blame.append(suspect)
    except KeyboardInterrupt:
        complete = False
    return Contradiction(missed, tuple(to_blame), complete)
