"""The control units of a bench on its J1939 bus, built from the bench file."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import EXTENDED
from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.diagnostics.j1939.commands import Commands
from hilbridge.diagnostics.j1939.controls import Controls, Requests
from hilbridge.diagnostics.j1939.diagnostic_messages import Troubles
from hilbridge.diagnostics.j1939.identification import identification
from hilbridge.diagnostics.j1939.name import ENGINE, Name
from hilbridge.diagnostics.j1939.node import Identity, Node
from hilbridge.diagnostics.j1939.own_frames import OwnFrames
from hilbridge.plan.planned import PlannedFrame
from hilbridge.settings.buses import BusSettings
from hilbridge.settings.j1939 import J1939NodeSettings, J1939Settings
from vehiclesim.databus import DataBus

_PLACE: Final[KeyPath] = ("diagnostics", "j1939", "nodes")


class J1939Bus(NamedTuple):
    """A bus, what the bench file says about it, and the frames that the plan sends on all buses."""

    bus: Bus
    settings: BusSettings
    frames: Sequence[PlannedFrame]


class Network:
    """The control units by their name in the bus's database, and the commands that they take."""

    def __init__(
        self, settings: J1939Settings, place: J1939Bus, data: DataBus, troubles: Mapping[str, Troubles]
    ) -> None:
        """`troubles`: the codes of those control units that report some.

        ConfigurationError: a node without a source address, or two with the same.
        """
        self.controls: Controls | None = None
        self._bus: Final = place.bus
        self.nodes: Final = {
            name: Node(
                place.bus, data, _identity(name, settings, address), _own_frames(name, place), troubles.get(name)
            )
            for name, address in _addresses(settings, place.settings).items()
        }

    def take_commands(self, commands: Commands, requests: Requests) -> None:
        """From now on TSC1, ERC1 and EBC1 of others act on the vehicle."""
        self.controls = Controls(self._bus, list(self.nodes.values()), commands, requests)

    def serve(self, t: int) -> None:
        """Once a tick [ns]."""
        for node in self.nodes.values():
            node.serve(t)
        if self.controls is not None:
            self.controls.serve(t)


def _addresses(settings: J1939Settings, bus: BusSettings) -> dict[str, int]:
    """The preferred addresses of the nodes."""
    found: dict[str, int] = {}
    for name in settings.nodes:
        address = bus.source_address_of(name)
        if address is None:
            reason = f"{name} has no address: give one in buses.{settings.bus}.source_address"
            raise ConfigurationError(reason, (*_PLACE, name))
        if address in found.values():
            raise ConfigurationError(f"another node has the address {address} too", (*_PLACE, name))
        found[name] = address
    return found


def _own_frames(node: str, place: J1939Bus) -> OwnFrames:
    mine = [one for one in place.frames if one.bus is place.bus and one.outgoing.node == node]
    return OwnFrames([one for one in mine if one.can_id & EXTENDED])


def _identity(name: str, settings: J1939Settings, address: int) -> Identity:
    own = settings.nodes[name]
    vin = settings.vin if own.function == ENGINE else None
    return Identity(_name(own), address, identification(own, vin, name))


def _name(own: J1939NodeSettings) -> Name:
    return Name(
        own.arbitrary_address,
        own.industry_group,
        own.vehicle_system_instance,
        own.vehicle_system,
        own.function,
        own.function_instance,
        own.ecu_instance,
        own.manufacturer,
        own.identity,
    )
