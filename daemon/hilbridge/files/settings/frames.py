"""Settings of the frames that are sent: what differs from the database."""

import math
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Settings, unit
from hilbridge.files.settings.events import EventsSettings
from hilbridge.files.settings.origin import Origin
from hilbridge.files.settings.protection import ProtectionSettings

Terminal: TypeAlias = Literal[30, "R", 15, 50, "run"]
"""A terminal of the vehicle (DIN 72552), or "run": terminal 15 with the engine working."""

Noun: TypeAlias = Annotated[str, Field(min_length=1, max_length=40)]
"""A needle or a lamp, in one or a few words."""

RangeRule: TypeAlias = Literal["database", "raw"]
"""Where a value is held: at the database's minimum and maximum, or only at what the bits hold."""

SendType: TypeAlias = Literal["cyclic", "on-change", "cyclic-and-on-change", "event", "once"]


class SlewSettings(Settings):
    """How fast a value may change, in the signal's unit per second; a direction that is left out has no limit.

    Short form: one number for both directions.
    """

    up: Annotated[float | None, Field(gt=0, description="rises by no more", json_schema_extra=unit("1/s"))] = None
    down: Annotated[float | None, Field(gt=0, description="falls by no more", json_schema_extra=unit("1/s"))] = None

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, int | float) and not isinstance(value, bool):
            if value <= 0:
                raise ConfigurationError(f"must be above 0, found {value:g}: a limit per second")
            return {"up": value, "down": value}
        return value

    @property
    def rates(self) -> tuple[float, float]:
        """The limits upwards and downwards."""
        return self.up or math.inf, self.down or math.inf

    @property
    def words(self) -> str:
        """The limits as text."""
        if self.up == self.down:
            return f"by {self.up:g} a second at most"
        limits = [f"{way} by {limit:g}" for way, limit in (("up", self.up), ("down", self.down)) if limit is not None]
        return f"{' and '.join(limits)} a second at most"

    @model_validator(mode="after")
    def _limited(self) -> "SlewSettings":
        if self.up is None and self.down is None:
            raise ConfigurationError("needs a limit per second: one number, or 'up' or 'down'")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept a number alone."""
        section = handler.resolve_ref_schema(handler(core_schema))
        return {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, section]}


class SignalMap(Origin):
    """The origin of a signal's value: an entry of the data bus, an expression or a constant; the value in place of NaN.

    Short form: the entry alone, `EngineSpeed: vehicle.EngineRpm`.
    """

    origins: ClassVar[dict[str, str]] = {**Origin.origins, "in_turn": ""}

    in_turn: Annotated[
        list[float | str],
        Field(
            description="numbers, or names of values, that frame after frame carries in turn; of a multiplexer: the "
            "pages that are sent"
        ),
    ] = []
    frames: Annotated[int, Field(ge=1, le=1000, description="with 'in_turn': each for so many frames")] = 1
    slew: Annotated[
        SlewSettings | None,
        Field(
            description="the value changes by no more per second, as a fuel sender's that would be taken for broken; "
            "the first frame has the value at once, a reload goes on from the one sent last",
        ),
    ] = None
    bulb_check: Annotated[
        Milliseconds | None,
        Field(description="for a lamp: 1 is sent for so long after terminal 15 comes on", json_schema_extra=unit("ms")),
    ] = None
    lights: Annotated[
        list[Noun], Field(description="lamps of the cluster that shine while this is sent as anything but 0")
    ] = []
    without_odometer: Annotated[
        float | None,
        Field(
            description="sent in its place on hardware while the bus does not say 'odometer: true', so that the frame "
            "goes and a real odometer rests; default: a frame that makes one count is held back"
        ),
    ] = None
    range: Annotated[
        RangeRule | None,
        Field(description="raw: values beyond the database's range are sent; default: that of the message"),
    ] = None

    @model_validator(mode="after")
    def _shape_fits(self) -> "SignalMap":
        if self.slew is not None and self.constant is not None:
            raise ConfigurationError("a constant never changes", ("slew",))
        if self.frames > 1 and not self.in_turn:
            raise ConfigurationError("belongs to 'in_turn'", ("frames",))
        for key in ("table", "slew", "substitute", "bulb_check"):
            if self.in_turn and getattr(self, key):
                raise ConfigurationError("does not go with 'in_turn'", (key,))
        return self


class SendSettings(Settings):
    """When a frame is sent and how it is protected, as far as no database says so or it shall differ."""

    send: Annotated[
        SendType | None,
        Field(
            description="what makes the frame go; once: each time that its terminals come on; default: the database's "
            "send type, cyclic if 'period' is given here or there is no database"
        ),
    ] = None
    period: Annotated[
        Milliseconds | None,
        Field(description="a multiple of the tick; default: the database's cycle time", json_schema_extra=unit("ms")),
    ] = None
    minimum_delay: Annotated[
        Milliseconds | None,
        Field(
            description="between two frames of a message that goes on change; default: the database's, else none",
            json_schema_extra=unit("ms"),
        ),
    ] = None
    repetitions: Annotated[
        int | None,
        Field(
            ge=0,
            le=255,
            description="how often a change, or a frame that goes once, is sent again; default: the database's, else 0",
        ),
    ] = None
    repetition_period: Annotated[
        Milliseconds | None,
        Field(description="between repetitions; default: the database's fast cycle time", json_schema_extra=unit("ms")),
    ] = None
    phase: Annotated[
        float | None,
        Field(
            ge=0,
            description="first due, counted from the start; default: so that frames do not bunch",
            json_schema_extra=unit("ms"),
        ),
    ] = None
    terminals: Annotated[
        list[Terminal], Field(min_length=1, description="sent while one of these terminals is on; 30 is always on")
    ] = [30]
    wake_up: Annotated[bool, Field(description="goes at once, before all others, when its terminals come on")] = False
    after_run: Annotated[
        float,
        Field(
            ge=0,
            le=3_600_000,
            description="goes on for so long after its terminals went off; the last frame shows them off",
            json_schema_extra=unit("ms"),
        ),
    ] = 0
    protection: Annotated[
        list[ProtectionSettings], Field(description="counters and checksums, in the order in which they are filled")
    ] = []
    events: Annotated[
        EventsSettings | None, Field(description="messages to the driver that share the frame, one after the other")
    ] = None
    feeds: Annotated[
        list[Noun],
        Field(description="needles and counters of the receiver that rest without the frame: speedometer, trip"),
    ] = []
    darkens: Annotated[
        list[Noun], Field(description="lamps and messages of the receiver that come on without the frame: ABS, airbag")
    ] = []

    @model_validator(mode="after")
    def _events_go_by_themselves(self) -> "SendSettings":
        for key in ("send", "minimum_delay", "repetitions", "repetition_period"):
            if self.events is not None and getattr(self, key) is not None:
                raise ConfigurationError("does not go with 'events', which have 'slot' and 'repeat'", (key,))
        return self


class MessageMap(SendSettings):
    """Differences from the database for one message: when it is sent, and what it carries."""

    signals: Annotated[
        dict[str, SignalMap],
        Field(
            description="by signal name: where the value comes from; one that is not named takes the data bus entry of "
            "its name, else the database's start value, in J1939 'not available', else 0 in its unit, which is not the "
            "raw number 0 where it has an offset"
        ),
    ] = {}
    range: Annotated[
        RangeRule | None,
        Field(description="of all signals that say nothing else, also those by name; default: that of the bus"),
    ] = None
    fd: Annotated[
        bool | None,
        Field(
            description="a CAN FD frame; default: as in the database, but on a bus without 'fd' a classic one, where "
            "it fits"
        ),
    ] = None
