"""Settings of the ELM327 that scan tools connect to."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.errors import ConfigurationError
from hilbridge.settings.common import Name, Settings, unit

ELM327_PORT: Final = 35_000
"""What Wi-Fi adapters listen on."""

Elm327Way = int | Literal["pty"]
_LAST_PORT: Final = 65_535


class Elm327Settings(Settings):
    """An ELM327 between scan tools and a bus: python-OBD and apps connect to it as to an adapter."""

    bus: Annotated[Name, Field(description="one of 'buses'")]
    ways: Annotated[
        list[Elm327Way], Field(min_length=1, description="loopback TCP ports (0: any free one), or pty")
    ] = [ELM327_PORT, "pty"]
    bitrate: Annotated[
        int,
        Field(
            gt=0,
            description="where the bus has none: decides which protocols work",
            json_schema_extra=unit("bit/s"),
        ),
    ] = 500_000

    @model_validator(mode="after")
    def _in_range(self) -> "Elm327Settings":
        for way in self.ways:
            if way != "pty" and not 0 <= way <= _LAST_PORT:
                bound = "at least 0" if way < 0 else f"at most {_LAST_PORT}"
                raise ConfigurationError(f"must be {bound}, found {way}", ("ways",))
        return self
