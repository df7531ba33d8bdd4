"""The bench as a running thing: one vehicle, its buses, inputs and diagnostics, wired from one bench file.

Read this first, with loop.py: the loop calls `sample`, `step`, `serve` and `publish` once a tick, in this order.
Everything is built before the first tick; `open` is the only moment at which the outside world is touched.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final, TypeVar

from hilbridge.base.common.errors import ConfigurationError, KeyPath, LinkError, NotNowError
from hilbridge.base.common.event_log import EventRelay
from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench_files import BenchFiles, load_bench_files
from hilbridge.bench.control_units import build_adapters
from hilbridge.bench.diagnostics.elm327.adapters import Adapters
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.doip.entity import DoipEntity
from hilbridge.bench.drive.start_state import ReachedState, reach
from hilbridge.bench.engine_tuning import EngineTuning
from hilbridge.bench.fmu.values import FmuValues
from hilbridge.bench.hardware import Hardware
from hilbridge.bench.inputs.commanded import CommandedControls
from hilbridge.bench.inputs.controls import INPUT_CONTROLS
from hilbridge.bench.parts.part import Step
from hilbridge.bench.run_date import RunDate
from hilbridge.bench.scenario.context import ScenarioContext
from hilbridge.bench.wiring import Wiring
from hilbridge.boundary.control.command_handler import CommandHandler, Host
from hilbridge.boundary.control.lines import HandleCommand
from hilbridge.boundary.fmu.port import FmuPort
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.links.input_port import InputPort
from hilbridge.boundary.links.link import DuplexEndpoint, Endpoint, Link
from hilbridge.boundary.links.poller import Poller, Ready
from hilbridge.boundary.links.serial_output import OutputPort
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.start import StartSettings
from hilbridge.frames.bus.bus import Bus, Outlet
from hilbridge.frames.bus.gate import Gate
from hilbridge.frames.bus.traffic import Sighting, Traffic
from hilbridge.frames.codec.custom import entries_of
from hilbridge.frames.plan.gating import build_gate
from hilbridge.frames.plan.id_conflicts import IdConflicts, leaving
from vehiclesim.databus import DataBus
from vehiclesim.entries import Entries

_Key = TypeVar("_Key")
_Port = TypeVar("_Port")


class Bench:
    """All that a tick works on: what stays as long as the bench runs, and the `wiring`, which a reload replaces.

    `wiring` has the frame plan, the inputs, the control units and the faults of the bench file. `overrides` are the
    entries that commands hold over all inputs.
    """

    def __init__(self, file: BenchFile) -> None:
        """Build everything. ConfigurationError: the file asks for what its database or vehicle cannot give."""
        settings = file.settings
        self.vehicle: Final = file.vehicle.build()
        self._build_vehicle: Final = file.vehicle.build
        self._reached: Final[dict[StartSettings, ReachedState]] = {}
        self.date: Final = RunDate(self.vehicle.data, settings.begin)
        self.engine_tuning: Final = EngineTuning(file.vehicle, self.vehicle)
        self.event_log: Final = EventRelay()
        self.boundary: Final = Boundary()
        self.nvram: Final = Nvram()
        self.buses: Final = {name: Bus(name, index) for index, name in enumerate(settings.buses)}
        self._buses: Final = tuple(self.buses.values())
        for bus in self._buses:
            bus.attach_observer(self.boundary.frame)
        self.adapters: Final = build_adapters(settings, self.buses, self.vehicle.data)
        self.vehicle.data.declare(entries_of(settings.custom))
        self.output_ports: Final[dict[str, OutputPort]] = {}
        self.wiring = self._build_wiring(load_bench_files(file))
        self.wiring.arbiter.rest()

        self.links: Final[dict[str, Link]] = {}
        self._links: tuple[Link, ...] = ()
        self.gates: Final[dict[str, Gate]] = {}
        self.id_conflicts: Final[dict[str, IdConflicts]] = {}
        self._outlets: Final[dict[str, Outlet]] = {}
        self._traffic: Final[dict[str, Traffic]] = {}
        self._input_ports: Final[dict[int, InputPort]] = {}
        self._scan_tool_ports: Final[list[DuplexEndpoint]] = []
        self._poller: Final = Poller()
        self.lost_at: Final[dict[Endpoint, int]] = {}
        """The time [ns] since which each link and port that does not work has not; kept by the connection log."""

        self.now = 0
        """The time [ns] of the tick at hand."""

        self.ready: Ready = ()
        """The descriptors of the endpoints that have something to do in the tick at hand."""

        self._delta_time: Final = settings.period / SECOND
        self._silent_at: int | None = None  # [ns] when the bus falls silent at the latest, once the bench shuts down

    @property
    def settings(self) -> BenchSettings:
        """The bench file that is wired now."""
        return self.wiring.settings

    @property
    def overrides(self) -> CommandedControls:
        """The entries that commands hold."""
        return self.wiring.overrides

    def _build_wiring(self, bench_files: BenchFiles, before: Wiring | None = None, t: int = 0) -> Wiring:
        return Wiring(
            bench_files,
            vehicle=self.vehicle,
            buses=self.buses,
            event_log=self.event_log,
            nvram=self.nvram,
            ports=self.output_ports,
            before=before,
            t=t,
        )

    # -- the outside world --------------------------------------------------------------------------------------

    def open(self, *, waits: bool) -> None:
        """Open the endpoints of the bench file. ConfigurationError, with the key path, where that cannot be done.

        `waits`: links and ports that are missing now are awaited by the tick, as after a loss; else they are an error.
        """
        hardware = Hardware(self.settings, self.boundary, waits=waits)
        self.connect(hardware.link, hardware.input_port, hardware.scan_tool_port, hardware.output_port)
        missing = [endpoint.trouble for endpoint in self._endpoints if endpoint.trouble]
        if missing and not waits:
            self.close()
            raise ConfigurationError("; ".join(missing), may_pass=True)

    def connect(
        self,
        link: Callable[[Bus], Link] = EmbeddedLink,
        input_port: Callable[[int], InputPort | None] | None = None,
        scan_tool_port: Callable[[int, Adapters | DoipEntity], DuplexEndpoint] | None = None,
        output_port: Callable[[str], OutputPort | None] | None = None,
    ) -> None:
        """Connect the buses, the ports of inputs and ELM327s by number, outputs by name, to what these functions make.

        The port of the DoIP entity has the number behind the ELM327s.

        Without arguments, as on the virtual clock, no program can join a bus, and nothing else is connected; neither is
        an input or an output for which these functions return None.

        ConfigurationError, with the key path, where one raises LinkError.
        """
        place: KeyPath = ()
        try:
            for name, bus in self.buses.items():
                place = ("buses", name)
                self._attach(name, link(bus))
            if input_port is not None:
                place = ()
                self._connect_inputs(input_port)
            if scan_tool_port is not None:
                for number, (key, sockets) in enumerate(self._scan_tool_sockets()):
                    place = key
                    self._scan_tool_ports.append(scan_tool_port(number, sockets))
            if output_port is not None:
                for name in (*self.wiring.outputs.outputs, *self.wiring.lines.lines):
                    sections = ("boards", "lines", "outputs")
                    place = (next(key for key in sections if name in getattr(self.settings, key)), name)
                    _keep(self.output_ports, name, output_port(name))
        except (ConfigurationError, LinkError) as error:
            self.close()
            if isinstance(error, ConfigurationError):
                raise
            may_pass = isinstance(error, NotNowError)
            raise ConfigurationError(str(error), (*place, *error.place), may_pass=may_pass) from error
        for endpoint in self._endpoints:
            self._poller.add(endpoint.descriptor)

    def _connect_inputs(self, input_port: Callable[[int], InputPort | None]) -> None:
        """Read the ports that there are; those of FMUs are also asked. LinkError, with the key path."""
        for number, reader in enumerate(self.wiring.fed):
            try:
                port = input_port(number)
            except LinkError as error:
                section = ("fmu", reader.name) if isinstance(reader, FmuValues) else ("inputs",)
                raise type(error)(str(error), (*section, *error.place)) from error
            _keep(self._input_ports, number, port)
            if isinstance(reader, FmuValues) and isinstance(port, FmuPort):
                reader.port = port

    def _scan_tool_sockets(self) -> Iterator[tuple[KeyPath, Adapters | DoipEntity]]:
        """Yield where scan tools and testers plug in, by number, each with the key path of its settings."""
        for number, adapters in enumerate(self.adapters):
            yield ("diagnostics", "elm327", number), adapters
        if (entity := self.wiring.doip) is not None:
            yield ("doip",), entity

    def _attach(self, name: str, link: Link) -> None:
        bus = self.buses[name]
        self.links[name] = link
        self._links = tuple(self.links.values())
        self._outlets[name] = self.boundary.record_link(bus.index, link)
        self.gates[name] = self._build_gate(name, self.wiring)
        bus.attach_link(link, self.gates[name])
        self._detect_id_conflicts(name, self.wiring, self.gates[name])

    def _build_gate(self, name: str, wiring: Wiring) -> Gate:
        settings = wiring.settings
        selections = wiring.plan.selections
        brought = wiring.gateway.brought(name, selections)
        return build_gate(self._outlets[name], settings.buses[name], selections[name], settings.period, brought)

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

    def watch(self, descriptor: int) -> None:
        """Add a descriptor that is no part of the bench to those that `ready` lists while they are readable."""
        self._poller.add(descriptor)

    def close(self) -> None:
        """Close all endpoints."""
        self._poller.close()
        for endpoint in self._endpoints:
            endpoint.close()

    @property
    def _endpoints(self) -> list[Endpoint]:
        return [*self.links.values(), *self._input_ports.values(), *self._scan_tool_ports, *self.output_ports.values()]

    # -- the tick -----------------------------------------------------------------------------------------------

    def sample(self, t: int) -> None:
        """Drain links and ports, deliver the frames on each bus, and let one source win each control."""
        self.now = t
        wiring = self.wiring
        self.date.write(t)
        steps = wiring.steps
        _call(steps.begin, t, ())
        ready = self.ready = self._poller.ready(t)
        _call(steps.poll, t, ready)
        for link in self._links:
            if link.descriptor in ready:
                link.poll(t)
        self.boundary.polled(t)
        for port in self._scan_tool_ports:
            if port.descriptor in ready:
                port.poll(t)
        self._exchange(t)
        if self._input_ports:
            self._feed(t)
        _call(steps.hear, t, ready)
        _call(steps.sample, t, ready)

    def _feed(self, t: int) -> None:
        for number, input_port in self._input_ports.items():
            if input_port.descriptor in self.ready:
                data, trouble = input_port.poll(t), input_port.trouble
                self.boundary.serial(t, number, data, trouble)
                self.wiring.fed[number].feed(data, t, trouble)

    def answer(self, t: int) -> int:
        """Answer testers before the tick of time `t` [ns] is due, from the values of the tick before it.

        Return how many answers have begun. All frames that wait on their links are heard, in their order; what is no
        request acts in the tick.
        """
        links = [self.links[name] for name in self.wiring.control_units.asked_on]
        for link in links:
            link.poll(t)
        arrived = sum(bus.arrived for bus in self._buses)
        if not arrived:
            return 0
        self.boundary.early(t, arrived)
        self._exchange(t)
        begun = self.wiring.control_units.answer(t)
        self._exchange(t)
        for link in links:
            link.flush(t)
        return begun

    def step(self) -> None:
        """Advance the vehicle by one period, and compute the entries that follow from it."""
        self.wiring.read_controls()
        self.vehicle.step(self._delta_time)
        self.wiring.compute()

    def serve(self, t: int) -> None:
        """Answer diagnostic requests from the values of this tick."""
        _call(self.wiring.steps.serve, t, self.ready)

    def publish(self, t: int) -> None:
        """Send the frames that are due, deliver all frames on each bus, and flush what goes out."""
        self.wiring.plan.publish(t)
        self._exchange(t)
        for adapters in self.adapters:
            adapters.poll(t)
        self._exchange(t)
        for link in self._links:
            link.flush(t)
        for port in self._scan_tool_ports:
            port.flush(t)
        _call(self.wiring.steps.publish, t, self.ready)

    def _exchange(self, t: int) -> None:
        for bus in self._buses:
            if bus.pending:
                bus.exchange(t)

    # -- the beginning of the run -------------------------------------------------------------------------------

    def prepare_start(self, start: StartSettings) -> ReachedState:
        """Return a state of motion, which takes up to some seconds when it is first asked for.

        ConfigurationError, with the key: the vehicle cannot reach it.
        """
        if any(one.results for one in self.wiring.fmus.values()):
            raise ConfigurationError("an FMU that writes computed entries begins at rest, and takes no other state")
        if start not in self._reached:
            self._reached[start] = reach(self._build_vehicle(), start)
        return self._reached[start]

    def begin(self, start: StartSettings, t: int, by: str | None) -> None:
        """Put the vehicle into a state of motion, with the counters that it has, and hold its controls for a client.

        ConfigurationError: the first tick is over.
        """
        if t > 0:
            raise ConfigurationError("a vehicle begins in a state in the first tick of a run, which is over")
        reached = self.prepare_start(start)
        memory, electric = self.vehicle.auxiliaries.memory(), self.vehicle.electric
        of_battery = None if electric is None else electric.memory()
        for index, value in reached.controls.items():
            control = INPUT_CONTROLS[index]
            self.overrides.set(control.name, control.to_value(value), None, by)
            self.vehicle.data.input[index] = value
        self.vehicle.set_state_vars(reached.state)
        self.vehicle.auxiliaries.start_from(memory)
        if electric is not None and of_battery is not None:
            electric.start_from(of_battery)
        self.vehicle.set_state_vars(self.vehicle.get_state_vars())  # shows the counters on the data bus

    def set_date(self, date: datetime, t: int, *, smoothly: bool) -> None:
        """Set the date of the run from the tick after `t` [ns] on. ConfigurationError: there is no such date."""
        try:
            self.date.set(t, date, smoothly=smoothly)
        except OverflowError:
            raise ConfigurationError(f"{date} is beyond all dates") from None

    def ask(self, bus: str, question: bytes, t: int) -> int:
        """Ask the control unit behind a bus at `t` [ns]; return the number of the question.

        ConfigurationError: it cannot be asked.
        """
        return self.wiring.clusters.ask(bus, question, t)

    # -- a reload -----------------------------------------------------------------------------------------------

    def adopt(self, bench_files: BenchFiles, t: int) -> None:
        """Build another configuration and continue with it, after the tick of time `t` [ns].

        An exception leaves everything as it was. `reload.restart_rules` says what may differ; nothing else is compared.
        """
        following = t + self.settings.period
        with _declared(self.vehicle.data, entries_of(bench_files.settings.custom)):
            wiring = self._build_wiring(bench_files, self.wiring, following)
            try:
                gates = {name: self._build_gate(name, wiring) for name in self.gates}
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

    # -- the end of the run -------------------------------------------------------------------------------------

    def shut_down(self, t: int) -> None:
        """Turn the key off and cut all terminals, even terminal 30, from the next tick on.

        So every frame is sent once more, when it is due, at the end of its after-run, and shows it.
        """
        if self._silent_at is None:
            self._silent_at = t + round(self.settings.shutdown * SECOND)
            self.wiring.shutdown.set("input.Key", -1)
            self.wiring.plan.cut_off()
            self.wiring.lines.cut_off()

    def is_shut_down(self, t: int) -> bool:
        """Return whether all frames were sent for the last time, or the time for it is over."""
        return self._silent_at is not None and (t >= self._silent_at or self.wiring.plan.is_asleep)

    # -- views for other rooms ----------------------------------------------------------------------------------

    def command_handler(self, host: Host) -> CommandHandler:
        """Return what carries out commands on the bench as it is wired now; those for the run go to `host`."""
        wiring = self.wiring
        troubles = wiring.control_units.troubles
        return CommandHandler(
            host,
            self,
            self.overrides,
            {**self.gates, **wiring.outputs.outputs, **wiring.lines.lines},
            self.buses,
            wiring.faults,
            troubles,
            self.engine_tuning,
        )

    def scenario_context(self, handle: HandleCommand) -> ScenarioContext:
        """Return what a scenario sees of the bench as it is wired now; `handle` carries out its commands."""
        wiring, vehicle = self.wiring, self.vehicle
        diagnostics = wiring.control_units.for_scenarios()
        return ScenarioContext(
            vehicle.data, vehicle.settings, self.buses, wiring.messages, wiring.faults, handle, diagnostics
        )

    def traffic(self, name: str) -> Traffic:
        """Return what a bus has carried since the first call for it."""
        traffic = self._traffic.get(name)
        if traffic is None:
            traffic = self._traffic[name] = Traffic()
            self.buses[name].attach_observer(traffic.note)
        return traffic

    @property
    def watched(self) -> tuple[tuple[str, Traffic], ...]:
        """The buses whose traffic was asked for, and what they have carried since."""
        return tuple(self._traffic.items())

    def newest_sent(self, bus: str, can_id: int) -> Sighting | None:
        """Return the newest frame of the bench's own on a watched bus; None: there was none."""
        traffic = self._traffic.get(bus)
        return None if traffic is None else traffic.newest(can_id)

    @property
    def ports(self) -> Mapping[str, Sequence[Endpoint]]:
        """The endpoints beside the links of the buses, by their kind."""
        ports: dict[str, list[Endpoint]] = {"pedal port": []}
        for number, port in self._input_ports.items():
            ports.setdefault(self.wiring.fed[number].port_kind, []).append(port)
        return {
            **ports,
            "scan tool port": self._scan_tool_ports[: len(self.adapters)],
            "DoIP port": self._scan_tool_ports[len(self.adapters) :],
            "output port": [port for name, port in self.output_ports.items() if name not in self.wiring.lines.lines],
        }


def _call(steps: tuple[Step, ...], t: int, ready: Ready) -> None:
    for step in steps:
        step(t, ready)


def _keep(ports: dict[_Key, _Port], key: _Key, port: _Port | None) -> None:
    """Add a port, if there is one."""
    if port is not None:
        ports[key] = port


@contextmanager
def _declared(data: DataBus, entries: Entries) -> Iterator[None]:
    """Give a data bus other entries of the bench's own; an exception within the block gives back those before."""
    before, values = data.entries, data.custom.copy()
    data.declare(entries)
    try:
        yield
    except BaseException:
        data.declare(before)
        data.custom[:] = values
        raise
