"""The commands that a running daemon takes, as JSON objects: one class each, named by its `command`."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from hilbridge.common.errors import ConfigurationError, dotted
from hilbridge.configuration.schema import Schema, schema_of
from hilbridge.configuration.validation import explain
from hilbridge.settings.common import Name, Settings
from hilbridge.settings.dtc import J2012
from hilbridge.settings.faults import FaultSettings
from hilbridge.settings.scenario import ScenarioSettings

Part: TypeAlias = Literal[
    "statistics",
    "values",
    "auxiliary",
    "buses",
    "inputs",
    "faults",
    "troubles",
    "frames",
    "traffic",
    "recording",
    "scenario",
    "verdicts",
]
"""Of a status."""

PARTS: Final[tuple[Part, ...]] = (
    "statistics",
    "values",
    "buses",
    "inputs",
    "faults",
    "troubles",
    "recording",
    "scenario",
)
"""What a status tells unless it is asked for less, or for the frames as well."""


class Status(Settings):
    """How the bench is; with `frames`, also how each frame is sent. `parts`: these alone, for who asks often."""

    command: Literal["status"]
    frames: bool = False
    parts: list[Part] | None = None

    @property
    def wanted(self) -> Sequence[Part]:
        """The parts that are asked for."""
        if self.parts is not None:
            return self.parts
        return (*PARTS, "frames") if self.frames else PARTS


class Set(Settings):
    """Holds an entry of the data bus at a value, over every input, until it is released or `seconds` are over."""

    command: Literal["set"]
    entry: str
    value: float
    seconds: Annotated[float | None, Field(gt=0, le=1e9)] = None


class Release(Settings):
    """Gives an entry, or all of them, back to the inputs."""

    command: Literal["release"]
    entry: str | None = None


class Arm(Settings):
    """Lets a bus transmit, or makes it listen only."""

    command: Literal["arm"]
    bus: Name
    armed: bool = True


class FaultAdd(Settings):
    """A fault from now on, or `at` seconds later; answered with its number."""

    command: Literal["fault-add"]
    fault: FaultSettings


class FaultList(Settings):
    """The faults that wait, are active, or were lately."""

    command: Literal["fault-list"]


class FaultClear(Settings):
    """Ends a fault, or all of them."""

    command: Literal["fault-clear"]
    number: int | None = None


class TroubleSet(Settings):
    """The test of a trouble code has failed: as if its monitor had found the fault."""

    command: Literal["trouble-set"]
    ecu: Name
    code: J2012


class TroubleClear(Settings):
    """What service 04 of OBD-II clears, in one control unit, or in all of them."""

    command: Literal["trouble-clear"]
    ecu: Name | None = None


class Reload(Settings):
    """Reads the bench file anew, and goes on with it if it can be; the log and the status say what became of it."""

    command: Literal["reload"]


class RecordStart(Settings):
    """Records from the next tick on, into a new folder; without one, into a folder named by bench and time."""

    command: Literal["record-start"]
    folder: Annotated[str | None, Field(pattern=r"^/")] = None


class RecordStop(Settings):
    """Ends the recording under way."""

    command: Literal["record-stop"]


class ScenarioStart(Settings):
    """Plays a scenario: what a scenario file holds, and the name that reports give it."""

    command: Literal["scenario-start"]
    scenario: ScenarioSettings
    name: Annotated[str, Field(min_length=1, max_length=200)]


class ScenarioStop(Settings):
    """Ends the scenario under way where it is; what it holds stays held until it is released."""

    command: Literal["scenario-stop"]


class Stop(Settings):
    """Ends the run in good order."""

    command: Literal["stop"]


RunCommand: TypeAlias = RecordStart | RecordStop | ScenarioStart | ScenarioStop
"""What concerns the run as a whole, and nothing that its frames depend on."""

Query: TypeAlias = Status | FaultList
"""What changes nothing."""

BenchCommand: TypeAlias = Set | Release | Arm | FaultAdd | FaultClear | TroubleSet | TroubleClear | Reload | Stop
"""What the bench does depends on it: a recording has it, with its tick."""

Command: TypeAlias = RunCommand | Query | BenchCommand


_MOST_REASONS: Final = 3
"""That a refusal gives: to put one into words takes 50 µs and more, and a line has room for thousands."""


def warm_up() -> None:
    """Makes at once what is made with the first command (1 ms), and with the first refusal (20 ms)."""
    _schema()
    parse(b'{"command": "status"}')


def parse(line: bytes) -> Command:
    """The command of a line. ConfigurationError that says what is wrong with it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ConfigurationError("a command is a JSON object on one line") from None
    try:
        return _adapter().validate_python(data, strict=True)
    except ValidationError as error:
        reasons = [*map(error_text, explain(error, data, _schema(), _MOST_REASONS))]
        if (more := error.error_count() - _MOST_REASONS) > 0:
            reasons.append(f"and {more} more")
        raise ConfigurationError("; ".join(reasons)) from None


@cache
def _adapter() -> TypeAdapter[Command]:
    return TypeAdapter(Annotated[Command, Field(discriminator="command")])


@cache
def _schema() -> Schema:
    return schema_of(_adapter(), "hilbridge command")


def error_text(reason: ConfigurationError) -> str:
    """What is wrong, with the key of the command that is to blame."""
    return f"{dotted(reason.place)}: {reason.message}" if reason.place else reason.message
