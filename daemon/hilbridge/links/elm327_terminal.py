"""A pseudo terminal that is an ELM327's serial port: its name stays the same while programs come and go.

    python-OBD   obd.OBD("/dev/pts/5")

Between two programs it is hung up; what one has not read, and how it had set the line, is not there for the next.
"""

import contextlib
import os
import select
import termios
import tty

from hilbridge.links.pseudo_terminal import make_terminal


class Elm327Terminal:
    """Its one client at a time is whoever opens `name`."""

    trouble = ""  # it is there from start to end

    def __init__(self) -> None:
        self.descriptor, other, self.name = make_terminal()
        os.close(other)
        os.set_blocking(self.descriptor, False)
        self._poll = select.poll()
        self._poll.register(self.descriptor, select.POLLIN)

    def renew(self, t: int) -> None:
        """It never needs it."""

    def enter(self) -> int:
        """The first bytes of a program open the door; while nobody has the other end open it is hung up."""
        ((descriptor, events),) = self._poll.poll(0) or ((self.descriptor, 0),)
        if not events & select.POLLIN:
            raise BlockingIOError
        return descriptor

    def leave(self, descriptor: int) -> None:
        """Empties the line in both directions and sets it up anew, from the programs' end."""
        with contextlib.suppress(OSError, termios.error):
            other = os.open(self.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                termios.tcflush(other, termios.TCIOFLUSH)
                tty.setraw(other)
            finally:
                os.close(other)

    def close(self) -> None:
        os.close(self.descriptor)

    def describe(self) -> str:
        return f"pty {self.name}"
