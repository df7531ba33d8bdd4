"""The talks of a client with a bench: commands, and the results of answers, without I/O: the same for both clients.

A talk is a generator. It yields a command, and is sent the answer; or a number of seconds to wait, and is sent `{}`.
What it returns is the result of the client's method.
"""

import math
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from hilbridge.base.common.errors import ConfigurationError, nearest
from hilbridge.boundary.control.answers import UNREADABLE, read_answer
from hilbridge.boundary.control.fault_words import fault_keys
from hilbridge.boundary.control.lines import Answer, Command, accepted

if TYPE_CHECKING:
    from hilbridge.bench.scenario.report import Report
    from hilbridge.files.configuration.scenariofile import ScenarioFile

Result = TypeVar("Result")

Talk: TypeAlias = Generator[Command | float, Any, Result]

TIMEOUT: Final = 5.0
"""[s] for an answer: several thousand ticks."""

RELOAD_TIMEOUT: Final = 120.0
"""[s] for the outcome of a reload."""

ANSWER_TIMEOUT: Final = 60.0
"""[s] for the answer of a control unit that tells to wait again and again."""

_POLL_INTERVAL: Final = 0.05
"""[s] between two requests of the status."""


class UnreachableError(ConfigurationError):
    """There is no daemon at the socket, no permission to use it, or no answer."""


class EntryValue(NamedTuple):
    """The value of an entry of the data bus in its unit; None while it is not available."""

    value: float | None
    unit: str


class Values(NamedTuple):
    """The values of entries by path at a time [s] of the run."""

    time: float
    entries: dict[str, EntryValue]


def read(line: bytes | bytearray, asked: Command, who: str) -> Answer:
    """Return the answer in a line, checked. UnreachableError: it is none, from `who`."""
    try:
        return read_answer(line, asked)
    except ConfigurationError as error:
        raise UnreachableError(f"{who} does not answer as a bench does: {error.message}") from None


def command(name: str, /, **keys: Any) -> Talk[Answer]:
    """Give any command; return the answer."""
    return accepted((yield {"command": name, **keys}))


def give(name: str, /, **keys: Any) -> Talk[None]:
    """Give a command whose answer says nothing more."""
    yield from command(name, **keys)


def status(*parts: str) -> Talk[Answer]:
    """Ask for the status: the usual parts, or those that are named."""
    return (yield from command("status", parts=list(parts) or None))


def values(*entries: str) -> Talk[Values]:
    """Ask for values: all that can be read, or those of some entries.

    ConfigurationError: there is no entry of that name, or its value cannot be read.
    """
    answer = yield from status("entries")
    channels = answer["entries"].values()
    known = {path: EntryValue(one["value"], one["unit"]) for channel in channels for path, one in channel.items()}
    if entries:
        known = _chosen(known, entries, answer.get(UNREADABLE, ()))
    return Values(answer["time"], known)


def _chosen(
    known: Mapping[str, EntryValue], entries: Iterable[str], unreadable: Iterable[str]
) -> dict[str, EntryValue]:
    for entry in entries:
        if entry not in known:
            if reason := next((one for one in unreadable if f".{entry}" in one), ""):
                raise ConfigurationError(reason)
            meant = nearest(entry, known)
            hint = f": did you mean {meant}?" if meant else "; 'hilbridge values' lists them"
            raise ConfigurationError(f"unknown data bus entry {entry!r}{hint}")
    return {entry: known[entry] for entry in entries}


def get(entry: str) -> Talk[float]:
    """Ask for one value; NaN while it is not available."""
    found = yield from values(entry)
    value = found.entries[entry].value
    return float("nan") if value is None else value


def wait_until(condition: str, timeout: float) -> Talk[float]:
    """Wait until a condition holds; return how long that took, in seconds of the run. TimeoutError: it never did."""
    from hilbridge.client.condition import Condition  # takes the model's list of entries

    deadline = time.monotonic() + timeout
    now = yield from values()
    holds, began = Condition(condition, now.entries), now.time
    while True:
        if holds.check(now.entries):
            return now.time - began
        if time.monotonic() > deadline:
            raise TimeoutError(f"{condition}: not within {timeout:g} s")
        yield _POLL_INTERVAL
        now = yield from values()


def add_fault(what: str | Mapping[str, Any], keys: Mapping[str, Any], by: str | None = None) -> Talk[int]:
    """Inject a fault for a holder; return its number."""
    answer = yield from command("fault-add", fault=fault_keys(what, keys), by=by)
    number: int = answer["fault"]
    return number


def give_back(by: str | None) -> Talk[None]:
    """Give back what a holder has: entries and faults, also what drives hold or have left. Nothing without a holder."""
    if by is None:
        return
    drive = _drive_of(by)
    playing = (yield from status("scenario"))["scenario"] or {}
    if playing.get("name") == drive and playing["state"] == "running":  # broken off by its user, not on the bench
        with suppress(ConfigurationError):  # it has ended meanwhile
            yield from give("scenario-stop")
    for holder in (by, f"scenario {drive}"):
        yield from give("give-back", by=holder)


def reload() -> Talk[Answer]:
    """Have the bench file read again; return the outcome, adopted or refused. ConfigurationError: it takes too long."""
    answer = yield from command("reload")
    deadline = time.monotonic() + RELOAD_TIMEOUT
    while (last := (yield from status("reload"))["reload"]["last"]) is None or last["request"] < answer["request"]:
        if time.monotonic() > deadline:
            raise ConfigurationError(
                f"the reload is not over after {RELOAD_TIMEOUT:.0f} s; the log of the run will report its outcome"
            )
        yield _POLL_INTERVAL
    outcome: Answer = last
    return outcome


def adopt() -> Talk[None]:
    """Have the bench file read again and adopted. ConfigurationError: it is refused, with the reason."""
    outcome = yield from reload()
    if outcome["outcome"] == "refused":
        raise ConfigurationError(f"reload refused: {outcome['reason']}")


def ask(bus: str, request: bytes) -> Talk[bytes]:
    """Have the control unit behind a bus asked; return its whole answer, also a negative one. TimeoutError: none."""
    number = (yield from command("ask", bus=bus, request=request.hex()))["request"]
    deadline = time.monotonic() + ANSWER_TIMEOUT
    while (question := _question((yield from status("cluster")), bus))["outcome"] == "waiting":
        if time.monotonic() > deadline:
            break
        yield _POLL_INTERVAL
    if question["request"] != number or question["outcome"] != "answered":
        raise TimeoutError(f"no answer to {request.hex(' ')} on bus {bus}")
    try:
        return bytes.fromhex(question["answer"] or "")
    except ValueError:
        raise ConfigurationError("the answer is not in hexadecimal digits") from None


def _question(answer: Answer, bus: str) -> Answer:
    """Return the last question on a bus. ConfigurationError: the bench has forgotten it."""
    question: Answer | None = answer["cluster"].get(bus, {}).get("question")
    if question is None:
        raise ConfigurationError(f"the bench knows nothing of a question on bus {bus!r}")
    return question


def start_recording(folder: str | Path | None) -> Talk[Path]:
    """Start a recording; return its folder once it is being written. ConfigurationError: it fails."""
    answer = yield from command("record-start", folder=None if folder is None else str(Path(folder).absolute()))
    deadline = time.monotonic() + TIMEOUT
    while (recording := (yield from status("recording"))["recording"]) is not None and not recording["begun"]:
        if time.monotonic() > deadline:
            raise ConfigurationError("the recording does not begin: the daemon's observer is busy or gone, see its log")
        yield _POLL_INTERVAL
    if recording is not None and recording["error"]:
        raise ConfigurationError(recording["error"])
    return Path(answer["recording"])


def stop_recording() -> Talk[Path]:
    """End the recording; return its folder."""
    answer = yield from command("record-stop")
    return Path(answer["recording"])


def start_scenario(file: "ScenarioFile", *, keep: bool = False) -> Talk[None]:
    """Send a scenario, which begins at once; with `keep`, what it holds stays held when it ends.

    InvalidFileError: it does not fit the bench, with the line.
    """
    from hilbridge.bench.scenario.build import resolved

    try:
        yield from command("scenario-start", scenario=resolved(file), name=file.name, keep=keep)
    except ConfigurationError as error:
        try:
            raise (file.locate(error) if error.place else error) from None
        except (LookupError, TypeError, AttributeError):  # a place that the file does not have
            raise ConfigurationError(error.message) from None


def refuse_arming(scenario: Any) -> None:
    """Raise ConfigurationError where a step of a scenario that is to be sent arms a bus, or stops it."""
    steps = scenario.get("steps") if isinstance(scenario, Mapping) else None
    for i, step in enumerate(steps if isinstance(steps, list) else ()):
        if isinstance(step, Mapping) and "arm" in step:
            raise ConfigurationError(
                "arms: that is for people beside the hardware, by hilbridge ctl", ("steps", i, "arm")
            )


def await_scenario(limit: float = math.inf) -> Talk[Answer]:
    """Wait until the scenario is over, or stop it after a time [s]; return `scenario` and `verdicts` of the status."""
    deadline = time.monotonic() + limit
    while ((yield from status("scenario"))["scenario"] or {}).get("state") == "running":
        if time.monotonic() > deadline:
            deadline = math.inf
            with suppress(ConfigurationError):  # it has ended meanwhile
                yield from give("scenario-stop")
        yield _POLL_INTERVAL
    answer = yield from status("scenario", "verdicts")
    return {"scenario": answer["scenario"], "verdicts": answer["verdicts"]}


def play(scenario: str) -> Talk["Report"]:
    """Play a scenario to its end; return the verdicts."""
    from hilbridge.bench.scenario.report import Report
    from hilbridge.files.configuration.scenariofile import load_scenario

    file = load_scenario(scenario)
    yield from start_scenario(file)
    answer = yield from await_scenario()
    return Report.of_verdicts(answer["verdicts"], file)


def drive_keys(
    speed: float | None,
    gear: int | None,
    acceleration: float | None,
    cycle: str | None,
    points: Sequence[tuple[float, float]] | None,
    tolerance: float | None,
) -> dict[str, Any]:
    """Return the keys of a step `drive`."""
    listed = None if points is None else [list(point) for point in points]
    keys = {"speed": speed, "gear": gear, "acceleration": acceleration, "cycle": cycle, "points": listed}
    return {key: value for key, value in (keys | {"tolerance": tolerance}).items() if value is not None}


def _drive_of(by: str | None) -> str:
    return "drive" if by is None else f"drive of {by}"


def drive(keys: Mapping[str, Any], by: str | None = None) -> Talk[None]:
    """Play a step `drive`, and leave the pedals where they are at its end. TimeoutError: it has failed."""
    yield from command("scenario-start", scenario={"steps": [{"drive": dict(keys)}]}, name=_drive_of(by), keep=True)
    require_arrival((yield from await_scenario())["verdicts"])


def require_arrival(verdicts: Iterable[Mapping[str, Any]]) -> None:
    """Raise TimeoutError for the first step of a drive that has not passed."""
    for verdict in verdicts:
        if verdict["outcome"] != "passed":
            raise TimeoutError(verdict["seen"] or "the drive was stopped")
