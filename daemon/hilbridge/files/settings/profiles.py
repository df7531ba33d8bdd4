"""Settings of a profile: what one kind of receiver, such as an instrument cluster, wants to hear on its bus."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings, completes

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

Line = Annotated[str, Field(min_length=1)]


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
        dict[str, Line], Field(description="by pin or line of the receiver: what is connected there")
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

    custom: Annotated[
        dict[str, Any],
        Field(description="entries that the frames need, as the bench's `custom`, which takes them over likewise"),
    ] = {}

    @model_validator(mode="after")
    def _knows_its_own_frames(self) -> "ProfileSettings":
        for name in self.known:
            if not has_frame(self.bus, name):
                raise ConfigurationError("is no frame of the profile, nor a signal of one", ("known", name))
        return self

    @model_validator(mode="after")
    def _leaves_the_bench_its_own(self) -> "ProfileSettings":
        for key in _OF_THE_BENCH:
            if key in self.bus:
                raise ConfigurationError("is for the bench to say, not for a profile", ("bus", key))
        return self


def has_frame(bus: Any, name: str) -> bool:
    """Return whether the bus of a profile has a frame or a signal of this name, `FRAME` or `FRAME.SIGNAL`.

    A message of a database may have signals that the profile does not name.
    """
    frame, _, signal = name.partition(".")
    if not isinstance(bus, dict):
        return False
    for section in ("raw", "messages"):
        frames = bus.get(section)
        if isinstance(frames, dict) and isinstance(frames.get(frame), dict):
            signals = frames[frame].get("signals")
            return not signal or section == "messages" or (isinstance(signals, dict) and signal in signals)
    return False
