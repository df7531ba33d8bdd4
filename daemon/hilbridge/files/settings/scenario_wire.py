"""Settings of the steps of a scenario that act on the wires, ask control units, or measure frames."""

import re
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, field_validator, model_validator

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.files.settings.common import Name, Settings, unit
from hilbridge.files.settings.dtc import J2012, TestOutcome
from hilbridge.files.settings.protection import ProtectionSettings

SERVICES: Final = {
    "default session": "10 01",
    "extended session": "10 03",
    "hard reset": "11 01",
    "soft reset": "11 03",
    "clear codes": "14 FF FF FF",
    "read codes": "19 02 FF",
    "tester present": "3E 00",
}
"""UDS requests by name (ISO 14229-1)."""

Message: TypeAlias = Annotated[
    Annotated[str, Field(min_length=1)] | Annotated[int, Field(ge=0, le=0x1FFFFFFF)],
    Field(description="message of the bus's database, or an identifier"),
]
_Bus = Annotated[Name, Field(description="one of the bench's buses")]
_CanId = Annotated[int, Field(ge=0, le=0x1FFFFFFF)]
_Seconds = Annotated[float, Field(gt=0, le=1e6, json_schema_extra=unit("s"))]
_PATTERN: Final = re.compile(r"(([0-9A-Fa-f]{2}|\.\.) ?)*\*?")


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise ConfigurationError(f"{quoted(text)} is not in hexadecimal, two digits for each byte") from None


def byte_pattern(text: str | None) -> str | None:
    """Return the pattern, if there is one. ConfigurationError: it is none."""
    if text is not None and not _PATTERN.fullmatch(text):
        raise ConfigurationError(f'{quoted(text)} is no pattern of bytes such as "62 F1 90 .. *"')
    return text


def _title(bus: str, message: str | int) -> str:
    return f"{bus}.0x{message:X}" if isinstance(message, int) else f"{bus}.{message}"


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


class SendSettings(Settings):
    """A frame of a foreign control unit: a message with its signals, or an identifier with its bytes.

    It is on the bus in the tick of the step. A step `frame` behind it begins with the next tick: an answer that comes
    in the same one is seen by a step `frame` before it that runs in the `background`.
    """

    bus: _Bus
    message: Message
    signals: Annotated[dict[str, float | str], Field(description="of a message: a number, or the name of a value")] = {}
    data: Annotated[str | None, Field(description='of an identifier: bytes in hexadecimal, in quotes: "01 0A FF"')] = (
        None
    )
    protection: Annotated[
        list[ProtectionSettings], Field(description="counters and checksums, as of a message that the bench sends")
    ] = []

    @model_validator(mode="after")
    def _one_content(self) -> "SendSettings":
        if isinstance(self.message, int):
            if self.signals:
                raise ConfigurationError("an identifier has no signals; name the message", ("signals",))
            if self.data is None:
                raise ConfigurationError("is missing: the bytes of the frame", ("data",))
        elif self.data is not None:
            raise ConfigurationError("belongs to an identifier; a message has 'signals'", ("data",))
        return self

    @field_validator("data")
    @classmethod
    def _hexadecimal(cls, data: str | None) -> str | None:
        if data is not None and len(_bytes(data)) > 64:
            raise ConfigurationError("a frame has 64 bytes at most")
        return data

    def describe(self) -> str:
        """Return the frame for people: `powertrain.DriverInputs Throttle 40`."""
        content = self.data or ", ".join(f"{name} {_value(value)}" for name, value in self.signals.items())
        return f"{_title(self.bus, self.message)} {content}".rstrip()


class PeriodSettings(Settings):
    """The cycle time of a frame, measured from tick to tick while the step lasts ('for')."""

    bus: _Bus
    message: Message
    cycle: Annotated[_Seconds | None, Field(description="wanted mean; default: the cycle time of the database")] = None
    tolerance: Annotated[float, Field(gt=0, le=1, description="of the mean, as a share of 'cycle'")] = 0.05
    jitter: Annotated[
        _Seconds | None,
        Field(description="a single interval may differ so much from 'cycle'; default: it is shown only"),
    ] = None

    def describe(self) -> str:
        """Return the frame for people: `powertrain.EngineData1`."""
        return _title(self.bus, self.message)


class Unit(Settings):
    """A control unit: one of the bench's by its name, or any other by bus and identifiers."""

    ecu: Annotated[Name | None, Field(description="a control unit of the bench; default: the first")] = None
    bus: Annotated[Name | None, Field(description="of a control unit of one's own")] = None
    request_id: Annotated[
        _CanId | None, Field(alias="request-id", description="identifier that it hears; above 0x7FF: 29-bit")
    ] = None
    response_id: Annotated[_CanId | None, Field(alias="response-id", description="identifier of its answers")] = None

    @property
    def unit(self) -> str:
        """The control unit for people; "" for the bench's first."""
        return self.ecu or ("" if self.request_id is None else f"{self.bus}.0x{self.request_id:X}")

    @model_validator(mode="after")
    def _one_way(self) -> "Unit":
        own = {"bus": self.bus, "request-id": self.request_id, "response-id": self.response_id}
        given = [key for key, value in own.items() if value is not None]
        if self.ecu is not None and given:
            raise ConfigurationError("a control unit has either a name or bus and identifiers", (given[0],))
        if given and len(given) < len(own):
            missing = next(key for key in own if key not in given)
            raise ConfigurationError("is missing: bus and both identifiers belong together", (missing,))
        return self


class UdsSettings(Unit):
    """A UDS request and its answer, which comes 'within' a time; default: 5 s."""

    request: Annotated[str, Field(description=f"bytes in hexadecimal, in quotes, or {', '.join(SERVICES)}")]
    answer: Annotated[
        str | None,
        Field(description='expected bytes; ".." is any byte, "*" at the end any further ones; default: any positive'),
    ] = None
    refused: Annotated[
        int | None, Field(ge=1, le=0xFF, description="expects a negative answer with this code, e.g. 0x33")
    ] = None

    @property
    def payload(self) -> bytes:
        """The bytes of the request."""
        return bytes.fromhex(SERVICES.get(self.request, self.request))

    @field_validator("request")
    @classmethod
    def _service(cls, text: str) -> str:
        if text not in SERVICES and not _bytes(text):
            raise ConfigurationError("a request has at least one byte")
        return text

    @field_validator("answer")
    @classmethod
    def _isbyte_pattern(cls, text: str | None) -> str | None:
        return byte_pattern(text)

    def describe(self) -> str:
        """Return the request for people: `engine 22 F1 90`."""
        return f"{self.unit} {self.request}".lstrip()

    @model_validator(mode="after")
    def _one_answer(self) -> "UdsSettings":
        if self.answer is not None and self.refused is not None:
            raise ConfigurationError("needs either 'answer' or 'refused'", ("refused",))
        return self


class ObdSettings(Unit):
    """A PID of OBD-II service 01 and its value; the answer comes 'within' a time; default: 5 s."""

    pid: Annotated[int, Field(ge=0, le=0xFF)]
    value: Annotated[
        float | str | Annotated[list[float], Field(min_length=2, max_length=2)] | None,
        Field(description='of a PID with one value: a number, a comparison ("> 500"), [lowest, highest]'),
    ] = None
    data: Annotated[str | None, Field(description="expected data bytes, written as 'answer' of 'uds'")] = None

    @field_validator("data")
    @classmethod
    def _isbyte_pattern(cls, text: str | None) -> str | None:
        return byte_pattern(text)

    def describe(self) -> str:
        """Return the request for people: `engine 0C`."""
        return f"{self.unit} {self.pid:02X}".lstrip()


class EcuCodeSettings(Settings):
    """A trouble code of a control unit."""

    ecu: Annotated[Name, Field(description="a control unit of the bench")] = "engine"
    code: Annotated[J2012, Field(description="e.g. P0301")]

    def describe(self) -> str:
        """Return the code for people: `engine P0301`."""
        return f"{self.ecu} {self.code}"


class SetDtcSettings(EcuCodeSettings):
    """A result of the test of a trouble code."""

    result: Annotated[
        TestOutcome,
        Field(
            description="failed: once; held: until a 'passed' or 'clear-dtc', whatever its monitor finds; "
            "stored: in as many cycles as confirm it; passed: once"
        ),
    ] = "failed"

    def describe(self) -> str:
        """Return the result for people: `engine P0301 failed`."""
        return f"{super().describe()} {self.result}"


class DtcSettings(EcuCodeSettings):
    """The state of a trouble code, reached now or 'within' a time."""

    state: Annotated[
        Literal["stored", "pending", "failing", "permanent", "absent"],
        Field(description="stored: confirmed; absent: neither pending, confirmed nor permanent"),
    ] = "stored"

    def describe(self) -> str:
        """Return the expectation for people: `engine P0301 stored`."""
        return f"{super().describe()} {self.state}"
