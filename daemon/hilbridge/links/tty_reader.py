"""What arrives at terminals, read without ever asking them whether there is something.

Whoever asks a terminal that has nothing (poll(2), or a read) waits for the kernel's thread that hands its bytes over
(n_tty_poll, n_tty_read: flush_work), an ordinary one that waits for a processor in its turn. So a terminal is touched
only after an edge, which the kernel reports when bytes have been handed over; a full read sets the next edge itself.
"""

import os
import select
from typing import Final


class TtyReader:
    """Of one terminal at a time, which may come and go. `descriptor` is readable while `read` has something to do."""

    def __init__(self, most: int) -> None:
        """`most` [bytes] at a time."""
        self._most: Final = most
        self._epoll: Final = select.epoll()
        self.descriptor: Final = self._epoll.fileno()

    def watch(self, terminal: int) -> None:
        """From now on this one is read: a non-blocking descriptor."""
        self._epoll.register(terminal, select.EPOLLIN | select.EPOLLET)

    def forget(self, terminal: int) -> None:
        """It is read no more, and may be closed."""
        self._epoll.unregister(terminal)

    def read(self) -> bytes | None:
        """What has arrived, empty where nothing has; None when the terminal was hung up."""
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
            return data or None  # readable without data is how a terminal that was hung up says so
        return b""

    def close(self) -> None:
        """At the end of the run; the terminal stays open."""
        self._epoll.close()
