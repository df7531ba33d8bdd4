"""The set-up of the XCP process: one argument of JSON, of which nothing is secret.

What it needs of the settings is in plain types: the process starts without the settings of all of hilbridge.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from hilbridge.base.common.addresses import LOOPBACK
from hilbridge.bench.xcp.parameter_map import ParameterMap, engine_values
from hilbridge.desk.a2l.interface import CanIdentifiers
from vehiclesim.entries import Entries, Entry
from vehiclesim.parameters import VehicleSettings

if TYPE_CHECKING:
    from hilbridge.files.settings import BenchSettings


class CanPlace(NamedTuple):
    """Where the slave is on CAN: an interface and channel of python-can, and the identifiers of both sides."""

    interface: str
    channel: str
    wire: CanIdentifiers


class Setup(NamedTuple):
    """The bench of a slave: its name, ticks per second, the control socket where it writes, and declared entries.

    The other fields are those of the section `xcp`.
    """

    bench: str
    rate: int
    transport: Literal["tcp", "udp", "can"]
    address: str
    masters: tuple[str, ...] = ()
    unlock: str | None = None
    control: str | None = None
    """Path; None: nothing may be written."""
    custom: tuple[Entry, ...] = ()
    pace: float = 1.0
    """Seconds of the run for each second of the wall clock."""
    can: CanPlace | None = None
    engine: Mapping[str, Any] = MappingProxyType({})
    """Parameters that may be calibrated, as the vehicle file has them (bench/xcp/parameter_map.py)."""

    @property
    def entries(self) -> Entries:
        """The entries of the data bus."""
        return Entries(self.custom)

    @property
    def parameters(self) -> ParameterMap | None:
        """The calibration segment, where there is one."""
        return ParameterMap(self.engine) if self.engine else None

    def encode(self) -> str:
        """Return it as JSON."""
        return json.dumps(self._asdict() | {"engine": dict(self.engine)})

    @classmethod
    def decode(cls, text: str) -> Self:
        """Return the inverse of `encode`."""
        fields: dict[str, Any] = json.loads(text)
        custom = tuple(_entry(*one) for one in fields["custom"])
        can = None
        if fields["can"] is not None:
            interface, channel, wire = fields["can"]
            can = CanPlace(interface, channel, CanIdentifiers(*wire))
        return cls(**fields | {"masters": tuple(fields["masters"]), "custom": custom, "can": can})


def setup_of(
    settings: "BenchSettings",
    vehicle: VehicleSettings,
    custom: tuple[Entry, ...],
    control: Path,
    pace: float = 1.0,
) -> Setup:
    """Return the set-up of the slave that a bench file asks for; `control`: the socket of its commands."""
    xcp = settings.xcp
    if xcp is None:
        raise ValueError("this bench has no slave")
    return Setup(
        settings.name,
        settings.rate,
        xcp.transport,
        xcp.address,
        tuple(xcp.masters),
        xcp.unlock,
        str(control) if xcp.write else None,
        custom,
        pace,
        _can_place(settings),
        engine_values(vehicle) if xcp.write else {},
    )


def _can_place(settings: "BenchSettings") -> CanPlace | None:
    """Return where the slave is on CAN, if it is; an embedded bus is reached as every SLCAN client does."""
    xcp = settings.xcp
    if xcp is None or xcp.bus is None:
        return None
    bus = settings.buses[xcp.bus]
    interface, channel = bus.interface, str(bus.channel)
    if bus.interface == "embedded":
        ways = [way for way in bus.slcan_ways if isinstance(way, int) and way]
        interface, channel = "slcan", f"socket://{LOOPBACK}:{ways[0]}"
    return CanPlace(interface, channel, CanIdentifiers(xcp.request or 0, xcp.answer or 0, xcp.extended, bus.bitrate))


def _entry(*fields: Any) -> Entry:
    entry = Entry(*fields)
    codes = tuple((number, name) for number, name in entry.codes)
    limits = None if entry.limits is None else (entry.limits[0], entry.limits[1])
    return entry._replace(codes=codes, limits=limits)
