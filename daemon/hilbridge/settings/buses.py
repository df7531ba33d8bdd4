"""Settings of CAN buses."""

from typing import Annotated

from pydantic import Field, model_validator

from hilbridge.errors import ConfigurationError
from hilbridge.settings.common import Settings, unit
from hilbridge.settings.frames import MessageMap


class BusSettings(Settings):
    """One CAN bus: how it is reached, and which messages of which database are sent on it."""

    interface: Annotated[
        str, Field(description="embedded, socketcan, or any interface name of python-can", pattern=r"^[a-z0-9_-]+$")
    ]
    channel: Annotated[str | int | None, Field(description="e.g. vcan0; not for embedded")] = None
    bitrate: Annotated[
        int | None, Field(gt=0, description="for interfaces that set it", json_schema_extra=unit("bit/s"))
    ] = None
    fd: Annotated[bool, Field(description="CAN FD frames may be sent and received")] = False
    options: Annotated[
        dict[str, str | int | float | bool], Field(description="further parameters, handed to python-can as they are")
    ] = {}
    slcan: Annotated[
        int | None, Field(ge=0, le=65535, description="embedded only: loopback TCP port for SLCAN clients (0: any)")
    ] = None
    database: Annotated[str | None, Field(description="file in dbc/, or a path (DBC, KCD, ARXML, SYM)")] = None
    transmit: Annotated[list[str], Field(description="nodes of the database whose messages are sent")] = []
    messages: Annotated[
        dict[str, MessageMap], Field(description="by message name: what differs from the database")
    ] = {}

    @model_validator(mode="after")
    def _consistent(self) -> "BusSettings":
        if self.interface == "embedded":
            for key in ("channel", "bitrate", "options"):
                if getattr(self, key) not in (None, {}):
                    raise ConfigurationError(f"an embedded bus has no {key}", (key,))
        else:
            if self.slcan is not None:
                raise ConfigurationError("only an embedded bus has an SLCAN port", ("slcan",))
            if self.channel is None:
                raise ConfigurationError(f"interface {self.interface} needs a channel, e.g. can0", ("channel",))
        if self.database is None:
            for key in ("transmit", "messages"):
                if getattr(self, key):
                    raise ConfigurationError("needs a 'database' that describes the messages", (key,))
        return self
