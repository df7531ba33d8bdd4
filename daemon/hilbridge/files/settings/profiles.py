"""Settings of a profile: what one kind of receiver, such as an instrument cluster, wants to hear on its bus."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings, completes

Confidence = Literal["A", "B", "C"]

CONFIDENCE: Final[dict[Confidence, str]] = {
    "A": "independent sources agree, and a bench or car has shown it",
    "B": "one good source, or several of one family",
    "C": "one source, partly guessed: verify on your unit",
}

_OF_THE_BENCH: Final = ("interface", "channel", "slcan", "socketcand", "options", "armed", "odometer", "profile")
"""Keys of a bus that say how it is reached and what its owner consents to."""

Line = Annotated[str, Field(min_length=1)]


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
    sources: Annotated[list[Line], Field(min_length=1, description="where the facts were published")]
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
    def _leaves_the_bench_its_own(self) -> "ProfileSettings":
        for key in _OF_THE_BENCH:
            if key in self.bus:
                raise ConfigurationError("is for the bench to say, not for a profile", ("bus", key))
        return self
