"""One program on an SLCAN port, behind a non-blocking descriptor: a TCP connection or a pseudo terminal."""

import os
from typing import Final

from hilbridge.links.slcan import Session

QUEUE_LIMIT: Final = 64 << 10
"""[bytes] waiting for one client: 2,400 frames of 8 bytes."""


class SlcanClient:
    """What a client has opened, and what waits for it.

    One that stops reading loses what finds no room; when it reads again it gets what waited, in order, and goes on.
    """

    __slots__ = ("descriptor", "queue", "session")

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.session = Session()
        self.queue = bytearray()

    def offer(self, line: bytes) -> bool:
        """Queues a whole line, or nothing if there is no room for it."""
        if len(self.queue) + len(line) > QUEUE_LIMIT:
            return False
        self.queue += line
        return True

    def read(self, size: int) -> bytes | None:
        """What has arrived; None when the client has gone."""
        try:
            return os.read(self.descriptor, size) or None
        except BlockingIOError:
            return b""
        except OSError:
            return None

    def write(self) -> bool:
        """Writes what is queued, as far as the client takes it; False when it has gone."""
        try:
            written = os.write(self.descriptor, self.queue)
        except BlockingIOError:
            return True
        except OSError:
            return False
        del self.queue[:written]
        return True
