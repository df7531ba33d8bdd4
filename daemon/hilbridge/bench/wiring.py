"""The part of a bench that its file may change while it runs: frames, inputs, control units, faults.

A reload builds a new one beside the old one, a part at a time, while the old one works on; when the new one is complete
`take_over` hands on what is to continue, and the nodes of the new one take the places of the old one's on the buses.
Until then it changes nothing outside of itself, and depends on nothing that changes: when a part is built makes no
difference.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from hilbridge.bench.bench_files import BenchFiles
from hilbridge.bench.control_units import ControlUnits, Surrounding
from hilbridge.bus.bus import Attachment, Bus
from hilbridge.codec.codec import compile_message
from hilbridge.common.event_log import EventRelay
from hilbridge.common.incremental import Parts
from hilbridge.diagnostics.elm327.adapters import Adapters
from hilbridge.faults.effects import FaultTargets
from hilbridge.faults.injector import Injector
from hilbridge.inputs.arbiter import Arbiter
from hilbridge.inputs.can import CanSource
from hilbridge.inputs.controls import CONTROLS
from hilbridge.inputs.demo_driver import DemoDriver
from hilbridge.inputs.internal import InternalSource
from hilbridge.inputs.overrides import Overrides
from hilbridge.inputs.serial_line import SerialLineSource
from hilbridge.inputs.source import Source
from hilbridge.plan.plan import Choice, FramePlan, choose
from hilbridge.plan.playlist import Playlist, find_playlist
from hilbridge.plan.rest_bus import RestBus
from hilbridge.settings import CanInput, DemoDriverInput, SerialInput
from hilbridge.settings.traffic import RestBusSettings
from vehiclesim import Vehicle
from vehiclesim.channels import REQUEST


class Lasting(NamedTuple):
    """What of a bench stays as long as it runs.

    Held over all inputs, highest first: `shutdown` by the end of the run, `overrides` by commands, `conditions` by
    faults.
    """

    vehicle: Vehicle
    buses: Mapping[str, Bus]
    adapters: list[Adapters]
    event_log: EventRelay
    driver: DemoDriver
    shutdown: Overrides
    overrides: Overrides
    conditions: Overrides


class _Played(NamedTuple):
    """A rest bus, and what it was made of."""

    settings: RestBusSettings
    playlist: Playlist
    sender: RestBus


class Wiring:
    """Built of `bench_files` around what is `lasting`; where another one went `before`, to take its place.

    `advance` builds a part; nothing of it is there for others before `complete`.
    """

    plan: FramePlan
    arbiter: Arbiter
    servers: ControlUnits
    faults: Injector

    def __init__(self, bench_files: BenchFiles, lasting: Lasting, before: "Wiring | None" = None) -> None:
        self.bench_files: Final = bench_files
        self.settings: Final = bench_files.settings
        self.databases: Final = bench_files.databases
        self.sources: Final[list[Source]] = []
        self.serial: Final[list[tuple[SerialInput, SerialLineSource]]] = []
        self._lasting: Final = lasting
        self._before: Wiring | None = before
        self._rest_buses: Final[dict[str, _Played]] = {}
        self._places: Final[list[tuple[Bus, Attachment]]] = []
        self._silent: Final[list[str]] = []
        self._parts: Final = self._build()

    def advance(self) -> bool:
        """Builds the next part; False when there is none left but the faults.

        ConfigurationError (with the key path) where the bench file asks for what its database or vehicle cannot give.
        """
        known = [(bus, len(bus.nodes)) for bus in self._lasting.buses.values()]
        try:
            return next(self._parts, self) is None
        finally:
            for bus, number in known:  # who has joined meanwhile hears nothing yet
                self._places.extend((bus, place) for place in bus.set_aside(number))

    def complete(self, t: int = 0) -> None:
        """Builds what is left, for the tick of time `t` [ns], in which faults that are new begin."""
        while self.advance():
            pass
        ecus = [ecu.name for ecu in self.servers.ecus]
        parts = FaultTargets(
            self.plan.frames, self._lasting.buses, self.databases, self._lasting.conditions, ecus, self._silent
        )
        before = None if self._before is None else (self._before.faults, t)
        self.faults = Injector(self.settings.faults, self.settings.seed, parts, self._lasting.event_log, before)
        self._before = None

    def _build(self) -> Parts[None]:
        """All but the faults: those of commands come and go meanwhile."""
        data, buses, before = self._lasting.vehicle.data, self._lasting.buses, self._before
        selections = yield from choose(self.settings, self.databases)
        choice = Choice(selections, None if before is None else before.plan)
        self.plan = FramePlan(self.settings, self.databases, data, buses, choice)
        yield
        self._play_rest_buses({} if before is None else before._rest_buses)
        yield
        driver = yield from self._inputs()
        tester = Overrides("tester")
        requests = InternalSource("J1939", [one for one in CONTROLS if one.channel == REQUEST], timeout=None)
        above = [self._lasting.shutdown, self._lasting.overrides, self._lasting.conditions, tester, requests]
        self.arbiter = Arbiter(data, [*above, *self.sources], self._lasting.event_log, driver)
        yield
        surrounding = Surrounding(buses, self.plan.frames, self.sources, tester, requests, self._silent)
        self.servers = ControlUnits(self.settings, self.bench_files.codes, self._lasting.vehicle, surrounding)
        yield
        yield from self.servers.build()

    def _play_rest_buses(self, before: Mapping[str, _Played]) -> None:
        """What the plan sends itself is left out of them. A log that is played already is played on."""
        for name, bus in self.settings.buses.items():
            if bus.rest_bus is None:
                continue
            place = ("buses", name, "rest_bus")
            playlist = self.bench_files.playlists.get(name)
            if playlist is None:
                own = {frame.can_id for frame in self.plan.selections[name].outgoing}
                playlist = find_playlist(self.bench_files.logs[name], bus.rest_bus, own, place)
            played = before.get(name)
            if played is None or (bus.rest_bus, playlist.mark) != (played.settings, played.playlist.mark):
                sender = RestBus(self._lasting.buses[name], playlist, bus.rest_bus, place)
                played = _Played(bus.rest_bus, playlist, sender)
            self._rest_buses[name] = played
            self.plan.senders.append(played.sender)

    @property
    def playlists(self) -> dict[str, Playlist]:
        """What the rest buses play, by bus."""
        return {name: played.playlist for name, played in self._rest_buses.items()}

    def _inputs(self) -> Parts[DemoDriver | None]:
        """The sources; and the demo driver, where the bench file has it."""
        driver = None
        for i, settings in enumerate(self.settings.inputs):
            place = ("inputs", i)
            if isinstance(settings, CanInput):
                message = self.databases[settings.bus].message(settings.message, (*place, "message"))
                bus, codec = self._lasting.buses[settings.bus], compile_message(message)
                self.sources.append(CanSource(bus, settings, codec, place, cycle_time=message.cycle_time))
            elif isinstance(settings, SerialInput):
                source = SerialLineSource(settings, place)
                self.sources.append(source)
                self.serial.append((settings, source))
            elif isinstance(settings, DemoDriverInput):
                driver = self._lasting.driver
            yield
        names = [source.name for source in self.sources]
        for i, one in enumerate(self.sources):
            if names.count(one.name) > 1:
                one.name = f"{one.name} (input {i + 1})"
        return driver

    def take_over(self, before: "Wiring", t: int) -> None:
        """Goes on from the tick of time `t` [ns] where another one was, which leaves the buses."""
        self.join()
        self.servers.take_over(before.servers)
        known = {source.name: source for source in before.sources}
        for source in self.sources:
            if source.name in known:
                source.take_over(known[source.name])
        self.arbiter.take_over(before.arbiter)
        self.plan.take_over(before.plan, t)
        self.faults.take_over(before.faults, t)
        before.withdraw()

    def join(self) -> None:
        """Puts its nodes on the buses."""
        for bus, place in self._places:
            bus.resume(place)

    def withdraw(self) -> None:
        """Takes its nodes off the buses."""
        for bus, place in self._places:
            bus.detach(place.node)

    def warnings(self) -> list[str]:
        """What is not as the user may have meant it, though the bench can run: the words of `hilbridge check`."""
        return [
            *(warning for database in self.databases.values() for warning in database.warnings),
            *(warning for report in self.plan.describe() for warning in report.warnings),
            *(warning for source in self.sources for warning in source.warnings),
        ]
