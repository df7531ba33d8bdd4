"""The methods of a bench in a test, virtual or real: the same test runs on both."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.scenario.build import resolved
from hilbridge.bench.scenario.report import Report
from hilbridge.boundary.control.lines import Answer, Command
from hilbridge.client.sync_client import AnyClient
from hilbridge.client.talks import drive_keys, require_arrival
from hilbridge.files.configuration.scenariofile import load_scenario
from hilbridge.frames.bus.frame_listener import FrameSearch, is_frame_of, long_messages
from hilbridge.frames.codec.codec import CompiledMessage, compile_message
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.frame import FD, Frame
from hilbridge.frames.codec.sources import find_entry
from hilbridge.testing.evidence import Evidence
from hilbridge.testing.history import Course, History
from hilbridge.testing.tester import Tester, positive
from hilbridge.testing.wire import HeardFrame, Mounted, Unit, Wire, heard_frame
from vehiclesim.databus import DataBus


@dataclass(slots=True)
class _Cyclic:
    """A foreign frame that is sent every `period`, next when it is `due` [ns]."""

    wire: Wire
    frame: Frame
    period: int
    due: int


class AnyBench(AnyClient):
    """A bench under test; a context manager. The test acts from outside, as if connected to its wires.

    It has the verbs of `hilbridge.client.Client` (get, set, fault, scenario, drive, ...), and those of the wires.

    Nothing drives: the key is off, and the demo driver of the bench is off unless `demo_driver` was set. Times are in
    seconds since the bench was made for the test.

    ConfigurationError, of every method: an unknown name, or a command that the bench refuses.
    """

    def __init__(self, parts: Bench) -> None:
        """`parts`: databases, control units and settings, of the bench itself or of one that is never opened."""
        self._parts: Final = parts
        self._codecs: Final[dict[tuple[str, str], CompiledMessage]] = {}
        self._units: Final[list[Mounted]] = []
        self._cyclic: Final[dict[tuple[str, int], _Cyclic]] = {}
        self._tester: Tester | None = None
        self._history: Final = History()
        self._evidence: Final = Evidence(parts.vehicle.data.entries)

    # -- time ---------------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Elapsed time [s]."""
        return self._now() / SECOND

    def advance(self, seconds: float) -> None:
        """Let the time pass: at once and in whole ticks on a virtual bench, in real time on a real one."""
        self._run(round(seconds * SECOND))

    def wait_until(self, condition: str, timeout: float = 10.0) -> float:
        """Let the time pass until a condition holds, e.g. "vehicle.EngineRpm > 500"; return how long it took [s].

        The language is that of expressions in bench files. A virtual bench is asked in every tick, a real one twenty
        times a second. TimeoutError: it did not hold within `timeout` [s].
        """
        source, began = parse(condition, entries=self.data.entries), self.time
        self._evidence.name(source.entries)
        if not self._run(
            round(timeout * SECOND), lambda: (now := source.value(self.data.channels)) == now and now != 0
        ):
            raise TimeoutError(f"{condition}: not within {timeout:g} s")
        return self.time - began

    # -- the data bus -------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def data(self) -> DataBus:
        """The data bus of the vehicle; of a real bench as it was when it was last asked."""

    def get(self, entry: str) -> float:
        """Return the value of an entry, e.g. `vehicle.EngineRpm`, in its unit; NaN if it is not available."""
        place = find_entry(entry, entries=self.data.entries)
        self._evidence.name([place])
        self._refresh()
        return self.data.read(*place)

    def history(self, entry: str, seconds: float | None = None) -> Course:
        """Return the values of an entry with their times, since the start (five minutes at most), or of late.

        There is one every 10 ms on a virtual bench, every 50 ms on a real one, while the time passes.
        """
        place = find_entry(entry, entries=self.data.entries)
        self._evidence.name([place])
        return self._history.course(*place, self._since(seconds))

    @abstractmethod
    def write_serial(self, data: bytes, port: int = 0) -> None:
        """Send bytes, as a pedal board sends a line, to a serial input of the bench; serial inputs count from 0."""

    # -- driving ------------------------------------------------------------------------------------------------

    def scenario(self, scenario: str | PathLike[str]) -> Report:
        """Play a scenario, a packaged one or a file, to its end; return the verdict on each step.

        `assert bench.scenario("launch").passed` is the test that `hilbridge run --scenario launch` is. What it holds is
        given back at its end.
        """
        file = load_scenario(fspath(scenario))
        try:
            return Report.of_verdicts(self._play(file.name, resolved(file), keep=False), file)
        except ConfigurationError as error:
            raise file.locate(error) if error.place else error from None

    def drive(
        self,
        speed: float | None = None,
        gear: int | None = None,
        *,
        acceleration: float | None = None,
        cycle: str | None = None,
        points: Sequence[tuple[float, float]] | None = None,
        tolerance: float | None = None,
    ) -> None:
        keys = drive_keys(speed, gear, acceleration, cycle, points, tolerance)
        require_arrival(self._play("drive", {"steps": [{"drive": keys}]}, keep=True))

    # -- frames -------------------------------------------------------------------------------------------------

    def frames(self, bus: str, message: str | None = None) -> list[HeardFrame]:
        """Return the frames on the wire so far, of every sender: all, or those of a message with its signals."""
        frames: Iterable[tuple[int, Frame]] = self._wire(bus).frames
        if message is None:
            return [heard_frame(t, frame) for t, frame in frames]
        codec = self._codec(bus, message)
        if codec.is_long:
            frames = long_messages(frames)
        return [heard_frame(t, frame, codec) for t, frame in frames if is_frame_of(codec, frame)]

    def wait_for(
        self,
        bus: str,
        message: str,
        where: Callable[[HeardFrame], bool] | None = None,
        *,
        timeout: float = 1.0,
    ) -> HeardFrame:
        """Let the time pass until a frame of a message comes, optionally one `where` a condition is true.

        TimeoutError: none came within `timeout` [s].
        """
        codec, receivers = self._codec(bus, message), self._wire(bus).listener.receivers
        search = FrameSearch(
            lambda frame: is_frame_of(codec, frame),
            lambda frame, t: where is None or where(heard_frame(t, frame, codec)),
        )
        receivers.append(search.receive)
        try:
            self._run(round(timeout * SECOND), lambda: search.found is not None)
        finally:
            receivers.remove(search.receive)
        if search.found is None:
            raise TimeoutError(f"no {message} on {bus} within {timeout:g} s; {search.others} came that do not fit")
        frame, t = search.found
        return heard_frame(t, frame, codec)

    def send(self, bus: str, frame: Frame, *, every: float | None = None) -> None:
        """Send a foreign frame: once, or every so many seconds until another one with this identifier is sent.

        One longer than a classic frame, without the flag of CAN FD, goes in packets of J1939.
        """
        wire, key = self._wire(bus), (bus, frame.can_id)
        self._cyclic.pop(key, None)
        if every is None:
            wire.send(frame)
        else:
            self._cyclic[key] = _Cyclic(wire, frame, round(every * SECOND), self._now())

    def inject(self, bus: str, message: str, /, *, every: float | None = None, **signals: float | str) -> None:
        """Send a foreign frame of a message of the bus's database: physical values, or names of values, by signal."""
        codec = self._codec(bus, message)
        if codec.header is not None:
            raise ConfigurationError(f"{message} goes in a container, and none is sent")
        for name in signals:
            if name not in codec.signals:
                raise unknown(f"signal of {message}", name, codec.signals, ())
        flags = FD if codec.length > CLASSIC_LENGTH and not codec.is_long else 0
        self.send(bus, Frame(codec.can_id, codec.encode(signals), flags), every=every)

    def attach(self, bus: str, unit: Unit) -> None:
        """Connect a control unit under test, a model of it in Python, to a wire."""
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
        return self._diagnostics().ask(request, ecu, self._now())

    # -- commands -----------------------------------------------------------------------------------------------

    def exchange(self, command: Command) -> Answer:
        """Send a command and keep it as evidence; return the answer, also a refusal."""
        keys = dict(command)
        if (name := keys.pop("command")) != "status":
            self._evidence.note(self._now(), name, keys)
        return self._exchange(command)

    # -- what is kept -------------------------------------------------------------------------------------------

    def record(self, folder: str | PathLike[str] | None = None, seconds: float | None = None) -> Path:
        """Write the frames that were on the wires so far, or of late, to a new file; or begin a recording in a folder.

        The extension names the format of a file: .blf, .asc, .log (candump), .trc, .csv or .mf4. A recording has all
        that crosses the boundary of a daemon from now on; a virtual bench has no daemon.
        """
        if folder is None or not Path(folder).suffix:
            return super().record(folder)
        heard = {bus: wire.frames for bus, wire in self._wires().items()}
        self._evidence.write_frames(heard, Path(folder), self._since(seconds))
        return Path(folder)

    def keep(self, folder: str | PathLike[str], seconds: float = 10.0) -> list[Path]:
        """Write what explains a failure into a folder; return the files. The pytest fixture does it for a red test.

        The last seconds as frames (BLF), as a picture of the values that the test has named (SVG, if matplotlib is
        installed), and the log of what the test has done.
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        (frames := place / "frames.blf").unlink(missing_ok=True)
        self.record(frames, seconds)
        log = self._evidence.write_log(place / "log.txt")
        picture = self._evidence.draw(self._history, place / "values.svg", self._since(seconds))
        return [frames, log, *([picture] if picture is not None else [])]

    # -- names of version 0.2 -----------------------------------------------------------------------------------

    read = get
    play = scenario
    advance_until = wait_until

    # -- inside -------------------------------------------------------------------------------------------------

    @abstractmethod
    def _now(self) -> int:
        """Return the elapsed time [ns]."""

    @abstractmethod
    def _run(self, duration: int, goal: Callable[[], bool] | None = None) -> bool:
        """Let a duration [ns] pass, or less if the goal is reached; return whether it is."""

    @abstractmethod
    def _refresh(self) -> None:
        """Bring the data bus up to date."""

    @abstractmethod
    def _exchange(self, command: Command) -> Answer:
        """Have a command carried out; return the answer, also a refusal."""

    @abstractmethod
    def _play(self, name: str, scenario: dict[str, Any], *, keep: bool) -> list[dict[str, Any]]:
        """Play the content of a scenario file to its end; return its verdicts."""

    @abstractmethod
    def _wires(self) -> Mapping[str, Wire]:
        """Return the wires by bus."""

    def _pause(self, seconds: float) -> None:
        self._run(round(seconds * SECOND))

    def _since(self, seconds: float | None) -> int:
        return 0 if seconds is None else self._now() - round(seconds * SECOND)

    def _prepare(self, t: int) -> None:
        """Have units, testers and cyclic frames of the test send what is due at `t`."""
        for cyclic in self._cyclic.values():
            if t >= cyclic.due:
                cyclic.due += cyclic.period
                cyclic.wire.send(cyclic.frame)
        for wire in self._wires().values():
            wire.carry(t)
        for unit in self._units:
            unit.tick(t)
        if self._tester is not None:
            self._tester.poll(t)

    def _diagnostics(self) -> Tester:
        if self._tester is None:
            self._tester = Tester(
                self._parts.wiring.control_units.ecus,
                lambda bus: self._wire(bus).nodes,
                lambda goal, seconds: self._run(round(seconds * SECOND), goal),
            )
        return self._tester

    def _wire(self, bus: str) -> Wire:
        wires = self._wires()
        if bus not in wires:
            raise unknown("bus", bus, wires, ())
        return wires[bus]

    def _codec(self, bus: str, message: str) -> CompiledMessage:
        """Return the codec of a message, compiled once."""
        self._wire(bus)
        known = self._parts.wiring.messages
        if bus not in known:
            raise ConfigurationError(f"bus {bus!r} has no database")
        if (bus, message) not in self._codecs:
            self._codecs[bus, message] = compile_message(known[bus].message(message))
        return self._codecs[bus, message]
