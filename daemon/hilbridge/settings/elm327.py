"""Settings of the ELM327 that scan tools connect to."""

from typing import Annotated, Final

from pydantic import Field, model_validator

from hilbridge.common.errors import ConfigurationError
from hilbridge.settings.common import Name, Settings, unit

ELM327_PORT: Final = 35_000
"""What Wi-Fi adapters listen on."""

BAUDRATE: Final = 38_400
"""[bit/s] of an ELM327 as it is delivered."""

Elm327Way = int | Annotated[str, Field(pattern=r"^(pty|/[^\x00]+)$")]
_LAST_PORT: Final = 65_535


class Elm327Settings(Settings):
    """An ELM327 between scan tools and a bus: python-OBD and apps connect to it as to an adapter."""

    bus: Annotated[Name, Field(description="one of 'buses'")]
    ways: Annotated[
        list[Elm327Way],
        Field(min_length=1, description="loopback TCP ports (0: any free one), pty, serial ports such as /dev/rfcomm0"),
    ] = [ELM327_PORT, "pty"]
    baudrate: Annotated[
        int, Field(gt=0, le=10_000_000, description="of serial ports", json_schema_extra=unit("bit/s"))
    ] = BAUDRATE
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
            if isinstance(way, int) and not 0 <= way <= _LAST_PORT:
                bound = "at least 0" if way < 0 else f"at most {_LAST_PORT}"
                raise ConfigurationError(f"must be {bound}, found {way}", ("ways",))
        return self
