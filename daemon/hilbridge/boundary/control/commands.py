"""The commands of a running daemon as JSON objects: one class each, selected by the key `command`."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from hilbridge.base.common.errors import ConfigurationError, dotted
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.boundary.control.lines import USUAL
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.settings.bench import local_date
from hilbridge.files.settings.common import Name, Settings
from hilbridge.files.settings.dtc import J2012, TestOutcome
from hilbridge.files.settings.faults import FaultSettings
from hilbridge.files.settings.scenario import ScenarioSettings, StepSettings
from hilbridge.files.settings.start import StartSettings
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, FD, STANDARD_MASK, Frame

Holder: TypeAlias = Annotated[str, Field(min_length=1, max_length=220)]
"""The holder of entries or adder of faults, for people: `scenario hill`, `viewer 2 (192.0.2.7)`."""

Part: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
"""The name of a part of the status; which there are, the bench knows."""


MOST_FURTHER: Final = 63
"""Entries that one command holds beside the first: what a tick has time for."""


class Status(Settings):
    """Return the status of the bench; `frames`: with that of each frame. `parts`: these alone, `usual` for the rest."""

    command: Literal["status"]
    frames: bool = False
    parts: Annotated[list[Part] | None, Field(max_length=64)] = None

    @property
    def wanted(self) -> Sequence[Part]:
        """The parts that are requested."""
        if self.parts is not None:
            return self.parts
        return (USUAL, "frames") if self.frames else (USUAL,)


class Set(Settings):
    """Hold an entry of the data bus at a value, over every input, until it is released or `seconds` are over.

    `value`: in the entry's unit, or the name of a position: `left`. `by`: who holds it; the last one who sets it does.
    `rate` [1/s]: a pedal or the steering wheel moves there from where it is; without, it is there at once. The value
    `automatic` of `input.Clutch`: the daemon works the pedal of a manual gearbox, as a left foot that stalls no engine.
    The value `automatic` of `input.Key`: the daemon starts the engine, in 5 s at most, and leaves the key at on.
    `also`: further entries that are held from the same tick on, without a rate; where one cannot be, none is.
    """

    command: Literal["set"]
    entry: str
    value: float | str
    seconds: Annotated[float | None, Field(gt=0, le=1e9)] = None
    by: Holder | None = None
    rate: Annotated[float | None, Field(gt=0, le=1000)] = None
    also: Annotated[dict[str, float | str] | None, Field(max_length=MOST_FURTHER)] = None

    @property
    def values(self) -> dict[str, float | str]:
        """The values of all entries."""
        return {self.entry: self.value} | (self.also or {})


class Release(Settings):
    """Return an entry, or all of them, to the inputs."""

    command: Literal["release"]
    entry: str | None = None


class GiveBack(Settings):
    """Release every entry that `by` still holds, and end every fault that it has added; there may be none."""

    command: Literal["give-back"]
    by: Holder


class Begin(Settings):
    """Put the vehicle into a state of motion and hold the controls that keep it, for `by`; in the first tick only."""

    command: Literal["begin"]
    start: StartSettings
    by: Holder | None = None


class Arm(Settings):
    """Let a bus or an output transmit, or not; `bus` is its name, which may be left out where the bench has one bus."""

    command: Literal["arm"]
    bus: Name | None = None
    armed: bool = True


class SetDate(Settings):
    """Set the date that the entries `clock.` show, at once or smoothly: local, without a time zone."""

    command: Literal["date"]
    date: Annotated[str, Field(max_length=40), AfterValidator(local_date)]
    smoothly: bool = False


class Send(Settings):
    """Put a frame on a bus, as a foreign control unit does: every own node hears it, and the gate lets it out.

    `data`: its bytes in hexadecimal digits.
    """

    command: Literal["send"]
    bus: Name
    id: Annotated[int, Field(ge=0, le=EXTENDED_MASK)]
    extended: bool = False
    data: Annotated[str, Field(pattern=r"^([0-9A-Fa-f]{2}){0,64}$")] = ""
    fd: bool = False

    @property
    def frame(self) -> Frame:
        """The frame. ConfigurationError: there is none with such an identifier or so many bytes."""
        data = bytes.fromhex(self.data)
        if self.id > STANDARD_MASK and not self.extended:
            raise ConfigurationError(f"identifier {self.id:X} has 29 bits: it is extended", ("id",))
        if len(data) not in FRAME_LENGTHS or (len(data) > CLASSIC_LENGTH and not self.fd):
            raise ConfigurationError(f"no frame has {len(data)} bytes", ("data",))
        return Frame(self.id | (EXTENDED if self.extended else 0), data, FD if self.fd else 0)


class Ask(Settings):
    """Ask the control unit behind a bus to read something out, `request` in hexadecimal digits.

    Part `cluster` of the status has the outcome.
    """

    command: Literal["ask"]
    bus: Name
    request: Annotated[str, Field(pattern=r"^([0-9A-Fa-f]{2}){1,64}$")]


class FaultAdd(Settings):
    """A fault from now on, or `at` seconds later; answered with its number."""

    command: Literal["fault-add"]
    fault: FaultSettings
    by: Holder | None = None


class FaultList(Settings):
    """Return the faults that wait, are active, or ended lately."""

    command: Literal["fault-list"]


class FaultClear(Settings):
    """End a fault, or all of them."""

    command: Literal["fault-clear"]
    number: int | None = None


class TuneEngine(Settings):
    """Drive the engine of the vehicle file with other values of some parameters; {}: with none but its own.

    The values replace those of an earlier command. They are those of the section `engine` of a vehicle file.
    """

    command: Literal["tune-engine"]
    values: Annotated[dict[str, bool | int | float | str | list[float]], Field(max_length=64)]


class TroubleSet(Settings):
    """Report a result of the test of a trouble code, as its monitor does; held or stored, see `TestOutcome`."""

    command: Literal["trouble-set"]
    ecu: Name
    code: J2012
    result: TestOutcome = "failed"


class TroubleClear(Settings):
    """Clear what service 04 of OBD-II clears, in one control unit or in all of them."""

    command: Literal["trouble-clear"]
    ecu: Name | None = None


class ReloadCommand(Settings):
    """Read the bench file again and adopt it if possible; answered with the number of the request.

    Part `reload` of the status reports the last outcome, with the number of the request that it answers.
    """

    command: Literal["reload"]


class RecordStart(Settings):
    """Record from the next tick on, into a new folder; without one, into a folder named by bench and time."""

    command: Literal["record-start"]
    folder: Annotated[str | None, Field(pattern=r"^/")] = None


class RecordStop(Settings):
    """End the current recording."""

    command: Literal["record-stop"]


class ScenarioStart(Settings):
    """Play a scenario: the content of a scenario file, and a name for the reports.

    When it ends it gives back the entries that it holds and ends its faults; with `keep` they stay.
    """

    command: Literal["scenario-start"]
    scenario: ScenarioSettings
    name: Annotated[str, Field(min_length=1, max_length=200)]
    keep: bool = False


class ScenarioStop(Settings):
    """End the current scenario where it is, as if its last step were over."""

    command: Literal["scenario-stop"]


class Stop(Settings):
    """End the run in good order."""

    command: Literal["stop"]


RunCommand: TypeAlias = RecordStart | RecordStop | ScenarioStart | ScenarioStop
"""The commands about the run as a whole, on which none of its frames depends."""

Query: TypeAlias = Status | FaultList
"""The commands that change nothing."""

BenchCommand: TypeAlias = (
    Begin
    | Set
    | Release
    | GiveBack
    | Arm
    | SetDate
    | Send
    | Ask
    | FaultAdd
    | FaultClear
    | TuneEngine
    | TroubleSet
    | TroubleClear
    | ReloadCommand
    | Stop
)
"""The commands that are inputs of the bench: a recording has them, with their ticks."""

Command: TypeAlias = RunCommand | Query | BenchCommand

DEAR: Final = (RecordStart, RecordStop, ReloadCommand, ScenarioStart, ScenarioStop, TuneEngine)
"""The commands that may take more of a tick than others do, whatever their lines are."""


_MOST_REASONS: Final = 3
"""Reasons in a refusal: putting one into words costs a part of a tick, and a line has room for thousands."""


def warm_up() -> None:
    """Build at start what the first command, or the first refusal, would have to build in a tick."""
    command_schema()
    parse(b'{"command": "status"}')


def parse(line: bytes) -> Command:
    """Return the command of a line. ConfigurationError, with the reasons: it is none."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ConfigurationError("a command is a JSON object on one line") from None
    try:
        return _adapter().validate_python(data, strict=True)
    except ValidationError as error:
        reasons = explain(error, data, command_schema(), _MOST_REASONS)
        raise ConfigurationError("; ".join(map(error_text, reasons))) from None


def parse_step(line: bytes) -> StepSettings:
    """Return a step of a scenario that the control process has checked as a whole."""
    return StepSettings.model_validate(json.loads(line), strict=True)


@cache
def _adapter() -> TypeAdapter[Command]:
    return TypeAdapter(Annotated[Command, Field(discriminator="command")])


@cache
def command_schema() -> Schema:
    """Return the JSON Schema of a line."""
    return schema_of(_adapter(), "hilbridge command")


def error_text(reason: ConfigurationError) -> str:
    """Return the text of an error, with the key of the command that is to blame."""
    return f"{dotted(reason.place)}: {reason.message}" if reason.place else reason.message
