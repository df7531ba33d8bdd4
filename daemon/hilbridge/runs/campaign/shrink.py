"""The shortest inputs with which a run still fails in the same way.

The inputs are steps of a scenario: those of a scenario file, or those of a recording (recorded_inputs.py). Steps are
left out by delta debugging (ddmin.py), then the values and times of those that are left are tried simpler, one by one.
Each trial is a run of its own (trials.py); it fails in the same way if the same step fails, or if the run dies or hangs
as before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.controls import find_control
from hilbridge.runs.campaign.ddmin import ddmin
from hilbridge.runs.campaign.play import Row
from hilbridge.runs.campaign.recorded_inputs import RecordedInputs, Step
from hilbridge.runs.campaign.trials import ExhaustedError, ScenarioData, Trials

ACTING: Final = ("set", "release", "drive", "fault", "clear", "arm", "send", "uds", "obd", "set-dtc", "clear-dtc")
"""Steps that are inputs; the others wait or look."""

_UNAVAILABLE: Final = " is not available"


class Failing(NamedTuple):
    """A scenario that fails: its steps, the place of the one that fails (None: the run dies or hangs), its verdict.

    `others`: the keys of the file beside `steps`.
    """

    steps: list[Step]
    oracle: int | None
    verdict: str
    others: Mapping[str, Any]

    @property
    def title(self) -> str:
        """The name of the step that fails."""
        return "" if self.oracle is None else str(self.steps[self.oracle]["name"])

    def holds(self, row: Row) -> bool:
        """Return whether a run has failed in the same way."""
        if row["verdict"] != self.verdict or self.oracle is None:
            return bool(row["verdict"] == self.verdict)
        _, _, said = row["reason"].partition(": ")
        return bool(said.startswith(f"{self.title}: ")) and _UNAVAILABLE not in said

    @property
    def data(self) -> ScenarioData:
        """The scenario as a whole."""
        return {**self.others, "steps": self.steps}

    @property
    def inputs(self) -> list[int]:
        """The places of the steps that are inputs."""
        return [i for i, step in enumerate(self.steps) if any(key in step for key in ACTING)]


class Shrunk(NamedTuple):
    """The result: the shortest scenario that was found, its row, and why no shorter one was sought, or ""."""

    failing: Failing
    row: Row
    ended: str


def first_failure(trials: Trials, steps: list[Step], titles: Sequence[str], others: Mapping[str, Any]) -> Failing:
    """Return how a scenario fails. ConfigurationError: it does not, or it is refused.

    `titles`: of the steps as reports have them; the step that fails keeps its own as its name.
    """
    named = _with_numbers([{"name": title, **step} for step, title in zip(steps, titles, strict=True)])
    (row,) = trials.rows([{**others, "steps": named}])
    verdict = row["verdict"]
    if verdict == "passed":
        raise ConfigurationError("the scenario passes here: there is no failure to be shrunk")
    if verdict == "refused":
        raise ConfigurationError(row["reason"])
    if verdict != "failed":
        return Failing(steps, None, verdict, others)
    _, _, said = row["reason"].partition(": ")
    number = next(i for i, step in enumerate(named) if said.startswith(f"{step['name']}: "))
    name = str(steps[number].get("name", titles[number]))
    if [step.get("name", title) for step, title in zip(steps, titles, strict=True)].count(name) > 1:
        name = f"{name} ({number + 1})"
    named_one = {"name": name} | {key: value for key, value in steps[number].items() if key != "name"}
    return Failing([*steps[:number], named_one, *steps[number + 1 :]], number, verdict, others)


def _with_numbers(steps: list[Step]) -> list[Step]:
    """Return steps whose names begin with their numbers, so that reports name each by it; faults keep theirs."""
    cleared = {step.get("clear") for step in steps}
    return [
        step if "fault" in step and step["name"] in cleared else {**step, "name": f"{i} {step['name']}"}
        for i, step in enumerate(steps)
    ]


def against(condition: str, begin: float, seconds: float, inputs: RecordedInputs) -> Failing:
    """Return the scenario of recorded inputs that fails where a condition holds, looked at from `begin` [s] on."""
    earlier = sum(step["at"] < begin for step in inputs.steps)
    never = {
        "name": f"never {condition}",
        "at": begin,
        "background": True,
        "always": f"not ({condition})",
        "for": seconds,
    }
    others = {} if inputs.start is None else {"start": inputs.start}
    return Failing([*inputs.steps[:earlier], never, *inputs.steps[earlier:]], earlier, "failed", others)


def shrink(failing: Failing, trials: Trials, show: Callable[[str], None] = lambda _: None) -> Shrunk:
    """Return the shortest inputs that were found; `show` gets a line about each step of the way.

    ConfigurationError: the scenario as a whole does not fail so.
    """
    best = _Best(failing, trials, show)
    try:
        best.leave_out()
        best.simplify()
    except ExhaustedError as exhausted:
        return Shrunk(best.failing, best.row, str(exhausted))
    return Shrunk(best.failing, best.row, "")


class _Best:
    """The shortest scenario so far."""

    def __init__(self, failing: Failing, trials: Trials, show: Callable[[str], None]) -> None:
        (self.row,) = trials.rows([failing.data])
        if not failing.holds(self.row):
            raise ConfigurationError(
                f"these inputs do not lead to the failure again: {self.row['verdict']}"
                + (f", {self.row['reason']}" if self.row["reason"] else "")
            )
        self.failing = failing
        self._trials: Final = trials
        self._show: Final = show

    def leave_out(self) -> None:
        """Leave out all steps without which it still fails, those that only look at something all at once."""
        whole = self.failing
        places = [i for i in range(len(whole.steps)) if i != whole.oracle]

        def with_steps(kept: Sequence[int]) -> Failing:
            chosen = sorted([*kept, *([] if whole.oracle is None else [whole.oracle])])
            oracle = None if whole.oracle is None else chosen.index(whole.oracle)
            return whole._replace(steps=[whole.steps[i] for i in chosen], oracle=oracle)

        looking = [i for i in places if i not in whole.inputs and "wait" not in whole.steps[i]]
        if looking and self._first([with_steps([i for i in places if i not in looking])]) is not None:
            places = [i for i in places if i not in looking]
        ddmin(
            places, lambda lists: self._first([with_steps(kept) for kept in lists if kept or whole.oracle is not None])
        )

    def simplify(self) -> None:
        """Try simpler values and times of the steps that are left."""
        for place in range(len(self.failing.steps)):
            for simpler in (_without_options, _fewer_values, _simpler_values, _rounded_times):
                while self._first(self._changed(place, simpler)) is not None and simpler in _REPEATED:
                    pass

    def _changed(self, place: int, simpler: Callable[[Step], Iterator[Step]]) -> list[Failing]:
        failing = self.failing
        if place == failing.oracle:
            return []
        changed = []
        for step in simpler(failing.steps[place]):
            steps = [*failing.steps[:place], step, *failing.steps[place + 1 :]]
            times = [each["at"] for each in steps if "at" in each]
            if times == sorted(times):
                changed.append(failing._replace(steps=steps))
        return changed

    def _first(self, candidates: Sequence[Failing]) -> int | None:
        """Return the number of the first that fails, which is the best from now on."""
        found = self._trials.first([each.data for each in candidates], self.failing.holds)
        if found is not None:
            self.failing = candidates[found]
            (self.row,) = self._trials.rows([self.failing.data])
            inputs = len(self.failing.inputs)
            self._show(f"{self._trials.made} runs: {inputs} inputs")
        return found


_OPTIONS: Final = ("after", "over", "every", "for")


def _without_options(step: Step) -> Iterator[Step]:
    for key in _OPTIONS:
        if key in step:
            yield {name: value for name, value in step.items() if name != key}


def _fewer_values(step: Step) -> Iterator[Step]:
    values = step.get("set", {})
    for entry in values if len(values) > 1 else ():
        yield {**step, "set": {name: each for name, each in values.items() if name != entry}}


_REPEATED: Final = (_without_options, _fewer_values)
"""Simplifications that leave something for another round."""


def _simpler_values(step: Step) -> Iterator[Step]:
    """Yield a step whose values are nearer to those of a car that rests, the simplest first."""
    for entry, value in step.get("set", {}).items():
        if isinstance(value, str):
            continue
        control = find_control(entry)
        neutral = 0.0 if control is None else control.to_value(control.rest)
        simpler = dict.fromkeys([neutral, *(float(round(value, digits)) for digits in (0, 1, 2))])
        yield from ({**step, "set": {**step["set"], entry: each}} for each in simpler if each == each and each != value)


def _rounded_times(step: Step) -> Iterator[Step]:
    for key in ("at", "after"):
        if key in step:
            rounded = dict.fromkeys(float(round(step[key], digits)) for digits in (0, 1, 2))
            yield from ({**step, key: each} for each in rounded if each != step[key])
