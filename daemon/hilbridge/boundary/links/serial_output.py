"""The ports of outputs: packets go out whole or not at all, without blocking; what a board answers is read.

A port that takes only a part of a packet gets the rest before the next packet. What the kernel has not sent yet is
bounded, so that a slow line shows values that are new: a packet that would wait longer than BACKLOG is dropped.
"""

import fcntl
import os
import select
import struct
import termios
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.links.input_port import InputPort, PortStatistics
from hilbridge.boundary.links.serial_port import PseudoTerminal, SerialPort
from hilbridge.files.settings.lines import Parity

BACKLOG: Final = 0.05
"""[s] of the line's time that may wait in the kernel."""

_BITS_OF_BYTE: Final = 10
_LEAST_BACKLOG: Final = 256
"""[byte]"""

_BEGIN_BREAK: Final = 0x5427
_END_BREAK: Final = 0x5428
"""TIOCSBRK and TIOCCBRK of asm-generic/ioctls.h, which termios does not name."""

_PATIENCE: Final = SECOND
"""[ns] without a packet taken after which the port counts as stuck."""


@dataclass(slots=True)
class OutputPortStatistics(PortStatistics):
    """Counters since the start of the run; they only ever grow."""

    sent: int = 0
    """Bytes."""


class OutputPort(InputPort, Protocol):
    """An endpoint that takes packets; what a board says there can be read."""

    @property
    def is_open(self) -> bool:
        """Whether someone may receive what is written."""

    def write(self, packet: bytes, t: int) -> bool:
        """Take a whole packet, or none of it: then return False. Never blocks."""

    def set_break(self, on: bool, t: int) -> bool:
        """Begin or end a break of LIN; return whether that was possible. Never waits for its end."""


class _Writer:
    """The writer of packets to one terminal at a time; `stuck` says that nothing was taken for a second."""

    def __init__(self, statistics: OutputPortStatistics, backlog: int) -> None:
        self.stuck = False
        self._statistics: Final = statistics
        self._backlog: Final = backlog
        self._rest = b""
        self._taken: int | None = None  # [ns] time of the last packet that was taken, or of the first one

    def write(self, terminal: int, packet: bytes, t: int) -> bool:
        """Write a packet, or return False. OSError but BlockingIOError: the terminal has gone."""
        if self._taken is None:
            self._taken = t
        taken = self._flush(terminal) and self._has_room(terminal, len(packet))
        if taken:
            self._rest = packet
            self._flush(terminal)
            taken = len(self._rest) < len(packet)
            if not taken:
                self._rest = b""
        if taken:
            self._taken = t
        self.stuck = t - self._taken >= _PATIENCE
        return taken

    def reset(self) -> None:
        """Forget the rest of a packet: the terminal has gone."""
        self._rest = b""
        self._taken = None
        self.stuck = False

    def _flush(self, terminal: int) -> bool:
        """Write what is left of a packet; return whether it is all written."""
        if self._rest:
            with suppress(BlockingIOError):
                written = os.write(terminal, self._rest)
                self._statistics.sent += written
                self._rest = self._rest[written:]
        return not self._rest

    def _has_room(self, terminal: int, size: int) -> bool:
        (waiting,) = struct.unpack("i", fcntl.ioctl(terminal, termios.TIOCOUTQ, bytes(4)))
        return not waiting or bool(waiting + size <= self._backlog)


class SerialOutputPort(SerialPort):
    """A serial port that may come and go. LinkError as of SerialLine."""

    statistics: OutputPortStatistics

    def __init__(self, path: str, baudrate: int, parity: Parity = "none") -> None:
        super().__init__(path, baudrate, OutputPortStatistics(), parity)
        backlog = max(round(BACKLOG * baudrate / _BITS_OF_BYTE), _LEAST_BACKLOG)
        self._writer: Final = _Writer(self.statistics, backlog)

    @property
    def is_open(self) -> bool:
        return self._line.descriptor is not None

    @property
    def trouble(self) -> str:
        return super().trouble or (f"{self.describe()} takes no bytes" if self._writer.stuck else "")

    def write(self, packet: bytes, t: int) -> bool:
        descriptor = self._line.descriptor
        if descriptor is not None:
            try:
                return self._writer.write(descriptor, packet, t)
            except OSError:
                self.lose(t)
        return False

    def set_break(self, on: bool, t: int) -> bool:
        descriptor = self._line.descriptor
        if descriptor is not None:
            try:
                fcntl.ioctl(descriptor, _BEGIN_BREAK if on else _END_BREAK)
            except OSError:
                self.lose(t)
            else:
                return True
        return False

    def lose(self, t: int) -> None:
        super().lose(t)
        self._writer.reset()


class OutputTerminal(PseudoTerminal):
    """A pty made at start. While no program has it open, packets are dropped: none finds values of an hour ago."""

    statistics: OutputPortStatistics

    def __init__(self) -> None:
        super().__init__(OutputPortStatistics())
        self.release()
        self._writer: Final = _Writer(self.statistics, _LEAST_BACKLOG)
        self.is_open = False  # by a program
        self._hang_up: Final = select.poll()
        self._hang_up.register(self._own, 0)

    @property
    def trouble(self) -> str:
        return f"{self.describe()}: the program there reads nothing" if self._writer.stuck else ""

    def poll(self, t: int) -> bytes:
        data = self._arrivals.read()
        if data is None:
            self.is_open = False
            self._writer.reset()
            return b""
        self.statistics.received += len(data)
        return data

    def write(self, packet: bytes, t: int) -> bool:
        self.is_open = self.is_open or not self._hang_up.poll(0)
        try:
            return self.is_open and self._writer.write(self._own, packet, t)
        except OSError:
            return False

    def set_break(self, on: bool, t: int) -> bool:
        """Write the byte 0 in place of a break, as a receiver of bytes hears one: a pty has no voltage."""
        return self.write(b"\0", t) if on else self.is_open


class SharedPort:
    """The port of a board that an input reads: what is read here is kept for `tap`, by which the board is written."""

    def __init__(self, port: OutputPort) -> None:
        self.statistics: Final = port.statistics
        self.descriptor: Final = port.descriptor
        self.tap: Final = _Tap(port)
        self._port: Final = port

    @property
    def trouble(self) -> str:
        return self._port.trouble

    def poll(self, t: int) -> bytes:
        data = self._port.poll(t)
        self.tap.heard += data
        return data

    def close(self) -> None:
        self._port.close()

    def describe(self) -> str:
        return self._port.describe()


class _Tap:
    """The other side of a SharedPort, polled in the same tick behind it; it closes nothing."""

    descriptor: Final = None

    @property
    def is_open(self) -> bool:
        return self._port.is_open

    def __init__(self, port: OutputPort) -> None:
        self.statistics: Final = port.statistics
        self.heard = b""
        self._port: Final = port

    @property
    def trouble(self) -> str:
        return self._port.trouble

    def poll(self, t: int) -> bytes:
        heard, self.heard = self.heard, b""
        return heard

    def write(self, packet: bytes, t: int) -> bool:
        return self._port.write(packet, t)

    def set_break(self, on: bool, t: int) -> bool:
        return self._port.set_break(on, t)

    def close(self) -> None:
        """Do nothing: the input closes the port."""

    def describe(self) -> str:
        return self._port.describe()
