"""The bench as a running thing: one vehicle, its buses, inputs and diagnostics, wired from one bench file.

Read this first, with loop.py: the loop calls `sample`, `step`, `serve` and `publish` once a tick, in this order.
Everything is built before the first tick; `open` is the only moment at which the outside world is touched.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hilbridge.bench.bench_files import BenchFiles, load_bench_files
from hilbridge.bench.control_units import ControlUnits, build_adapters
from hilbridge.bench.scan_tools import TappedSockets
from hilbridge.bench.wiring import Wiring
from hilbridge.bus.bus import Bus, WayOut
from hilbridge.bus.gate import Gate
from hilbridge.bus.traffic import Traffic
from hilbridge.codec.database import Database
from hilbridge.common.errors import ConfigurationError, KeyPath, LinkError
from hilbridge.common.event_log import EventRelay
from hilbridge.common.units import SECOND
from hilbridge.configuration.benchfile import BenchFile
from hilbridge.control.client import HandleCommand
from hilbridge.control.command_handler import CommandHandler, Host
from hilbridge.diagnostics.elm327.adapters import Adapters
from hilbridge.faults.injector import Injector
from hilbridge.inputs.arbiter import Arbiter
from hilbridge.inputs.overrides import Overrides
from hilbridge.inputs.source import Source
from hilbridge.links.elm327_server import Elm327Server, open_doors
from hilbridge.links.embedded import EmbeddedLink
from hilbridge.links.factory import open_link
from hilbridge.links.link import DuplexEndpoint, Endpoint, Link
from hilbridge.links.poller import Poller, Ready
from hilbridge.links.serial_port import PseudoTerminal, SerialInput, SerialPort
from hilbridge.plan.gating import build_gate
from hilbridge.plan.id_conflicts import IdConflicts, leaving
from hilbridge.plan.plan import FramePlan
from hilbridge.record.boundary import Boundary
from hilbridge.scenario.build import ScenarioContext
from hilbridge.settings import BenchSettings


class Bench:
    """All that a tick works on: what stays as long as it runs, and the wiring, which `adopt` exchanges.

    ConfigurationError (with the key path) where the bench file asks for what its database or vehicle cannot give.
    """

    def __init__(self, file: BenchFile) -> None:
        bench_files = load_bench_files(file)
        settings = file.settings
        self.vehicle: Final = file.vehicle.build()
        self.event_log: Final = EventRelay()
        self.boundary: Final = Boundary()
        self.buses: Final = {name: Bus(name, index) for index, name in enumerate(settings.buses)}
        self._buses: Final = tuple(self.buses.values())
        for bus in self._buses:
            bus.attach_observer(self.boundary.frame)
        self.holds: Final = Overrides()
        self._shutdown: Final = Overrides("shutdown")
        self.adapters: Final = build_adapters(settings, self.buses, self.vehicle.data)
        self.wiring = self._wired(bench_files)
        self.arbiter.rest()
        self.links: Final[dict[str, Link]] = {}
        self.gates: Final[dict[str, Gate]] = {}
        self.id_conflicts: Final[dict[str, IdConflicts]] = {}
        self._traffic: Final[dict[str, Traffic]] = {}
        self._ways_out: Final[dict[str, WayOut]] = {}
        self._ports: Final[list[SerialInput]] = []
        self._scan_tools: Final[list[DuplexEndpoint]] = []
        self._watch: Final = Poller()
        self.ready: Ready = ()
        """The ways in that have something to do in the tick at hand, by their descriptors."""
        self._troubled: Final[dict[SerialInput, str]] = {}
        self._delta_time: Final = settings.period / SECOND
        self._silent_at: int | None = None

    # -- what a reload may exchange -----------------------------------------------------------------------------

    @property
    def settings(self) -> BenchSettings:
        """What the bench file says."""
        return self.wiring.settings

    @property
    def databases(self) -> Mapping[str, Database]:
        """Of the buses that have some."""
        return self.wiring.databases

    @property
    def plan(self) -> FramePlan:
        """The frames that are sent."""
        return self.wiring.plan

    @property
    def sources(self) -> Sequence[Source]:
        """Of the driver's controls."""
        return self.wiring.sources

    @property
    def arbiter(self) -> Arbiter:
        """Decides between the sources."""
        return self.wiring.arbiter

    @property
    def servers(self) -> ControlUnits:
        """The control units."""
        return self.wiring.servers

    @property
    def faults(self) -> Injector:
        """What goes wrong on purpose."""
        return self.wiring.faults

    def controller(self, host: Host) -> CommandHandler:
        """Carries out commands on the bench as it is wired now, and hands on to `host` what concerns the run."""
        return CommandHandler(host, self.holds, self.gates, self.faults, self.servers.troubles)

    def _wired(self, bench_files: BenchFiles, before: Wiring | None = None, t: int = 0) -> Wiring:
        return Wiring(
            bench_files,
            vehicle=self.vehicle,
            buses=self.buses,
            event_log=self.event_log,
            overrides=[self._shutdown, self.holds],
            before=before,
            t=t,
        )

    def adopt(self, bench_files: BenchFiles, t: int) -> None:
        """Build another configuration and continue with it, after the tick of time `t` [ns].

        An exception leaves everything as it was. `reload.restart_rules` says what may differ; nothing else is compared.
        """
        following = t + self.settings.period
        wiring = self._wired(bench_files, self.wiring, following)
        try:
            gates = {name: self._gate(name, wiring) for name in self.gates}
            wiring.take_over(self.wiring, following)
        except BaseException:
            wiring.leave()
            raise
        for name, gate in gates.items():
            gate.take_over(self.gates[name])
            self.buses[name].change_gate(gate)
            self._detect_id_conflicts(name, wiring, gate)
        self.gates.update(gates)
        self.wiring = wiring

    # -- the outside world --------------------------------------------------------------------------------------

    def open(self) -> None:
        """Opens links and serial ports. ConfigurationError, with the key path, where one cannot be opened."""
        place: KeyPath = ()
        try:
            for name, settings in self.settings.buses.items():
                place = ("buses", name)
                self._attach(name, open_link(self.buses[name], settings, self.settings.period))
            place = ("inputs",)
            for line, _ in self.wiring.serial:
                self._ports.append(PseudoTerminal() if line.port == "pty" else SerialPort(line.port, line.baudrate))
            for i, (elm327, adapters) in enumerate(zip(self.settings.diagnostics.elm327, self.adapters, strict=True)):
                place = ("diagnostics", "elm327", i)
                sockets = TappedSockets(i, adapters, self.boundary)
                doors = open_doors(elm327.ways, elm327.baudrate)
                self._scan_tools.append(Elm327Server(doors, sockets.plug_in, sockets.unplug, self.settings.period))
        except LinkError as error:
            self.close()
            raise ConfigurationError(str(error), (*place, *error.place)) from error
        ways: list[Endpoint] = [*self.links.values(), *self._ports, *self._scan_tools]
        for way in ways:
            self._watch.add(way.descriptor)

    def open_nothing(self) -> None:
        """For the virtual clock: every bus is an embedded one without a way in, no serial port is opened."""
        for name, bus in self.buses.items():
            self._attach(name, EmbeddedLink(bus))

    def open_instead(
        self,
        link: Callable[[Bus], Link],
        port: Callable[[int], SerialInput],
        tools: Callable[[int, Adapters], DuplexEndpoint] | None = None,
    ) -> None:
        """Links, serial ports and scan tools that somebody else makes: for a bus, or for a number from 0."""
        for name, bus in self.buses.items():
            self._attach(name, link(bus))
        self._ports.extend(port(number) for number in range(len(self.wiring.serial)))
        if tools is not None:
            self._scan_tools.extend(tools(i, adapters) for i, adapters in enumerate(self.adapters))

    def _attach(self, name: str, link: Link) -> None:
        bus = self.buses[name]
        self.links[name] = link
        self._ways_out[name] = self.boundary.questioned(bus.index, link)
        self.gates[name] = self._gate(name, self.wiring)
        bus.attach_link(link, self.gates[name])
        self._detect_id_conflicts(name, self.wiring, self.gates[name])

    def _gate(self, name: str, wiring: Wiring) -> Gate:
        settings = wiring.settings
        return build_gate(self._ways_out[name], settings.buses[name], wiring.plan.selections[name], settings.period)

    def _detect_id_conflicts(self, name: str, wiring: Wiring, gate: Gate) -> None:
        """Watch a bus for other senders of the identifiers that this wiring sends."""
        frames = [frame for frame in wiring.plan.frames if frame.bus.name == name]
        id_conflicts = IdConflicts(leaving(frames, wiring.settings.buses[name]), gate)
        before = self.id_conflicts.get(name)
        if before is not None:
            id_conflicts.take_over(before)
            self.buses[name].detach_observer(before.note)
        self.id_conflicts[name] = id_conflicts
        self.buses[name].attach_observer(id_conflicts.note)

    def traffic(self, name: str) -> Traffic:
        """Return what a bus has carried since the first call for it."""
        traffic = self._traffic.get(name)
        if traffic is None:
            traffic = self._traffic[name] = Traffic()
            self.buses[name].attach_observer(traffic.note)
        return traffic

    @property
    def ports(self) -> Mapping[str, Sequence[Endpoint]]:
        """The ports beside the buses, by their kind."""
        return {"pedal port": self._ports, "scan tool port": self._scan_tools}

    def watch(self, descriptor: int) -> None:
        """Add a descriptor that is no part of the bench to those that `ready` lists while they are readable."""
        self._watch.add(descriptor)

    def close(self) -> None:
        """Closes links and ports."""
        self._watch.close()
        for link in self.links.values():
            link.close()
        for port in self._ports:
            port.close()
        for server in self._scan_tools:
            server.close()

    # -- the tick -----------------------------------------------------------------------------------------------

    def sample(self, t: int) -> None:
        """Links and serial ports are drained, frames reach everybody on their bus, one source wins each control."""
        wiring = self.wiring
        wiring.faults.poll(t)
        ready = self.ready = self._watch.ready(t)
        for link in self.links.values():
            if link.descriptor in ready:
                link.poll(t)
        self.boundary.polled(t)
        for server in self._scan_tools:
            if server.descriptor in ready:
                server.poll(t)
        self._exchange(t)
        if self._ports:
            self._feed(t, ready)
        wiring.arbiter.sample(t)

    def _feed(self, t: int, ready: Ready) -> None:
        """Bytes of serial ports to their sources."""
        for number, (port, (_, source)) in enumerate(zip(self._ports, self.wiring.serial, strict=True)):
            if port.descriptor not in ready:
                continue
            data = port.poll(t)
            self.boundary.serial(t, number, data, port.trouble)
            if data:
                source.feed(data, t)
            if port.trouble != self._troubled.get(port, ""):
                self._troubled[port] = port.trouble
                source.reset()  # half a line of the old connection is no beginning of the new one's

    def step(self) -> None:
        """The vehicle goes on by one period."""
        self.vehicle.step(self._delta_time)

    def serve(self, t: int) -> None:
        """Diagnostic requests are answered from this tick's values."""
        self.wiring.servers.serve(t)

    def publish(self, t: int) -> None:
        """Frames that are due go onto their bus, and all that is on the buses goes out."""
        self.wiring.plan.publish(t)
        self._exchange(t)
        for adapters in self.adapters:
            adapters.poll(t)
        self._exchange(t)
        for link in self.links.values():
            link.flush(t)
        for server in self._scan_tools:
            server.flush(t)

    def _exchange(self, t: int) -> None:
        for bus in self._buses:
            if bus.pending:
                bus.exchange(t)

    def stage(self, obey: HandleCommand) -> ScenarioContext:
        """For a scenario that is played on this bench by commands."""
        return ScenarioContext(self.vehicle.data, self.vehicle.settings, self.buses, self.databases, self.faults, obey)

    # -- its end ------------------------------------------------------------------------------------------------

    def shut_down(self, t: int) -> None:
        """From the next tick on the key is off and no terminal carries voltage, not even terminal 30.

        So every frame goes once more, when it is due, at the end of its after-run, and shows it.
        """
        if self._silent_at is None:
            self._silent_at = t + round(self.settings.shutdown * SECOND)
            self._shutdown.set("input.Key", -1)
            self.plan.cut_off()

    def is_shut_down(self, t: int) -> bool:
        """All frames have gone for the last time, or the time for it is over."""
        return self._silent_at is not None and (t >= self._silent_at or self.plan.is_asleep)

    # -- what it says -------------------------------------------------------------------------------------------

    def warnings(self) -> list[str]:
        """What is not as the user may have meant it, though the bench can run: the words of `hilbridge check`."""
        return self.wiring.warnings()
