"""Settings of the cockpit."""

import ipaddress
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from hilbridge.common.errors import ConfigurationError
from hilbridge.settings.common import Settings, unit


def _is_address(text: str) -> str:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise ValueError(f"{text!r} is no IP address") from None
    return text


class CockpitSettings(Settings):
    """A page for browsers: the instruments, the driver's controls, frames, trouble codes. Loopback unless told."""

    enabled: Annotated[bool, Field(description="whether there is one")] = True
    address: Annotated[
        str, AfterValidator(_is_address), Field(description="IP address to listen at; all but loopback needs a token")
    ] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535, description="TCP port; 0: any that is free")] = 8090
    token: Annotated[
        str | None,
        Field(
            pattern=r"^[A-Za-z0-9._~-]{16,128}$",
            description="secret that opens the page: http://ADDRESS:PORT/?token=TOKEN",
        ),
    ] = None
    hosts: Annotated[
        list[Annotated[str, Field(pattern=r"^[a-z0-9.-]{1,253}$")]],
        Field(description="names, besides IP addresses, under which browsers reach a page that is not on loopback"),
    ] = []
    read_only: Annotated[bool, Field(description="the page shows and changes nothing")] = False
    rate: Annotated[
        int, Field(ge=1, le=60, description="updates per second of what moves", json_schema_extra=unit("Hz"))
    ] = 30

    @property
    def is_loopback(self) -> bool:
        """Only programs of this machine reach it."""
        return ipaddress.ip_address(self.address).is_loopback

    @model_validator(mode="after")
    def _needs_token(self) -> "CockpitSettings":
        if self.enabled and not self.is_loopback and self.token is None:
            raise ConfigurationError(f"a page at {self.address} needs a token of 16 characters or more", ("token",))
        return self
