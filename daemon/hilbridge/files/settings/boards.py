"""Settings of the boards: channels of a microcontroller that makes signals of values, and measures others."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Name, Settings, completes, unit
from hilbridge.files.settings.outputs import OutputValue

ChannelKind = Literal["digital", "pwm", "analog", "resistance", "frequency", "stepper", "wheel"]
MeasureKind = Literal["width", "period", "voltage", "switch"]

WHEELS: Final = {
    "60-2": [58, 2],
    "36-1": [35, 1],
    "36-2-2-2": [13, 2, 16, 2, 1, 2],
    "36-2-2-2-h6": [19, 2, 10, 2, 1, 2],
}
"""Teeth and the places of missing ones, in turn, by the name of the wheel. 36-2-2-2: Subaru's, of four and of six
cylinders (speeduino/speeduino, the comment of its decoder 36-2-2-2)."""

LOCKSTEP: Final = "lockstep"
"""The port of a board that is the pins of a lockstep client."""

LONGEST_PIN: Final = 63
"""Characters of a name, for which the header has room."""

_Pin = Annotated[int, Field(ge=0, le=255, description="number of the pin, as the board counts them")]


class BoardChannel(Settings):
    """An output of the board: its kind, its pin and its value."""

    kind: Annotated[
        ChannelKind,
        Field(
            description="digital: on if not 0; pwm, analog, resistance: a share 0..1 of the duty cycle, of the "
            "converter's range, of the potentiometer; frequency: Hz; stepper: steps; wheel: teeth at the engine's angle"
        ),
    ]
    pin: _Pin
    value: Annotated[OutputValue | None, Field(description="all but wheel: what goes out, in the kind's unit")] = None
    safe: Annotated[float, Field(description="all but wheel: in place of it while the daemon is silent")] = 0.0
    steps: Annotated[
        int, Field(ge=1, le=100_000, description="stepper: from the stop, where it begins, to the highest position")
    ] = 945
    speed: Annotated[
        int, Field(ge=1, le=2000, description="stepper: steps a second at most", json_schema_extra=unit("1/s"))
    ] = 300
    pattern: Annotated[
        str | list[Annotated[int, Field(ge=0, le=128)]],
        Field(
            description="wheel: 60-2, 36-1, 36-2-2-2, 36-2-2-2-h6, or numbers of teeth and of missing ones "
            'in turn, [58, 2], or levels of equal length, "110010"; 2 to 256 levels, of which a tooth has two'
        ),
    ] = "60-2"
    per: Annotated[
        Literal["revolution", "cycle"], Field(description="wheel: the pattern is once round in 360 or in 720 degrees")
    ] = "revolution"
    offset: Annotated[
        float, Field(gt=-720, lt=720, description="wheel: it is so far ahead", json_schema_extra=unit("°"))
    ] = 0.0
    reversed: Annotated[bool, Field(description="wheel: it turns the other way round")] = False
    missing: Annotated[
        list[Annotated[int, Field(ge=1, le=128)]], Field(description="wheel, a fault: these teeth, from 1, are away")
    ] = []
    doubled: Annotated[
        list[Annotated[int, Field(ge=1, le=128)]], Field(description="wheel, a fault: these teeth are split into two")
    ] = []

    @model_validator(mode="after")
    def _keys_of_the_kind(self) -> "BoardChannel":
        for kinds, keys in _KEYS_OF_KINDS:
            for key in keys:
                if key in self.model_fields_set and self.kind not in kinds:
                    raise ConfigurationError(f"belongs to 'kind: {' or '.join(kinds)}'", (key,))
        if self.kind != "wheel" and self.value is None:
            raise ConfigurationError("needs 'value': a data bus entry or {expression: ...}")
        return self


_KEYS_OF_KINDS: Final = (
    (("stepper",), ("steps", "speed")),
    (("wheel",), ("pattern", "per", "offset", "reversed", "missing", "doubled")),
    (("digital", "pwm", "analog", "resistance", "frequency", "stepper"), ("value", "safe")),
)


class BoardMeasure(Settings):
    """An input of the board; the controls that it moves are in an input with `source: board`."""

    kind: Annotated[
        MeasureKind,
        Field(
            description="width, period: microseconds of the last pulse, and from rising edge to rising edge, 0 after "
            "three periods or half a second without; voltage: 0..65535 of the converter's range; switch: 1 while it "
            "is closed to ground"
        ),
    ]
    pin: _Pin


class BoardSettings(Settings):
    """A board that speaks the protocol of docs/board-protocol.md, as an Arduino with the sketch of config/boards."""

    profile: Annotated[
        str | None,
        Field(
            description="a receiver with a board of this name, which is taken over as a bus is: name of a file in "
            "config/clusters, or a path",
            json_schema_extra=completes("profile"),
        ),
    ] = None

    port: Annotated[
        str,
        Field(
            description="device path; pty: a pseudo terminal made at start; lockstep: the pins of a lockstep client",
            min_length=1,
            pattern=r"^[^\x00]*$",
        ),
    ]
    baudrate: Annotated[
        int, Field(gt=0, le=10_000_000, description="as the board's", json_schema_extra=unit("bit/s"))
    ] = 115200
    armed: Annotated[
        bool, Field(description="whether it works from the start; a pty does, hardware waits for `hilbridge ctl arm`")
    ] = False
    period: Annotated[
        Milliseconds, Field(description="from value to value: a multiple of the tick", json_schema_extra=unit("ms"))
    ] = 10.0
    watchdog: Annotated[
        int,
        Field(
            ge=20,
            le=60_000,
            description="silence after which the board's outputs are safe and its wheels stand; two periods or more",
            json_schema_extra=unit("ms"),
        ),
    ] = 300
    channels: Annotated[
        dict[Name, BoardChannel], Field(max_length=12, description="by a name of your choice: outputs of the board")
    ] = {}
    measures: Annotated[
        dict[Name, BoardMeasure], Field(max_length=6, description="by a name of your choice: inputs of the board")
    ] = {}

    @property
    def is_hardware(self) -> bool:
        """Something real listens: nothing is sent before it is armed."""
        return self.port not in ("pty", LOCKSTEP)

    @model_validator(mode="after")
    def _of_a_client(self) -> "BoardSettings":
        if self.port != LOCKSTEP:
            return self
        for key, name in (*(("channels", one) for one in self.channels), *(("measures", one) for one in self.measures)):
            if len(name) > LONGEST_PIN:
                raise ConfigurationError(f"a pin's name has {LONGEST_PIN} characters at most", (key, name))
        for name, channel in self.channels.items():
            if channel.kind == "wheel":
                words = "a lockstep client has no edges between its turns: give it the speed, as 'kind: frequency'"
                raise ConfigurationError(words, ("channels", name, "kind"))
        return self

    @model_validator(mode="after")
    def _require_effect(self) -> "BoardSettings":
        if not self.channels and not self.measures:
            raise ConfigurationError("needs 'channels' or 'measures'")
        if self.watchdog < 2 * self.period:
            raise ConfigurationError(
                f"{self.watchdog} ms is less than two periods of {self.period:g} ms", ("watchdog",)
            )
        return self
