"""The port of an FMU: values go to its process at the end of a tick, and come back when they are due.

What comes back goes into the bench as the bytes of a port, a double for each output in the unit of its entry, which are
recorded: a replay needs no FMU. On the virtual clock the bench waits for an answer that is due; in real time one that
is late comes when it is there. A process that has ended, or has not answered for `timeout`, is lost for good.
"""

import shutil
import signal
import socket
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from hilbridge.base.common.errors import quoted
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.child_process import Child
from hilbridge.boundary.fmu.child import DONE, FAILED, LARGEST, STEPS
from hilbridge.boundary.links.input_port import PortStatistics
from hilbridge.files.fmu.physical_units import Line

Lost = Callable[[Literal["died", "hung"], str], None]
"""A function that is told how an FMU was lost."""

_PATIENCE: Final = 2.0
"""[s] for the process to end by itself after the run."""

_EXITING: Final = 0.05
"""[s] that a tick waits to learn how a process that has closed its socket ends."""

_LONGEST: Final = 500


class FmuPort:
    """One FMU, whose process has a socket and a folder. `trouble`: why it is lost."""

    descriptor: Final = None

    def __init__(
        self,
        name: str,
        child: Child,
        connection: socket.socket,
        folder: Path,
        *,
        takes: Sequence[Line],
        gives: Sequence[Line],
        timeout: float,
    ) -> None:
        """`takes` and `gives`: conversions of its inputs and outputs; `timeout` [s]."""
        self.name: Final = name
        self.statistics: Final = PortStatistics()
        self.trouble = ""
        self.lost: Lost = lambda _verdict, _words: None
        self._child: Final = child
        self._socket: Final = connection
        self._folder: Final = folder
        self._takes: Final = tuple(takes)
        self._gives: Final = tuple(gives)
        self._timeout: Final = timeout
        self._initial = b""
        self._asked = 0  # [ns]
        self._due: int | None = None  # [ns]; None: nothing is asked
        connection.settimeout(timeout)

    def begin(self, *, waits: bool) -> None:
        """Wait for the outputs that it begins with; `waits`: also for each later answer, when it is due."""
        self._initial = self._receive(0)
        if not waits:
            self._socket.setblocking(False)

    def ask(self, steps: int, values: Sequence[float], t: int, due: int) -> None:
        """Have it go on by so many steps with these inputs, at `t` [ns]; the answer comes at `due` [ns]."""
        if self.trouble:
            return
        numbers = [line.of(value) for line, value in zip(self._takes, values, strict=True)]
        self._asked, self._due = t, due
        try:
            self._socket.send(STEPS.pack(steps) + struct.pack(f"<{len(numbers)}d", *numbers))
        except OSError:
            self._gone()

    def poll(self, t: int) -> bytes:
        """Return its outputs, if they are due and there."""
        data, self._initial = self._initial, b""
        if not data and not self.trouble and self._due is not None and t >= self._due:
            data = self._receive(t)
        self.statistics.received += len(data)
        return data

    def _receive(self, t: int) -> bytes:
        try:
            packet = self._socket.recv(LARGEST)
        except BlockingIOError:
            if t - self._asked > self._timeout * SECOND:
                self._hung()
            return b""
        except TimeoutError:
            self._hung()
            return b""
        except OSError:
            packet = b""
        self._due = None
        if packet[:1] == DONE and len(packet) == 1 + 8 * len(self._gives):
            numbers = struct.unpack_from(f"<{len(self._gives)}d", packet, 1)
            return struct.pack(
                f"<{len(numbers)}d", *(line.of(one) for line, one in zip(self._gives, numbers, strict=True))
            )
        if packet[:1] == FAILED:
            self._fail("died", f"has failed: {quoted(packet[1:].decode(errors='replace'), _LONGEST)[1:-1]}")
        elif packet:
            self._fail("died", f"has sent {len(packet)} bytes, which are no answer")
        else:
            self._gone()
        return b""

    def _hung(self) -> None:
        self._child.kill()
        self._fail("hung", f"has not answered within {self._timeout:g} s, and was ended")

    def _gone(self) -> None:
        with suppress(Exception):
            self._child.wait(_EXITING)
        self._fail("died", f"has gone: its process {_fate(self._child.poll())}")

    def _fail(self, verdict: Literal["died", "hung"], words: str) -> None:
        if not self.trouble:
            self.trouble = f"FMU {self.name} {words}"
            self.statistics.lost += 1
            self.lost(verdict, self.trouble)

    def close(self) -> None:
        """End its process, and remove its folder."""
        self._socket.close()
        self._child.end(_PATIENCE)
        shutil.rmtree(self._folder, ignore_errors=True)

    def describe(self) -> str:
        return f"FMU {self.name}"


def _fate(status: int | None) -> str:
    """Return how a process ended, as text."""
    if status is None:
        return "has closed its socket"
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:  # a real-time signal
        return f"was ended by signal {-status}"
