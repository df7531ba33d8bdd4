"""Reads terminals without asking them whether they have bytes.

A process that asks a terminal without bytes (poll(2), or a read) waits for the kernel thread that transfers its bytes
(n_tty_poll, n_tty_read: flush_work), an ordinary thread that may itself wait for a processor. So a terminal is touched
only after an edge, which the kernel reports when bytes have been transferred; a full read sets the next edge itself.
"""

import os
import select
from typing import Final


class TtyReader:
    """The reader of one terminal at a time. `descriptor` is readable while `read` has something to do."""

    def __init__(self, most: int) -> None:
        """`most`: bytes in one read."""
        self._most: Final = most
        self._epoll: Final = select.epoll()
        self.descriptor: Final = self._epoll.fileno()

    def watch(self, terminal: int) -> None:
        """Read this terminal from now on: a non-blocking descriptor."""
        self._epoll.register(terminal, select.EPOLLIN | select.EPOLLET)

    def forget(self, terminal: int) -> None:
        """Read this terminal no more; it may be closed."""
        self._epoll.unregister(terminal)

    def read(self) -> bytes | None:
        """Return what has arrived, empty if nothing has; None when the terminal was hung up."""
        for terminal, events in self._epoll.poll(0):
            data = b""
            if events & select.EPOLLIN:
                try:
                    data = os.read(terminal, self._most)
                except BlockingIOError:
                    return b""
                except OSError:
                    return None
            if len(data) == self._most or events != select.EPOLLIN:  # more of it, and a hang-up behind it, are no edges
                self._epoll.modify(terminal, select.EPOLLIN | select.EPOLLET)
            return data or None  # readable without data: the terminal was hung up
        return b""

    def close(self) -> None:
        """Close the reader; the terminal stays open."""
        self._epoll.close()
