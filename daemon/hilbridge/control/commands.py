"""The commands that a running daemon takes, as JSON objects: one class each, named by its `command`."""

import json
from functools import cache
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from hilbridge.configuration.schema import schema_of
from hilbridge.configuration.validation import explain
from hilbridge.errors import ConfigurationError, dotted
from hilbridge.settings.common import Name, Settings


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


class Stop(Settings):
    """Ends the run in good order."""

    command: Literal["stop"]


Command: TypeAlias = Status | Set | Release | Arm | Stop


def parse(line: bytes) -> Command:
    """The command of a line. ConfigurationError that says what is wrong with it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ConfigurationError("a command is a JSON object on one line") from None
    try:
        return _adapter().validate_python(data, strict=True)
    except ValidationError as error:
        reasons = explain(error, data, schema_of(_adapter(), "hilbridge command"))
        raise ConfigurationError("; ".join(map(_sentence, reasons))) from None


@cache
def _adapter() -> TypeAdapter[Command]:
    return TypeAdapter(Annotated[Command, Field(discriminator="command")])


def _sentence(reason: ConfigurationError) -> str:
    return f"{dotted(reason.place)}: {reason.message}" if reason.place else reason.message
