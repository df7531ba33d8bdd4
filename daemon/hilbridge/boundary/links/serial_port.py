"""The serial inputs of a bench: bytes come in, without blocking, from a serial port or a pseudo terminal."""

import os
from typing import Final

from hilbridge.boundary.links.doors import make_terminal
from hilbridge.boundary.links.input_port import PortStatistics
from hilbridge.boundary.links.serial_line import SerialLine
from hilbridge.boundary.links.tty_reader import TtyReader
from hilbridge.files.settings.lines import Parity

BYTES_PER_TICK: Final = 4096
"""Read at most; at 115,200 baud eleven arrive in a millisecond. The rest of a flood waits in the kernel."""


class SerialPort:
    """A serial port that may come and go; the tick reads its descriptor itself. LinkError as of SerialLine."""

    def __init__(
        self, path: str, baudrate: int, statistics: PortStatistics | None = None, parity: Parity = "none"
    ) -> None:
        self.statistics = statistics or PortStatistics()
        self._line: Final = SerialLine(path, baudrate, parity=parity)
        self._arrivals: Final = TtyReader(BYTES_PER_TICK)
        self.descriptor: Final = self._arrivals.descriptor
        self._watch()

    @property
    def trouble(self) -> str:
        return self._line.trouble

    def poll(self, t: int) -> bytes:
        if self._line.descriptor is None:
            self._line.renew(t)
            self._watch()
            return b""
        data = self._arrivals.read()
        if data is None:
            self.lose(t)
            return b""
        self.statistics.received += len(data)
        return data

    def lose(self, t: int) -> None:
        """Close the port, which was unplugged at `t` [ns] or before, until it is back."""
        if self._line.descriptor is not None:
            self.statistics.lost += 1
            self._arrivals.forget(self._line.descriptor)
            self._line.lose(t)

    def close(self) -> None:
        self._arrivals.close()
        self._line.close()

    def describe(self) -> str:
        return self._line.describe()

    def _watch(self) -> None:
        if self._line.descriptor is not None:
            self._arrivals.watch(self._line.descriptor)
            self.statistics.opened += 1


class PseudoTerminal:
    """A pty made at start. Programs open `name` as if it were the port of a pedal board, and may come and go.

    This process keeps the programs' end open too, so that their leaving is no hang-up; `release` closes it.
    """

    def __init__(self, statistics: PortStatistics | None = None) -> None:
        self.statistics = statistics or PortStatistics()
        self._own, other, self.name = make_terminal()
        self._other: int | None = other
        os.set_blocking(self._own, False)
        self._arrivals: Final = TtyReader(BYTES_PER_TICK)
        self._arrivals.watch(self._own)
        self.descriptor: Final = self._arrivals.descriptor
        self.statistics.opened = 1

    def poll(self, t: int) -> bytes:
        data = self._arrivals.read() or b""
        self.statistics.received += len(data)
        return data

    @property
    def trouble(self) -> str:
        return ""

    def release(self) -> None:
        """Close the programs' end: while none of them has it open, the pty is hung up."""
        if self._other is not None:
            os.close(self._other)
            self._other = None

    def close(self) -> None:
        self._arrivals.close()
        os.close(self._own)
        self.release()

    def describe(self) -> str:
        return f"pseudo terminal {self.name}"
