"""Building the effects of faults from their settings: finds the frame, signal, bus or entry that a fault names.

ConfigurationError, with the key: it does not exist, or this kind of fault does not apply to it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.isotp.server import IsoTpServer
from hilbridge.bench.faults.disturbance import DelayLine, FrameTarget, Sender
from hilbridge.bench.faults.fault import Effect, HitSelector
from hilbridge.bench.faults.faulty_unit import FaultyUnit
from hilbridge.bench.faults.frame_effects import (
    Corrupt,
    Delay,
    Drop,
    Duplicate,
    WrongLength,
    WrongProtection,
    WrongSignal,
)
from hilbridge.bench.faults.outages import EntryFault, EntryFaults, LinkCut, NodeSilence
from hilbridge.bench.faults.sensor_effects import SensorEffect, circuit_of, reading_of
from hilbridge.bench.faults.unit_effect import UnitEffect
from hilbridge.bench.inputs.overrides import Overrides, holdable
from hilbridge.files.settings.diagnostic_faults import DiagnosticsFault
from hilbridge.files.settings.faults import (
    EcuFault,
    FaultSettings,
    FrameFault,
    LinkFault,
    PhysicsFault,
    RouteFault,
    SensorFault,
    SignalFault,
)
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import Database, unknown
from hilbridge.frames.codec.frame import EXTENDED_MASK, FD
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.protection.protector import Group
from vehiclesim.channels import FAULT
from vehiclesim.entries import ENTRIES
from vehiclesim.sensors import SENSORS, Sensors

_CUTS: Final = {"down": "unplugged", "bus-off": "bus-off"}


@dataclass(frozen=True, slots=True)
class FaultTargets:
    """The parts of a bench that faults act on: planned frames, routes, buses with their databases, overrides.

    `overrides`, of data bus entries, is used by faults only. `ecus`: the names of the diagnostic control units; those
    in `silent_ecus` answer no requests. `units`: those that testers reach, with the servers that hear their requests.
    `routes` are those of the gateway, by name. `fd`: the buses that carry CAN FD.
    `sensors`: those of the vehicle.
    """

    frames: Sequence[PlannedFrame]
    buses: Mapping[str, Bus]
    databases: Mapping[str, Database]
    overrides: Overrides
    ecus: Collection[str] = ()
    units: Mapping[str, tuple[Ecu, IsoTpServer]] = field(default_factory=dict)
    silent_ecus: list[str] = field(default_factory=list)
    routes: Mapping[str, Sender] = field(default_factory=dict)
    fd: Collection[str] = ()
    sensors: Sensors | None = None


class EffectBuilder:
    """Builds effects on the parts of one bench."""

    def __init__(self, parts: FaultTargets, line: DelayLine) -> None:
        """`line` keeps delayed frames."""
        self._parts: Final = parts
        self._conditions: Final = EntryFaults(parts.overrides)
        self._line: Final = line
        self._units: Final[dict[str, FaultyUnit]] = {}

    def make(self, number: int, settings: FaultSettings, selector: HitSelector, place: KeyPath) -> Effect:
        """Build the effect of fault `number`; `place` is the key path of its settings."""
        match settings:
            case SignalFault():
                return self._signal(settings, selector, place)
            case FrameFault():
                return self._frame_fault(settings, selector, place)
            case RouteFault():
                return self._route_fault(settings, selector, place)
            case EcuFault():
                return self._ecu(settings, place)
            case LinkFault():
                return LinkCut(self._bus(settings.bus, place), f"{_CUTS[settings.effect]} by fault {number}")
            case PhysicsFault():
                return self._physics(settings, place)
            case SensorFault():
                return self._sensor(settings, selector, place)
            case DiagnosticsFault():
                return self._diagnostics(settings, selector, place)

    def _signal(self, settings: SignalFault, selector: HitSelector, place: KeyPath) -> Effect:
        frame = self._frame(settings, place)
        codec, protector = frame.outgoing.codec, frame.outgoing.protector
        if codec is None:
            raise ConfigurationError(f"{frame.outgoing.message} has no signals", (*place, "message"))
        if settings.signal not in codec.signals:
            raise unknown(f"signal of {codec.name}", settings.signal, codec.signals, (*place, "signal"))
        if protector is not None and settings.signal in protector.signals:
            reason = f"{settings.signal} is filled by the message's protection: use 'kind: frame' with its effects"
            raise ConfigurationError(reason, (*place, "signal"))
        return WrongSignal(settings, codec, FrameTarget(frame, selector, self._line))

    def _frame_fault(self, settings: FrameFault, selector: HitSelector, place: KeyPath) -> Effect:
        frame = self._frame(settings, place)
        target = FrameTarget(frame, selector, self._line)
        if settings.length is not None:
            if settings.length == frame.outgoing.length:
                raise ConfigurationError("that is the right length", (*place, "length"))
            if settings.length > CLASSIC_LENGTH and not frame.flags & FD:
                raise ConfigurationError(f"a classic frame has {CLASSIC_LENGTH} bytes at most", (*place, "length"))
        if settings.effect in ("counter", "checksum"):
            return WrongProtection(settings, _group(frame, settings, place), target)
        return _on_the_way(settings, target)

    def _route_fault(self, settings: RouteFault, selector: HitSelector, place: KeyPath) -> Effect:
        routes = self._parts.routes
        if settings.route not in routes:
            raise unknown("route", settings.route, routes, (*place, "route"))
        if settings.length is not None and settings.length > CLASSIC_LENGTH:
            raise ConfigurationError(f"a route's frames are cut to {CLASSIC_LENGTH} bytes or less", (*place, "length"))
        return _on_the_way(settings, FrameTarget(routes[settings.route], selector, self._line))

    def _ecu(self, settings: EcuFault, place: KeyPath) -> Effect:
        if settings.ecu is not None and settings.ecu not in self._parts.ecus:
            raise unknown("diagnostic control unit", settings.ecu, self._parts.ecus, (*place, "ecu"))
        frames: list[PlannedFrame] = []
        if settings.bus is not None and settings.node is not None:
            sent = {one.name for one in self._database(settings.bus, place).sent_by(settings.node, (*place, "node"))}
            frames = [one for one in self._of_bus(settings.bus) if one.outgoing.message in sent]
            if not frames:
                raise ConfigurationError(f"the bench sends nothing for node {settings.node}", (*place, "node"))
        return NodeSilence(frames, settings.ecu, self._parts.silent_ecus)

    def _diagnostics(self, settings: DiagnosticsFault, selector: HitSelector, place: KeyPath) -> Effect:
        name, known = settings.unit, self._parts.units
        if name not in known:
            raise unknown("control unit that testers reach", name, known, (*place, "unit"))
        if settings.effect == "lost-session" and known[name][0].uds is None:
            raise ConfigurationError(f"{name} has no sessions, for it has no UDS", (*place, "effect"))
        needs_fd = settings.length is not None and settings.length > CLASSIC_LENGTH
        if needs_fd and known[name][0].bus not in self._parts.fd:
            raise ConfigurationError(f"a classic frame has {CLASSIC_LENGTH} bytes at most", (*place, "length"))
        if name not in self._units:
            self._units[name] = FaultyUnit(*known[name])
        return UnitEffect(settings, selector, self._units[name])

    def _physics(self, settings: PhysicsFault, place: KeyPath) -> Effect:
        entry = settings.entry if "." in settings.entry else f"fault.{settings.entry}"
        known = [one.path for one in ENTRIES[FAULT]]
        if entry not in known:
            raise unknown("entry of the Fault channel", settings.entry, known, (*place, "entry"))
        try:
            holdable(entry, settings.value)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, (*place, "value")) from None
        return EntryFault(entry, settings.value, self._conditions)

    def _sensor(self, settings: SensorFault, selector: HitSelector, place: KeyPath) -> Effect:
        named = [path for path in SENSORS if settings.entry in (path, path.partition(".")[2])]
        if not named:
            raise unknown("sensor", settings.entry, SENSORS, (*place, "entry"))
        sensor, sensors = SENSORS[named[0]], self._parts.sensors
        if sensors is None:
            raise ConfigurationError("the bench has no vehicle with sensors", (*place, "entry"))
        if settings.value is None and settings.effect != "stuck" and settings.effect not in circuit_of(sensor):
            raise ConfigurationError(f"its circuit has no such fault: {sensor.kind}", (*place, "effect"))
        return SensorEffect(reading_of(settings, sensor, selector.random), sensor, sensors)

    def _bus(self, name: str, place: KeyPath) -> Bus:
        if name not in self._parts.buses:
            raise unknown("bus", name, self._parts.buses, (*place, "bus"))
        return self._parts.buses[name]

    def _database(self, bus: str, place: KeyPath) -> Database:
        self._bus(bus, place)
        if bus not in self._parts.databases:
            raise ConfigurationError(f"bus {bus!r} has no database with nodes", (*place, "bus"))
        return self._parts.databases[bus]

    def _of_bus(self, name: str) -> list[PlannedFrame]:
        return [frame for frame in self._parts.frames if frame.bus.name == name]

    def _frame(self, settings: SignalFault | FrameFault, place: KeyPath) -> PlannedFrame:
        """Return the frame of a message or identifier; of two frames with this identifier the one with 11 bits."""
        self._bus(settings.bus, place)
        wanted, frames = settings.message, self._of_bus(settings.bus)
        for frame in frames:
            if wanted in (frame.outgoing.message, frame.outgoing.can_id & EXTENDED_MASK):
                return frame
        here = (*place, "message")
        if isinstance(wanted, int):
            raise ConfigurationError(f"the bench sends no frame 0x{wanted:X} on bus {settings.bus}", here)
        raise unknown("message that the bench sends", wanted, [one.outgoing.message for one in frames], here)


def _on_the_way(settings: FrameFault | RouteFault, target: FrameTarget) -> Effect:
    """Return the effect on frames as a whole."""
    if settings.effect == "drop":
        return Drop(target)
    if settings.effect == "duplicate":
        return Duplicate(target)
    if settings.effect == "corrupt":
        return Corrupt(target)
    if settings.delay is not None:
        return Delay(settings.delay, target)
    if settings.length is None:
        raise AssertionError("the settings guarantee it")
    return WrongLength(settings.length, target)


def _group(frame: PlannedFrame, settings: FrameFault, place: KeyPath) -> Group:
    """Return the protection group whose counter or checksum is to be wrong."""
    protector = frame.outgoing.protector
    groups = () if protector is None else protector.groups
    if settings.group >= len(groups):
        reason = f"{frame.outgoing.message} has {len(groups) or 'no'} item{'s' * (len(groups) != 1)} of protection"
        raise ConfigurationError(reason, (*place, "group" if groups else "effect"))
    group = groups[settings.group]
    counter = None if group.counter is None else group.counter.position
    position = counter if settings.effect == "counter" else group.checksum_position
    if position is None:
        reason = f"this protection of {frame.outgoing.message} has no {settings.effect}"
        raise ConfigurationError(reason, (*place, "effect"))
    if settings.wrong == "offset" and settings.amount % (position.highest + 1) == 0:
        raise ConfigurationError(f"{settings.amount} changes nothing in {position.width} bits", (*place, "amount"))
    return group
