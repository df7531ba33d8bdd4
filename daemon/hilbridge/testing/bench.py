"""A bench inside a test: the test advances the time, and no frame leaves the process."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import nullcontext, suppress
from os import PathLike, fspath
from typing import Any, Final, Literal, NoReturn

from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import NEVER
from hilbridge.base.trust.gate import everything_trusted
from hilbridge.bench.bench import Bench
from hilbridge.bench.scenario.player import Player
from hilbridge.bench.status import PARTS, answer, fault_pieces, statistics
from hilbridge.bench.views import resolve
from hilbridge.boundary.control.chunked_json import JsonPiece, encode_pieces
from hilbridge.boundary.control.commands import FaultList, Status
from hilbridge.boundary.control.commands import parse as parse_command
from hilbridge.boundary.control.lines import Answer, Command, answer_of, execute
from hilbridge.boundary.fmu.opening import start
from hilbridge.boundary.links.input_port import InputPort
from hilbridge.boundary.links.serial_output import OutputPort, SharedPort
from hilbridge.boundary.lockstep.client import ClientError
from hilbridge.boundary.lockstep.opening import make_unit
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.files.configuration.changes import Changes
from hilbridge.files.configuration.scenariofile import scenario_schema
from hilbridge.files.configuration.validation import explain
from hilbridge.files.settings import PORT_INPUTS, BoardInput
from hilbridge.files.settings.scenario import ScenarioSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.testing.any_bench import AnyBench
from hilbridge.testing.stepper import Stepper
from hilbridge.testing.wire import FedPort, HeardPort, VirtualWire, Wire
from vehiclesim.databus import DataBus


def _changes_of(given: Mapping[str, Any]) -> Changes:
    """Return the changes of bench and vehicle. ConfigurationError: a key belongs to neither."""
    changes = Changes.of(given)
    for key in changes.scenario:
        raise ConfigurationError(f"set: {key!r} is a key of neither file: 'vehicle.body.mass', 'bench.rate', ...")
    return changes


class VirtualBench(AnyBench):
    """A bench on the virtual clock, in the process of the test; the methods are those of `AnyBench`.

    Every bus is armed, because there is no hardware. Set values, frames and faults take effect in the next tick.
    `parts` is the bench itself.

    `start={"speed": 80, "gear": 4, "coolant": 90}`: the vehicle begins in motion, as with the key 'start' of scenarios.

    `set={"vehicle.body.mass": 1400}`: values in place of those of the bench file and the vehicle file, as with
    `hilbridge run --set`.

    `trust`: the Python code that the bench names is the test's own, and runs without having been trusted before.

    ConfigurationError: an error in the files, an unknown name in a call, or a start that the vehicle cannot reach.
    """

    def __init__(
        self,
        bench: str | PathLike[str] = "demo",
        *,
        set: Mapping[str, Any] | None = None,  # noqa: A002 - the word of `run --set`
        seed: int | None = None,
        demo_driver: bool = False,
        start: Mapping[str, float] | None = None,
        trust: bool = False,
    ) -> None:
        with everything_trusted() if trust else nullcontext():
            file = load_bench(fspath(bench), _changes_of(set or {}))
            if not demo_driver:
                file = file.without_demo_driver()
            if seed is not None:
                file = file.altered(seed=seed)
            try:
                self.parts: Final = Bench(file)
            except ConfigurationError as error:
                raise file.locate(error) from error
        super().__init__(self.parts)
        self._virtual_wires: Final[dict[str, VirtualWire]] = {}
        self._ports: Final[list[FedPort]] = []
        self._output_ports: Final[dict[str, HeardPort]] = {}
        self._shared: Final[dict[str, SharedPort]] = {}
        with everything_trusted() if trust else nullcontext():
            self._connect(file)
        for gate in self.parts.gates.values():
            gate.armed = True
        wiring = self.parts.wiring
        for output in (*wiring.outputs.outputs.values(), *wiring.lines.lines.values()):
            output.armed = True
        with everything_trusted() if trust else nullcontext():
            self._attach_clients(file)
        self._stepper: Final = Stepper(self.parts, self._prepare, self._conclude)
        self._command_handler: Final = self.parts.command_handler(self._stepper)
        self._player: Final = Player(lambda: self.parts.scenario_context(self.obey))
        if start is not None:
            execute(self.obey, "begin", start=dict(start))

    def close(self) -> None:
        self.parts.close()

    @property
    def data(self) -> DataBus:
        return self.parts.vehicle.data

    def write_serial(self, data: bytes, port: int | str = 0) -> None:
        if not isinstance(data, bytes | bytearray):
            raise TypeError(f"write_serial takes bytes, as a serial line does: b{data!r}")
        if isinstance(port, str):
            self._output_port(port).waiting.extend(data)
            return
        if not 0 <= port < len(self._ports):
            raise ConfigurationError(f"the bench has {len(self._ports)} serial inputs; there is no number {port}")
        self._ports[port].waiting.extend(data)

    def read_serial(self, output: str) -> bytes:
        """Return what an output has sent since the last call, as a display or board hears it."""
        heard = self._output_port(output).heard
        sent = bytes(heard)
        heard.clear()
        return sent

    def obey(self, line: bytes) -> bytes:
        """Give a command as a line of the control socket: JSON in, JSON out."""
        with suppress(ConfigurationError):  # whose words the controller finds
            match parse_command(line):
                case Status() as question:
                    return b"".join(encode_pieces(self._status(resolve(self.parts, question.wanted, PARTS))))
                case FaultList():
                    return b"".join(encode_pieces(fault_pieces(self.parts)))
        return self._command_handler.handle(line, self._stepper.elapsed)

    # -- inside -------------------------------------------------------------------------------------------------

    def _connect(self, file: BenchFile) -> None:
        """Connect wires and ports, and start FMUs. ConfigurationError: one cannot be started."""
        try:
            self.parts.connect(self._make_wire, self._make_port, output_port=self._make_output_port)
        except ConfigurationError as error:
            raise file.locate(error) from error

    def _now(self) -> int:
        return self._stepper.elapsed

    def _run(self, duration: int, goal: Callable[[], bool] | None = None) -> bool:
        return self._stepper.run(duration, goal)

    def _refresh(self) -> None:
        """Do nothing: the data bus is that of the bench."""

    def _exchange(self, command: Command) -> Answer:
        return answer_of(self.obey, command)

    def _play(self, name: str, scenario: dict[str, Any], *, keep: bool) -> list[dict[str, Any]]:
        try:
            settings = ScenarioSettings.model_validate(scenario)
        except ValidationError as error:
            reason = explain(error, scenario, scenario_schema(), 1)[0]
            raise ConfigurationError(reason.message, reason.place) from None
        for _ in self._player.start(name, settings, settings.steps, keep=keep):
            pass
        self._stepper.run(NEVER, lambda: not self._player.is_on)
        return [verdict._asdict() for verdict in self._player.verdicts()]

    def _wires(self) -> Mapping[str, Wire]:
        return self._virtual_wires

    def _conclude(self, t: int) -> None:
        """Look at the values at the end of the tick of time `t`."""
        self._player.advance(t)
        self._history.sample(t, self.data)

    def _status(self, parts: Collection[str]) -> Iterator[JsonPiece]:
        yield (), {"time": self.time}
        yield from answer(self.parts, parts)
        if "statistics" in parts:
            yield (), {name: counts for name, counts in statistics(self.parts).items() if name not in parts}

    def _attach_clients(self, file: BenchFile) -> None:
        """Attach the lockstep clients of the bench file. ConfigurationError: one is a program, no unit in Python."""
        try:
            for name, client in sorted(file.settings.lockstep.items()):
                if client.python is None:
                    raise ConfigurationError(
                        "a test attaches units in Python; a program needs a run", ("lockstep", name)
                    )
                self.attach(client.buses[0], make_unit(name, client))
        except ConfigurationError as error:
            raise file.locate(error) from error

    def _make_wire(self, bus: Bus) -> VirtualWire:
        self._virtual_wires[bus.name] = VirtualWire(bus)
        return self._virtual_wires[bus.name]

    def _make_port(self, number: int) -> InputPort:
        inputs = [one for one in self.parts.settings.inputs if isinstance(one, PORT_INPUTS)]
        if number >= len(inputs):
            line = number - len(inputs)
            if line >= len(self.parts.settings.lines):
                return self._start_fmu(list(self.parts.settings.fmu)[line - len(self.parts.settings.lines)])
            return self._share(list(self.parts.settings.lines)[line])
        settings = inputs[number]
        if isinstance(settings, BoardInput):
            return self._share(settings.board)
        self._ports.append(FedPort())
        return self._ports[number]

    def _start_fmu(self, name: str) -> InputPort:
        """Start an FMU, and wait for each of its answers; a test ends with the one that is lost."""

        def lost(verdict: Literal["died", "hung"], words: str) -> NoReturn:
            raise ClientError(verdict, words)

        port = start(name, self.parts.settings, waits=True)
        port.lost = lost
        return port

    def _share(self, name: str) -> InputPort:
        """Return a port that is read and written: that of a board with an input, or of a serial bus."""
        self._output_ports[name] = port = HeardPort()
        self._shared[name] = SharedPort(port)
        self._ports.append(port)
        return self._shared[name]

    def _make_output_port(self, name: str) -> OutputPort:
        if name in self._shared:
            return self._shared[name].tap
        self._output_ports[name] = port = HeardPort()
        return port

    def _output_port(self, name: str) -> HeardPort:
        if name not in self._output_ports:
            raise ConfigurationError(f"the bench has no output {name!r} (there is {', '.join(self._output_ports)})")
        return self._output_ports[name]
