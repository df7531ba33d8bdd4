"""The J1939 control units of a bench, built from the bench file: network nodes, their planned frames, identification.

    VI    65260  vehicle identification: VIN*
    SOFT  65242  software identification: number of fields, then each field and *
    CI    65259  component identification: make*model*serial number*unit number*
    ECUID 64965  part number*serial number*location*type*manufacturer*
    DM19  54016  calibrations: for each its verification number (4 bytes, lowest first) and its id (16 bytes)
    DM56  64711  certification: model year, E-MY for that of an engine, family*

A control unit sends these parameter groups on request (SAE J1939-71). Text fields end with `*`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.diagnostics.j1939.address_claim import ENGINE, Name
from hilbridge.bench.diagnostics.j1939.command_arbiter import CommandArbiter, RequestEntries
from hilbridge.bench.diagnostics.j1939.commands import CommandDecoder
from hilbridge.bench.diagnostics.j1939.controller_application import ControllerApplication, Identity
from hilbridge.bench.diagnostics.j1939.diagnostic_messages import TroubleSource
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.files.settings.buses import BusSettings
from hilbridge.files.settings.diagnostics import J1939NodeSettings, J1939Settings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED
from hilbridge.frames.codec.pgn import split
from hilbridge.frames.plan.carrier import Carrier
from hilbridge.frames.plan.planned import PlannedFrame
from vehiclesim.databus import DataBus

VI: Final = 0xFEEC
SOFT: Final = 0xFEDA
CI: Final = 0xFEEB
ECUID: Final = 0xFDC5
DM19: Final = 0xD300
DM56: Final = 0xFCC7

_CALIBRATION_ID: Final = 16
"""[byte]"""

_MAKE: Final = "HILBR"
"""Make, five characters like the VMRS codes of manufacturers."""


def identification(settings: J1939NodeSettings, vin: str | None, model: str) -> Mapping[int, Callable[[], bytes]]:
    """Return the identification payloads by PGN; `model` is the name of the control unit."""
    payloads = {
        SOFT: bytes((len(settings.software),)) + _fields(*settings.software),
        CI: _fields(_MAKE, model, str(settings.identity), ""),
        ECUID: _fields(settings.part_number or model, str(settings.identity), "", model, "hilbridge"),
    }
    if settings.calibrations:
        payloads[DM19] = b"".join(
            one.cvn.to_bytes(4, "little") + one.id.encode("ascii").ljust(_CALIBRATION_ID, b"\0")
            for one in settings.calibrations
        )
    if vin is not None:
        payloads[VI] = _fields(vin)
    if settings.certification is not None:
        payloads[DM56] = f"{settings.certification.year}E-MY{settings.certification.family}*".encode("ascii")
    return {pgn: partial(bytes, payload) for pgn, payload in payloads.items()}


def _fields(*texts: str) -> bytes:
    return "".join(f"{text}*" for text in texts).encode("ascii")


STOPPED: Final = "DM13 of a tool"
"""The reason that silences the frames of a node while its broadcasts are stopped."""


class OwnFrames:
    """The planned J1939 frames of one node of the database."""

    def __init__(self, frames: Sequence[PlannedFrame]) -> None:
        self._frames: Final = tuple(frames)
        self._by_pgn: Final = {split(frame.can_id).pgn: frame for frame in frames}

    def set_carrier(self, carrier: Carrier) -> None:
        """Send messages that no frame holds by the connections of the control unit."""
        for frame in self._frames:
            if frame.is_long:
                frame.carrier = carrier

    def set_stopped(self, stopped: bool) -> None:
        """Send no frames but on request, or send them again (DM13)."""
        for frame in self._frames:
            if stopped:
                frame.silenced.add(STOPPED)
            else:
                frame.silenced.discard(STOPPED)

    def set_source_address(self, address: int | None) -> None:
        """Send the frames with this source address from now on; None: do not send them."""
        for frame in self._frames:
            frame.set_address(address)

    def send(self, pgn: int, t: int) -> bool:
        """Send the frame of a group at once; return False if there is none, or if it is not sent at present."""
        frame = self._by_pgn.get(pgn)
        if frame is None:
            return False
        stopped = STOPPED in frame.silenced
        frame.silenced.discard(STOPPED)
        sent = frame.send_on_request(t)
        if stopped:
            frame.silenced.add(STOPPED)
        return sent


_PLACE: Final[KeyPath] = ("diagnostics", "j1939", "nodes")


class Network:
    """The control units of the bench on a J1939 bus, by their name in its database, and the commands to them."""

    def __init__(
        self,
        settings: J1939Settings,
        *,
        bus: Bus,
        bus_settings: BusSettings,
        frames: Sequence[PlannedFrame],
        data: DataBus,
        troubles: Mapping[str, TroubleSource],
        reports: Mapping[str, Mapping[int, Callable[[], bytes]]],
        nvrams: Mapping[str, Nvram],
    ) -> None:
        """Build the control units. `frames` are those of the plan, `troubles` the codes of units that have some.

        `reports`: what they tell on request besides, by PGN; `nvrams`: what the clearing of their codes waits for.

        ConfigurationError: a node without a source address, or two with the same.
        """
        self._arbiter: CommandArbiter | None = None
        self._bus: Final = bus
        self.nodes: Final = {
            name: ControllerApplication(
                bus,
                data,
                _identity(name, settings, address, reports.get(name, {})),
                _own_frames(name, bus, frames),
                troubles.get(name),
                nvrams.get(name),
            )
            for name, address in _addresses(settings, bus_settings).items()
        }

    def take_commands(self, commands: CommandDecoder, requests: RequestEntries) -> None:
        """Let TSC1, ERC1 and EBC1 of other control units act on the vehicle."""
        self._arbiter = CommandArbiter(self._bus, list(self.nodes.values()), commands, requests)

    def serve(self, t: int) -> None:
        """Serve all control units at time `t` [ns]; called once a tick."""
        for node in self.nodes.values():
            node.serve(t)
        if self._arbiter is not None:
            self._arbiter.serve(t)


def _addresses(settings: J1939Settings, bus: BusSettings) -> dict[str, int]:
    """Return the preferred addresses of the nodes."""
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


def _own_frames(node: str, bus: Bus, frames: Sequence[PlannedFrame]) -> OwnFrames:
    mine = [one for one in frames if one.bus is bus and one.outgoing.node == node]
    return OwnFrames([one for one in mine if one.can_id & EXTENDED])


def _identity(name: str, settings: J1939Settings, address: int, reports: Mapping[int, Callable[[], bytes]]) -> Identity:
    own = settings.nodes[name]
    vin = settings.vin if own.function == ENGINE else None
    return Identity(_name(own), address, {**reports, **identification(own, vin, name)})


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
