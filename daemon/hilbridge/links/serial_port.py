"""A serial port of the bench: bytes in, without blocking, through every unplugging."""

import contextlib
import os
import select
import stat
import termios
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import serial

from hilbridge.backoff import Backoff
from hilbridge.errors import LinkError

BYTES_PER_TICK: Final = 4096
"""At 115,200 baud eleven arrive in a millisecond; the rest of a flood waits in the kernel."""

_GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL


@dataclass(slots=True)
class SerialStatistics:
    """Counters since the start of the run; they only ever grow."""

    received: int = 0
    """Bytes."""
    lost: int = 0
    """Times the port was unplugged or failed."""
    opened: int = 0
    """Times the port was opened."""


class Port(Protocol):
    """Where lines or packets of a pedal board come in. No call blocks, and once the port is made no call raises."""

    statistics: SerialStatistics

    @property
    def trouble(self) -> str:
        """Why it does not work at present, in words; empty while it works."""

    def poll(self, t: int) -> bytes:
        """What arrived since the last tick, at most BYTES_PER_TICK bytes."""

    def close(self) -> None:
        """At the end of the run."""

    def describe(self) -> str:
        """One line for people."""


class SerialPort:
    """Reads a serial port that may come and go.

    pyserial sets the line up; the tick reads the descriptor itself. A port that is missing, at start or later, is
    looked for with back-off. A path to something else than a serial port is an error at start.
    """

    def __init__(self, path: str, baudrate: int) -> None:
        self.statistics = SerialStatistics()
        self.trouble = ""
        self._path = path
        self._baudrate = baudrate
        self._port: serial.Serial | None = None
        self._poll = select.poll()
        self._backoff = Backoff()
        self._open(0)
        if self._port is None:
            _require_serial(path)

    def poll(self, t: int) -> bytes:
        """What arrived since the last tick, at most BYTES_PER_TICK bytes."""
        if self._port is None:
            if self._backoff.due(t):
                self._open(t)
            return b""
        for descriptor, events in self._poll.poll(0):
            data = b""
            if events & select.POLLIN:
                with contextlib.suppress(OSError):
                    data = os.read(descriptor, BYTES_PER_TICK)
            if data:
                self.statistics.received += len(data)
                return data
            # Readable without data is how a port that was hung up says so.
            self._lose(t)
        return b""

    def close(self) -> None:
        """At the end of the run."""
        if self._port is not None:
            self._poll.unregister(self._port.fileno())
            self._port.close()
            self._port = None

    def describe(self) -> str:
        """One line for people."""
        return f"serial {self._path} at {self._baudrate} baud"

    def _open(self, t: int) -> None:
        try:
            self._port = serial.Serial(self._path, self._baudrate, timeout=0, exclusive=True)
        except (serial.SerialException, OSError, ValueError, termios.error) as error:
            self.trouble = f"{self.describe()} cannot be opened: {_reason(error)}"
            self._backoff.failed(t)
        else:
            self._poll.register(self._port.fileno(), select.POLLIN | _GONE)
            self._backoff.succeeded(t)
            self.trouble = ""
            self.statistics.opened += 1

    def _lose(self, t: int) -> None:
        self.statistics.lost += 1
        with contextlib.suppress(OSError):
            self.close()
        self.trouble = f"{self.describe()} was unplugged"
        self._backoff.failed(t)


def _require_serial(path: str) -> None:
    """LinkError if there is something at `path` that can never be a serial port."""
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return  # not there, for now
    if stat.S_ISCHR(mode):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return  # not permitted, or not plugged in: this may change
        try:
            if os.isatty(descriptor):
                return
        finally:
            os.close(descriptor)
    raise LinkError(f"{path} is not a serial port")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno)
    return str(error)
