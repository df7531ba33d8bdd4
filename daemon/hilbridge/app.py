"""The bench as a running thing: one vehicle, its buses, inputs and diagnostics, wired from one bench file.

Read this first, with loop.py: the loop calls `sample`, `step`, `serve`, `publish` and `write` once a tick, in this
order. Everything is built before the first tick; `open` is the only moment at which the outside world is touched.
"""

from typing import Any, Final, TypeAlias

from hilbridge.clock import Clock
from hilbridge.configuration.benchfile import BenchFile
from hilbridge.diagnostics.current_data import EngineCurrentData
from hilbridge.diagnostics.obd import ObdServer
from hilbridge.errors import ConfigurationError, KeyPath, LinkError
from hilbridge.frames.bus import Bus
from hilbridge.frames.codec import compile_message
from hilbridge.frames.database import load_database
from hilbridge.frames.plan import FramePlan
from hilbridge.inputs.arbiter import Arbiter
from hilbridge.inputs.can import CanSource
from hilbridge.inputs.demo_driver import DemoDriver
from hilbridge.inputs.serial_line import SerialLineSource
from hilbridge.inputs.source import Source
from hilbridge.links.embedded import EmbeddedLink
from hilbridge.links.factory import open_link
from hilbridge.links.link import Link
from hilbridge.links.pseudo_terminal import PseudoTerminal
from hilbridge.links.serial_port import SerialPort
from hilbridge.loop import integrated
from hilbridge.observe.reporter import Reporter
from hilbridge.resources import own_database
from hilbridge.settings import NANOSECONDS, CanInput, DemoDriverInput, SerialInput
from vehiclesim import Vehicle

Port: TypeAlias = SerialPort | PseudoTerminal


class Journal:
    """Hands on to the reporter what is to be logged; before a run has one, and in a mere check, there is nobody."""

    def __init__(self) -> None:
        self.reporter: Reporter | None = None

    def info(self, t: int, event: str, **fields: Any) -> None:
        if self.reporter is not None:
            self.reporter.info(t, event, **fields)

    def warning(self, t: int, event: str, **fields: Any) -> None:
        if self.reporter is not None:
            self.reporter.warning(t, event, **fields)

    def snapshot(self, clock: Clock) -> None:
        if self.reporter is not None:
            self.reporter.snapshot(clock.t, clock.missed, clock.lateness)


class Bench:
    """All that a tick works on.

    ConfigurationError (with the key path) where the bench file asks for what its database or vehicle cannot give.
    """

    def __init__(self, file: BenchFile) -> None:
        self.settings: Final = file.settings
        self.vehicle: Final = Vehicle(file.vehicle.settings)
        self.journal: Final = Journal()
        self.buses: Final = {name: Bus(name, index) for index, name in enumerate(self.settings.buses)}
        self.databases: Final = {
            name: load_database(path, ("buses", name, "database")) for name, path in file.databases.items()
        }
        self.plan: Final = FramePlan(self.settings, self.databases, self.vehicle.data, self.buses)
        self.sources: Final[list[Source]] = []
        self._serial: Final[list[tuple[SerialInput, SerialLineSource]]] = []
        self.arbiter: Final = self._inputs()
        self.obd: Final = self._diagnostics()
        self.links: Final[dict[str, Link]] = {}
        self._ports: Final[list[tuple[Port, SerialLineSource]]] = []
        self._delta_time: Final = self.settings.period / NANOSECONDS
        self._troubles: Final[dict[Link | Port, str]] = {}
        self._known: Final = dict.fromkeys(self.buses, (0, 0, 0))  # clients come and gone, frames dropped: as reported
        self._next_report = 0
        self._jumped = 0  # [ns]

    # -- wiring -------------------------------------------------------------------------------------------------

    def _inputs(self) -> Arbiter:
        driver = None
        for i, settings in enumerate(self.settings.inputs):
            place = ("inputs", i)
            if isinstance(settings, CanInput):
                message = self.databases[settings.bus].message(settings.message, (*place, "message"))
                self.sources.append(CanSource(self.buses[settings.bus], settings, compile_message(message), place))
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
        return Arbiter(self.vehicle.data, self.sources, self.journal, driver)

    def _diagnostics(self) -> ObdServer | None:
        obd = self.settings.diagnostics.obd
        if obd is None:
            return None
        database = load_database(own_database("obd2.dbc"))
        return ObdServer(self.buses[obd.bus], self.vehicle.data, EngineCurrentData(self.vehicle, database))

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
        except LinkError as error:
            self.close()
            raise ConfigurationError(str(error), place) from error

    def open_nothing(self) -> None:
        """For the virtual clock: every bus is an embedded one without a way in, no serial port is opened."""
        for name, bus in self.buses.items():
            self._attach(name, EmbeddedLink(bus))

    def _attach(self, name: str, link: Link) -> None:
        self.links[name] = link
        self.buses[name].attach(link, external=True)

    def close(self) -> None:
        """Closes links and ports."""
        for link in self.links.values():
            link.close()
        for port, _ in self._ports:
            port.close()

    # -- the tick -----------------------------------------------------------------------------------------------

    def sample(self, t: int) -> None:
        """Links and serial ports are drained, frames reach everybody on their bus, one source wins each control."""
        for link in self.links.values():
            link.poll(t)
        for bus in self.buses.values():
            bus.exchange(t)
        for port, source in self._ports:
            data = port.poll(t)
            if data:
                source.feed(data, t)
        self.arbiter.sample(t)

    def step(self) -> None:
        """The vehicle goes on by one period."""
        self.vehicle.step(self._delta_time)

    def serve(self, t: int) -> None:
        """Diagnostic requests are answered from this tick's values."""
        if self.obd is not None:
            self.obd.serve(t)

    def publish(self, t: int) -> None:
        """Frames that are due go onto their bus, and all that is on the buses goes out."""
        self.plan.publish(t)
        for bus in self.buses.values():
            bus.exchange(t)
        for link in self.links.values():
            link.flush(t)

    def write(self, clock: Clock) -> None:
        """The observer gets the state after the tick, and what changed on the links."""
        for link in self.links.values():
            if link.trouble != self._troubles.get(link, ""):
                self._announce(link, clock.t)
        for port, source in self._ports:
            if port.trouble != self._troubles.get(port, ""):
                self._announce(port, clock.t)
                source.reset()
        self._jumped += (clock.missed - integrated(clock.missed, clock.period)) * clock.period
        if clock.t >= self._next_report:
            self._next_report = clock.t + NANOSECONDS
            self._report_counters(clock.t)
        self.journal.snapshot(clock)

    def _report_counters(self, t: int) -> None:
        """Once a second: clients that came or went, frames that were dropped, time that the vehicle did not live."""
        for name, link in self.links.items():
            known, now = self._known[name], link.statistics
            self._known[name] = (now.connected, now.disconnected, now.dropped)
            if now.connected > known[0]:
                self.journal.info(t, "clients joined", bus=name, clients=now.connected - now.disconnected)
            if now.disconnected > known[1]:
                self.journal.info(t, "clients left", bus=name, clients=now.connected - now.disconnected)
            if now.dropped > known[2]:
                self.journal.warning(t, "frames dropped", bus=name, frames=now.dropped - known[2])
        if self._jumped:
            self.journal.warning(t, "time jump", skipped_ms=self._jumped / 1e6)
            self._jumped = 0

    # -- what it says ---------------------------------------------------------------------------------------------

    def announce_ways(self) -> None:
        """How the buses and ports are reached from outside."""
        for name, link in self.links.items():
            self._announce_way("bus", link, bus=name, link=link.describe())
        for port, _ in self._ports:
            self._announce_way("pedal port", port, port=port.describe())

    def _announce_way(self, kind: str, way: Link | Port, **fields: str) -> None:
        self._troubles[way] = way.trouble
        if way.trouble:
            self.journal.warning(0, f"{kind} not open yet", **fields, reason=way.trouble)
        else:
            self.journal.info(0, f"{kind} open", **fields)

    def warnings(self) -> list[str]:
        """What is not as the user may have meant it, though the bench can run: the words of `hilbridge check`."""
        of_databases = [warning for database in self.databases.values() for warning in database.warnings]
        return of_databases + [warning for report in self.plan.describe() for warning in report.warnings]

    def _announce(self, way: Link | Port, t: int) -> None:
        self._troubles[way] = way.trouble
        if way.trouble:
            self.journal.warning(t, "link lost", link=way.describe(), reason=way.trouble)
        else:
            self.journal.info(t, "link back", link=way.describe())

    def statistics(self) -> dict[str, Any]:
        """The counters of the bench, by part; those of links, ports, inputs and OBD where they are not 0."""
        return {
            "buses": {
                name: {"received": bus.received, "transmitted": bus.transmitted} for name, bus in self.buses.items()
            },
            "links": {name: _counters(link.statistics) for name, link in self.links.items()},
            "ports": {port.describe(): _counters(port.statistics) for port, _ in self._ports},
            "inputs": {
                source.name: {"accepted": source.accepted}
                | {reason: count for reason, count in source.rejections.items() if count}
                for source in self.sources
            },
            "frames_late": sum(frame.skipped for frame in self.plan.frames),
            "obd": _counters(self.obd.statistics) if self.obd is not None else {},
        }


def _counters(statistics: Any) -> dict[str, int]:
    return {name: value for name in statistics.__slots__ if (value := getattr(statistics, name))}
