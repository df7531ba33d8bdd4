"""The serial inputs of a bench: bytes come in, without blocking, from a serial port or a pseudo terminal."""

import os
from dataclasses import dataclass
from typing import Final, Protocol

from hilbridge.links.doors import make_terminal
from hilbridge.links.link import Endpoint
from hilbridge.links.serial_line import SerialLine
from hilbridge.links.tty_reader import TtyReader

BYTES_PER_TICK: Final = 4096
"""Read at most; at 115,200 baud eleven arrive in a millisecond. The rest of a flood waits in the kernel."""


@dataclass(slots=True)
class SerialStatistics:
    """Counters since the start of the run; they only ever grow."""

    received: int = 0
    """Bytes."""
    lost: int = 0
    """Times the port was unplugged or failed."""
    opened: int = 0
    """Times the port was opened."""


class SerialInputPort(Endpoint, Protocol):
    """An endpoint where lines or packets of a pedal board come in."""

    statistics: SerialStatistics

    def poll(self, t: int) -> bytes:
        """Return what arrived, at most BYTES_PER_TICK bytes; open again what was lost."""


class SerialPort:
    """A serial port that may come and go; the tick reads its descriptor itself. LinkError as of SerialLine."""

    def __init__(self, path: str, baudrate: int) -> None:
        self.statistics = SerialStatistics()
        self._line: Final = SerialLine(path, baudrate)
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
            self.statistics.lost += 1
            self._arrivals.forget(self._line.descriptor)
            self._line.lose(t)
            return b""
        self.statistics.received += len(data)
        return data

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

    This process keeps the programs' end open too, so that their leaving is no hang-up.
    """

    def __init__(self) -> None:
        self.statistics = SerialStatistics()
        self.trouble = ""
        self._own, self._other, self.name = make_terminal()
        os.set_blocking(self._own, False)
        self._arrivals: Final = TtyReader(BYTES_PER_TICK)
        self._arrivals.watch(self._own)
        self.descriptor: Final = self._arrivals.descriptor
        self.statistics.opened = 1

    def poll(self, t: int) -> bytes:
        data = self._arrivals.read() or b""
        self.statistics.received += len(data)
        return data

    def close(self) -> None:
        self._arrivals.close()
        os.close(self._own)
        os.close(self._other)

    def describe(self) -> str:
        return f"pseudo terminal {self.name}"
