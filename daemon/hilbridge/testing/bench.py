"""A bench inside a test: the test advances the time, and no frame leaves the process."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from os import PathLike, fspath
from typing import Any, Final

from hilbridge.bench.bench import Bench
from hilbridge.bench.status import answer, fault_pieces, statistics
from hilbridge.bus.bus import Bus
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.units import NEVER
from hilbridge.configuration.benchfile import load_bench
from hilbridge.control.chunked_json import JsonPiece, encode_pieces
from hilbridge.control.commands import FaultList, Part, Status
from hilbridge.control.commands import parse as parse_command
from hilbridge.control.lines import execute
from hilbridge.scenario.player import Player
from hilbridge.settings.scenario import ScenarioSettings
from hilbridge.testing.any_bench import AnyBench
from hilbridge.testing.stepper import Stepper
from hilbridge.testing.wire import FedPort, VirtualWire, Wire
from vehiclesim.databus import DataBus


class VirtualBench(AnyBench):
    """A bench on the virtual clock, in the process of the test; the methods are those of `AnyBench`.

    Every bus is armed, because there is no hardware. Set values, frames and faults take effect in the next tick.
    `parts` is the bench itself.

    `start={"speed": 80, "gear": 4, "coolant": 90}`: the vehicle begins in motion, as with the key 'start' of scenarios.

    ConfigurationError: an error in the files, an unknown name in a call, or a start that the vehicle cannot reach.
    """

    def __init__(
        self,
        bench: str | PathLike[str] = "demo",
        *,
        seed: int | None = None,
        demo_driver: bool = False,
        start: Mapping[str, float] | None = None,
    ) -> None:
        file = load_bench(fspath(bench))
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
        self.parts.connect(self._make_wire, self._make_port)
        for gate in self.parts.gates.values():
            gate.armed = True
        self._stepper: Final = Stepper(self.parts, self._prepare, self._conclude)
        self._command_handler: Final = self.parts.command_handler(self._stepper)
        self._player: Final = Player(lambda: self.parts.scenario_context(self.obey))
        if start is not None:
            self._execute("begin", start=dict(start))

    def close(self) -> None:
        self.parts.close()

    @property
    def data(self) -> DataBus:
        return self.parts.vehicle.data

    def write_serial(self, data: bytes, port: int = 0) -> None:
        if not isinstance(data, bytes | bytearray):
            raise TypeError(f"write_serial takes bytes, as a serial line does: b{data!r}")
        if not 0 <= port < len(self._ports):
            raise ConfigurationError(f"the bench has {len(self._ports)} serial inputs; there is no number {port}")
        self._ports[port].waiting.extend(data)

    def obey(self, line: bytes) -> bytes:
        """Give a command as a line of the control socket: JSON in, JSON out."""
        with suppress(ConfigurationError):  # whose words the controller finds
            match parse_command(line):
                case Status() as question:
                    return b"".join(encode_pieces(self._status(question.wanted)))
                case FaultList():
                    return b"".join(encode_pieces(fault_pieces(self.parts)))
        return self._command_handler.handle(line, self._stepper.elapsed)

    # -- inside -------------------------------------------------------------------------------------------------

    def _now(self) -> int:
        return self._stepper.elapsed

    def _run(self, duration: int, goal: Callable[[], bool] | None = None) -> bool:
        return self._stepper.run(duration, goal)

    def _refresh(self) -> None:
        """Do nothing: the data bus is that of the bench."""

    def _execute(self, command: str, **keys: Any) -> dict[str, Any]:
        return execute(self.obey, command, **keys)

    def _play(self, name: str, scenario: dict[str, Any], *, keep: bool) -> list[dict[str, Any]]:
        for _ in self._player.start(name, ScenarioSettings.model_validate(scenario), keep=keep):
            pass
        self._stepper.run(NEVER, lambda: not self._player.is_on)
        return self._player.verdicts()

    def _wires(self) -> Mapping[str, Wire]:
        return self._virtual_wires

    def _conclude(self, t: int) -> None:
        """Look at the values at the end of the tick of time `t`."""
        self._player.advance(t)
        self._history.sample(t, self.data)

    def _status(self, parts: Collection[Part]) -> Iterator[JsonPiece]:
        yield from answer(self.parts, parts)
        if "statistics" in parts:
            yield (), statistics(self.parts)

    def _make_wire(self, bus: Bus) -> VirtualWire:
        self._virtual_wires[bus.name] = VirtualWire(bus)
        return self._virtual_wires[bus.name]

    def _make_port(self, number: int) -> FedPort:
        self._ports.append(FedPort())
        return self._ports[number]
