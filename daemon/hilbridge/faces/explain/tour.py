"""A tour of a real cluster: every lamp, needle and display that the bench moves, in turn, with a question for each.

| step | what moves it | what is expected |
|---|---|---|
| lamp | the signal that lights it is held at 1 | it shines |
| missing | the frame that keeps lamps dark is dropped | they come on after a while |
| entry | a value of the body is set: a lamp, a door, a text | it is shown |
| needle | the car stands, then drives | it shows what the model has |

Counters of the way are never moved: a real odometer would count.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from hilbridge.bench.bench import Bench
from hilbridge.bench.inputs.controls import CONTROLS
from hilbridge.bench.inputs.positions import names_of
from hilbridge.bench.lines.telegram_line import TelegramBus
from hilbridge.files.configuration.known import Known
from hilbridge.files.settings.profiles import Letter
from hilbridge.frames.plan.gating import COUNTED
from hilbridge.frames.plan.selection import Outgoing
from vehiclesim.channels import BODY, BodyData

StepKind: TypeAlias = Literal["lamp", "missing", "entry", "needle"]

SPEEDS: Final = (0.0, 50.0)
"""[km/h] at which needles are read."""

_MOST_POSITIONS: Final = 6
"""Positions of one value of the body that are shown."""

_MOVES: Final = {
    "body.TurnSignal": tuple((BODY, index) for index in (BodyData.LEFT_TURN_LAMP, BodyData.RIGHT_TURN_LAMP))
}
"""Values that follow from others."""

BETTER: Final[Mapping[Letter, Letter]] = {"any bytes": "C", "guess": "C", "C": "B", "B": "A", "A": "A"}
"""The letter of a frame that one more unit has believed."""


class Moved(Protocol):
    """A running bench: a client of it, or one of a test."""

    def set(self, entry: str, value: float | str, seconds: float | None = None) -> None:
        """Hold a value."""

    def fault(self, what: str | Mapping[str, Any], /, **keys: Any) -> int:
        """Begin a fault; return its number."""

    def clear(self, number: int | None = None) -> None:
        """End a fault."""

    def drive(self, speed: float | None = None) -> None:
        """Drive at a speed [km/h]."""

    def get(self, entry: str) -> float:
        """Return a value."""


class Step(NamedTuple):
    """One question: what is moved by `fault`, `entry` or `speed`, the frames that carry it, and the model's values."""

    kind: StepKind
    name: str
    question: str
    frames: tuple[str, ...]
    fault: Mapping[str, Any] | None = None
    entry: tuple[str, float] | None = None
    speed: float | None = None
    values: tuple[str, ...] = ()


class Answer(NamedTuple):
    """The answer to one step: `seen` is yes, no, a text such as a number that was read, or empty if it was left out."""

    step: Step
    seen: str
    model: Mapping[str, float]


def steps_of(bench: Bench) -> list[Step]:
    """Return the steps of a bench, in the order in which they are taken: lamps first, driving last."""
    frames = list(_frames(bench))
    on_can = [(bus, name, one) for bus, name, one in frames if bus is not None]
    return [
        *_lamps(on_can),
        *_missing(on_can),
        *_entries(frames),
        *(step for speed in SPEEDS for step in _needles(bench, frames, speed)),
    ]


def _frames(bench: Bench) -> Iterator[tuple[str | None, str, Outgoing]]:
    """Yield every frame with its bus, None for a telegram, and its name in the profile."""
    for bus, selection in bench.wiring.plan.selections.items():
        yield from ((bus, one.message, one) for one in selection.outgoing)
    for name, line in bench.wiring.lines.lines.items():
        if isinstance(line, TelegramBus):
            yield from ((None, f"{name}.{one.outgoing.message}", one.outgoing) for one in line.senders.frames)


def _lamps(frames: Iterable[tuple[str, str, Outgoing]]) -> Iterator[Step]:
    for bus, name, one in frames:
        for signal, lamps in one.lights.items():
            fault = {"kind": "signal", "bus": bus, "message": name, "signal": signal, "effect": "stuck", "value": 1}
            words = f"{signal} of {name} is 1. Does {' and '.join(lamps)} shine?"
            yield Step("lamp", ", ".join(lamps), words, (name,), fault=fault)


def _missing(frames: Iterable[tuple[str, str, Outgoing]]) -> Iterator[Step]:
    for bus, name, one in frames:
        if one.darkens:
            fault = {"kind": "frame", "bus": bus, "message": name, "effect": "drop"}
            words = f"{name} is missing. Does {' and '.join(one.darkens)} come on within ten seconds?"
            yield Step("missing", ", ".join(one.darkens), words, (name,), fault=fault)


def _entries(frames: Sequence[tuple[str | None, str, Outgoing]]) -> Iterator[Step]:
    """Yield a step for each position of each value of the body that a frame or a telegram carries."""
    for control in CONTROLS:
        if control.channel != BODY:
            continue
        keys = {(control.channel, control.index), *_MOVES.get(control.name, ())}
        carried = [name for _, name, one in frames if any(keys & {*each.source.entries} for each in one.assignments)]
        named = {round(raw / control.resolution): text for text, raw in names_of(control).items()}
        positions = [value for value in sorted(named) if value][:_MOST_POSITIONS]
        for value in positions if carried else ():
            words = f"{control.name} is {named[value]}. Does the cluster show it?"
            yield Step("entry", f"{control.name} {named[value]}", words, tuple(carried), entry=(control.name, value))


def _needles(bench: Bench, frames: Iterable[tuple[str | None, str, Outgoing]], speed: float) -> Iterator[Step]:
    found: dict[str, list[tuple[str, Outgoing]]] = {}
    for _, name, one in frames:
        for needle in one.feeds:
            found.setdefault(needle, []).append((name, one))
    entries = bench.wiring.entries
    state = f"at {speed:g} km/h" if speed else "the car stands, the engine idles"
    for needle, some in found.items():
        read = dict.fromkeys(
            entries.at(key).path
            for _, one in some
            for each in one.assignments
            for key in each.source.entries
            if key not in COUNTED
        )
        words = f"{state}: what does {needle} show?"
        yield Step("needle", needle, words, tuple(name for name, _ in some), speed=speed, values=tuple(read))


@contextmanager
def moved(bench: Moved, step: Step) -> Iterator[None]:
    """Move what a step is about while the block lasts."""
    number = None if step.fault is None else bench.fault(step.fault)
    before = 0.0
    if step.entry is not None:
        before = bench.get(step.entry[0])
        bench.set(*step.entry)
    try:
        yield
    finally:
        if number is not None:
            bench.clear(number)
        if step.entry is not None:
            bench.set(step.entry[0], before)  # held until the end of the tour: what is released stays as it was


def walk(
    bench: Moved, steps: Iterable[Step], ask: Callable[[Step, Mapping[str, float]], str | None]
) -> Iterator[Answer]:
    """Start the engine and take the steps in turn; yield each answer. `ask` returns None to end the tour."""
    driven = 0.0
    bench.drive(driven)  # the engine is started
    for step in steps:
        if step.speed is not None and step.speed != driven:
            driven = step.speed
            bench.drive(driven)
        with moved(bench, step):
            model = {entry: bench.get(entry) for entry in step.values}
            seen = ask(step, model)
        if seen is None:
            return
        yield Answer(step, seen, model)


def report(
    bench: str, profile: str | None, unit: str, date: str, answers: Sequence[Answer], left: int
) -> dict[str, Any]:
    """Return what is written of a tour: who saw what on which unit, and how many steps were not taken."""
    counts = {word: sum(_outcome(one.seen) == word for one in answers) for word in ("yes", "no", "read", "left out")}
    return {
        "hilbridge_tour": 1,
        "bench": bench,
        "profile": profile,
        "unit": unit,
        "date": date,
        "counts": {**counts, "not taken": left},
        "answers": [
            {
                "kind": one.step.kind,
                "name": one.step.name,
                "frames": list(one.step.frames),
                "question": one.step.question,
                "model": dict(one.model),
                "outcome": _outcome(one.seen),
                "seen": one.seen,
            }
            for one in answers
        ],
    }


def proposals(answers: Sequence[Answer], known: Iterable[Known], unit: str, date: str) -> dict[str, dict[str, str]]:
    """Return what `known` of the profile may say now: of frames that a unit has believed, and has never denied.

    A needle that was read says nothing by itself: who takes the report over compares it with the model's value.
    """
    letters = {one.name: one.confidence for one in known}
    believed = {name for one in answers if one.seen == "yes" for name in one.step.frames if len(one.step.frames) == 1}
    denied = {name for one in answers if one.seen == "no" for name in one.step.frames}
    return {
        name: {"confidence": BETTER[letters[name]], "seen": "bench", "source": f"tour of {date}, {unit}"}
        for name in sorted(believed - denied)
        if name in letters
    }


def _outcome(seen: str) -> str:
    return seen if seen in ("yes", "no") else "read" if seen else "left out"
