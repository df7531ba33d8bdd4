"""Settings of the DoIP entity (ISO 13400-2): where testers reach the control units of a bench over TCP and UDP."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.addresses import LOOPBACK, is_loopback
from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.common import IpAddress, Name, Settings, UserFunction
from hilbridge.files.settings.units import AddressSettings, Vin

DISCOVERY_PORT: Final = 13_400
"""TCP_DATA and UDP_DISCOVERY of ISO 13400-2."""

TESTERS: Final = range(0x0E00, 0x1000)
"""Logical addresses of external test equipment (ISO 13400-2, table of logical addresses)."""

_OF_GROUPS: Final = (range(0xE400, 0xF000),)
_OF_UNITS: Final = (range(0x0001, 0x0E00), range(0x1000, 0x8000))

LogicalAddress = Annotated[int, Field(ge=0x0001, le=0xEFFF)]

SixBytes = Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{2}([ :-]?[0-9A-Fa-f]{2}){5}$")]

ActivationType = Annotated[str, Field(pattern=r"^[0-9A-F]{2}$")]


class RoutedSettings(Settings):
    """A control unit beyond a bus, to which the gateway carries requests by ISO-TP: a real one, for example."""

    logical_address: Annotated[LogicalAddress, Field(description="for testers: 0x0001-0x0DFF, 0x1000-0x7FFF")]
    bus: Annotated[Name, Field(description="one of 'buses'; while it is not armed the unit is unreachable (06)")]
    unit: Annotated[AddressSettings, Field(description="where it hears requests, and where it answers")]


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
        Field(description="logical address of each control unit that testers reach, by its name"),
    ] = {}
    routed: Annotated[
        dict[Name, RoutedSettings],
        Field(description="by a name of your choice: control units beyond a bus, asked one request at a time"),
    ] = {}
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

    @property
    def targets(self) -> dict[str, int]:
        """The logical addresses of all control units, by name."""
        return self.units | {name: one.logical_address for name, one in self.routed.items()}

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
        _require(self.logical_address, _OF_UNITS, ("logical_address",))
        if not self.targets:
            raise ConfigurationError("is missing: no tester would reach anything", ("units",))
        known: dict[int, str] = {}
        for name, address, kinds, place in self._named():
            _require(address, kinds, place)
            if address in known:
                raise ConfigurationError(f"is the address of {known[address]} too", place)
            known[address] = name
        for index, source in enumerate(self.testers):
            if source in known or source == self.logical_address:
                raise ConfigurationError(f"{source:#06x} is no tester's: a control unit has it", ("testers", index))

    def _named(self) -> Iterator[tuple[str, int, Sequence[range], KeyPath]]:
        """Yield the addresses of units and groups: name, address, where it may lie, and its key path."""
        for name, address in self.units.items():
            yield name, address, _OF_UNITS, ("units", name)
        for name, one in self.routed.items():
            if name in self.units:
                raise ConfigurationError("has the name of one of 'units'", ("routed", name))
            yield name, one.logical_address, _OF_UNITS, ("routed", name, "logical_address")
        for name, address in self.functional.items():
            yield name, address, _OF_GROUPS, ("functional", name)


def _require(address: int, kinds: Sequence[range], place: KeyPath) -> None:
    if not any(address in one for one in kinds):
        what = "a group (0xE400-0xEFFF)" if kinds is _OF_GROUPS else "a control unit (0x0001-0x0DFF, 0x1000-0x7FFF)"
        raise ConfigurationError(f"{address:#06x} is no address of {what}", place)
