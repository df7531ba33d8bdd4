"""A bench inside a test: the test advances the time, and no frame leaves the process."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Final, Self

from hilbridge.bench.bench import Bench
from hilbridge.bench.status import answer, fault_pieces, statistics
from hilbridge.bus.bus import Bus
from hilbridge.bus.frame_listener import FrameSearch, is_frame_of
from hilbridge.codec.codec import CompiledMessage, compile_message
from hilbridge.codec.database import unknown
from hilbridge.codec.expression import parse
from hilbridge.codec.frame import FD, Frame
from hilbridge.codec.sources import find_entry
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.common.units import SECOND
from hilbridge.configuration.benchfile import load_bench
from hilbridge.control.chunked_json import JsonPiece, encode_pieces
from hilbridge.control.commands import FaultList, Part, Status
from hilbridge.control.commands import parse as parse_command
from hilbridge.control.fault_words import fault_keys
from hilbridge.control.lines import execute
from hilbridge.testing.stepper import Stepper
from hilbridge.testing.tester import Tester, positive
from hilbridge.testing.wire import FedPort, HeardFrame, Mounted, Unit, Wire, heard_frame
from vehiclesim.databus import DataBus


@dataclass(slots=True)
class _Cyclic:
    """A foreign frame that is sent every `period`, next when it is `due` [ns]."""

    wire: Wire
    frame: Frame
    period: int
    due: int


class VirtualBench:
    """A bench on the virtual clock; a context manager. The test acts from outside, as if connected to its wires.

    The bench's demo driver is off unless `demo_driver` is set. Every bus is armed, because there is no hardware. Set
    values, frames and faults take effect in the next tick. `parts` is the bench itself.

    ConfigurationError: an error in the files, or an unknown name in a call.
    """

    def __init__(
        self, bench: str | PathLike[str] = "demo", *, seed: int | None = None, demo_driver: bool = False
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
        self._wires: Final[dict[str, Wire]] = {}
        self._ports: Final[list[FedPort]] = []
        self.parts.connect(self._make_wire, self._make_port)
        for gate in self.parts.gates.values():
            gate.armed = True
        self._codecs: Final[dict[tuple[str, str], CompiledMessage]] = {}
        self._units: Final[list[Mounted]] = []
        self._cyclic: Final[dict[tuple[str, int], _Cyclic]] = {}
        self._tester: Tester | None = None
        self._stepper: Final = Stepper(self.parts, self._prepare)
        self._command_handler: Final = self.parts.command_handler(self._stepper)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the bench."""
        self.parts.close()

    # -- time ---------------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Elapsed time [s]."""
        return self._stepper.elapsed / SECOND

    def advance(self, seconds: float) -> None:
        """Advance the time, in whole ticks."""
        self._stepper.run(round(seconds * SECOND))

    def advance_until(self, condition: str, timeout: float = 10.0) -> float:
        """Advance the time until a condition holds, e.g. "vehicle.EngineRpm > 500"; return the elapsed time [s].

        The language is that of expressions in bench files. TimeoutError: it did not hold within `timeout` [s].
        """
        value, channels, began = parse(condition).value, self.data.channels, self.time
        if not self._advance_until(lambda: (now := value(channels)) == now and now != 0, timeout):
            raise TimeoutError(f"{condition}: not within {timeout:g} s")
        return self.time - began

    # -- the data bus -------------------------------------------------------------------------------------------

    @property
    def data(self) -> DataBus:
        """The data bus of the vehicle."""
        return self.parts.vehicle.data

    def read(self, entry: str) -> float:
        """Return the value of an entry, e.g. `vehicle.EngineRpm`, in its unit; NaN if it is not available."""
        return self.data.read(*find_entry(entry))

    def set(self, entry: str, value: float, seconds: float | None = None) -> None:
        """Hold an entry, e.g. `input.Throttle`, over every input: until it is released, or for some seconds."""
        self.command("set", entry=entry, value=value, seconds=seconds)

    def release(self, entry: str | None = None) -> None:
        """Return an entry, or all of them, to the bench's inputs."""
        self.command("release", entry=entry)

    def write_serial(self, data: bytes, port: int = 0) -> None:
        """Send bytes to a serial input of the bench; serial inputs count from 0."""
        if not 0 <= port < len(self._ports):
            raise ConfigurationError(f"the bench has {len(self._ports)} serial inputs; there is no number {port}")
        self._ports[port].waiting.extend(data)

    # -- frames -------------------------------------------------------------------------------------------------

    def frames(self, bus: str, message: str | None = None) -> list[HeardFrame]:
        """Return the frames on the wire so far, of every sender: all, or those of a message with its signals."""
        frames = self._wire(bus).frames
        if message is None:
            return [heard_frame(t, frame) for t, frame in frames]
        codec = self._codec(bus, message)
        return [heard_frame(t, frame, codec) for t, frame in frames if is_frame_of(codec, frame)]

    def wait_for(
        self,
        bus: str,
        message: str,
        where: Callable[[HeardFrame], bool] | None = None,
        *,
        timeout: float = 1.0,
    ) -> HeardFrame:
        """Advance the time until a frame of a message comes, optionally one `where` a condition is true.

        TimeoutError: none came within `timeout` [s].
        """
        codec, receivers = self._codec(bus, message), self._wire(bus).listener.receivers
        search = FrameSearch(
            lambda frame: is_frame_of(codec, frame),
            lambda frame, t: where is None or where(heard_frame(t, frame, codec)),
        )
        receivers.append(search.receive)
        try:
            self._advance_until(lambda: search.found is not None, timeout)
        finally:
            receivers.remove(search.receive)
        if search.found is None:
            raise TimeoutError(f"no {message} on {bus} within {timeout:g} s; {search.others} came that do not fit")
        frame, t = search.found
        return heard_frame(t, frame, codec)

    def send(self, bus: str, frame: Frame, *, every: float | None = None) -> None:
        """Send a foreign frame: once, or every so many seconds until another one with this identifier is sent."""
        wire, key = self._wire(bus), (bus, frame.can_id)
        self._cyclic.pop(key, None)
        if every is None:
            wire.nodes.transmit(frame, None)
        else:
            self._cyclic[key] = _Cyclic(wire, frame, round(every * SECOND), self._stepper.elapsed)

    def inject(self, bus: str, message: str, /, *, every: float | None = None, **signals: float | str) -> None:
        """Send a foreign frame of a message of the bus's database: physical values, or names of values, by signal."""
        codec = self._codec(bus, message)
        for name in signals:
            if name not in codec.signals:
                raise unknown(f"signal of {message}", name, codec.signals, ())
        flags = FD if codec.length > CLASSIC_LENGTH else 0
        self.send(bus, Frame(codec.can_id, codec.encode(signals), flags), every=every)

    def attach(self, bus: str, unit: Unit) -> None:
        """Connect a control unit under test to a wire."""
        self._units.append(Mounted(unit, self._wire(bus).nodes))

    # -- diagnostics --------------------------------------------------------------------------------------------

    def obd(self, pid: int, service: int = 0x01, *, ecu: str | None = None) -> bytes:
        """Request a PID of OBD-II service 01 or 09; return the data bytes of the answer.

        `ecu`: engine or transmission; default: the bench's first.

        NegativeAnswerError, TimeoutError: it is refused, or there is no answer.
        """
        return positive(self.uds(bytes((service, pid)), ecu=ecu))[2:]

    def uds(self, request: bytes, *, ecu: str | None = None) -> bytes:
        """Send a request to a control unit in as many frames as it needs; return the whole answer, also a negative one.

        TimeoutError: there is none.
        """
        return self._diagnostics().ask(request, ecu, self._stepper.elapsed)

    # -- faults and commands ------------------------------------------------------------------------------------

    def fault(self, what: str | Mapping[str, Any], **keys: Any) -> int:
        """Inject a fault; return its number. `seconds` is its duration, in place of the key 'for'.

        As words of `hilbridge ctl fault add`, or as the keys of the bench file's 'faults':
        `fault("frame powertrain.EngineData1 drop", seconds=2)`.
        """
        number: int = self.command("fault-add", fault=fault_keys(what, keys))["fault"]
        return number

    def clear(self, number: int | None = None) -> None:
        """End a fault, or all of them."""
        self.command("fault-clear", number=number)

    def command(self, command: str, **keys: Any) -> dict[str, Any]:
        """Give a command of the control socket; return the answer."""
        return execute(self.obey, command, **keys)

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

    def _status(self, parts: Collection[Part]) -> Iterator[JsonPiece]:
        yield from answer(self.parts, parts)
        if "statistics" in parts:
            yield (), statistics(self.parts)

    def _advance_until(self, goal: Callable[[], bool], seconds: float) -> bool:
        return self._stepper.run(round(seconds * SECOND), goal)

    def _prepare(self, t: int) -> None:
        for cyclic in self._cyclic.values():
            if t >= cyclic.due:
                cyclic.due += cyclic.period
                cyclic.wire.nodes.transmit(cyclic.frame, None)
        for unit in self._units:
            unit.tick(t)
        if self._tester is not None:
            self._tester.poll(t)

    def _diagnostics(self) -> Tester:
        obd = self.parts.settings.diagnostics.obd
        if obd is None:
            raise ConfigurationError("the bench has no diagnostic control units; see its 'diagnostics'")
        if self._tester is None:
            self._tester = Tester(self._wires[obd.bus].nodes, self.parts.wiring.control_units.ecus, self._advance_until)
        return self._tester

    def _wire(self, bus: str) -> Wire:
        if bus not in self._wires:
            raise unknown("bus", bus, self._wires, ())
        return self._wires[bus]

    def _codec(self, bus: str, message: str) -> CompiledMessage:
        """Return the codec of a message, compiled once."""
        self._wire(bus)
        if bus not in self.parts.wiring.databases:
            raise ConfigurationError(f"bus {bus!r} has no database")
        if (bus, message) not in self._codecs:
            self._codecs[bus, message] = compile_message(self.parts.wiring.databases[bus].message(message))
        return self._codecs[bus, message]

    def _make_wire(self, bus: Bus) -> Wire:
        self._wires[bus.name] = Wire(bus)
        return self._wires[bus.name]

    def _make_port(self, number: int) -> FedPort:
        self._ports.append(FedPort())
        return self._ports[number]
