"""Settings of a profile: what one kind of receiver, such as an instrument cluster, wants to hear on its bus."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Name, Settings, completes

Confidence = Literal["A", "B", "C"]

CONFIDENCE: Final[dict[Confidence, str]] = {
    "A": "independent sources agree, and a bench or car has shown it",
    "B": "one good source, or several of one family",
    "C": "one source, partly guessed: verify on your unit",
}

Letter = Literal["A", "B", "C", "guess", "any bytes"]

LETTERS: Final[dict[Letter, str]] = {
    "A": CONFIDENCE["A"],
    "B": CONFIDENCE["B"],
    "C": CONFIDENCE["C"],
    "guess": "in no source: written because something must be sent there",
    "any bytes": "must be there; what it says is in no source, or does not matter",
}

Seen = Literal["car", "bench", "nowhere"]

_OF_THE_BENCH: Final = ("interface", "channel", "slcan", "socketcand", "options", "armed", "odometer", "profile")
"""Keys of a bus that say how it is reached and what its owner consents to."""

_OF_THE_PORT: Final = ("port", "armed", "echo", "profile")
"""Keys of a serial bus or a board that say how it is reached and what its owner consents to."""

Line = Annotated[str, Field(min_length=1)]

SUPPLIES: Final = ("CAN high", "CAN low", "ground", "12 V")
"""Ends of wires that every bench has."""


class WireSettings(Settings):
    """A wire to the receiver: where its other end goes, and what to know about it. Short form: the text alone."""

    to: Annotated[
        Line | None,
        Field(description=f"{', '.join(SUPPLIES)}, a serial bus of 'lines', or a channel of 'boards' as BOARD.CHANNEL"),
    ] = None
    text: Annotated[Line, Field(description="what is connected there")]

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        return {"text": value} if isinstance(value, str) else value

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept a text alone."""
        return {"anyOf": [{"type": "string", "minLength": 1}, handler.resolve_ref_schema(handler(core_schema))]}


class KnownSettings(Settings):
    """How far a frame or a signal is known, where that differs from its profile. Short form: the letter alone."""

    confidence: Annotated[
        Letter | None,
        Field(description="; ".join(f"{letter}: {meaning}" for letter, meaning in LETTERS.items() if len(letter) > 1)),
    ] = None
    seen: Annotated[Seen | None, Field(description="as of the profile")] = None
    source: Annotated[Line | None, Field(description="which of the sources, or of the cars")] = None

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        return {"confidence": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _says_something(self) -> "KnownSettings":
        if not self.model_fields_set:
            raise ConfigurationError("needs 'confidence', 'seen' or 'source'")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept a letter alone."""
        section = handler.resolve_ref_schema(handler(core_schema))
        return {"anyOf": [{"enum": list(LETTERS)}, section]}


class ProfileSettings(Settings):
    """A kind of receiver: its bus as a bench needs it, its wiring, and how far all of that is known.

    `extends` is taken over into `bus` before it comes here.
    """

    title: Annotated[Line, Field(description="what it is, with models and years")]
    confidence: Annotated[
        Confidence,
        Field(description="; ".join(f"{grade}: {meaning}" for grade, meaning in CONFIDENCE.items())),
    ]
    tested: Annotated[Line, Field(description="what the frames were seen to work on, and who has seen it")]
    seen: Annotated[
        Seen,
        Field(
            description="where its frames were seen: car: in a recorded or measured car; bench: a receiver took them; "
            "nowhere"
        ),
    ] = "bench"
    sources: Annotated[list[Line], Field(min_length=1, description="where the facts were published")]
    known: Annotated[
        dict[Line, KnownSettings],
        Field(description="of single frames, `FRAME`, and signals, `FRAME.SIGNAL`: what differs from the profile"),
    ] = {}
    wiring: Annotated[
        dict[str, WireSettings], Field(description="by pin or line of the receiver: what is connected there")
    ] = {}
    notes: Annotated[list[Line], Field(description="what a user of the receiver must know")] = []
    vehicle: Annotated[
        Line,
        Field(description="vehicle of a bench that `hilbridge new` writes", json_schema_extra=completes("vehicle")),
    ] = "compact"
    extends: Annotated[
        Line | list[Line] | None,
        Field(
            description="another profile, whose `bus` and `custom` this one takes over where it says nothing else, or "
            "a file beside it with a `bus` alone; or a list of these"
        ),
    ] = None
    bus: Annotated[
        dict[str, Any],
        Field(
            description="keys of `buses.NAME`, which a bench takes over where it does not say otherwise; all but those "
            f"of its own: {', '.join(_OF_THE_BENCH)}"
        ),
    ] = {}

    lines: Annotated[
        dict[Name, dict[str, Any]],
        Field(
            description="serial buses that the receiver hears too, as `lines` of a bench, which takes one over by its "
            "name with 'profile'"
        ),
    ] = {}
    boards: Annotated[
        dict[Name, dict[str, Any]],
        Field(
            description="boards that make what it hears by other wires, such as pulses and resistances; as `boards` of "
            "a bench, which takes one over likewise"
        ),
    ] = {}
    custom: Annotated[
        dict[str, Any],
        Field(description="entries that the frames need, as the bench's `custom`, which takes them over likewise"),
    ] = {}

    @model_validator(mode="after")
    def _knows_its_own_frames(self) -> "ProfileSettings":
        for name in self.known:
            if not has_frame(self.model_dump(include={"bus", "lines", "boards"}), name):
                raise ConfigurationError("is no frame of the profile, nor a signal of one", ("known", name))
        return self

    @model_validator(mode="after")
    def _leaves_the_bench_its_own(self) -> "ProfileSettings":
        for key in _OF_THE_BENCH:
            if key in self.bus:
                raise ConfigurationError("is for the bench to say, not for a profile", ("bus", key))
        for section in ("lines", "boards"):
            for name, one in getattr(self, section).items():
                for key in _OF_THE_PORT:
                    if key in one:
                        raise ConfigurationError("is for the bench to say, not for a profile", (section, name, key))
        return self

    @model_validator(mode="after")
    def _wires_lead_somewhere(self) -> "ProfileSettings":
        channels = {f"{name}.{one}" for name, board in self.boards.items() for one in board.get("channels") or ()}
        ends = {*SUPPLIES, *self.lines, *channels}
        for pin, wire in self.wiring.items():
            if wire.to is not None and wire.to not in ends:
                reason = f"leads to nothing of the profile (there is: {', '.join(sorted(ends))})"
                raise ConfigurationError(reason, ("wiring", pin, "to"))
        return self


def frames_of(profile: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Yield what the receiver hears: name, keys, and whether it is a message of a database.

    Telegrams and frames of a serial bus are called LINE.NAME, channels of a board BOARD.NAME.
    """
    sections: list[tuple[str, Any, tuple[str, ...]]] = [("", profile.get("bus"), ("messages", "raw"))]
    sections += [(f"{name}.", one, ("telegrams", "frames")) for name, one in (profile.get("lines") or {}).items()]
    sections += [(f"{name}.", one, ("channels",)) for name, one in (profile.get("boards") or {}).items()]
    for prefix, keys, named in sections:
        for section in named if isinstance(keys, dict) else ():
            frames = keys.get(section)
            for name, frame in frames.items() if isinstance(frames, dict) else ():
                if isinstance(frame, dict):
                    yield f"{prefix}{name}", frame, section == "messages"


def has_frame(profile: Mapping[str, Any], name: str) -> bool:
    """Return whether a profile has a frame or a signal of this name, `FRAME` or `FRAME.SIGNAL`.

    A message of a database may have signals that the profile does not name.
    """
    for frame, keys, is_message in frames_of(profile):
        if name == frame:
            return True
        if name.startswith(f"{frame}."):
            signals = keys.get("signals")
            return is_message or (isinstance(signals, dict) and name.removeprefix(f"{frame}.") in signals)
    return False
