"""The distribution of the commands to a running daemon: inputs of the run go to the bench, which records them.

A query changes nothing; its answer is made in pieces (chunked_json.py). Recordings and scenarios are started and
stopped here. No recording contains any of these commands: a replay does not need them. A scenario acts on the bench by
commands of its own, which are inputs. `begin` is one of these only: to reach a state of motion takes seconds, which a
run spends before its first tick.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.commands import (
    Begin,
    FaultList,
    Query,
    RecordStart,
    RecordStop,
    ScenarioStart,
    ScenarioStop,
    Status,
    error_text,
    parse,
    parse_step,
)
from hilbridge.boundary.control.lines import HandleCommand
from hilbridge.files.settings.scenario import ScenarioSettings, StepSettings

AnswerQuery: TypeAlias = Callable[[Query], Iterator[bytes]]
"""The source of the answer to a query, in pieces."""


class RecordingControl(Protocol):
    """The recordings of a running bench."""

    def start(self, folder: Path | None, t: int) -> Path:
        """Record from the tick after `t` [ns] on; return the folder. ConfigurationError: not at present."""

    def stop(self, t: int) -> Path:
        """End the recording and return its folder. ConfigurationError: there is none."""


class ScenarioControl(Protocol):
    """The scenarios of a running bench."""

    def start(
        self, name: str, settings: ScenarioSettings, steps: Iterable[StepSettings], *, keep: bool
    ) -> Iterator[None]:
        """Build a scenario of these steps, one for each `next`, and play it then; `keep`: what it holds at its end.

        ConfigurationError, with the key path, where that cannot be.
        """

    def stop(self) -> None:
        """End the scenario where it is. ConfigurationError: there is none."""


class Dispatcher:
    """The receiver of all lines; it answers each with a line, or with the pieces of one."""

    def __init__(
        self, recordings: RecordingControl, scenarios: ScenarioControl, answer: AnswerQuery, handle: HandleCommand
    ) -> None:
        self._recordings: Final = recordings
        self._scenarios: Final = scenarios
        self._answer: Final = answer
        self._handle: Final = handle

    def handle(self, line: bytes, t: int) -> bytes | Iterator[bytes]:
        """Carry out a line that came in at `t` [ns] and return its answer; no line raises.

        The steps of a scenario may follow the line with the first one, a line each: a tick reads one of them.
        """
        line, *steps = line.split(b"\n")
        try:
            match command := parse(line):
                case ScenarioStart():
                    return self._start_scenario(command, map(parse_step, steps))
                case RecordStart() | RecordStop() | ScenarioStop():
                    return json.dumps(self._control_run(command, t)).encode()
                case Begin():
                    raise ConfigurationError("a start state belongs to a scenario that `hilbridge run` plays")
                case Status() | FaultList():
                    return self._answer(command)
                case _:
                    return self._handle(line)
        except ConfigurationError as error:
            return json.dumps({"error": error_text(error)}).encode()

    def _start_scenario(self, command: ScenarioStart, further: Iterable[StepSettings]) -> Iterator[bytes]:
        """Build a step for each piece of the answer; an error is reported with its key path in the scenario."""
        try:
            steps = chain(command.scenario.steps, further)
            for _ in self._scenarios.start(command.name, command.scenario, steps, keep=command.keep):
                yield b""
        except ConfigurationError as error:
            place = ("scenario", *error.place) if error.place else ()
            refusal = {"error": error_text(ConfigurationError(error.message, place))}
            yield json.dumps(refusal | {"reason": error.message, "place": error.place}).encode()
        else:
            yield b"{}"

    def _control_run(self, command: RecordStart | RecordStop | ScenarioStop, t: int) -> dict[str, Any]:
        match command:
            case RecordStart():
                folder = None if command.folder is None else Path(command.folder)
                return {"recording": str(self._recordings.start(folder, t))}
            case RecordStop():
                return {"recording": str(self._recordings.stop(t))}
            case ScenarioStop():
                self._scenarios.stop()
        return {}
