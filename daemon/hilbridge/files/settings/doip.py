"""Settings of the DoIP entity (ISO 13400-2): where testers reach the control units of a bench over TCP and UDP."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.addresses import LOOPBACK, is_loopback
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import IpAddress, Name, Settings, UserFunction
from hilbridge.files.settings.units import Vin

DISCOVERY_PORT: Final = 13_400
"""TCP_DATA and UDP_DISCOVERY of ISO 13400-2."""

TESTERS: Final = range(0x0E00, 0x1000)
"""Logical addresses of external test equipment (ISO 13400-2, table of logical addresses)."""

_GROUPS: Final = range(0xE400, 0xF000)
_OF_UNITS: Final = (range(0x0001, 0x0E00), range(0x1000, 0x8000))

LogicalAddress = Annotated[int, Field(ge=0x0001, le=0xEFFF)]

SixBytes = Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{2}([ :-]?[0-9A-Fa-f]{2}){5}$")]

ActivationType = Annotated[str, Field(pattern=r"^[0-9A-F]{2}$")]


class DoipSettings(Settings):
    """A DoIP gateway (ISO 13400-2) before control units of 'diagnostics.units'. By default on loopback.

    There is no encryption and no password: testers on other machines are known by their IP addresses alone.
    """

    address: Annotated[
        IpAddress, Field(description="IP address to listen at; all but loopback needs 'senders'; 0.0.0.0: all of them")
    ] = LOOPBACK
    port: Annotated[int, Field(ge=0, le=65_535, description="of TCP and of UDP; 0: any free one")] = DISCOVERY_PORT
    senders: Annotated[
        list[IpAddress], Field(max_length=64, description="IP addresses of testers; all others are turned away")
    ] = []
    announce: Annotated[
        IpAddress | None,
        Field(
            description="IP address to which the vehicle announces itself three times at the start of the run, e.g. "
            "255.255.255.255; null: it does not"
        ),
    ] = LOOPBACK
    announce_port: Annotated[int, Field(ge=1, le=65_535, description="UDP port to which it does")] = DISCOVERY_PORT
    logical_address: Annotated[LogicalAddress, Field(description="of the gateway: 0x0001-0x0DFF, 0x1000-0x7FFF")]
    units: Annotated[
        dict[Name, LogicalAddress],
        Field(min_length=1, description="logical address of each control unit that testers reach, by its name"),
    ]
    functional: Annotated[
        dict[Name, LogicalAddress],
        Field(
            description="by a name of your choice: logical addresses of groups (0xE400-0xEFFF); requests to them reach "
            "all 'units' as functional ones"
        ),
    ] = {"all": 0xE400}
    vin: Annotated[Vin | None, Field(description="default: that of the first of 'units' that has one")] = None
    eid: Annotated[
        SixBytes | None,
        Field(description="entity identification, as a MAC address; default: 02:00:00:00 and the logical address"),
    ] = None
    gid: Annotated[SixBytes | None, Field(description="group identification; default: the 'eid'")] = None
    versions: Annotated[
        list[Literal[1, 2, 3, 4]],
        Field(
            min_length=1,
            description="protocol versions that are understood: 2 is ISO 13400-2:2012, 3 the edition of 2019, 4 its "
            "amendment; answers have that of their request, announcements the first one",
        ),
    ] = [2, 3]
    testers: Annotated[
        list[LogicalAddress],
        Field(description="source addresses that are let in; default: 0x0E00-0x0FFF, those of external test equipment"),
    ] = []
    activation: Annotated[
        dict[ActivationType, Literal["open", "authenticated"]],
        Field(
            min_length=1,
            description='types of routing activation, in hexadecimal ("E1" is central security), each open or '
            "authenticated by the function 'authentication'; all others are denied",
        ),
    ] = {"00": "open", "01": "open"}
    authentication: Annotated[
        UserFunction | None,
        Field(
            description="FILE.py:FUNCTION beside the bench file, or MODULE:FUNCTION, called with (source, type, data): "
            "the tester's address, the type and the four bytes of its maker, or none. True activates the routing; "
            "whatever else it returns or raises denies it"
        ),
    ] = None
    sockets: Annotated[
        int, Field(ge=1, le=50, description="TCP connections with activated routing at a time, of all testers")
    ] = 8

    def is_tester(self, source: int) -> bool:
        """Return whether a source address is let in."""
        return source in self.testers if self.testers else source in TESTERS

    @model_validator(mode="after")
    def _consistent(self) -> "DoipSettings":
        if not is_loopback(self.address) and not self.senders:
            raise ConfigurationError(f"is missing: who may come to {self.address}?", ("senders",))
        if self.announce is not None and not is_loopback(self.announce) and is_loopback(self.address):
            raise ConfigurationError("cannot be reached from 'address', which is loopback", ("announce",))
        asked = None if "announce" not in self.model_fields_set else self.announce
        if asked is not None and (":" in asked) != (":" in self.address):
            raise ConfigurationError("is not of the IP version of 'address'", ("announce",))
        if "authenticated" in self.activation.values() and self.authentication is None:
            raise ConfigurationError("is missing: a type of 'activation' needs it", ("authentication",))
        self._require_addresses()
        return self

    def _require_addresses(self) -> None:
        """Refuse logical addresses that are not of their kind, or that two have."""
        if not any(self.logical_address in one for one in _OF_UNITS):
            raise ConfigurationError(_not_of_unit(self.logical_address), ("logical_address",))
        known: dict[int, str] = {}
        for name, address in self.units.items():
            if not any(address in one for one in _OF_UNITS):
                raise ConfigurationError(_not_of_unit(address), ("units", name))
            if address in known:
                raise ConfigurationError(f"is the address of {known[address]} too", ("units", name))
            known[address] = name
        groups: dict[int, str] = {}
        for name, address in self.functional.items():
            if address not in _GROUPS:
                raise ConfigurationError(
                    f"{address:#06x} is no address of a group (0xE400-0xEFFF)", ("functional", name)
                )
            if address in groups:
                raise ConfigurationError(f"is the address of {groups[address]} too", ("functional", name))
            groups[address] = name
        for index, source in enumerate(self.testers):
            if source in known or source == self.logical_address:
                raise ConfigurationError(f"{source:#06x} is no tester's: a control unit has it", ("testers", index))


def _not_of_unit(address: int) -> str:
    return f"{address:#06x} is no address of a control unit (0x0001-0x0DFF, 0x1000-0x7FFF)"
