"""Where the commands of a running daemon come in: what is an input of the run is obeyed, and recorded, elsewhere.

A recording and a scenario are started and stopped here, and no recording knows of it: a replay needs neither. What a
scenario does to the bench are commands again, and inputs.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from hilbridge.control.commands import (
    FaultList,
    HostCommand,
    RecordStart,
    RecordStop,
    ScenarioStart,
    ScenarioStop,
    Status,
    parse,
    sentence,
)
from hilbridge.control.orders import Obey
from hilbridge.errors import ConfigurationError
from hilbridge.settings.scenario import ScenarioSettings

Ask: TypeAlias = Callable[[bytes], bytes]
"""Answers a line that changes nothing."""


class Recordings(Protocol):
    """What can be recorded while the bench runs."""

    def start(self, folder: Path | None, t: int) -> Path:
        """Records from the tick after `t` [ns] on; into which folder. ConfigurationError: not at present."""

    def stop(self, t: int) -> Path:
        """Ends the recording; which one. ConfigurationError: there is none."""


class Scenarios(Protocol):
    """What can be played while the bench runs."""

    def start(self, name: str, settings: ScenarioSettings) -> None:
        """Plays a scenario. ConfigurationError, with its key, where that cannot be."""

    def stop(self) -> None:
        """Ends it where it is. ConfigurationError: there is none."""


class Reception:
    """Takes lines and answers each with one, as the controller does."""

    def __init__(self, recordings: Recordings, scenarios: Scenarios, ask: Ask, obey: Obey) -> None:
        self._recordings: Final = recordings
        self._scenarios: Final = scenarios
        self._ask: Final = ask
        self._obey: Final = obey

    def handle(self, line: bytes, t: int) -> bytes:
        """The answer to a line that came in at `t` [ns]; nothing that it holds raises."""
        try:
            match command := parse(line):
                case RecordStart() | RecordStop() | ScenarioStart() | ScenarioStop():
                    return json.dumps(self._attend(command, t)).encode()
                case Status() | FaultList():
                    return self._ask(line)
                case _:
                    return self._obey(line)
        except ConfigurationError as error:
            return json.dumps({"error": sentence(error)}).encode()

    def _attend(self, command: HostCommand, t: int) -> dict[str, Any]:
        match command:
            case RecordStart():
                folder = None if command.folder is None else Path(command.folder)
                return {"recording": str(self._recordings.start(folder, t))}
            case RecordStop():
                return {"recording": str(self._recordings.stop(t))}
            case ScenarioStart():
                self._scenarios.start(command.name, command.scenario)
            case ScenarioStop():
                self._scenarios.stop()
        return {}
