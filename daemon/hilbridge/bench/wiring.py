"""The part of a bench that its file may change while it runs: frames, routes, inputs, entries, control units, faults.

A reload builds a new one beside the old one, between two ticks; then `take_over` copies what continues, and the nodes
of the old one leave the buses. An exception on the way leaves the old one and the buses as they were.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple, cast

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.event_log import EventRelay
from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench_files import BenchFiles
from hilbridge.bench.clusters import Clusters
from hilbridge.bench.control_units import ControlUnits
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.doip.entity import DoipEntity
from hilbridge.bench.doip.part import DoipPart
from hilbridge.bench.faults.effects import FaultTargets
from hilbridge.bench.faults.injector import Injector
from hilbridge.bench.fmu.part import FmuPart
from hilbridge.bench.fmu.values import FmuValues
from hilbridge.bench.gateway.gateway import Gateway
from hilbridge.bench.gateway.part import GatewayPart
from hilbridge.bench.inputs.arbiter import Arbiter
from hilbridge.bench.inputs.board import BoardSource
from hilbridge.bench.inputs.can import CanSource
from hilbridge.bench.inputs.commanded import CommandedControls
from hilbridge.bench.inputs.demo_driver import DemoDriver
from hilbridge.bench.inputs.events import EventSource
from hilbridge.bench.inputs.internal import RequestSource
from hilbridge.bench.inputs.overrides import Overrides
from hilbridge.bench.inputs.serial_line import SerialLineSource
from hilbridge.bench.inputs.source import Fed, PortSource, Source
from hilbridge.bench.inputs.udp import UdpSource
from hilbridge.bench.kinds import AFTER_PLAN, AFTER_UNITS, BESIDE_PLAN, brought_by_packages, build_parts
from hilbridge.bench.lines.part import LinesPart
from hilbridge.bench.outputs.part import OutputsPart
from hilbridge.bench.parts.part import Context, Part, PartKind, Stage, Step
from hilbridge.bench.standing_parts import (
    CLUSTERS,
    DIAGNOSTICS,
    FAULTS,
    INPUTS,
    ClustersPart,
    DiagnosticsPart,
    FaultsPart,
    InputsPart,
)
from hilbridge.bench.xcp.part import XcpPart
from hilbridge.boundary.links.serial_output import OutputPort
from hilbridge.files.configuration.consistency import doubts
from hilbridge.files.settings import BoardInput, CanInput, DemoDriverInput, EvdevInput, SerialInput, UdpInput
from hilbridge.files.settings.traffic import RestBusSettings
from hilbridge.frames.bus.bus import Bus, Node
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.custom import ComputedEntries
from hilbridge.frames.codec.database import Database
from hilbridge.frames.codec.page_names import signal_names
from hilbridge.frames.codec.placed import with_raw_frames
from hilbridge.frames.plan.gating import held_back
from hilbridge.frames.plan.plan import FramePlan
from hilbridge.frames.plan.rest_bus import Playlist, RestBus, find_playlist
from vehiclesim import Vehicle


class _Played(NamedTuple):
    """A rest bus, and what it was made of."""

    settings: RestBusSettings
    playlist: Playlist
    sender: RestBus


class StageSteps:
    """The calls of each stage of a tick, in the order of the parts."""

    def __init__(self, parts: Collection[Part]) -> None:
        def of(stage: Stage) -> tuple[Step, ...]:
            return tuple(step for part in parts if (step := part.stages().get(stage)) is not None)

        self.begin: tuple[Step, ...] = of("begin")
        self.poll: tuple[Step, ...] = of("poll")
        self.hear: tuple[Step, ...] = of("hear")
        self.sample: tuple[Step, ...] = of("sample")
        self.serve: tuple[Step, ...] = of("serve")
        self.publish: tuple[Step, ...] = of("publish")


class Wiring:
    """Frame plan, routes, inputs, control units and faults of one bench file, around a vehicle and its buses."""

    def __init__(
        self,
        bench_files: BenchFiles,
        *,
        vehicle: Vehicle,
        buses: Mapping[str, Bus],
        event_log: EventRelay,
        nvram: Nvram,
        ports: Mapping[str, OutputPort],
        before: "Wiring | None" = None,
        t: int = 0,
    ) -> None:
        """Build all parts; their nodes join the buses. The vehicle's data bus has the entries that the file declares.

        `ports`: those of outputs and boards by name, once they are open.

        `before` is the wiring that this one replaces; faults that it did not have begin at `t` [ns].

        ConfigurationError (with the key path) where the bench file asks for what its database or vehicle cannot give;
        then no new node is left on the buses.
        """
        self.bench_files: Final = bench_files
        self.settings: Final = bench_files.settings
        self.databases: Final = bench_files.databases
        self.entries: Final = vehicle.data.entries
        self._computed: Final = ComputedEntries(self.settings.custom, self.entries)
        self.messages: Final[dict[str, Database]] = {
            name: with_raw_frames(self.databases.get(name), bus.raw)
            for name, bus in self.settings.buses.items()
            if bus.raw or name in self.databases
        }
        self._buses: Final = buses
        self._channels: Final = vehicle.data.channels
        with _joining(buses.values()) as self._nodes:
            errors = ErrorCollector()
            with errors.attempt():
                self.plan: Final[FramePlan] = FramePlan(
                    self.settings, self.databases, vehicle.data, buses, None if before is None else before.plan
                )
            self.sources: Final[list[Source]] = []
            self.port_sources: Final[list[PortSource]] = []
            self._build_sources(errors)
            context = Context(self.settings, vehicle.data, buses, self.messages, self._own_identifiers, ports)
            beside_plan = build_parts(BESIDE_PLAN, context, errors)
            errors.verdict()
            self.refused: Final = {
                name: held_back(self.settings.buses[name], one.outgoing) for name, one in self.plan.selections.items()
            }
            """The identifiers of each bus that its gate never passes, with the reason."""
            _prepare_lamps(self.plan)
            self._rest_buses: Final[dict[str, _Played]] = self._play_rest_buses(before)
            self.brought: Final[dict[str, PartKind]] = brought_by_packages(self.settings.parts)
            after_plan = build_parts((*AFTER_PLAN, *self.brought.values()), context, errors)
            errors.verdict()
            self.gateway: Final[Gateway] = cast("GatewayPart", after_plan["gateway"]).gateway
            self.fmus: Final[dict[str, FmuValues]] = _fmus_of(beside_plan)
            self.fed: Final[tuple[Fed, ...]] = (
                *self.port_sources,
                *_lines_of(beside_plan).lines.values(),
                *self.fmus.values(),
            )
            """The readers of ports, in the order of their numbers: inputs, then serial buses, then FMUs."""
            self.clusters: Final[Clusters] = Clusters(self.settings, buses, self.entries, self.plan)
            self._driver: Final = self._demo_driver(vehicle, before)
            self.shutdown: Final = Overrides("shutdown", self.entries)
            self.overrides: Final = CommandedControls(vehicle.data, vehicle.settings)
            self._conditions: Final[Overrides] = Overrides("fault") if before is None else before._conditions
            tester = Overrides("tester", self.entries)
            requests = RequestSource()
            above = [self.shutdown, self.overrides, self._conditions, tester, requests]
            sources = [*(one.source for one in self.fmus.values() if one.source.bindings), *self.sources]
            self.arbiter: Final = Arbiter(vehicle.data, [*above, *sources], event_log, self._driver)
            self.control_units: Final = ControlUnits(
                bench_files,
                vehicle=vehicle,
                buses=buses,
                plan=self.plan,
                sources=self.sources,
                tester=tester,
                requests=requests,
                nvram=nvram,
            )
            after_units = build_parts(AFTER_UNITS, context._replace(units=self.control_units.by_messages), errors)
            errors.verdict()
            self.seed: Final = self.control_units.seed
            self._connect_tester_activity()
            ecus = [ecu.name for ecu in self.control_units.ecus]
            targets = FaultTargets(
                self.plan.frames,
                buses,
                self.databases,
                self._conditions,
                ecus,
                self.control_units.reached,
                self.control_units.silent,
                self.gateway.routes,
                {name for name, bus in self.settings.buses.items() if bus.fd},
                vehicle.sensors,
            )
            self.faults: Final[Injector] = Injector(
                self.settings.faults,
                self.seed,
                targets,
                event_log,
                None if before is None else before.faults,
                t,
            )
            self.parts: Final[dict[str, Part]] = {
                **beside_plan,
                **after_plan,
                **after_units,
                DIAGNOSTICS.key: DiagnosticsPart(self.control_units),
                INPUTS.key: InputsPart(self.arbiter, sources),
                CLUSTERS.key: ClustersPart(self.clusters, vehicle.data),
                FAULTS.key: FaultsPart(self.faults, t),
            }
            self.steps: Final = StageSteps([*self.parts.values()])

    @property
    def outputs(self) -> OutputsPart:
        """The outputs and boards."""
        return cast("OutputsPart", self.parts["outputs"])

    @property
    def lines(self) -> LinesPart:
        """The serial buses."""
        return _lines_of(self.parts)

    @property
    def doip(self) -> DoipEntity | None:
        """The DoIP entity, if there is one: the same one for the whole run."""
        part = self.parts.get("doip")
        return None if part is None else cast("DoipPart", part).entity

    @property
    def xcp(self) -> XcpPart | None:
        """The XCP slave, if there is one."""
        part = self.parts.get("xcp")
        return None if part is None else cast("XcpPart", part)

    def _play_rest_buses(self, before: "Wiring | None") -> dict[str, _Played]:
        """Build the rest buses, without the frames that the plan sends. A log that is being played continues."""
        known = {} if before is None else before._rest_buses
        rest_buses = {}
        for name, bus in self.settings.buses.items():
            if bus.rest_bus is None:
                continue
            place = ("buses", name, "rest_bus")
            playlist = self.bench_files.playlists.get(name)
            if playlist is None:
                own = {frame.can_id for frame in self.plan.selections[name].outgoing}
                playlist = find_playlist(self.bench_files.logs[name], bus.rest_bus, own, place)
            played = known.get(name)
            if played is None or (bus.rest_bus, playlist.mark) != (played.settings, played.playlist.mark):
                sender = RestBus(self._buses[name], playlist, bus.rest_bus, place)
                played = _Played(bus.rest_bus, playlist, sender)
            rest_buses[name] = played
            self.plan.senders.append(played.sender)
        return rest_buses

    def _own_identifiers(self) -> dict[str, set[int]]:
        """Return the identifiers (with their flag) that plan and rest bus send, by bus."""
        own = {name: {frame.can_id for frame in one.outgoing} for name, one in self.plan.selections.items()}
        for name, playlist in self.playlists.items():
            own[name].update(playlist.lengths)
        return own

    @property
    def playlists(self) -> dict[str, Playlist]:
        """The playlists of the rest buses, by the name of the bus."""
        return {name: played.playlist for name, played in self._rest_buses.items()}

    def _can_source(self, settings: CanInput, place: KeyPath) -> CanSource:
        message = self.databases[settings.bus].message(settings.message, (*place, "message"))
        ranged = self.settings.buses[settings.bus].range == "database"
        unranged = set() if ranged else set(signal_names(message))
        bus, codec = self._buses[settings.bus], compile_message(message, unranged=unranged)
        return CanSource(bus, settings, codec, place, cycle_time=message.cycle_time, entries=self.entries)

    def _build_sources(self, errors: ErrorCollector) -> None:
        for i, settings in enumerate(self.settings.inputs):
            place = ("inputs", i)
            with errors.attempt():
                if isinstance(settings, CanInput):
                    self.sources.append(self._can_source(settings, place))
                elif isinstance(settings, SerialInput):
                    self._add_port_source(SerialLineSource(settings, place, self.entries))
                elif isinstance(settings, BoardInput):
                    measures = list(self.settings.boards[settings.board].measures)
                    self._add_port_source(BoardSource(settings, measures, place, self.entries))
                elif isinstance(settings, EvdevInput):
                    self._add_port_source(EventSource(settings, place, self.entries))
                elif isinstance(settings, UdpInput):
                    layout = self.bench_files.file.layouts[settings.layout].settings
                    self._add_port_source(UdpSource(settings, layout, place, self.entries))
        self._name_apart()

    def _add_port_source(self, source: PortSource) -> None:
        self.sources.append(source)
        self.port_sources.append(source)

    def _name_apart(self) -> None:
        names = [source.name for source in self.sources]
        for i, one in enumerate(self.sources):
            if names.count(one.name) > 1:
                one.name = f"{one.name} (input {i + 1})"

    def _demo_driver(self, vehicle: Vehicle, before: "Wiring | None") -> DemoDriver | None:
        """Return the demo driver if the bench file has one; a reload keeps the one that drives."""
        places = [("inputs", i) for i, one in enumerate(self.settings.inputs) if isinstance(one, DemoDriverInput)]
        if not places:
            return None
        known = None if before is None else before._driver
        try:
            return known or DemoDriver(vehicle.data, vehicle.settings)
        except ConfigurationError as error:
            raise ConfigurationError(f"the demo driver cannot drive: {error.message}", places[0]) from None

    def _connect_tester_activity(self) -> None:
        kept = [one.keep_ignition for one in self.settings.inputs if isinstance(one, DemoDriverInput)]
        if self._driver is not None:
            self._driver.keep_ignition(round(max(kept) * SECOND), self.control_units.asked_since)

    def take_over(self, before: "Wiring", t: int) -> None:
        """Continue from the tick of time `t` [ns] what another wiring did, whose nodes leave the buses."""
        self.shutdown.take_over(before.shutdown)
        self.overrides.take_over(before.overrides)
        self.plan.take_over(before.plan, t)
        for key, part in self.parts.items():
            if key in before.parts:
                part.take_over(before.parts[key])
        before.leave()

    def read_controls(self) -> None:
        """Let the FMUs read what may be set, before the step of the vehicle."""
        if self.fmus:
            for one in self.fmus.values():
                one.read()

    def compute(self) -> None:
        """Write what FMUs give in place of the vehicle, then the entries that the bench computes by itself."""
        if self.fmus:
            for one in self.fmus.values():
                one.write()
        self._computed.compute(self._channels)

    def leave(self) -> None:
        """Take the nodes off the buses, for good."""
        for bus, node in self._nodes:
            bus.detach(node)
        self.control_units.close()

    def warnings(self) -> list[str]:
        """Return what the user may not have meant, though the bench can run: the lines of `hilbridge check`."""
        describe = self.bench_files.file.describe
        return [
            *(warning for database in self.databases.values() for warning in database.warnings),
            *(f"rest bus of {bus}: {what}" for bus, what in self.bench_files.left_out.items()),
            *map(describe, doubts(self.settings)),
            *map(describe, self.control_units.doubts()),
            *(describe(doubt) for report in self.plan.describe() for doubt in report.warnings),
            *(warning for source in self.sources for warning in source.warnings),
            *(doubt for part in self.parts.values() for doubt in part.doubts()),
        ]


def _lines_of(parts: Mapping[str, Part]) -> LinesPart:
    """Return the serial buses, of which there may be none."""
    return cast("LinesPart", parts["lines"]) if "lines" in parts else LinesPart({}, {}, 0)


def _fmus_of(parts: Mapping[str, Part]) -> dict[str, FmuValues]:
    """Return the FMUs, of which there may be none."""
    return dict(cast("FmuPart", parts["fmu"]).fmus) if "fmu" in parts else {}


def _prepare_lamps(plan: FramePlan) -> None:
    """Compile now what reads the lamps out of frames, so that no tick has to."""
    for frame in plan.frames:
        if frame.outgoing.lights and frame.outgoing.codec is not None:
            frame.outgoing.codec.prepare()


@contextmanager
def _joining(buses: Iterable[Bus]) -> Iterator[list[tuple[Bus, Node]]]:
    """Collect the nodes that join the buses within the block; an exception takes them off again."""
    known = [(bus, len(bus.nodes)) for bus in buses]
    joined: list[tuple[Bus, Node]] = []
    try:
        yield joined
    except BaseException:
        for bus, number in known:
            for node in bus.nodes[number:]:
                bus.detach(node)
        raise
    joined.extend((bus, node) for bus, number in known for node in bus.nodes[number:])
