"""Settings of the XCP slave (ASAM MCD-1 XCP): where measurement and calibration tools reach the data bus of a bench."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.addresses import LOOPBACK, is_loopback
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import IpAddress, Name, Settings, UserFunction

XCP_PORT: Final = 5555
"""The port that XCP on Ethernet uses in the examples of the standard; none is assigned."""


_ON_CAN: Final = ("bus", "request", "answer")
_STANDARD: Final = 0x7FF


class XcpSettings(Settings):
    """An XCP slave on Ethernet or CAN for one master at a time. By default on loopback, and read-only.

    XCP has no encryption: masters on other machines are known by their IP addresses, and by `unlock` alone; on CAN any
    node may be the master.
    """

    address: Annotated[
        IpAddress, Field(description="IP address to listen at; all but loopback needs 'masters'; 0.0.0.0: all of them")
    ] = LOOPBACK
    port: Annotated[int, Field(ge=0, le=65_535, description="of TCP or UDP; 0: any free one")] = XCP_PORT
    transport: Annotated[
        Literal["tcp", "udp", "can"], Field(description="transport layer: of XCP on Ethernet, or XCP on CAN")
    ] = "tcp"
    bus: Annotated[
        Name | None,
        Field(
            description="name of the bus of XCP on CAN: socketcan, or embedded with a port for SLCAN; the slave is a "
            "node of its own there, silent while the bus is not armed"
        ),
    ] = None
    request: Annotated[
        int | None, Field(ge=0, le=0x1FFFFFFF, description="identifier of the master's frames on CAN")
    ] = None
    answer: Annotated[int | None, Field(ge=0, le=0x1FFFFFFF, description="identifier of the slave's frames on CAN")] = (
        None
    )
    extended: Annotated[bool, Field(description="both identifiers have 29 bits")] = False
    masters: Annotated[
        list[IpAddress], Field(max_length=64, description="IP addresses of masters; all others are turned away")
    ] = []
    write: Annotated[
        bool,
        Field(
            description="a master may change what `hilbridge ctl set` may, by writing or by STIM lists: values are "
            "held while it is connected; and the parameters of the engine, by pages; all of it is recorded as inputs"
        ),
    ] = False
    unlock: Annotated[
        UserFunction | None,
        Field(
            description="FILE.py:FUNCTION beside the bench file, or MODULE:FUNCTION, called with (resource, seed): 1 "
            "is writing (CAL/PAG), 4 DAQ lists, 8 STIM; the 16 bytes that the master got. It returns the key as bytes; "
            "until a master has sent it, the resource is locked, and a function that fails unlocks nothing"
        ),
    ] = None

    @property
    def is_loopback(self) -> bool:
        """Only programs of this machine reach it."""
        return is_loopback(self.address)

    @model_validator(mode="after")
    def _consistent(self) -> "XcpSettings":
        if self.transport == "can":
            self._require_can()
            return self
        for key in _ON_CAN:
            if getattr(self, key) is not None:
                raise ConfigurationError("belongs to XCP on CAN", (key,))
        if not self.is_loopback and not self.masters:
            raise ConfigurationError(f"is missing: who may come to {self.address}?", ("masters",))
        if not self.is_loopback and self.write and self.unlock is None:
            raise ConfigurationError(f"is missing: who writes at {self.address} needs a key", ("unlock",))
        return self

    def _require_can(self) -> None:
        for key in _ON_CAN:
            if getattr(self, key) is None:
                raise ConfigurationError("is missing for XCP on CAN", (key,))
        for key in ("address", "port", "masters"):
            if key in self.model_fields_set:
                raise ConfigurationError("belongs to XCP on Ethernet", (key,))
        if self.request == self.answer:
            raise ConfigurationError("is that of the master", ("answer",))
        for key in ("request", "answer"):
            if not self.extended and getattr(self, key) > _STANDARD:
                raise ConfigurationError("has more than 11 bits: 'extended' is missing", (key,))
