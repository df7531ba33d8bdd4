"""Commands for the bench without waiting for their answers: what comes at each tick has no time for that.

At most OUTSTANDING are under way, so that one is there for the tick while the one before is being answered. They are
carried out in their order.
"""

import socket
import time
from pathlib import Path
from typing import Any, Final

from hilbridge.boundary.control.lines import encode_command

OUTSTANDING: Final = 2

PATIENCE: Final = 5.0
"""[s] for an answer; then the connection is given up, and the next command makes another."""

SETTLING: Final = 1.0
"""[s] that the end of a session waits for answers."""

_READ: Final = 1 << 14


class CommandStream:
    """A connection to the control socket, made by the first command."""

    def __init__(self, path: Path) -> None:
        self._refused = 0
        self._path: Final = path
        self._socket: socket.socket | None = None
        self._sent: list[float] = []  # when the commands went that have no answer yet
        self._rest = b""

    def send(self, command: dict[str, Any]) -> bool:
        """Send a command; return False if too many are under way, or the bench cannot be reached."""
        self._receive()
        if self._sent and time.monotonic() - self._sent[0] > PATIENCE:
            self.close()
        if len(self._sent) >= OUTSTANDING:
            return False
        line = encode_command(command)
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
                self._socket.connect(str(self._path))
            is_whole = self._socket.send(line) == len(line)
        except OSError:
            is_whole = False
        if not is_whole:
            self.close()
            return False
        self._sent.append(time.monotonic())
        return True

    def refusals(self) -> int:
        """Return how many commands the bench has refused since the last call."""
        self._receive()
        refused, self._refused = self._refused, 0
        return refused

    def settle(self) -> None:
        """Wait until all commands are carried out, but not longer than SETTLING."""
        if self._socket is not None and self._sent:
            self._socket.settimeout(SETTLING)
            until = time.monotonic() + SETTLING
            while self._sent and time.monotonic() < until:
                self._receive()
            if self._socket is not None:
                self._socket.setblocking(False)

    def _receive(self) -> None:
        """Take the answers that are there."""
        while self._socket is not None and self._sent:
            try:
                data = self._socket.recv(_READ)
            except (BlockingIOError, TimeoutError):
                return
            except OSError:
                data = b""
            if not data:
                self.close()
                return
            *answers, self._rest = (self._rest + data).split(b"\n")
            self._refused += sum(answer.startswith(b'{"error"') for answer in answers)
            del self._sent[: len(answers)]

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._sent, self._rest = None, [], b""
