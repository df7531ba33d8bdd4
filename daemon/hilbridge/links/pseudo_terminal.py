"""A serial port without hardware: a pseudo terminal whose other end any program may open."""

import os
from typing import Final

from hilbridge.links.doors import make_terminal
from hilbridge.links.serial_port import BYTES_PER_TICK, SerialStatistics
from hilbridge.links.tty_reader import TtyReader


class PseudoTerminal:
    """A pty made at start. Programs open `name` as if it were a pedal board's port, and may come and go.

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
        """What arrived, at most BYTES_PER_TICK bytes."""
        data = self._arrivals.read() or b""
        self.statistics.received += len(data)
        return data

    def close(self) -> None:
        """At the end of the run."""
        self._arrivals.close()
        os.close(self._own)
        os.close(self._other)

    def describe(self) -> str:
        """One line for people."""
        return f"pseudo terminal {self.name}"
