"""The commands that a running daemon takes, as JSON objects: one class each, named by its `command`."""

import json
from functools import cache
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from hilbridge.configuration.schema import Schema, schema_of
from hilbridge.configuration.validation import explain
from hilbridge.errors import ConfigurationError, dotted
from hilbridge.settings.common import Name, Settings
from hilbridge.settings.faults import FaultSettings


class Status(Settings):
    """How the bench is; with `frames`, also how each frame is sent."""

    command: Literal["status"]
    frames: bool = False


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


class Stop(Settings):
    """Ends the run in good order."""

    command: Literal["stop"]


Command: TypeAlias = Status | Set | Release | Arm | FaultAdd | FaultList | FaultClear | Stop


def parse(line: bytes) -> Command:
    """The command of a line. ConfigurationError that says what is wrong with it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ConfigurationError("a command is a JSON object on one line") from None
    try:
        return _adapter().validate_python(data, strict=True)
    except ValidationError as error:
        reasons = explain(error, data, _schema())
        raise ConfigurationError("; ".join(map(sentence, reasons))) from None


@cache
def _adapter() -> TypeAdapter[Command]:
    return TypeAdapter(Annotated[Command, Field(discriminator="command")])


@cache
def _schema() -> Schema:
    return schema_of(_adapter(), "hilbridge command")


def sentence(reason: ConfigurationError) -> str:
    """What is wrong, with the key of the command that is to blame."""
    return f"{dotted(reason.place)}: {reason.message}" if reason.place else reason.message
