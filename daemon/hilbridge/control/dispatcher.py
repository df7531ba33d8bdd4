"""Where the commands of a running daemon come in: what is an input of the run is obeyed, and recorded, elsewhere.

A question changes nothing; its answer is made a piece at a time (pieces.py). A recording and a scenario are started and
stopped here. No recording knows of any of it: a replay needs none. What a scenario does to the bench are commands
again, and inputs.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from hilbridge.common.errors import ConfigurationError
from hilbridge.control.client import HandleCommand
from hilbridge.control.commands import (
    FaultList,
    Query,
    RecordStart,
    RecordStop,
    ScenarioStart,
    ScenarioStop,
    Status,
    error_text,
    parse,
)
from hilbridge.settings.scenario import ScenarioSettings

AnswerQuery: TypeAlias = Callable[[Query], Iterator[bytes]]
"""Answers a question, a piece at a time."""


class Recordings(Protocol):
    """What can be recorded while the bench runs."""

    def start(self, folder: Path | None, t: int) -> Path:
        """Records from the tick after `t` [ns] on; into which folder. ConfigurationError: not at present."""

    def stop(self, t: int) -> Path:
        """Ends the recording; which one. ConfigurationError: there is none."""


class Scenarios(Protocol):
    """What can be played while the bench runs."""

    def start(self, name: str, settings: ScenarioSettings) -> Iterator[None]:
        """Build a scenario, a step for each `next`, and play it then.

        ConfigurationError, with the key path, where that cannot be.
        """

    def stop(self) -> None:
        """Ends it where it is. ConfigurationError: there is none."""


class Dispatcher:
    """Takes lines and answers each with one, as the controller does, or with the pieces of one."""

    def __init__(self, recordings: Recordings, scenarios: Scenarios, tell: AnswerQuery, obey: HandleCommand) -> None:
        self._recordings: Final = recordings
        self._scenarios: Final = scenarios
        self._tell: Final = tell
        self._obey: Final = obey

    def handle(self, line: bytes, t: int) -> bytes | Iterator[bytes]:
        """The answer to a line that came in at `t` [ns]; nothing that it holds raises."""
        try:
            match command := parse(line):
                case ScenarioStart():
                    return self._play(command)
                case RecordStart() | RecordStop() | ScenarioStop():
                    return json.dumps(self._attend(command, t)).encode()
                case Status() | FaultList():
                    return self._tell(command)
                case _:
                    return self._obey(line)
        except ConfigurationError as error:
            return json.dumps({"error": error_text(error)}).encode()

    def _play(self, command: ScenarioStart) -> Iterator[bytes]:
        """A step is built for each piece; what does not fit is told with its key path in the scenario."""
        try:
            for _ in self._scenarios.start(command.name, command.scenario):
                yield b""
        except ConfigurationError as error:
            place = ("scenario", *error.place) if error.place else ()
            told = {"error": error_text(ConfigurationError(error.message, place))}
            yield json.dumps(told | {"reason": error.message, "place": error.place}).encode()
        else:
            yield b"{}"

    def _attend(self, command: RecordStart | RecordStop | ScenarioStop, t: int) -> dict[str, Any]:
        match command:
            case RecordStart():
                folder = None if command.folder is None else Path(command.folder)
                return {"recording": str(self._recordings.start(folder, t))}
            case RecordStop():
                return {"recording": str(self._recordings.stop(t))}
            case ScenarioStop():
                self._scenarios.stop()
        return {}
