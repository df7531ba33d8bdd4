"""Settings of a scenario: what is done, awaited and expected, one step after the other. All times are in seconds."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, field_validator, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Name, Settings, completes, unit
from hilbridge.files.settings.faults import FaultSettings
from hilbridge.files.settings.scenario_wire import (
    DtcSettings,
    ObdSettings,
    PeriodSettings,
    SendSettings,
    SetDtcSettings,
    UdsSettings,
    byte_pattern,
)
from hilbridge.files.settings.start import StartSettings

ALL: Final = "all"
"""The word that `clear` and `release` may have in place of one."""

Text: TypeAlias = Annotated[str, Field(min_length=1)]
Seconds: TypeAlias = Annotated[float, Field(gt=0, le=1e6, json_schema_extra=unit("s"))]
Since: TypeAlias = Annotated[float, Field(ge=0, le=1e6, json_schema_extra=unit("s"))]

Condition: TypeAlias = Annotated[Text, Field(description="an expression of data bus entries")]
Wanted: TypeAlias = float | str | Annotated[list[float], Field(min_length=2, max_length=2)]
"""The demand on a signal: a number, the name of a value, a comparison such as `"> 500"`, or [lowest, highest]."""


class WaitSettings(Settings):
    """The scenario continues once a condition holds; if it never does, the scenario ends here."""

    until: Condition
    timeout: Annotated[Seconds, Field(description="how long at most")]


class DriveSettings(Settings):
    """A driver starts the engine if need be, and follows a speed trace with pedals, clutch and gear lever.

    With 'speed' the trace begins at the speed that the car has then; it is held for 3 s, and fails beside 3 km/h.
    """

    speed: Annotated[
        float | None, Field(ge=0, le=1000, description="to be reached and held", json_schema_extra=unit("km/h"))
    ] = None
    acceleration: Annotated[
        float | None, Field(gt=0, le=50, description="of 'speed': default 1.5", json_schema_extra=unit("m/s²"))
    ] = None
    cycle: Annotated[Text | None, Field(description="nedc, wltc, udds, hwfet, or a CSV file with time and speed")] = (
        None
    )
    points: Annotated[
        list[Annotated[list[float], Field(min_length=2, max_length=2)]] | None,
        Field(min_length=2, description="in place of a cycle: [s, km/h], straight lines in between"),
    ] = None
    gear: Annotated[
        int | None,
        Field(
            ge=1,
            le=30,
            description="of 'points': all of it in this gear; of 'speed': at its end; default: the driver's choice",
        ),
    ] = None
    tolerance: Annotated[
        float | None,
        Field(
            gt=0,
            description="fails when the speed leaves what the trace does within 1 s by more; default: it cannot fail",
            json_schema_extra=unit("km/h"),
        ),
    ] = None

    @model_validator(mode="after")
    def _one_trace(self) -> "DriveSettings":
        if sum(given is not None for given in (self.cycle, self.points, self.speed)) != 1:
            raise ConfigurationError("needs either 'speed', 'cycle' or 'points'")
        if self.gear is not None and self.cycle is not None:
            raise ConfigurationError("belongs to 'speed' and 'points'; a file has a column for it", ("gear",))
        if self.acceleration is not None and self.speed is None:
            raise ConfigurationError("belongs to 'speed'", ("acceleration",))
        if self.tolerance is not None and self.speed is not None:
            raise ConfigurationError("belongs to 'cycle' and 'points'", ("tolerance",))
        for i, (time, speed) in enumerate(self.points or ()):
            if speed < 0:
                raise ConfigurationError(f"must not be negative, found {speed:g}", ("points", i, 1))
            if self.points is not None and time <= (self.points[i - 1][0] if i else -1.0):
                raise ConfigurationError("times must ascend, from 0 on", ("points", i, 0))
        return self


class FrameSettings(Settings):
    """Frames of one message whose signals are as wanted, or of one identifier with its bytes; without these, any."""

    bus: Annotated[Name, Field(description="one of the bench's buses")]
    message: Annotated[Text | int, Field(description="message of the bus's database, or an identifier")]
    signals: Annotated[
        dict[str, Wanted], Field(description='a number, the name of a value, a comparison ("> 500"), [lowest, highest]')
    ] = {}
    data: Annotated[
        str | None,
        Field(description='of an identifier: its bytes; ".." is any byte, "*" at the end any further ones'),
    ] = None

    @field_validator("data")
    @classmethod
    def _is_pattern(cls, text: str | None) -> str | None:
        return byte_pattern(text)

    @model_validator(mode="after")
    def _bytes_of_an_identifier(self) -> "FrameSettings":
        if self.data is not None and not isinstance(self.message, int):
            raise ConfigurationError("belongs to an identifier; a message has 'signals'", ("data",))
        return self


class RepeatSettings(Settings):
    """Steps that are repeated. Who reads the file unrolls them; a running bench never sees a repeat."""

    times: Annotated[int, Field(ge=1, le=10_000, description="how often, with 'until' at most")]
    index: Annotated[Name, Field(description="what `${index}` counts from 1 on")] = "i"
    until: Annotated[
        Condition | None, Field(description="ends it after a round; fails if it never holds; default: all rounds")
    ] = None
    steps: Annotated[list[dict[str, object]], Field(min_length=1, description="as those of the scenario")]


class LeaveSettings(Settings):
    """The end of each round of a repeat 'until': if the condition holds, its other rounds are not needed."""

    when: Condition
    skip: Annotated[int, Field(ge=0, description="steps of the other rounds; 0: it must hold now")]


class StepSettings(Settings):
    """One thing that is done, awaited or expected; it begins when the step before it is over."""

    name: Annotated[Text | None, Field(description="for the report; default: what the step does")] = None
    at: Annotated[Since | None, Field(description="begins so long after the start of the scenario")] = None
    after: Annotated[Since | None, Field(description="begins so long after the end of the step before it")] = None
    background: Annotated[bool, Field(description="the next step does not wait for the end of this one")] = False

    set: Annotated[
        dict[str, float | str] | None,
        Field(
            min_length=1,
            description="holds entries of the data bus, over every input; codes by their names too",
            json_schema_extra={"completes_keys": "control"},
        ),
    ] = None
    over: Annotated[Seconds | None, Field(description="of 'set': gets there in a straight line")] = None
    release: Annotated[
        list[str] | None,
        Field(
            min_length=1,
            description=f"gives entries back to the inputs; [{ALL}]: everything",
            json_schema_extra=completes("control"),
        ),
    ] = None
    drive: DriveSettings | None = None
    fault: Annotated[FaultSettings | None, Field(description="as in the bench file; 'at' counts from here")] = None
    clear: Annotated[
        Text | None, Field(description=f"ends the fault of the step of this name; '{ALL}': every fault")
    ] = None
    arm: Annotated[dict[Name, bool] | None, Field(min_length=1, description="buses that may transmit, or not")] = None

    send: Annotated[SendSettings | None, Field(description="sends a frame as a foreign control unit does")] = None
    every: Annotated[Seconds | None, Field(description="of 'send': again and again, 'for' a time")] = None
    uds: Annotated[UdsSettings | None, Field(description="asks a control unit, as a tester does")] = None
    obd: Annotated[ObdSettings | None, Field(description="asks a control unit for a PID, as a scan tool does")] = None
    set_dtc: Annotated[
        SetDtcSettings | None,
        Field(alias="set-dtc", description="reports a result of the test of a trouble code; default: it has failed"),
    ] = None
    clear_dtc: Annotated[
        Text | None,
        Field(alias="clear-dtc", description=f"clears the trouble codes of a control unit; '{ALL}': of every"),
    ] = None

    repeat: Annotated[RepeatSettings | None, Field(description="other steps, again and again")] = None
    leave: Annotated[LeaveSettings | None, Field(description="of an unrolled repeat; files have no need of it")] = None
    wait: WaitSettings | None = None
    expect: Annotated[Condition | None, Field(description="must hold: now, or at one moment 'within' a time")] = None
    always: Annotated[Condition | None, Field(description="must hold all the time")] = None
    frame: Annotated[FrameSettings | None, Field(description="must come 'within' a time")] = None
    absent: Annotated[FrameSettings | None, Field(description="must not come")] = None
    period: Annotated[PeriodSettings | None, Field(description="must come with its cycle time")] = None
    dtc: Annotated[DtcSettings | None, Field(description="a trouble code must have a state")] = None
    within: Annotated[
        Seconds | None, Field(description="of 'expect', 'frame', 'dtc', and of the answer to 'uds' and 'obd'")
    ] = None
    occasion: Annotated[
        Seconds | None,
        Field(
            description="of 'frame': its absence is no failure. Where no frame of its identifier comes 'within' the "
            "time, the sender is silent, and a suite ends; from the first one on this frame is awaited for so long, "
            "and then the scenario is not tried"
        ),
    ] = None
    duration: Annotated[
        Seconds | None,
        Field(
            alias="for", description="of 'always', 'absent', 'period', 'send'; in the background: default to the end"
        ),
    ] = None

    @property
    def kind(self) -> str:
        """The key that says what the step does."""
        return next(key for key in KINDS if getattr(self, field_of(key)) is not None)

    @model_validator(mode="after")
    def _one_kind(self) -> "StepSettings":
        kinds = [key for key in KINDS if getattr(self, field_of(key)) is not None]
        if len(kinds) != 1:
            had = f"found {' and '.join(kinds)}" if kinds else "found none"
            raise ConfigurationError(f"a step does one thing: {', '.join(KINDS)}; {had}", (kinds[1],) if kinds else ())
        kind = kinds[0]
        for key, owners in _OWNERS.items():
            if getattr(self, field_of(key)) is not None and kind not in owners:
                raise ConfigurationError(f"belongs to {' and '.join(owners)}", (key,))
        if self.at is not None and self.after is not None:
            raise ConfigurationError("a step has either 'at' or 'after'", ("after",))
        if kind == "frame" and self.within is None:
            raise ConfigurationError("is missing: how long to wait for the frame", ("within",))
        if kind == "send" and self.duration is not None and self.every is None:
            raise ConfigurationError("is missing: how often", ("every",))
        lasts = kind in _OWNERS["for"] and (kind != "send" or self.every is not None)
        if lasts and self.duration is None and not self.background:
            raise ConfigurationError("is missing: only in the background it may last to the end", ("for",))
        return self


KINDS: Final = (
    "set", "release", "drive", "fault", "clear", "arm", "send", "uds", "obd", "set-dtc", "clear-dtc", "repeat", "leave",
    "wait", "expect", "always", "frame", "absent", "period", "dtc",
)  # fmt: skip

_OWNERS: Final = {
    "over": ("set",),
    "every": ("send",),
    "occasion": ("frame",),
    "within": ("expect", "frame", "uds", "obd", "dtc"),
    "for": ("always", "absent", "period", "send"),
}
"""Keys that belong to kinds of steps."""


def field_of(key: str) -> str:
    """Return the name of the field of a key."""
    return "duration" if key == "for" else key.replace("-", "_")


_MOTION: Final = "vehicle."
"""How entries begin that change when someone drives."""


def _controls(step: StepSettings) -> bool:
    """Return whether a step sets a control of the driver."""
    return any(key.startswith("input.") for key in step.set or ())


def _conditions(step: StepSettings) -> Iterator[str]:
    """Yield the conditions of a step."""
    yield from filter(None, (step.expect, step.always, step.wait.until if step.wait else None))


class ScenarioSettings(Settings):
    """A scenario: steps, one after the other. It is over when all of them are."""

    purpose: Annotated[str, Field(description="for the report")] = ""
    gearboxes: Annotated[
        list[Literal["manual", "sequential", "automatic"]] | None,
        Field(min_length=1, description="kinds of gearbox that it is meant for; default: every vehicle"),
    ] = None
    parameters: Annotated[
        dict[Name, float | str],
        Field(description='defaults of what the steps name `"${name}"`; `--set NAME=VALUE` gives others'),
    ] = {}
    start: Annotated[
        StartSettings | None, Field(description="of a run of its own; default: parked, with the key off")
    ] = None
    steps: Annotated[list[StepSettings], Field(min_length=1)]

    @property
    def needs_driver(self) -> bool:
        """Whether a step asks about the motion of the vehicle, and none drives, sets a control, or starts it moving."""
        if self.start is not None or any(step.drive or _controls(step) for step in self.steps):
            return False
        return any(_MOTION in text for step in self.steps for text in _conditions(step))

    @model_validator(mode="after")
    def _in_order(self) -> "ScenarioSettings":
        latest = 0.0
        faults: list[str] = []
        for i, step in enumerate(self.steps):
            if step.at is not None:
                if step.at < latest:
                    raise ConfigurationError(f"is before {latest:g} s, when an earlier step begins", ("steps", i, "at"))
                latest = step.at
            if step.clear is not None and step.clear not in (ALL, *faults):
                raise ConfigurationError(f"no fault step above has the name {step.clear!r}", ("steps", i, "clear"))
            if step.fault is not None and step.name is not None:
                if step.name in (ALL, *faults):
                    raise ConfigurationError("a fault has a name of its own", ("steps", i, "name"))
                faults.append(step.name)
        return self
