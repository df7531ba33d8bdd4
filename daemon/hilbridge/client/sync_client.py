"""The client that waits for each answer."""

import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.answers import LONGEST_ANSWER
from hilbridge.boundary.control.lines import Answer, Command, encode_command
from hilbridge.boundary.control.socket_paths import find_socket
from hilbridge.client import talks
from hilbridge.client.reach import unreachable
from hilbridge.client.talks import Result, Talk, UnreachableError, Values

if TYPE_CHECKING:
    from hilbridge.bench.scenario.report import Report


_LEAST: Final = 0.001
"""[s] for a piece of an answer at the end of the time."""


class AnyClient(ABC):
    """A bench with the verbs of all faces of Python, whatever the way there is; a context manager, for one thread.

    ConfigurationError of every method: the bench refuses, with its reason. UnreachableError: it cannot be reached, or
    does not answer within 5 s.
    """

    by: str | None = None
    """The holder of what `set`, `fault` and `drive` leave held, for people and for `give_back`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.give_back()
        except ConfigurationError:
            if error is None:  # else it is the one to be told
                raise
        finally:
            self.close()

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    @abstractmethod
    def exchange(self, command: Command) -> Answer:
        """Send a command; return the answer, also a refusal."""

    # -- values -------------------------------------------------------------------------------------------------

    def status(self, *parts: str) -> Answer:
        """Return the status, as `hilbridge ctl --json status` prints it; of `parts` alone, if any are named."""
        return self.carry_out(talks.status(*parts))

    def values(self, *entries: str) -> Values:
        """Return the values of entries of the data bus, or of all of them, with their units."""
        return self.carry_out(talks.values(*entries))

    def get(self, entry: str) -> float:
        """Return the value of an entry, e.g. `vehicle.EngineRpm`, in its unit; NaN while it is not available."""
        return self.carry_out(talks.get(entry))

    def set(
        self,
        entry: str,
        value: float | str,
        seconds: float | None = None,
        *,
        rate: float | None = None,
        also: Mapping[str, float | str] | None = None,
    ) -> None:
        """Hold an entry, e.g. `input.Throttle`, over every input: until it is released, or for some seconds.

        `rate` [1/s]: a pedal or the steering wheel moves there from where it is; without, it is there at once.
        `also`: further entries that are held from the same tick on, each at once; where one cannot be, none is.
        The value `automatic` of `input.Clutch`: the daemon works the clutch pedal of a manual gearbox; of
        `input.Key`: it starts the engine, in 5 s at most, and leaves the key at on.
        ConfigurationError: `rate` with `also`, of an entry that has no way, or a value that the entry cannot have.
        """
        more: dict[str, Any] = {} if rate is None else {"rate": rate}
        more |= {} if also is None else {"also": dict(also)}
        return self.carry_out(talks.give("set", entry=entry, value=value, seconds=seconds, by=self.by, **more))

    def release(self, entry: str | None = None) -> None:
        """Return an entry, or all of them, to the bench's inputs."""
        return self.carry_out(talks.give("release", entry=entry))

    def give_back(self) -> None:
        """Release every entry and end every fault that is still held for `by`; no others, and nothing without it."""
        return self.carry_out(talks.give_back(self.by))

    def wait_until(self, condition: str, timeout: float = 10.0) -> float:
        """Wait until a condition holds, e.g. "vehicle.EngineRpm > 500"; return how long it took, in seconds of the run.

        The language is that of expressions in bench files. The daemon is asked twenty times a second, so what lasts
        for less than that may be missed. TimeoutError: it did not hold within `timeout` [s].
        """
        return self.carry_out(talks.wait_until(condition, timeout))

    # -- buses and faults ---------------------------------------------------------------------------------------

    def arm(self, bus: str | None = None, *, armed: bool = True) -> None:
        """Let a bus transmit, or make it listen only; `bus` may be left out where the bench has one."""
        return self.carry_out(talks.give("arm", bus=bus, armed=armed))

    def fault(self, what: str | Mapping[str, Any], /, **keys: Any) -> int:
        """Inject a fault; return its number. `seconds` is its duration, in place of the key 'for'.

        As words of `hilbridge ctl fault add`, or as the keys of the bench file's 'faults':
        `fault("frame powertrain.EngineData1 drop", seconds=2)`.
        """
        return self.carry_out(talks.add_fault(what, keys, self.by))

    def clear(self, number: int | None = None) -> None:
        """End a fault, or all of them."""
        return self.carry_out(talks.give("fault-clear", number=number))

    def ask(self, bus: str, request: bytes) -> bytes:
        """Ask the control unit behind a bus (its 'diagnostics'); return its answer, also a negative one.

        Services that read only: 19 and 22. TimeoutError: there is no answer.
        """
        return self.carry_out(talks.ask(bus, request))

    # -- the run ------------------------------------------------------------------------------------------------

    def record(self, folder: str | PathLike[str] | None = None) -> Path:
        """Start a recording, and return its folder once it is being written; default: a folder by bench and time."""
        return self.carry_out(talks.start_recording(None if folder is None else Path(folder)))

    def stop_recording(self) -> Path:
        """End the recording; return its folder."""
        return self.carry_out(talks.stop_recording())

    def scenario(self, scenario: str | PathLike[str]) -> "Report":
        """Play a scenario, a packaged one or a file, to its end; return the verdict on each step."""
        return self.carry_out(talks.play(str(scenario)))

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
        """Drive as the step `drive` of a scenario does: to a speed [km/h], or along a trace; the engine is started.

        The keys are those of the step. Pedals, clutch, lever and key stay where the driver had them, held until they
        are released. TimeoutError: the car does not get there, or leaves the trace.
        """
        keys = talks.drive_keys(speed, gear, acceleration, cycle, points, tolerance)
        return self.carry_out(talks.drive(keys, self.by))

    def reload(self) -> None:
        """Have the bench file read again and wait until it is adopted. ConfigurationError: it is refused."""
        return self.carry_out(talks.adopt())

    def stop(self) -> None:
        """End the run in good order; nothing is held then."""
        self.by = None
        return self.carry_out(talks.give("stop"))

    # -- any command --------------------------------------------------------------------------------------------

    def _pause(self, seconds: float) -> None:
        """Let some time of the bench pass."""
        time.sleep(seconds)

    def command(self, command: str, /, **keys: Any) -> Answer:
        """Give any command of the control socket; return the answer."""
        return self.carry_out(talks.command(command, **keys))

    def carry_out(self, talk: Talk[Result]) -> Result:
        """Send what a talk says until it is over; return its result."""
        answer: Answer | None = None
        while True:
            try:
                said = talk.send(answer)
            except StopIteration as end:
                result: Result = end.value
                return result
            if isinstance(said, float):
                self._pause(said)
                answer = {}
            else:
                answer = self.exchange(said)


class Client(AnyClient):
    """A connection to the control socket of a running bench, made by the first command.

    `bench`: the name of the bench, or the path of its control socket; default: the only one that runs. After a loss
    the next command connects again. ConfigurationError: there is no such bench.

    `by`: a name for what this client holds. As a context manager, it gives that back at its end, also after an error.
    """

    def __init__(self, bench: str | PathLike[str] | None = None, *, by: str | None = None) -> None:
        self.path: Final = find_socket(bench)
        self.by = by
        self._socket: socket.socket | None = None

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def exchange(self, command: Command) -> Answer:
        line, answer = encode_command(command), bytearray()
        try:
            answer = self._send(line)
        except TimeoutError:
            raise UnreachableError(f"the daemon at {self.path} does not answer") from None
        except OSError as error:
            raise unreachable(self.path, error) from error
        finally:
            if not answer.endswith(b"\n"):  # the next command must not get the rest of this answer
                self.close()
        if not answer.endswith(b"\n") and len(answer) <= LONGEST_ANSWER:
            raise UnreachableError(f"the daemon at {self.path} ended before it answered")
        return talks.read(answer, command, f"the daemon at {self.path}")

    def _send(self, line: bytes) -> bytearray:
        """Send a line; return the answer, or its beginning. TimeoutError: it takes longer than TIMEOUT in all."""
        deadline = time.monotonic() + talks.TIMEOUT
        if self._socket is None:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.settimeout(talks.TIMEOUT)
            self._socket.connect(str(self.path))
        self._socket.settimeout(talks.TIMEOUT)
        self._socket.sendall(line)
        answer = bytearray()
        while not answer.endswith(b"\n") and len(answer) <= LONGEST_ANSWER:
            self._socket.settimeout(max(deadline - time.monotonic(), _LEAST))
            data = self._socket.recv(1 << 16)
            if not data:
                break
            answer += data
            if time.monotonic() > deadline:
                raise TimeoutError
        return answer
