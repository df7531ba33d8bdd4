"""Lockstep clients as the bench sees them: a class of the user in this process, or a program behind a socket.

A turn has two halves, so that programs of several clients work at the same time: `begin` hands over what was on the
bus, `finish` waits for what the client sends.
"""

import socket
import struct
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, Literal, Protocol

from hilbridge.base.common.errors import quoted
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.links.slcan import format_frame
from hilbridge.boundary.lockstep.lines import END, LineError, TurnReader, greeting, heard, turn
from hilbridge.boundary.lockstep.pins import Pins
from hilbridge.boundary.lockstep.program import PATIENCE, Program
from hilbridge.frames.codec.frame import Frame

_SLICE: Final = 0.1
"""[s] of waiting, after which a look is taken whether the program is there, and what it prints."""

_SHOWN_FRAMES: Final = 4
_CHUNK: Final = 1 << 16
_LONGEST_WORDS: Final = 200
_TIMEVAL: Final = struct.Struct("@ll")


class ClientError(Exception):
    """A client that the run cannot go on without has `died`, or `hung`: it did not answer in its time.

    `last`: its last frames, as text.
    """

    def __init__(self, verdict: Literal["died", "hung"], words: str, last: str = "") -> None:
        super().__init__(words)
        self.verdict: Final = verdict
        self.last: Final = last


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

    def close(self) -> ClientError | None:
        """End the client: the run is over; return why it did not end well."""


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

    def close(self) -> ClientError | None:
        """Do nothing: the unit ends with the process."""
        return None


def _frames(sent: Iterable[object]) -> list[Frame]:
    frames = []
    for frame in sent:
        if not isinstance(frame, Frame):
            raise TypeError(f"it sends {frame!r}, which is no Frame")
        frames.append(frame)
    return frames


class SocketClient:
    """A program that speaks the lines of lines.py on one bus. `program`: it, if the bench has started it."""

    def __init__(
        self,
        name: str,
        connection: socket.socket,
        timeout: float,
        program: Program | None = None,
        pins: Pins | None = None,
    ) -> None:
        """`timeout` [s] of the wall clock for each turn; `pins`: of a client, at its first bus."""
        self.name: Final = name
        self._socket: Final = connection
        self._timeout: Final = timeout
        self._program: Final = program
        self._speaks: Final = program if program is not None and program.speaks else None
        self._is_lost = False  # it hangs
        self._deadline = 0.0
        self._output = bytearray()
        self._heard = bytearray()  # what it heard, of the last turn that had frames
        self._sent: list[Frame] = []  # as well
        self._pins: Final = pins
        self._reader: Final = TurnReader(None if pins is None else pins.drive)
        for option, limit in ((socket.SO_RCVTIMEO, min(timeout, _SLICE)), (socket.SO_SNDTIMEO, timeout)):
            # waits in one call of the kernel, not in two
            connection.setsockopt(socket.SOL_SOCKET, option, _TIMEVAL.pack(int(limit), int(limit % 1 * 1_000_000) or 1))

    def greet(self, bus: str, interval: int) -> None:
        """Say who the client is, before its first turn."""
        pins = () if self._pins is None else [*self._pins.greeting()]
        self._output += greeting(self.name, bus, interval, pins)

    def hear(self, t: int, frame: Frame) -> None:
        self._output += heard(t, frame)

    def begin(self, t: int) -> None:
        has_heard = bool(self._output)
        if self._pins is not None:
            self._output += b"".join(self._pins.news(t))
        line = turn(t)
        self._reader.turn = line[:-1]
        self._output += line
        self._deadline = time.monotonic() + self._timeout
        try:
            self._socket.sendall(self._output)
        except BlockingIOError:
            raise self._hung() from None
        except OSError:
            raise self._gone() from None
        if has_heard:
            self._heard, self._output = self._output, self._heard
        self._output.clear()

    def finish(self) -> list[Frame]:
        data = b""
        while True:
            try:
                frames = self._reader.feed(data)
            except LineError as error:
                raise self._died(f"lockstep client {self.name} {error}") from None
            if frames is not None:
                break
            data = self._receive()
        if frames:
            self._sent = frames
        if self._speaks is not None and (alarm := self._speaks.look()):
            raise self._died(f"lockstep client {self.name} is at fault: {alarm}")
        return frames

    def _receive(self) -> bytes:
        while time.monotonic() <= self._deadline:
            try:
                data = self._socket.recv(_CHUNK)
            except BlockingIOError:
                if self._program is not None:
                    self._program.look()
                    if self._program.has_ended():  # what it has started may hold the connection
                        raise self._gone() from None
                continue
            except OSError:
                raise self._gone() from None
            if not data:
                raise self._gone()
            return data
        raise self._hung()

    def _hung(self) -> ClientError:
        self._is_lost = True
        words = f"lockstep client {self.name} has not said 'done' within {self._timeout:g} s"
        return ClientError("hung", words, self._last_frames())

    def _gone(self) -> ClientError:
        words = f"lockstep client {self.name} has gone in mid-run"
        if self._program is not None:
            words += f": its program {self._program.fate() or 'closed the connection'}"
        return self._died(words)

    def _died(self, words: str) -> ClientError:
        return ClientError("died", words, self._last_frames())

    def _last_frames(self) -> str:
        lines = [line for line in bytes(self._heard).decode().split("\n") if line[:1].isdigit()]
        sent = [format_frame(frame)[:-1].decode() for frame in self._sent]
        told = {"heard": lines[-_SHOWN_FRAMES:], "sent": sent[-_SHOWN_FRAMES:]}
        return "; ".join(f"last {how}: {', '.join(frames)}" for how, frames in told.items() if frames)

    def close(self) -> ClientError | None:
        if not self._is_lost:
            with suppress(OSError):  # it has gone
                self._socket.sendall(self._output + END)
        self._socket.close()
        if self._program is None:
            return None
        fault = self._program.end(0 if self._is_lost else PATIENCE)
        return self._died(f"lockstep client {self.name} {fault}") if fault else None
