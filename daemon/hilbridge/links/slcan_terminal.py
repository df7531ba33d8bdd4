"""A pseudo terminal that is an SLCAN adapter: for programs that know serial ports only, and for the kernel.

    python-can   can.Bus(interface="slcan", channel="/dev/pts/5")
    the kernel   slcand -o -s6 /dev/pts/5 slcan0; ip link set slcan0 up

One program at a time. When it closes its end the pseudo terminal is made anew, and may have another name: a line
discipline, settings and unread bytes that were left behind would trouble the next program.
"""

import os
import select

from hilbridge.common.backoff import Backoff
from hilbridge.common.errors import LinkError
from hilbridge.links.pseudo_terminal import make_terminal


class SlcanTerminal:
    """Its one client is whoever opens `name`."""

    def __init__(self) -> None:
        self.trouble = ""
        self.descriptor: int | None = None
        self._backoff = Backoff()
        self._make()

    def renew(self, t: int) -> None:
        if self._backoff.due(t):
            try:
                self._make()
            except LinkError as error:
                self.trouble = str(error)
                self._backoff.failed(t)
            else:
                self.trouble = ""

    def enter(self) -> int:
        """The first bytes of a program open the door; while nobody has the other end open it is hung up."""
        ((descriptor, events),) = self._poll.poll(0)
        if not events & select.POLLIN:
            raise BlockingIOError
        return descriptor

    def leave(self, descriptor: int) -> None:
        os.close(descriptor)
        self.descriptor = None
        self.trouble = f"the program on {self.name} has gone"

    def close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None

    def describe(self) -> str:
        return f"pty {self.name}"

    def _make(self) -> None:
        self.descriptor, other, self.name = make_terminal()
        os.close(other)
        os.set_blocking(self.descriptor, False)
        self._poll = select.poll()
        self._poll.register(self.descriptor, select.POLLIN)
