"""The fit as a sum of squares: what an engine misses of its goals, of what is expected of it, and of a sound curve.

    u_i = (parameter_i - expected_i) / spread_i
    residuals = [3·(measured - wanted)/tolerance …] + [u …] + [penalties …]

All of them come from `vehiclesim.Engine`, by way of the test stand.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from hilbridge.base.common.errors import KeyPath
from hilbridge.desk.fit.full_load import full_load
from hilbridge.desk.fit.goals import Goal, make_goals
from hilbridge.desk.fit.parameters import SOUGHT, with_values
from hilbridge.desk.fit.priors import Unknown, efficiency_at, efficiency_speeds, given_settings, unknowns
from hilbridge.desk.fit.stand import Stand
from hilbridge.desk.fit.targets import Targets
from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.torque_curve import make_curve
from vehiclesim.parameters import EngineSettings

_SLOPE: Final = 300.0
"""Standard deviations per unit of a penalty's share."""

_FINE: Final = 2000
"""Points of the final look at a curve, as many as a vehicle file is checked with."""


class GoalResult(NamedTuple):
    """The result of a fit for a goal."""

    goal: Goal
    measured: float

    @property
    def miss(self) -> float:
        """The deviation in tolerances; beyond 1 the goal is missed."""
        return (self.measured - self.goal.wanted) / self.goal.tolerance

    @property
    def met(self) -> bool:
        return abs(self.miss) <= 1.0


class Model:
    """The goals and unknowns of one fit."""

    def __init__(self, targets: Targets, without: KeyPath = ()) -> None:
        """Take all targets, or all but one; a torque that is left out does not cap the engine either."""
        self.goals: tuple[Goal, ...] = tuple(goal for goal in make_goals(targets) if goal.target != without)
        self.unknowns: tuple[Unknown, ...] = unknowns(targets.settings)
        given = given_settings(targets.settings)
        self._given = replace(given, torque_cap=False) if without == ("torque",) else given
        self._speeds = efficiency_speeds(targets.settings)
        self._rows = full_load(targets, given.max_rpm, without) if targets.settings.has_plateau else ()

    def engine(self, u: Sequence[float]) -> EngineSettings:
        """Return the engine at deviations u from what is expected."""
        return self.engine_of({each.name: each.value(float(at)) for each, at in zip(self.unknowns, u, strict=True)})

    def engine_of(self, values: dict[str, float]) -> EngineSettings:
        """Return the engine with values of the unknowns, by their names; a table has the friction in its rows."""
        scalars = {name: value for name, value in values.items() if name in SOUGHT}
        efficiency = tuple(values[efficiency_at(rpm)] for rpm in self._speeds)
        engine = with_values(self._given, scalars)
        engine = replace(engine, efficiency_rpm=self._speeds, indicated_efficiency=efficiency)
        if not self._rows:
            return engine
        friction = make_curve(engine).friction
        return replace(
            engine,
            table_rpm=tuple(row.rpm for row in self._rows),
            table_torque=tuple(row.torque for row in self._rows),
            table_resistive_torque=tuple(-friction(row.rpm * RPM_TO_W) for row in self._rows),
        )

    def residuals(self, u: Sequence[float]) -> list[float]:
        """Return the misses of the engine at u in standard deviations."""
        stand = Stand(self.engine(u))
        return [*(goal.residual(stand) for goal in self.goals), *(float(each) for each in u), *penalties(stand)]

    def outcomes(self, settings: EngineSettings) -> tuple[GoalResult, ...]:
        """Return every goal with what an engine reaches of it."""
        stand = Stand(settings)
        return tuple(GoalResult(goal, goal.measure(stand)) for goal in self.goals)


def penalties(stand: Stand) -> tuple[float, float, float]:
    """Return 0 for a sound curve, and values growing from where it would begin to be malformed.

    The raw torque must fall after its peak: max_rpm lies over peak_rpm, and the friction at max_rpm under the raw
    torque of the peak. The torque must not be negative before max_rpm.
    """
    settings = stand.settings
    raw = settings.peak_rpm_torque + stand.friction(settings.peak_rpm)
    return (
        _SLOPE * max(0.0, 1.02 * settings.peak_rpm / settings.max_rpm - 1.0),
        _SLOPE * max(0.0, stand.friction(settings.max_rpm) / raw - 0.95),
        _SLOPE * max(0.0, -stand.lowest_torque / settings.peak_rpm_torque),
    )


def is_sound(settings: EngineSettings) -> bool:
    """Return whether the torque is not negative at any of many speeds; the last lies half a step before max_rpm."""
    step = (settings.max_rpm - settings.idle_rpm) / (_FINE - 0.5)
    return not Engine(settings).specifications(step).malformed_torque
