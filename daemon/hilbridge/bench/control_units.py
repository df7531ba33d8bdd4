"""The control units of a bench with their diagnostic servers: OBD-II and UDS behind ISO-TP, nodes of J1939."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, Doubt, KeyPath
from hilbridge.base.common.run_seed import RunSeed
from hilbridge.base.common.statistics import counters
from hilbridge.base.resources import own_database
from hilbridge.bench.bench_files import BenchFiles
from hilbridge.bench.diagnostics.answers.server import AnswerServer, entered
from hilbridge.bench.diagnostics.answers.shadows import built_in_doubts
from hilbridge.bench.diagnostics.dtc.build import build_troubles
from hilbridge.bench.diagnostics.dtc.monitors import Monitors
from hilbridge.bench.diagnostics.dtc.overview import TroubleOverview
from hilbridge.bench.diagnostics.dtc.store import INTERVAL
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.elm327.adapters import Adapters
from hilbridge.bench.diagnostics.elm327.chip import build_chip
from hilbridge.bench.diagnostics.isotp.address import address_of
from hilbridge.bench.diagnostics.isotp.parameters import parameters_of
from hilbridge.bench.diagnostics.isotp.server import IsoTpServer
from hilbridge.bench.diagnostics.j1939.network import Network
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.diagnostics.obd.build import build_obd
from hilbridge.bench.diagnostics.obd.scaling import PidScaling
from hilbridge.bench.diagnostics.obd.server import ObdServer
from hilbridge.bench.diagnostics.rows import TesterRow, UnitRow
from hilbridge.bench.diagnostics.uds.server import UdsServer
from hilbridge.bench.diagnostics.uds.service import EcuInterface
from hilbridge.bench.inputs.internal import RequestSource
from hilbridge.bench.inputs.overrides import Overrides
from hilbridge.bench.inputs.source import Source
from hilbridge.bench.j1939_nodes import ROLES, build_commands, build_network, key_of
from hilbridge.bench.lost_controls import observers_of
from hilbridge.bench.scenario.context import ScenarioDiagnostics
from hilbridge.files.settings import BenchSettings, DemoDriverInput
from hilbridge.files.settings.diagnostics import J1939Settings
from hilbridge.files.settings.uds import UdsSettings
from hilbridge.files.settings.units import Role, UnitSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database, unknown
from hilbridge.frames.codec.frame import EXTENDED_MASK
from hilbridge.frames.plan.plan import FramePlan
from hilbridge.frames.plan.planned import PlannedFrame
from vehiclesim import Vehicle
from vehiclesim.channels import AuxiliaryData, InputData
from vehiclesim.databus import DataBus


class PlanSwitch:
    """The switch of one control unit for the frames of the plan on its bus (UDS service 28)."""

    def __init__(self, frames: Sequence[PlannedFrame], ecu: str) -> None:
        self._frames: Final = frames
        self._reason: Final = f"service 28 of {ecu}"

    def set_normal_transmission(self, enabled: bool) -> None:
        for frame in self._frames:
            if enabled:
                frame.silenced.discard(self._reason)
            else:
                frame.silenced.add(self._reason)


class MessageUnit:
    """A control unit, as a transport of whole messages reaches it: its ISO-TP server, without frames."""

    def __init__(self, server: IsoTpServer, is_powered: Callable[[], bool], longest: int, vin: str | None) -> None:
        self.longest: Final = longest
        self.vin: Final = vin
        self.is_powered: Final = is_powered
        self.join: Final = server.join
        self.request: Final = server.request


class ControlUnits:
    """All control units of a bench: `ecus` with trouble codes, `uds` servers by name, nodes of `j1939`."""

    def __init__(
        self,
        bench_files: BenchFiles,
        *,
        vehicle: Vehicle,
        buses: Mapping[str, Bus],
        plan: FramePlan,
        sources: Sequence[Source],
        tester: Overrides,
        requests: RequestSource,
        nvram: Nvram,
    ) -> None:
        """Build what `diagnostics` of the bench file asks for; the servers join the buses.

        Testers switch the frames of `plan`; monitors watch the inputs `sources`. UDS testers hold entries through
        `tester`, commands of J1939 through `requests`. What testers change is kept
        by `nvram`.

        ConfigurationError, with the key path, for what does not fit.
        """
        self.ecus: Final[list[Ecu]] = []
        self.uds: Final[dict[str, UdsServer]] = {}
        self.j1939: Network | None = None
        self._settings: Final = bench_files.settings
        self.seed: Final = RunSeed(self._settings.seed)
        self._codes: Final = bench_files.codes
        self._images: Final = bench_files.images
        self._vehicle: Final = vehicle
        self._buses: Final = buses
        self._plan: Final = plan
        relieved = any(isinstance(one, DemoDriverInput) for one in self._settings.inputs)
        self._observers: Final = observers_of(sources, relieved=relieved)
        self._tester: Final = tester
        self.silent: Final[list[str]] = []
        """The units that a fault silences."""

        self._nvram: Final = nvram
        self._servers: Final[dict[str, IsoTpServer]] = {}
        self._supplies: Final[dict[str, Callable[[], bool]]] = {}
        self._answers: Final[dict[str, Callable[[int], bool]]] = {}
        self._powered = False
        self._ignitions_off = 0
        self._next_look = INTERVAL  # [ns] of monitors and cycles, which take turns: one unit in a tick
        self._round = INTERVAL  # [ns] when this round of looks began
        self._next = 0  # index of the unit that looks next
        diagnostics = self._settings.diagnostics
        for name, unit in diagnostics.units.items():
            self._build_unit(name, unit)
        self.deferred: Final = frozenset(
            name for name, unit in diagnostics.units.items() if unit.nv_storage == "shutdown"
        )
        """The units that write at their shutdown."""

        self.asked_on: Final[dict[str, set[int]]] = {}
        """The identifiers (with their flag) on which testers ask control units over ISO-TP, by bus."""

        for server in self._servers.values():
            self.asked_on.setdefault(server.bus.name, set()).update(server.requests)
        if diagnostics.j1939 is not None:
            self.j1939 = self._build_j1939(diagnostics.j1939, requests)
        self._polled: Final = tuple(self._servers.values())
        self._stores: Final = [ecu.store for ecu in self.ecus if ecu.obd is not None or not ecu.addresses]
        """The stores of the units that can light the malfunction indicator."""

        self._turn: Final = INTERVAL // max(1, len(self.ecus)) // self._settings.period * self._settings.period  # [ns]

    @property
    def troubles(self) -> TroubleOverview:
        """The trouble codes of all control units."""
        return TroubleOverview({ecu.name: ecu.store for ecu in self.ecus})

    @property
    def reached(self) -> dict[str, tuple[Ecu, IsoTpServer]]:
        """The control units that testers reach, by name, with the servers that hear their requests."""
        return {ecu.name: (ecu, self._servers[ecu.name]) for ecu in self.ecus if ecu.name in self._servers}

    @property
    def by_messages(self) -> dict[str, "MessageUnit"]:
        """The control units that testers reach, by name, for transports that carry whole messages."""
        iso_tp, units = self._settings.diagnostics.iso_tp, self._settings.diagnostics.units
        return {
            name: MessageUnit(
                server, self._supplies[name], iso_tp.overridden(units[name].iso_tp).longest, units[name].vin
            )
            for name, server in self._servers.items()
        }

    def for_scenarios(self) -> ScenarioDiagnostics | None:
        """Return what scenarios see of the control units; None without any."""
        if not self._settings.diagnostics.units:
            return None
        ways = {ecu.name: (ecu.bus, ecu.addresses[0]) for ecu in self.ecus if ecu.addresses}
        return ScenarioDiagnostics(ways, self.troubles, _scaling().codec)

    def take_over(self, before: "ControlUnits") -> None:
        """Keep trouble codes, and identifiers and memory that testers have written, as over a restart.

        Failures that a command holds stay held.
        """
        known = {ecu.name: ecu.store for ecu in before.ecus}
        for ecu in self.ecus:
            if ecu.name in known:
                old = known[ecu.name]
                ecu.store.restore(old.export())
                ecu.store.held.extend(code for code in old.held if code in ecu.store.troubles)
        for name, uds in self.uds.items():
            if name in before.uds:
                uds.identifiers.restore(before.uds[name].identifiers.export())
                uds.memory.take_over(before.uds[name].memory)

    def close(self) -> None:
        """Let go of the servers, whose parts refer to each other: a reload has no collector to take them apart."""
        for uds in self.uds.values():
            uds.close()
        for server in self._servers.values():
            server.close()

    def _build_unit(self, name: str, unit: UnitSettings) -> None:
        place = ("diagnostics", "units", name)
        bus = self._buses[unit.bus]
        troubles = self._build_troubles({name, unit.role or name}, unit, place)
        obd = None
        if unit.obd is not None:
            here = (*place, "obd")
            obd = build_obd(
                unit.obd,
                unit.vin,
                vehicle=self._vehicle,
                scaling=_scaling(),
                monitors=troubles,
                nvram=self._nvram_of(unit),
                place=here,
            )
        uds = None if unit.uds is None else self._build_uds(name, unit, unit.uds, troubles, obd)
        addresses = [address_of(one) for one in unit.addresses]
        answers = None
        if unit.answers:
            session = None if uds is None else uds.session
            answers = AnswerServer(unit.answers, self._vehicle.data, session, (*place, "answers"))
        ecu = Ecu(name, troubles, bus=unit.bus, addresses=addresses, obd=obd, uds=uds, answers=answers)
        self.ecus.append(ecu)
        parameters = parameters_of(self._settings.diagnostics.iso_tp.overridden(unit.iso_tp))
        reached = [(address, ecu) for address in addresses]
        self._supplies[name] = self._whether_powered(unit)
        self._answers[name] = self._whether_answers(name)
        self._servers[name] = IsoTpServer(bus, reached, parameters, self._answers[name])

    def _build_uds(
        self, name: str, unit: UnitSettings, uds: UdsSettings, troubles: Monitors, obd: ObdServer | None
    ) -> UdsServer:
        interface = EcuInterface(
            data=self._vehicle.data,
            troubles=troubles.store,
            overrides=self._tester,
            communication=PlanSwitch(self._frames_of(name, unit), name),
            read_obd=_no_obd if obd is None else obd.read_identifier,
            vin=unit.vin,
            transmit=partial(self._buses[unit.bus].transmit, origin=None),
            images=self._images,
            generator=partial(self.seed.generator, offset=len(self.ecus)),
            nvram=self._nvram_of(unit),
        )
        server = UdsServer(uds, interface, ("diagnostics", "units", name, "uds"), entered(unit.answers))
        self.uds[name] = server
        return server

    def _nvram_of(self, unit: UnitSettings | None) -> Nvram:
        """Return what the answers of a unit wait for: nothing if it writes at its shutdown."""
        return self._nvram if unit is None or unit.nv_storage == "immediate" else Nvram()

    def shutdowns(self, name: str) -> int:
        """Return how often a unit has written at a shutdown: the ignition went off, or it was reset."""
        return self._ignitions_off + (self.uds[name].resets if name in self.uds else 0)

    def _frames_of(self, name: str, unit: UnitSettings) -> list[PlannedFrame]:
        """Return the frames that a unit sends besides its answers. ConfigurationError: its node sends none."""
        sent = [frame for frame in self._plan.frames if frame.bus is self._buses[unit.bus]]
        if unit.node is None:
            return sent
        nodes = dict.fromkeys(frame.outgoing.node for frame in sent if frame.outgoing.node is not None)
        if unit.node not in nodes:
            raise unknown(f"sending node of bus {unit.bus}", unit.node, nodes, ("diagnostics", "units", name, "node"))
        return [frame for frame in sent if frame.outgoing.node == unit.node]

    def _build_j1939(self, j1939: J1939Settings, requests: RequestSource) -> Network:
        ecus = {
            name: self._ecu_of(ROLES[node.function]) for name, node in j1939.nodes.items() if node.function in ROLES
        }
        diagnostics = self._settings.diagnostics
        network = build_network(
            j1939,
            vehicle=self._vehicle,
            bus=self._buses[j1939.bus],
            bus_settings=self._settings.buses[j1939.bus],
            frames=self._plan.frames,
            ecus=ecus,
            units=diagnostics.units,
            nvram_of=self._nvram_of,
        )
        network.take_commands(build_commands(j1939, self._vehicle), requests)
        for i, (name, node) in enumerate(j1939.nodes.items()):
            if node.memory is not None:
                place = ("diagnostics", "j1939", "nodes", name, "memory")
                uds = self.uds.get(node.memory.unit)
                if uds is None:
                    raise ConfigurationError(f"{node.memory.unit} is no control unit with 'uds'", (*place, "unit"))
                generator = partial(self.seed.generator, offset=i)
                nvram = self._nvram_of(diagnostics.units[node.memory.unit])
                network.nodes[name].show_memory(uds.memory, key_of(node.memory, place), generator, nvram)
        return network

    def _ecu_of(self, role: Role) -> Ecu:
        """Return the control unit with a role; one that only J1939 reaches has trouble codes too."""
        for ecu in self.ecus:
            unit = self._settings.diagnostics.units.get(ecu.name)
            if role in (ecu.name, None if unit is None else unit.role):
                return ecu
        self.ecus.append(Ecu(role, self._build_troubles({role})))
        return self.ecus[-1]

    def _build_troubles(
        self, names: Collection[str], unit: UnitSettings | None = None, place: KeyPath = ()
    ) -> Monitors:
        codes = self._codes
        assert codes is not None  # noqa: S101 - they are read where there are control units
        return build_troubles(names, codes, vehicle=self._vehicle, observers=self._observers, unit=unit, place=place)

    def _whether_powered(self, unit: UnitSettings) -> Callable[[], bool]:
        """Return a function without a reference to `self`: there is no cycle, so replaced servers need no collector."""
        data, terminals = self._vehicle.data, self._plan.terminals
        if unit.power == "battery":
            return lambda: not terminals.is_cut_off
        return lambda: _is_on(data)

    def _whether_answers(self, name: str) -> Callable[[int], bool]:
        """Return a function without a reference to `self`, as above."""
        powered, silent, uds = self._supplies[name], self.silent, self.uds.get(name)
        return lambda t: powered() and name not in silent and (uds is None or t >= uds.reset_until)

    def serve(self, t: int) -> None:
        """Run the monitors on the values of the tick, set the indicator lamp, then answer requests."""
        powered = _is_on(self._vehicle.data)
        if self._powered and not powered:
            self._ignitions_off += 1
            for ecu in self.ecus:
                unit = self._settings.diagnostics.units.get(ecu.name)
                if unit is not None and unit.power == "ignition":
                    ecu.restart()
        self._powered = powered
        if t >= self._next_look:
            self._look(t)
        lit = 0
        for store in self._stores:
            if store.indicator:
                lit = 1
        self._vehicle.data.auxiliary[AuxiliaryData.INDICATOR_LAMP] = lit
        for server in self._polled:
            server.poll(t)
        if self.j1939 is not None:
            self.j1939.serve(t)

    def _look(self, t: int) -> None:
        """Advance the units whose turn it is: each one every INTERVAL."""
        while self.ecus and t >= self._next_look:
            self.ecus[self._next].advance(t)
            self._next += 1
            if self._next == len(self.ecus):
                self._next = 0
                self._round = max(self._round + INTERVAL, t - INTERVAL)
            self._next_look = self._round + self._next * self._turn

    def answer(self, t: int) -> int:
        """Answer the requests that came before the tick of time `t` [ns], from the values of the tick before it.

        Return how many answers have begun.
        """
        return sum(server.answer(t) for server in self._servers.values())

    def asked_since(self, t: int) -> bool:
        """Return whether a tester has sent a frame to a control unit, awake or not, after a time [ns]."""
        return any(server.heard is not None and server.heard > t for server in self._servers.values())

    def answer_delays(self) -> list[int]:
        """Return, for each answer over ISO-TP that began in this tick, how many ticks after its request it began."""
        return [waited for server in self._servers.values() for waited in server.begun]

    def doubts(self) -> Iterator[Doubt]:
        """Return identifiers of units that frames of the bench have too, and answers that are in front of others."""
        sent = {(frame.bus.name, frame.can_id): frame.outgoing.message for frame in self._plan.frames}
        for ecu in self.ecus:
            for index, address in enumerate(ecu.addresses):
                for can_id in (address.request_id, address.response_id):
                    if name := sent.get((ecu.bus, can_id)):
                        reason = f"{can_id & EXTENDED_MASK:X} is the identifier of {name} too, which the bench sends"
                        yield Doubt(reason, ("diagnostics", "units", ecu.name, "addresses", index))
            if ecu.answers is not None:
                yield from ecu.answers.doubts()
                yield from built_in_doubts(ecu.answers, ecu.obd, self.uds.get(ecu.name))

    def status(self, t: int) -> Iterator[tuple[str, UnitRow]]:
        """Yield each unit by its name: where it is reached, and whether it answers at `t` [ns]."""
        for ecu in self.ecus:
            if ecu.name in self._answers:
                uds = self.uds.get(ecu.name)
                yield (
                    ecu.name,
                    UnitRow(
                        ecu.bus,
                        [address.describe() for address in ecu.addresses],
                        self._settings.diagnostics.units[ecu.name].power,
                        self._answers[ecu.name](t),
                        None if uds is None else uds.session.active,
                        0 if uds is None else uds.session.unlocked,
                    ),
                )

    def statistics(self) -> Iterator[tuple[str, TesterRow]]:
        """Yield the counters that are not 0, by control unit and node."""
        ecus = {ecu.name: ecu for ecu in self.ecus}
        for name, server in self._servers.items():
            yield name, TesterRow(self._events(ecus[name], server), list(server.answered_after))
        for name, node in ({} if self.j1939 is None else self.j1939.nodes).items():
            yield name, TesterRow(counters(node.statistics) | counters(node.transport.statistics))

    def _events(self, ecu: Ecu, server: IsoTpServer) -> dict[str, int]:
        """Return the counters of a control unit that are not 0."""
        events = counters(server.statistics)
        uds = self.uds.get(ecu.name)
        parts = [one.statistics for one in (ecu.obd, uds) if one is not None]
        if not_written := sum(one.not_written for one in parts):
            events["not_written"] = not_written  # the disk did not take what was changed
        if ecu.answers is not None:
            events |= {f"data_{name}": n for name, n in counters(ecu.answers.statistics).items()}
        if uds is not None and not uds.application_runs:
            events["boot_loader"] = 1  # a broken flash: no OBD-II, and few services
        return events


def _is_on(data: DataBus) -> bool:
    """Return whether terminal 15 is on, by which most control units have power."""
    return data.input[InputData.KEY] >= 0


def _no_obd(_identifier: int) -> None:
    """Answer no identifier of OBD-II: the control unit has none."""


def build_adapters(settings: BenchSettings, buses: Mapping[str, Bus], data: DataBus) -> list[Adapters]:
    """Build the ELM327s of the bench file. They are nodes of their bus; what they send is delivered as every frame."""
    return [
        Adapters(
            buses[one.bus],
            data,
            build_chip(one),
            settings.buses[one.bus].bitrate or one.bitrate,
            buses[one.bus].accepts,
        )
        for one in settings.diagnostics.elm327
    ]


@cache
def _scaling() -> PidScaling:
    return PidScaling(load_database(own_database("obd2.dbc")))
