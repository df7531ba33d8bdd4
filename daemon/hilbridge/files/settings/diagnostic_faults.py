"""Settings of faults of diagnostics: what a tester lives through with a control unit that answers wrongly.

requests      late, missing, pending, refuse, lost-session             act on what the unit answers
answers       reset, lost-frame, doubled-frame, swapped-frames,        act on the frames of an answer
              wrong-sequence, second-unit, wrong-padding, wrong-dlc,
              wrong-length, wrong-pace
receptions    wait, overflow, no-flow-control, foreign-flow-control    act on flow control for a longer request
babble        acts on its own
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.frame_lengths import FRAME_LENGTHS
from hilbridge.files.settings.common import Name
from hilbridge.files.settings.common import unit as measured_in
from hilbridge.files.settings.fault_times import LONGEST_DELAY, TimedFault, refuse

Moment = Literal["request", "answer", "reception", "always"]
"""The target of an effect: a request, the frames of its answer, flow control for a longer request; or none of them."""

Effect = Literal[
    "late", "missing", "pending", "refuse", "lost-session",
    "reset", "lost-frame", "doubled-frame", "swapped-frames", "wrong-sequence", "second-unit", "wrong-padding",
    "wrong-dlc", "wrong-length", "wrong-pace",
    "wait", "overflow", "no-flow-control", "foreign-flow-control",
    "babble",
]  # fmt: skip


class Kind(NamedTuple):
    """A kind of effect: its target, the keys that it needs, and those that it has with their defaults."""

    moment: Moment
    needs: tuple[str, ...] = ()
    has: Mapping[str, Any] = {}


KINDS: Final[dict[Effect, Kind]] = {
    "late": Kind("request", ("delay",), {"jitter": 0.0}),
    "missing": Kind("request"),
    "pending": Kind("request", (), {"count": None, "interval": 100.0}),
    "refuse": Kind("request", ("code",)),
    "lost-session": Kind("request", (), {"delay": 0.0}),
    "reset": Kind("answer", (), {"frame": 1, "delay": 500.0}),
    "lost-frame": Kind("answer", (), {"frame": 1}),
    "doubled-frame": Kind("answer", (), {"frame": 1}),
    "swapped-frames": Kind("answer", (), {"frame": 1}),
    "wrong-sequence": Kind("answer", (), {"frame": 1}),
    "second-unit": Kind("answer"),
    "wrong-padding": Kind("answer", ("value",)),
    "wrong-dlc": Kind("answer", ("length",)),
    "wrong-length": Kind("answer", ("amount",)),
    "wrong-pace": Kind("answer", (), {"block_size": None, "st_min": None}),
    "wait": Kind("reception", (), {"count": None, "interval": 100.0}),
    "overflow": Kind("reception"),
    "no-flow-control": Kind("reception"),
    "foreign-flow-control": Kind("reception", ("can_id",)),
    "babble": Kind("always", (), {"data": "7E 00", "interval": 100.0}),
}

_OF_EFFECTS: Final = tuple(dict.fromkeys(key for kind in KINDS.values() for key in (*kind.needs, *kind.has)))
_SELECTING: Final = ("service", "identifier", "every", "probability", "requests")
_CONSECUTIVE: Final = ("swapped-frames", "wrong-sequence")
_UNITS: Final = {"delay": " ms", "interval": " ms", "jitter": " ms", "st_min": " ms"}
_HEXADECIMAL: Final = {"code": 2, "value": 2, "can_id": 3, "service": 2, "identifier": 4}
_Time = Annotated[float | None, Field(ge=0, le=LONGEST_DELAY, json_schema_extra=measured_in("ms"))]


class DiagnosticsFault(TimedFault):
    """A control unit that answers wrongly, as the table says. What it holds back is sent when the fault ends.

    An answer that the effect would not change, as one without the frame or the padding, is no hit: it waits.
    """

    kind: Literal["diagnostics"]
    unit: Annotated[Name, Field(description="control unit of the bench, by its name")]
    effect: Effect
    service: Annotated[int | None, Field(ge=0, le=0xBF, description="hits requests of it alone; default: all")] = None
    identifier: Annotated[
        int | None, Field(ge=0, le=0xFFFF, description="of data or a routine, or a PID; hits requests for it alone")
    ] = None
    every: Annotated[int, Field(ge=1, description="2: hits every second one of these requests")] = 1
    probability: Annotated[float, Field(gt=0, le=1, description="of each of these requests to be hit")] = 1.0
    requests: Annotated[
        int | None, Field(ge=1, description="over when it has hit so many requests; default: any number")
    ] = None
    delay: Annotated[_Time, Field(description="late (needed), lost-session (default 0), reset (default 500)")] = None
    jitter: Annotated[_Time, Field(description="late; default 0")] = None
    count: Annotated[int | None, Field(ge=1, description="pending, wait; default: without end")] = None
    interval: Annotated[
        float | None,
        Field(
            gt=0,
            le=LONGEST_DELAY,
            description="pending, wait, babble; default 100",
            json_schema_extra=measured_in("ms"),
        ),
    ] = None
    code: Annotated[int | None, Field(ge=1, le=0xFF, description="refuse: the negative response code, as 0x22")] = None
    frame: Annotated[int | None, Field(ge=0, le=1_000_000, description="which frame of the answer; default 1")] = None
    value: Annotated[int | None, Field(ge=0, le=0xFF, description="wrong-padding: the byte")] = None
    length: Annotated[
        int | None, Field(ge=0, le=64, description="wrong-dlc", json_schema_extra=measured_in("byte"))
    ] = None
    amount: Annotated[
        int | None, Field(ge=-4095, le=4095, description="wrong-length", json_schema_extra=measured_in("byte"))
    ] = None
    block_size: Annotated[
        int | None, Field(ge=0, le=0xFF, description="wrong-pace: frames to the next flow control; 0: no limit")
    ] = None
    st_min: Annotated[_Time, Field(description="wrong-pace: least time between two frames")] = None
    can_id: Annotated[
        int | None, Field(ge=0, le=0x1FFFFFFF, description="foreign-flow-control; above 0x7FF: 29-bit")
    ] = None
    data: Annotated[
        str | None, Field(description='babble: bytes in hexadecimal, 7 at most, in quotes; default "7E 00"')
    ] = None

    @field_validator("data")
    @classmethod
    def _is_short(cls, text: str | None) -> str | None:
        try:
            length = 1 if text is None else len(bytes.fromhex(text))
        except ValueError:
            raise ConfigurationError(f"{quoted(text or '')} is not in hexadecimal, two digits for each byte") from None
        if not 1 <= length <= 7:
            raise ConfigurationError("must have 1 to 7 bytes, which is what a single frame holds")
        return text

    @model_validator(mode="after")
    def _keys_of_the_effect(self) -> "DiagnosticsFault":
        kind = KINDS[self.effect]
        for key in _OF_EFFECTS:
            if key in kind.needs and getattr(self, key) is None:
                raise ConfigurationError(f"is missing: the effect '{self.effect}' needs it", (key,))
            owners = [name for name, one in KINDS.items() if key in one.needs or key in one.has]
            refuse(self, key, self.effect not in owners, " or ".join(owners))
        for key in _SELECTING if kind.moment == "always" else ():
            if key in self.model_fields_set and getattr(self, key) is not None:
                raise ConfigurationError("a unit babbles without being asked: it hits no requests", (key,))
        if self.effect == "wrong-pace" and self.block_size is None and self.st_min is None:
            raise ConfigurationError("the effect 'wrong-pace' needs 'block_size' or 'st_min'")
        return self

    @model_validator(mode="after")
    def _require_effect(self) -> "DiagnosticsFault":
        if self.effect in _CONSECUTIVE and self.frame == 0:
            raise ConfigurationError("must be at least 1: only consecutive frames have a sequence", ("frame",))
        if self.length is not None and self.length not in FRAME_LENGTHS:
            raise ConfigurationError(f"there is no CAN frame of {self.length} bytes", ("length",))
        if self.amount == 0:
            raise ConfigurationError("0 changes nothing", ("amount",))
        if self.service is not None and self.service & 0x40:
            raise ConfigurationError(f"{self.service:02X} is an answer, not a request", ("service",))
        return self

    def get(self, key: str) -> Any:
        """Return the value of a key, or its default for the effect."""
        value = getattr(self, key)
        return KINDS[self.effect].has.get(key) if value is None else value

    def describe(self) -> str:
        """For people: `diagnostics engine late delay=500 ms service=22`."""
        keys = [key for key in (*_OF_EFFECTS, *_SELECTING) if key in self.model_fields_set]
        said = [f"{key}={self._said(key)}" for key in keys if getattr(self, key) is not None]
        return " ".join(["diagnostics", self.unit, self.effect, *said])

    def _said(self, key: str) -> str:
        value = getattr(self, key)
        if key in _HEXADECIMAL:
            return f"{value:0{_HEXADECIMAL[key]}X}"
        return value if isinstance(value, str) else f"{value:g}{_UNITS.get(key, '')}"
