"""Lockstep clients as the bench sees them: a class of the user in this process, or a program behind a socket.

A turn has two halves, so that programs of several clients work at the same time: `begin` hands over what was on the
bus, `finish` waits for what the client sends.
"""

import socket
import struct
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, Literal, Protocol

from hilbridge.base.common.errors import quoted
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.lockstep.lines import END, LineError, TurnReader, greeting, heard, turn
from hilbridge.frames.codec.frame import Frame

_PATIENCE: Final = 2.0
"""[s] for a program to end by itself after the run."""

_CHUNK: Final = 1 << 16
_LONGEST_WORDS: Final = 200
_TIMEVAL: Final = struct.Struct("@ll")


class ClientError(Exception):
    """A client that the run cannot go on without has `died`, or `hung`: it did not answer in its time."""

    def __init__(self, verdict: Literal["died", "hung"], words: str) -> None:
        super().__init__(words)
        self.verdict: Final = verdict


class LockstepPeer(Protocol):
    """A client. `t` is the time of the tick [ns]."""

    @property
    def name(self) -> str:
        """Its key in the bench file."""

    def hear(self, t: int, frame: Frame) -> None:
        """Take a frame that was on its bus."""

    def begin(self, t: int) -> None:
        """Give the client its turn. ClientError."""

    def finish(self) -> list[Frame]:
        """Return what the client sends in its turn. ClientError."""

    def close(self) -> None:
        """End the client: the run is over."""


class PythonClient:
    """A unit under test as the test face attaches it: `receive(frame, t)` for each frame heard, then `tick(t)`."""

    def __init__(self, name: str, unit: Any) -> None:
        self.name: Final = name
        self._unit: Final = unit
        self._heard: list[tuple[int, Frame]] = []
        self._t = 0

    def hear(self, t: int, frame: Frame) -> None:
        self._heard.append((t, frame))

    def begin(self, t: int) -> None:
        self._t = t

    def finish(self) -> list[Frame]:
        frames, self._heard = self._heard, []
        sent: list[Frame] = []
        try:
            for t, frame in frames:
                sent += _frames(self._unit.receive(frame, t / SECOND))
            sent += _frames(self._unit.tick(self._t / SECOND))
        except Exception as error:
            words = quoted(f"{type(error).__name__}: {error}", _LONGEST_WORDS)
            raise ClientError("died", f"lockstep client {self.name} has failed: {words}") from error
        return sent

    def close(self) -> None:
        """Do nothing: the unit ends with the process."""


def _frames(sent: Iterable[object]) -> list[Frame]:
    frames = []
    for frame in sent:
        if not isinstance(frame, Frame):
            raise TypeError(f"it sends {frame!r}, which is no Frame")
        frames.append(frame)
    return frames


class SocketClient:
    """A program that speaks the lines of lines.py. `process`: it, if the bench has started it."""

    def __init__(
        self,
        name: str,
        connection: socket.socket,
        timeout: float,
        process: "subprocess.Popen[bytes] | None" = None,
    ) -> None:
        """`timeout` [s] of the wall clock for each turn."""
        self.name: Final = name
        self._socket: Final = connection
        self._timeout: Final = timeout
        self._process: Final = process
        self._is_lost = False  # it hangs
        self._deadline = 0.0
        self._output = bytearray()
        self._reader: Final = TurnReader()
        limit = _TIMEVAL.pack(int(timeout), int(timeout % 1 * 1_000_000) or 1)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):  # waits in one call of the kernel, not in two
            connection.setsockopt(socket.SOL_SOCKET, option, limit)

    def greet(self, bus: str, interval: int) -> None:
        """Say who the client is, before its first turn."""
        self._output += greeting(self.name, bus, interval)

    def hear(self, t: int, frame: Frame) -> None:
        self._output += heard(t, frame)

    def begin(self, t: int) -> None:
        self._output += turn(t)
        self._deadline = time.monotonic() + self._timeout
        try:
            self._socket.sendall(self._output)
        except BlockingIOError:
            raise self._hung() from None
        except OSError:
            raise self._gone() from None
        self._output.clear()

    def finish(self) -> list[Frame]:
        data = b""
        while True:
            try:
                frames = self._reader.feed(data)
            except LineError as error:
                raise ClientError("died", f"lockstep client {self.name} {error}") from None
            if frames is not None:
                return frames
            data = self._receive()

    def _receive(self) -> bytes:
        if time.monotonic() > self._deadline:
            raise self._hung()
        try:
            data = self._socket.recv(_CHUNK)
        except BlockingIOError:
            raise self._hung() from None
        except OSError:
            raise self._gone() from None
        if not data:
            raise self._gone()
        return data

    def _hung(self) -> ClientError:
        self._is_lost = True
        return ClientError("hung", f"lockstep client {self.name} has not said 'done' within {self._timeout:g} s")

    def _gone(self) -> ClientError:
        words = f"lockstep client {self.name} has gone in mid-run"
        if self._process is not None:
            try:
                words += f": its program ended with status {self._process.wait(_PATIENCE)}"
            except subprocess.TimeoutExpired:
                words += ": its program closed the connection"
        return ClientError("died", words)

    def close(self) -> None:
        if not self._is_lost:
            with suppress(OSError):  # it has gone
                self._socket.sendall(self._output + END)
        self._socket.close()
        if self._process is not None:
            try:
                self._process.wait(0 if self._is_lost else _PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
