"""Settings of the XCP slave (ASAM MCD-1 XCP): where measurement and calibration tools reach the data bus of a bench."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.addresses import LOOPBACK, is_loopback
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import IpAddress, Settings, UserFunction

XCP_PORT: Final = 5555
"""The port that XCP on Ethernet uses in the examples of the standard; none is assigned."""


class XcpSettings(Settings):
    """An XCP slave on Ethernet for one master at a time. By default on loopback, and read-only.

    XCP has no encryption: masters on other machines are known by their IP addresses, and by `unlock` alone.
    """

    address: Annotated[
        IpAddress, Field(description="IP address to listen at; all but loopback needs 'masters'; 0.0.0.0: all of them")
    ] = LOOPBACK
    port: Annotated[int, Field(ge=0, le=65_535, description="of TCP or UDP; 0: any free one")] = XCP_PORT
    transport: Annotated[Literal["tcp", "udp"], Field(description="transport layer of XCP on Ethernet")] = "tcp"
    masters: Annotated[
        list[IpAddress], Field(max_length=64, description="IP addresses of masters; all others are turned away")
    ] = []
    write: Annotated[
        bool,
        Field(
            description="a master may change what `hilbridge ctl set` may: values are held while it is connected, and "
            "recorded as inputs"
        ),
    ] = False
    unlock: Annotated[
        UserFunction | None,
        Field(
            description="FILE.py:FUNCTION beside the bench file, or MODULE:FUNCTION, called with (resource, seed): 1 "
            "is writing (CAL/PAG), 4 DAQ lists; the 16 bytes that the master got. It returns the key as bytes; until "
            "a master has sent it, the resource is locked, and a function that fails unlocks nothing"
        ),
    ] = None

    @property
    def is_loopback(self) -> bool:
        """Only programs of this machine reach it."""
        return is_loopback(self.address)

    @model_validator(mode="after")
    def _consistent(self) -> "XcpSettings":
        if not self.is_loopback and not self.masters:
            raise ConfigurationError(f"is missing: who may come to {self.address}?", ("masters",))
        if not self.is_loopback and self.write and self.unlock is None:
            raise ConfigurationError(f"is missing: who writes at {self.address} needs a key", ("unlock",))
        return self
