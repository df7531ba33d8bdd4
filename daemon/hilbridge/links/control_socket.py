"""A Unix socket through which programs of this machine control the daemon: a line to it, a line back.

An answer may be made in pieces, one after the other, so that no tick has to make all of it; the client gets it when it
is whole, and its next line has to wait for that. A client that sends a line longer than LONGEST_LINE is disconnected.
"""

import contextlib
import errno
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar, Final, TypeAlias

from hilbridge.common.control_line import LONGEST_LINE
from hilbridge.common.errors import LinkError
from hilbridge.links.client_server import Client, ClientServer, ClientStatistics
from hilbridge.links.doors import ListeningSocket

MOST_CLIENTS: Final = 16
QUEUE_LIMIT: Final = 1 << 20
"""[bytes] of answers that one client has not read; a client that lets more pile up is disconnected."""

Handle: TypeAlias = Callable[[bytes], bytes | Iterator[bytes]]
"""Returns the answer to a line, or the pieces of it."""


class _ControlClient(Client):
    """One connection: what it has sent of its next lines, and the answer that is being made to its last one."""

    __slots__ = ("_answer", "_has_ended", "_lines", "_pieces")

    lingers: ClassVar = True

    def __init__(self) -> None:
        super().__init__()
        self._lines: Final = bytearray()
        self._answer: Final = bytearray()
        self._pieces: Iterator[bytes] | None = None
        self._has_ended = False  # it sends no more, and may still be waiting for answers

    @property
    def room(self) -> int:
        """The lines at hand come first."""
        return 0 if self._has_ended or len(self._lines) >= LONGEST_LINE else LONGEST_LINE

    @property
    def is_served(self) -> bool:
        """Whether all its lines are answered, and all answers sent."""
        return not (self.output or self._pieces or b"\n" in self._lines)

    @property
    def is_finished(self) -> bool:
        return self._has_ended and self.is_served

    def receive(self, data: bytes, t: int) -> None:
        self._lines.extend(data)
        if len(self._lines) >= LONGEST_LINE and b"\n" not in self._lines:
            self._lines.clear()
            self.output.clear()
            self._pieces, self._has_ended = None, True

    def end_input(self) -> None:
        self._has_ended = True

    def advance(self, handle: Handle) -> bool:
        """Handle the next line, or make the next piece of an answer; return whether there was something to do."""
        if self._pieces is None:
            end = self._lines.find(b"\n")
            if end < 0:
                return False
            line = bytes(self._lines[:end])
            del self._lines[: end + 1]
            answer = handle(line)
            if isinstance(answer, bytes):
                self.output.extend(answer + b"\n")
            else:
                self._pieces = answer
        elif (piece := next(self._pieces, None)) is not None:
            self._answer.extend(piece)
        else:
            self.output.extend(self._answer + b"\n")
            self._answer.clear()
            self._pieces = None
        return True


class ControlSocket:
    """The server of the control clients: it never waits for one of them, and does a few steps of work in each poll.

    The permissions of the socket's file decide who may connect. A file that a dead process left is replaced.
    """

    def __init__(self, path: Path, mode: int) -> None:
        """LinkError when the socket cannot be made, or when another program serves it."""
        self.path: Final = path
        self.statistics: Final = ClientStatistics()
        self._server: Final = ClientServer(
            [ListeningSocket(_listen(path, mode), str(path))], _ControlClient, self.statistics, most=MOST_CLIENTS
        )
        self._identity: Final = _identity(path)
        self.descriptor: Final = self._server.descriptor
        """Readable while a client connects or has sent something."""
        self.is_busy = False
        """Answers are still to be made or to be read: `poll` has something to do although no client sends anything."""

    def poll(self, handle: Handle, turns: int = 1) -> None:
        """Accept a client, read lines, have them handled, and write what the clients take of the answers.

        A line takes a turn, and so does each piece of an answer; a client that had one waits behind the others.
        """
        self._server.poll(0)  # its door needs no time: it never has to be opened again
        clients = self._server.clients
        for descriptor, client in tuple(clients.items()):
            had = turns
            while turns and client.advance(handle):
                turns -= 1
            if turns < had:
                clients[descriptor] = clients.pop(descriptor)
        behind = [(each, size) for each, client in clients.items() if (size := len(client.output)) > QUEUE_LIMIT]
        self._server.flush()
        for descriptor, size in behind:
            if descriptor in clients and len(clients[descriptor].output) == size:  # it has read nothing of it
                self._server.dismiss(descriptor)
        self.is_busy = not all(client.is_served for client in clients.values())

    def close(self) -> None:
        """Close all connections, and remove the file unless another one has been put in its place."""
        self._server.flush()
        self._server.close()
        with contextlib.suppress(OSError):
            if _identity(self.path) == self._identity:
                self.path.unlink()


def _listen(path: Path, mode: int) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    try:
        if is_served(path):
            raise OSError(errno.EADDRINUSE, "a running bench has it")
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        before = os.umask(0o777)  # no connection before the permissions are set
        try:
            listener.bind(str(path))
        finally:
            os.umask(before)
        path.chmod(mode)
        listener.listen(MOST_CLIENTS)
    except OSError as error:
        listener.close()
        raise LinkError(f"the control socket {path} cannot be made: {error.strerror or error}") from error
    return listener


def is_served(path: Path) -> bool:
    """Return whether a program serves a socket of this name. OSError for a file that is no socket: it must stay."""
    if path.exists() and not path.is_socket():
        raise OSError(errno.EEXIST, "there is a file of this name which is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as probe:
        try:
            probe.connect(str(path))
        except BlockingIOError:  # its backlog is full, so a program serves it
            return True
        except OSError:
            return False
    return True


def _identity(path: Path) -> tuple[int, int]:
    state = path.lstat()
    return state.st_dev, state.st_ino
