"""Which targets stand against each other, when no engine meets all of them.

A target is to blame when all others can be met without it. Each one that is missed, or pulled at, is left out in turn,
and the search goes on.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from hilbridge.common.errors import KeyPath
from hilbridge.fit.model import Model, Outcome
from hilbridge.fit.solver import Progress, can_be_met
from hilbridge.fit.targets import Targets

_PULLED: Final = 0.2
"""[tolerances] of a miss from which a target is looked at."""

_MOST: Final = 8
"""Targets that are left out in turn at most."""


class Contradiction(NamedTuple):
    """What cannot be met."""

    missed: tuple[Outcome, ...]
    to_blame: tuple[KeyPath, ...]  # without any one of these targets, all others can be met
    complete: bool  # all suspects were looked at


def find_contradiction(
    targets: Targets, outcomes: Sequence[Outcome], start: Sequence[float], progress: Progress | None = None
) -> Contradiction | None:
    """None when every goal is met. Ctrl-C ends the search for those to blame with what was found until then."""
    missed = tuple(outcome for outcome in outcomes if not outcome.met)
    if not missed:
        return None
    worst = sorted(outcomes, key=lambda outcome: -abs(outcome.miss))
    suspects = list(dict.fromkeys(outcome.goal.target for outcome in worst if abs(outcome.miss) > _PULLED))[:_MOST]
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
