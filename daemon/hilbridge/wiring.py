"""The part of a bench that its file may change while it runs: frames, inputs, control units, faults.

A reload builds a new one beside the old one, which works on until the new one is complete; then `take_over` hands on
what is to continue, and the old one withdraws from the buses. What is built here changes nothing outside of itself but
the nodes of the buses.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from hilbridge.diagnostics.elm327.adapters import Adapters
from hilbridge.faults.effects import Parts
from hilbridge.faults.injector import Injector
from hilbridge.frames.bus import Bus, Node
from hilbridge.frames.codec import compile_message
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
from hilbridge.materials import Materials
from hilbridge.observe.journal import Journal
from hilbridge.servers import Servers, Surrounding
from hilbridge.settings import CanInput, DemoDriverInput, SerialInput
from hilbridge.settings.traffic import RestBusSettings
from vehiclesim import Vehicle
from vehiclesim.channels import REQUEST


class Lasting(NamedTuple):
    """What of a bench stays as long as it runs.

    Held over all inputs, highest first: `shutdown` by the end of the run, `holds` by commands, `conditions` by faults.
    """

    vehicle: Vehicle
    buses: Mapping[str, Bus]
    adapters: list[Adapters]
    journal: Journal
    driver: DemoDriver
    shutdown: Holds
    holds: Holds
    conditions: Holds


class _Played(NamedTuple):
    """A rest bus, and what it was made of."""

    settings: RestBusSettings
    log: bytes
    own: set[int]
    sender: RestBus


@contextmanager
def _joining(buses: Iterable[Bus]) -> Iterator[list[tuple[Bus, Node]]]:
    """The nodes that join the buses meanwhile; they leave again where something goes wrong."""
    others = {bus: bus.nodes for bus in buses}
    nodes: list[tuple[Bus, Node]] = []
    try:
        yield nodes
    except BaseException:
        for bus, node in _newcomers(others):
            bus.detach(node)
        raise
    nodes += _newcomers(others)


def _newcomers(others: Mapping[Bus, Sequence[Node]]) -> list[tuple[Bus, Node]]:
    return [(bus, node) for bus, known in others.items() for node in bus.nodes if node not in known]


class Wiring:
    """Built of `materials` around what is `lasting`; where another one went `before`, to take its place at `t` [ns].

    ConfigurationError (with the key path) where the bench file asks for what its database or vehicle cannot give; the
    buses are as they were then.
    """

    def __init__(self, materials: Materials, lasting: Lasting, before: "Wiring | None" = None, t: int = 0) -> None:
        self.materials: Final = materials
        self.settings: Final = materials.settings
        self.databases: Final = materials.databases
        self.sources: Final[list[Source]] = []
        self.serial: Final[list[tuple[SerialInput, SerialLineSource]]] = []
        self._lasting: Final = lasting
        self._rest_buses: Final[dict[str, _Played]] = {}
        data, buses, journal = lasting.vehicle.data, lasting.buses, lasting.journal
        with _joining(buses.values()) as self._nodes:
            self.plan: Final[FramePlan] = FramePlan(
                self.settings, self.databases, data, buses, None if before is None else before.plan
            )
            self._play_rest_buses({} if before is None else before._rest_buses)
            tester = Holds("tester")
            requests = InternalSource("J1939", [one for one in CONTROLS if one.channel == REQUEST], timeout=None)
            driver = self._inputs()
            above = [lasting.shutdown, lasting.holds, lasting.conditions, tester, requests]
            self.arbiter: Final = Arbiter(data, [*above, *self.sources], journal, driver)
            silent: list[str] = []
            surrounding = Surrounding(buses, self.plan.frames, self.sources, tester, requests, silent)
            self.servers: Final = Servers(self.settings, materials.codes, lasting.vehicle, surrounding)
            ecus = [ecu.name for ecu in self.servers.ecus]
            parts = Parts(self.plan.frames, buses, self.databases, lasting.conditions, ecus, silent)
            faults, seed = self.settings.faults, self.settings.seed
            self.faults: Final[Injector] = Injector(
                faults, seed, parts, journal, None if before is None else (before.faults, t)
            )

    def _play_rest_buses(self, before: Mapping[str, _Played]) -> None:
        """What the plan sends itself is left out of them. A log that is played already is played on."""
        for name, bus in self.settings.buses.items():
            if bus.rest_bus is None:
                continue
            log, own = self.materials.logs[name], {frame.can_id for frame in self.plan.selections[name].outgoing}
            played = before.get(name)
            if played is None or (bus.rest_bus, log, own) != played[:3]:
                sender = RestBus(self._lasting.buses[name], log, bus.rest_bus, own, ("buses", name, "rest_bus"))
                played = _Played(bus.rest_bus, log, own, sender)
            self._rest_buses[name] = played
            self.plan.senders.append(played.sender)

    def _inputs(self) -> DemoDriver | None:
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
        names = [source.name for source in self.sources]
        for i, one in enumerate(self.sources):
            if names.count(one.name) > 1:
                one.name = f"{one.name} (input {i + 1})"
        return driver

    def take_over(self, before: "Wiring", t: int) -> None:
        """Goes on from the tick of time `t` [ns] where another one was, which leaves the buses."""
        self.servers.take_over(before.servers)
        known = {source.name: source for source in before.sources}
        for source in self.sources:
            if source.name in known:
                source.take_over(known[source.name])
        self.arbiter.take_over(before.arbiter)
        self.plan.take_over(before.plan, t)
        self.faults.take_over(before.faults, t)
        before.withdraw()

    def withdraw(self) -> None:
        """Takes its nodes off the buses."""
        for bus, node in self._nodes:
            bus.detach(node)

    def warnings(self) -> list[str]:
        """What is not as the user may have meant it, though the bench can run: the words of `hilbridge check`."""
        return [
            *(warning for database in self.databases.values() for warning in database.warnings),
            *(warning for report in self.plan.describe() for warning in report.warnings),
            *(warning for source in self.sources for warning in source.warnings),
        ]
