"""The bench as a running thing: one vehicle, its buses, inputs and diagnostics, wired from one bench file.

Read this first, with loop.py: the loop calls `sample`, `step`, `serve`, `publish` and `write` once a tick, in this
order. Everything is built before the first tick; `open` is the only moment at which the outside world is touched.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from hilbridge.announcements import Announcements, Way
from hilbridge.clock import Clock
from hilbridge.configuration.benchfile import BenchFile
from hilbridge.control.orders import Obey
from hilbridge.diagnostics.elm327.adapters import Adapters
from hilbridge.errors import ConfigurationError, KeyPath, LinkError
from hilbridge.faults.effects import Parts
from hilbridge.faults.injector import Injector
from hilbridge.frames.bus import Bus
from hilbridge.frames.codec import compile_message
from hilbridge.frames.database import load_database, merged
from hilbridge.frames.gate import Gate
from hilbridge.frames.plan import FramePlan
from hilbridge.frames.rest_bus import RestBus
from hilbridge.inputs.arbiter import Arbiter
from hilbridge.inputs.can import CanSource
from hilbridge.inputs.controls import CONTROLS
from hilbridge.inputs.demo_driver import DemoDriver
from hilbridge.inputs.holds import Holds
from hilbridge.inputs.internal import InternalSource
from hilbridge.inputs.serial_line import SerialLineSource
from hilbridge.inputs.source import Source
from hilbridge.links.elm327_server import Elm327Server, open_doors
from hilbridge.links.embedded import EmbeddedLink
from hilbridge.links.factory import open_link
from hilbridge.links.link import Link
from hilbridge.links.pseudo_terminal import PseudoTerminal
from hilbridge.links.serial_port import Port, SerialPort
from hilbridge.loop import integrated
from hilbridge.observe.journal import Journal
from hilbridge.record.boundary import Boundary
from hilbridge.record.traffic_log import read_log
from hilbridge.scan_tools import ScanToolPort, TappedSockets
from hilbridge.scenario.build import Stage
from hilbridge.servers import Servers, Surrounding
from hilbridge.settings import NANOSECONDS, CanInput, DemoDriverInput, SerialInput
from hilbridge.statistics import counters
from vehiclesim.channels import REQUEST


class Bench:
    """All that a tick works on.

    ConfigurationError (with the key path) where the bench file asks for what its database or vehicle cannot give.
    """

    def __init__(self, file: BenchFile) -> None:
        self.settings: Final = file.settings
        self.vehicle: Final = file.vehicle.build()
        self.journal: Final = Journal()
        self.boundary: Final = Boundary()
        self.buses: Final = {name: Bus(name, index) for index, name in enumerate(self.settings.buses)}
        self.databases: Final = {
            name: merged([load_database(path, ("buses", name, "database")) for path in paths])
            for name, paths in file.databases.items()
        }
        self.plan: Final = FramePlan(self.settings, self.databases, self.vehicle.data, self.buses)
        self._play_rest_buses(file.path.parent)
        self.holds: Final = Holds()
        self._conditions: Final = Holds("fault")
        self._tester: Final = Holds("tester")
        requests = [control for control in CONTROLS if control.channel == REQUEST]
        self._requests: Final = InternalSource("J1939", requests, timeout=None)
        self.sources: Final[list[Source]] = []
        self._serial: Final[list[tuple[SerialInput, SerialLineSource]]] = []
        self.arbiter: Final = self._inputs()
        silent: list[str] = []
        surrounding = Surrounding(self.buses, self.plan.frames, self.sources, self._tester, self._requests, silent)
        self.servers: Final = Servers(file, self.vehicle, surrounding)
        ecus = [ecu.name for ecu in self.servers.ecus]
        parts = Parts(self.plan.frames, self.buses, self.databases, self._conditions, ecus, silent)
        self.faults: Final = Injector(self.settings.faults, self.settings.seed, parts, self.journal)
        self.links: Final[dict[str, Link]] = {}
        self.gates: Final[dict[str, Gate]] = {}
        self._ports: Final[list[tuple[Port, SerialLineSource]]] = []
        self._scan_tools: Final[list[ScanToolPort]] = []
        self._announcements = Announcements(self.journal, {}, {}, {})
        self._troubled: Final[dict[Port, str]] = {}
        self._delta_time: Final = self.settings.period / NANOSECONDS

    # -- wiring -------------------------------------------------------------------------------------------------

    def _play_rest_buses(self, folder: Path) -> None:
        """Logs are read now, outside of the tick; what the plan sends itself is left out of them."""
        for name, settings in self.settings.buses.items():
            if settings.rest_bus is not None:
                place = ("buses", name, "rest_bus")
                log = read_log(folder / settings.rest_bus.file, settings.rest_bus.channel, (*place, "file"))
                own = {frame.can_id for frame in self.plan.selections[name].outgoing}
                self.plan.senders.append(RestBus(self.buses[name], log, settings.rest_bus, own, place))

    def _inputs(self) -> Arbiter:
        driver = None
        for i, settings in enumerate(self.settings.inputs):
            place = ("inputs", i)
            if isinstance(settings, CanInput):
                message = self.databases[settings.bus].message(settings.message, (*place, "message"))
                codec = compile_message(message)
                bus = self.buses[settings.bus]
                self.sources.append(CanSource(bus, settings, codec, place, cycle_time=message.cycle_time))
            elif isinstance(settings, SerialInput):
                source = SerialLineSource(settings, place)
                self.sources.append(source)
                self._serial.append((settings, source))
            elif isinstance(settings, DemoDriverInput):
                driver = DemoDriver(self.vehicle.data, self.vehicle.settings)
        names = [source.name for source in self.sources]
        for i, one in enumerate(self.sources):
            if names.count(one.name) > 1:
                one.name = f"{one.name} (input {i + 1})"
        return Arbiter(
            self.vehicle.data,
            [self.holds, self._conditions, self._tester, self._requests, *self.sources],
            self.journal,
            driver,
        )

    # -- the outside world --------------------------------------------------------------------------------------

    def open(self) -> None:
        """Opens links and serial ports. ConfigurationError, with the key path, where one cannot be opened."""
        place: KeyPath = ()
        try:
            for name, settings in self.settings.buses.items():
                place = ("buses", name)
                self._attach(name, open_link(self.buses[name], settings))
            place = ("inputs",)
            for line, source in self._serial:
                port: Port = PseudoTerminal() if line.port == "pty" else SerialPort(line.port, line.baudrate)
                self._ports.append((port, source))
            for i, (elm327, adapters) in enumerate(
                zip(self.settings.diagnostics.elm327, self.servers.adapters, strict=True)
            ):
                place = ("diagnostics", "elm327", i)
                sockets = TappedSockets(i, adapters, self.boundary)
                self._scan_tools.append(Elm327Server(open_doors(elm327.ways), sockets.plug_in, sockets.unplug))
        except LinkError as error:
            self.close()
            raise ConfigurationError(str(error), (*place, *error.place)) from error

    def open_nothing(self) -> None:
        """For the virtual clock: every bus is an embedded one without a way in, no serial port is opened."""
        for name, bus in self.buses.items():
            self._attach(name, EmbeddedLink(bus))

    def open_instead(
        self,
        link: Callable[[Bus], Link],
        port: Callable[[int], Port],
        tools: Callable[[int, Adapters], ScanToolPort] | None = None,
    ) -> None:
        """Links, serial ports and scan tools that somebody else makes: for a bus, or for a number from 0."""
        for name, bus in self.buses.items():
            self._attach(name, link(bus))
        self._ports.extend((port(number), source) for number, (_, source) in enumerate(self._serial))
        if tools is not None:
            self._scan_tools.extend(tools(i, adapters) for i, adapters in enumerate(self.servers.adapters))

    def _attach(self, name: str, link: Link) -> None:
        bus = self.buses[name]
        outside = self.boundary.questioned(bus.index, link)
        gate = Gate(outside, self.settings.buses[name], self.plan.selections[name], self.settings.period)
        self.links[name] = link
        self.gates[name] = gate
        bus.attach_link(link, gate)

    def announce_ways(self) -> None:
        """How the buses and ports are reached from outside; from here on, what changes about them is told."""
        ports: dict[str, Sequence[Way]] = {
            "pedal port": [port for port, _ in self._ports],
            "scan tool port": self._scan_tools,
        }
        self._announcements = Announcements(self.journal, self.links, ports, self.gates)
        self._announcements.introduce()

    def close(self) -> None:
        """Closes links and ports."""
        for link in self.links.values():
            link.close()
        for port, _ in self._ports:
            port.close()
        for server in self._scan_tools:
            server.close()

    # -- the tick -----------------------------------------------------------------------------------------------

    def sample(self, t: int) -> None:
        """Links and serial ports are drained, frames reach everybody on their bus, one source wins each control."""
        self.faults.poll(t)
        for link in self.links.values():
            link.poll(t)
        self.boundary.polled(t)
        for server in self._scan_tools:
            server.poll(t)
        self._exchange(t)
        for number, (port, source) in enumerate(self._ports):
            data = port.poll(t)
            self.boundary.serial(t, number, data, port.trouble)
            if data:
                source.feed(data, t)
            if port.trouble != self._troubled.get(port, ""):
                self._troubled[port] = port.trouble
                source.reset()  # half a line of the old connection is no beginning of the new one's
        self.arbiter.sample(t)

    def step(self) -> None:
        """The vehicle goes on by one period."""
        self.vehicle.step(self._delta_time)

    def serve(self, t: int) -> None:
        """Diagnostic requests are answered from this tick's values."""
        self.servers.serve(t)

    def publish(self, t: int) -> None:
        """Frames that are due go onto their bus, and all that is on the buses goes out."""
        self.plan.publish(t)
        self._exchange(t)
        for adapters in self.servers.adapters:
            adapters.poll(t)
        self._exchange(t)
        for link in self.links.values():
            link.flush(t)
        for server in self._scan_tools:
            server.flush(t)

    def _exchange(self, t: int) -> None:
        for bus in self.buses.values():
            bus.exchange(t)

    def write(self, clock: Clock) -> None:
        """The observer gets the state after the tick, and what changed on the links."""
        jumped = (clock.missed - integrated(clock.missed, clock.period)) * clock.period
        self._announcements.look(clock.t, jumped)
        self.journal.snapshot(clock)

    def stage(self, obey: Obey) -> Stage:
        """For a scenario that is played on this bench by commands."""
        return Stage(self.vehicle.data, self.vehicle.settings, self.buses, self.databases, self.faults, obey)

    # -- what it says -------------------------------------------------------------------------------------------

    def warnings(self) -> list[str]:
        """What is not as the user may have meant it, though the bench can run: the words of `hilbridge check`."""
        return [
            *(warning for database in self.databases.values() for warning in database.warnings),
            *(warning for report in self.plan.describe() for warning in report.warnings),
            *(warning for source in self.sources for warning in source.warnings),
        ]

    def statistics(self) -> dict[str, Any]:
        """The counters of the bench, by part; most only where they are not 0."""
        return {
            "buses": {
                name: {"received": bus.received, "transmitted": bus.transmitted, "lost": bus.lost}
                for name, bus in self.buses.items()
            },
            "links": {name: counters(link.statistics) for name, link in self.links.items()},
            "gates": {name: counters(gate.statistics) for name, gate in self.gates.items()},
            "ports": {port.describe(): counters(port.statistics) for port, _ in self._ports},
            "inputs": {source.name: _of_source(source) for source in self.sources},
            "scan_tools": {server.describe(): counters(server.statistics) for server in self._scan_tools},
            "faults": {name: count for name, count in self.faults.statistics().items() if count},
            "frames_late": sum(frame.skipped for frame in self.plan.frames),
            "diagnostics": self.servers.statistics(),
        }


def _of_source(source: Source) -> dict[str, int]:
    failures = sum(monitor.failures for monitor in source.monitors)
    refused = {reason: count for reason, count in source.rejections.items() if count}
    return {"accepted": source.accepted} | refused | ({"track_failures": failures} if failures else {})
