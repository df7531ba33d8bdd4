"""The search for inputs that violate an `always`: random changes of inputs, guided by how near a run came.

Each try is the scenario with changes of inputs behind its steps. Its margin is the lowest of the run (margin.py). Some
tries are new, the others alter the changes of the run that came nearest. Which are made depends on the settings alone,
and not on the number of processors.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.scenario.margin import margin
from hilbridge.files.settings.campaign import RangeSettings, SearchSettings
from hilbridge.frames.codec.expression import parse
from hilbridge.runs.campaign.play import Row
from hilbridge.runs.campaign.recorded_inputs import Step
from hilbridge.runs.campaign.shrink import Failing
from hilbridge.runs.campaign.trials import Trials
from vehiclesim.entries import Entries

_AT_ONCE: Final = 4
"""Tries between two looks at which came nearest."""

_NEW: Final = 0.3
"""Share of tries that are new."""

_AT_THE_END: Final = 0.3
"""Share of values of a range that are its ends."""

_SECONDS: Final = 1.0
"""After the last change, for what it does."""

_DIGITS: Final = 3


_ALTERATIONS: Final = ("add", "remove", "move", "exchange", "nudge", "nudge", "nudge", "nudge")

_SPREADS: Final = (0.3, 0.1, 0.03, 0.01)
"""Standard deviations of what lies near a value, as shares of its range."""


class Change(NamedTuple):
    """A change of an input at `t` [s] after the scenario's own steps: the step that makes it."""

    t: float
    step: Step


class Found(NamedTuple):
    """The result: the violation, if there is one; the lowest margin of all tries, None where none is known."""

    failing: Failing | None
    nearest: float | None


def guide(conditions: Sequence[str], entries: Entries) -> dict[str, Mapping[str, str]]:
    """Return the figure by which a search is guided; none where the conditions have no margin of usable length."""
    margins = [margin(condition) for condition in conditions]
    of = margins[0] if len(margins) == 1 else f"min({', '.join(margins)})"
    try:
        parse(of, entries=entries)
    except ConfigurationError:
        return {}
    return {"margin": {"of": of, "take": "lowest"}}


def search(
    settings: SearchSettings,
    base: Failing,
    watched: Sequence[int],
    trials: Trials,
    show: Callable[[str], None] = lambda _: None,
) -> Found:
    """Return the first violation that is found. ExhaustedError, ConfigurationError: a try is refused.

    `base`: the steps of the scenario; `watched`: the places of those that are `always`, each with a name.
    """
    random, best, nearest, made = Random(settings.seed), list[Change](), None, 0
    maker = _Maker(settings, random)
    while made < settings.tries:
        count = min(_AT_ONCE, settings.tries - made)
        fresh = [nearest is None or random.random() < _NEW for _ in range(count)]
        tries = [maker.new() if each else maker.altered(best) for each in fresh]
        rows = trials.rows([_with(base, changes).data for changes in tries])
        made += count
        for changes, row in zip(tries, rows, strict=True):
            failing = _violated(_with(base, changes), watched, row)
            if failing is not None:
                return Found(failing, None)
            value = (row.get("figures") or {}).get("margin")
            if value is not None and (nearest is None or value <= nearest):
                if nearest is None or value < nearest:
                    show(f"{made} tries, nearest: {value:.6g}")
                nearest, best = value, changes
    return Found(None, nearest)


def _violated(tried: Failing, watched: Sequence[int], row: Row) -> Failing | None:
    if row["verdict"] == "refused":
        raise ConfigurationError(row["reason"])
    if row["verdict"] in ("died", "hung"):
        return tried._replace(oracle=None, verdict=row["verdict"])
    each = (tried._replace(oracle=i) for i in watched)
    return next((one for one in each if one.holds(row)), None)


def _with(base: Failing, changes: Sequence[Change]) -> Failing:
    """Return the scenario with changes behind its steps."""
    steps, before = [*base.steps], 0.0
    for change in sorted(changes, key=lambda each: each.t):
        steps.append({"after": round(change.t - before, _DIGITS), **change.step})
        before = change.t
    steps.append({"name": "the end of the search", "after": _SECONDS, "expect": "1 > 0"})
    return base._replace(steps=steps)


class _Maker:
    """Makes changes of inputs."""

    def __init__(self, settings: SearchSettings, random: Random) -> None:
        self._settings: Final = settings
        self._random: Final = random
        faults = (one.model_dump(mode="json", by_alias=True, exclude_unset=True) for one in settings.faults)
        self._faults: Final = [{"fault": fault} for fault in faults]

    def new(self) -> list[Change]:
        """Return new changes."""
        return [self._change() for _ in range(self._settings.changes)]

    def altered(self, changes: Sequence[Change]) -> list[Change]:
        """Return changes of which one to three are altered: mostly a little, else they are others, gone, or more."""
        altered = [*changes]
        for _ in range(self._random.randint(1, 3)):
            how, place = self._random.choice(_ALTERATIONS), self._random.randrange(max(1, len(altered)))
            if how == "add" or not altered:
                altered.append(self._change())
            elif how == "remove":
                del altered[place]
            elif how == "move":
                altered[place] = altered[place]._replace(t=self._near(altered[place].t, 0.0, self._settings.over))
            elif how == "exchange":
                altered[place] = Change(altered[place].t, self._change().step)
            else:
                altered[place] = self._nudged(altered[place])
        return altered[: 2 * self._settings.changes]

    def _nudged(self, change: Change) -> Change:
        """Return a change with a value near its own, where it has one between two ends."""
        for entry, value in change.step.get("set", {}).items():
            values = self._settings.inputs[entry]
            if isinstance(values, RangeSettings):
                return change._replace(step={"set": {entry: self._near(value, values.low, values.high)}})
        return Change(change.t, self._change().step)

    def _near(self, value: float, low: float, high: float) -> float:
        spread = self._random.choice(_SPREADS) * (high - low)
        return round(min(max(self._random.gauss(value, spread), low), high), _DIGITS)

    def _change(self) -> Change:
        which = self._random.randrange(len(self._settings.inputs) + len(self._faults))
        if which >= len(self._settings.inputs):
            return Change(self._time(), self._faults[which - len(self._settings.inputs)])
        entry, values = list(self._settings.inputs.items())[which]
        return Change(self._time(), {"set": {entry: self._value(values)}})

    def _time(self) -> float:
        return round(self._random.uniform(0, self._settings.over), _DIGITS)

    def _value(self, values: Sequence[Any] | RangeSettings) -> Any:
        if not isinstance(values, RangeSettings):
            return self._random.choice(values)
        if self._random.random() < _AT_THE_END:
            return self._random.choice([values.low, values.high])
        return round(self._random.uniform(values.low, values.high), _DIGITS)
