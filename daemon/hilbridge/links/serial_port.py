"""A serial port of the bench: bytes in, without blocking, through every unplugging."""

from dataclasses import dataclass
from typing import Final, Protocol

from hilbridge.links.serial_line import SerialLine
from hilbridge.links.tty_reader import TtyReader

BYTES_PER_TICK: Final = 4096
"""At 115,200 baud eleven arrive in a millisecond; the rest of a flood waits in the kernel."""


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
    def descriptor(self) -> int | None:
        """Readable while `poll` has something to do (watch.py); None: it is polled in every tick."""

    @property
    def trouble(self) -> str:
        """Why it does not work at present, in words; empty while it works."""

    def poll(self, t: int) -> bytes:
        """What arrived, at most BYTES_PER_TICK bytes; opens again what was lost."""

    def close(self) -> None:
        """At the end of the run."""

    def describe(self) -> str:
        """One line for people."""


class SerialPort:
    """Reads a serial port that may come and go; the tick reads the descriptor itself. LinkError as of SerialLine."""

    def __init__(self, path: str, baudrate: int) -> None:
        self.statistics = SerialStatistics()
        self._line: Final = SerialLine(path, baudrate)
        self._arrivals: Final = TtyReader(BYTES_PER_TICK)
        self.descriptor: Final = self._arrivals.descriptor
        self._watch()

    @property
    def trouble(self) -> str:
        """Why it does not work at present, in words; empty while it works."""
        return self._line.trouble

    def poll(self, t: int) -> bytes:
        """What arrived, at most BYTES_PER_TICK bytes; opens again what was lost."""
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
        """At the end of the run."""
        self._arrivals.close()
        self._line.close()

    def describe(self) -> str:
        """One line for people."""
        return self._line.describe()

    def _watch(self) -> None:
        if self._line.descriptor is not None:
            self._arrivals.watch(self._line.descriptor)
            self.statistics.opened += 1
