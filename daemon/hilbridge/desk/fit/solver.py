"""The search for the engine: bounded least squares from several seeded starts; the best of them wins.

Trust-region reflective steps (scipy) with a forward-difference Jacobian whose step is the same share of every spread.
Equal targets and seed give equal engines. The standard deviation of a parameter is √diag((JᵀJ)⁻¹) at the optimum.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.desk.fit.model import Model, is_sound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STARTS: Final = 4
"""Starts of a full search; the same optimum is met by most of them."""

_FEW_STARTS: Final = 2
"""Starts of a search that begins near an optimum."""

_STEPS: Final = 60
"""Trust-region steps of one start at most."""

_DIFFERENCE: Final = 1e-4
"""[spreads] of the finite differences."""

Progress = Callable[[str, float], None]
"""A receiver of progress: the present work, and the share of it that is done, 0..1."""


class Found(NamedTuple):
    """The best engine of a search."""

    u: tuple[float, ...]
    cost: float  # sum of squares
    deviations: tuple[float, ...]  # standard deviation of each unknown, in its spreads
    interrupted: bool


def check_solver() -> None:
    """Raise ConfigurationError if scipy is not installed."""
    if find_spec("scipy") is None:
        raise ConfigurationError(f"a fit needs the package scipy: {extra_remedy('fit')}")


def solve(model: Model, seed: int = 0, progress: Progress | None = None) -> Found:
    """Search from every start; Ctrl-C ends it with the best so far."""
    search = _Search(model, progress)
    interrupted = False
    try:
        for number, start in enumerate(_starts(model, STARTS, seed)):
            search.descend(start, number / STARTS)
    except KeyboardInterrupt:
        interrupted = True
    return Found(search.best, search.cost, search.standard_deviations(), interrupted)


def can_be_met(model: Model, near: Sequence[float]) -> bool:
    """True as soon as a start, `near` or another, leads to a sound engine that meets all goals."""
    search = _Search(model, None)
    for start in (near, *_starts(model, _FEW_STARTS, 0)):
        search.descend(start, 0.0)
        engine = model.engine(search.best)
        if all(outcome.met for outcome in model.outcomes(engine)) and is_sound(engine):
            return True
    return False


def _starts(model: Model, count: int, seed: int) -> Iterator[list[float]]:
    """Yield the expected point, then random points around it."""
    random = Random(seed)
    for number in range(count):
        yield [random.gauss(0.0, 1.0) if number else 0.0 for _ in model.unknowns]


class _Search:
    """A search that keeps the best point seen, so that an interruption loses nothing."""

    def __init__(self, model: Model, progress: Progress | None) -> None:
        self.best: tuple[float, ...] = (0.0,) * len(model.unknowns)
        self.cost: float = math.inf
        self._model = model
        self._progress = progress
        self._low = [each.deviation(each.low) for each in model.unknowns]
        self._high = [each.deviation(each.high) for each in model.unknowns]

    def descend(self, u: Sequence[float], done: float) -> None:
        """Descend to the nearest optimum; `done` is the share of all starts before this one."""
        from scipy.optimize import least_squares

        inside = [min(max(at, low), high) for at, low, high in zip(u, self._low, self._high, strict=True)]
        taken = 0

        def jacobian(at: "NDArray[np.float64]") -> "NDArray[np.float64]":
            nonlocal taken
            taken += 1
            if self._progress is not None:
                self._progress("searching", done + taken / _STEPS / STARTS)
            return self._jacobian(at.tolist())

        least_squares(
            self._residuals, inside, jac=jacobian, bounds=(self._low, self._high), max_nfev=_STEPS, xtol=1e-6, ftol=1e-7
        )

    def standard_deviations(self) -> tuple[float, ...]:
        """Return the standard deviations of the unknowns at the best point, in spreads."""
        import numpy as np

        slope = self._jacobian(self.best)
        return tuple(np.sqrt(np.diag(np.linalg.pinv(slope.T @ slope))).tolist())

    def _residuals(self, u: "NDArray[np.float64]") -> list[float]:
        point = tuple(u.tolist())
        result = self._model.residuals(point)
        cost = sum(each * each for each in result)
        if cost < self.cost:
            self.best, self.cost = point, cost
        return result

    def _jacobian(self, u: Sequence[float]) -> "NDArray[np.float64]":
        """Return d residual / d u, column by column; a step that would leave the bounds goes the other way."""
        import numpy as np

        here = np.array(self._model.residuals(u))
        columns = []
        for number, high in enumerate(self._high):
            step = _DIFFERENCE if u[number] + _DIFFERENCE <= high else -_DIFFERENCE
            moved = [at + step if other == number else at for other, at in enumerate(u)]
            columns.append((np.array(self._model.residuals(moved)) - here) / step)
        return np.array(columns).T
