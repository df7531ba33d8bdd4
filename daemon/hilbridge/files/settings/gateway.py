"""Settings of the gateway: named routes, each of which carries frames from one bus to another."""

from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.files.settings.common import Milliseconds, Name, Settings, unit
from hilbridge.files.settings.identifiers import HIGHEST, IdentifierRange

ALL: Final = "all"


class MaskedIdentifier(NamedTuple):
    """The identifiers that equal `value` in the bits of `mask`: `0x120/0x7F0`."""

    value: int
    mask: int

    def __contains__(self, identifier: object) -> bool:
        return isinstance(identifier, int) and identifier & self.mask == self.value & self.mask

    def __str__(self) -> str:
        return f"0x{self.value:X}/0x{self.mask:X}"


Choice: TypeAlias = IdentifierRange | MaskedIdentifier | str
"""Frames by their identifiers (a number up to 0x7FF stands for 11 bits and for 29), or a message by its name."""


class RouteSettings(Settings):
    """A route. What the bench itself sends on the other bus is not carried there, and no frame is carried twice.

    Of several routes between the same two buses, the first that chooses a frame takes it.
    """

    source: Annotated[Name, Field(alias="from", description="one of 'buses': frames on it are carried")]
    target: Annotated[Name, Field(alias="to", description="one of 'buses': there they go")]
    frames: Annotated[
        Literal["all"] | list[int | str],
        Field(
            description="identifiers (0x100), ranges (0x100-0x1FF), masks (0x120/0x7F0), messages or raw frames of the"
            " bus by name; or all"
        ),
    ] = []
    units: Annotated[
        list[Name],
        Field(
            description="in place of 'frames': control units of the bench on the bus 'to', by their names in"
            " 'diagnostics.units'; requests to them go there, functional ones too, and their answers come back"
        ),
    ] = []
    exclude: Annotated[list[IdentifierRange], Field(description="identifiers that the route leaves alone")] = []
    identifier: Annotated[
        int | None,
        Field(
            alias="as",
            ge=0,
            le=HIGHEST,
            description="identifier on the other bus, of the one item of 'frames': of its first one if that is a range",
        ),
    ] = None
    period: Annotated[
        Milliseconds | None,
        Field(
            description="least time between two frames of an identifier: of those that come sooner the newest waits,"
            " the others are left out",
            json_schema_extra=unit("ms"),
        ),
    ] = None
    delay: Annotated[
        Milliseconds | None,
        Field(description="from one bus to the other, default: one tick", json_schema_extra=unit("ms")),
    ] = None

    @property
    def choices(self) -> list[Choice]:
        """The items of `frames`, read. ConfigurationError, with the key: one is neither identifiers nor a name."""
        return [] if self.frames == ALL else [_choice(one, index) for index, one in enumerate(self.frames)]

    @model_validator(mode="after")
    def _consistent(self) -> "RouteSettings":
        choices = self.choices
        if self.units:
            if "frames" in self.model_fields_set:
                raise ConfigurationError("does not go with 'units'", ("frames",))
            for key in ("identifier", "period"):
                if getattr(self, key) is not None:
                    raise ConfigurationError("does not go with 'units'", ("as" if key == "identifier" else key,))
        elif self.frames != ALL and not choices:
            raise ConfigurationError("is missing: which frames does the route carry?", ("frames",))
        if self.source == self.target:
            raise ConfigurationError("a route leads to another bus than it comes from", ("to",))
        if self.identifier is not None and (len(choices) != 1 or isinstance(choices[0], MaskedIdentifier)):
            raise ConfigurationError("needs 'frames' of one item: an identifier, a range or a message", ("as",))
        return self


def _choice(item: int | str, index: int) -> Choice:
    if isinstance(item, str) and not item[:1].isdigit():
        return item
    value, slash, mask = str(item).partition("/")
    try:
        if slash:
            return MaskedIdentifier(int(value, 0), int(mask, 0))
        return IdentifierRange.model_validate(item)
    except ValueError:
        reason = f"{quoted(str(item))} is no identifier, range such as 0x100-0x1FF, mask such as 0x120/0x7F0 or message"
        raise ConfigurationError(reason, ("frames", index)) from None
