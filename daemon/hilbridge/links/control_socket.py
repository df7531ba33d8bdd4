"""A Unix socket where programs of this machine talk to the daemon: a line to it, a line back.

An answer may come in pieces, one after the other, so that no tick has to make all of it; the client gets it when it is
whole, and its next line has to wait for that. Whoever sends a line longer than LONGEST_LINE is disconnected.
"""

import contextlib
import errno
import os
import select
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from hilbridge.common.errors import LinkError
from hilbridge.settings.bench import LONGEST_LINE

MOST_CLIENTS: Final = 16
QUEUE_LIMIT: Final = 1 << 20
"""[bytes] of answers that one client has not read; whoever lets more pile up is disconnected."""

Handle: TypeAlias = Callable[[bytes], bytes | Iterator[bytes]]
"""The answer to a line, or the pieces of it."""


class _Client:
    """One connection: what it has sent of its next lines, and what it has not read of its answers.

    `pieces` is what is left to make of the answer to its last line.
    """

    __slots__ = ("answers", "connection", "has_finished", "pieces", "received")

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.received = bytearray()
        self.answers = bytearray()
        self.pieces: Iterator[bytes] | None = None
        self.has_finished = False
        """It says no more, and may still be waiting for answers."""

    @property
    def is_served(self) -> bool:
        """There is nothing left to do for it."""
        return not (self.answers or self.pieces or b"\n" in self.received)

    def take_turn(self, handle: Handle) -> bool:
        """Has the next line handled, or makes the next piece of an answer. False: there is nothing to do."""
        if self.pieces is None:
            end = self.received.find(b"\n")
            if end < 0:
                return False
            line = bytes(self.received[:end])
            del self.received[: end + 1]
            answer = handle(line)
            if isinstance(answer, bytes):
                self.answers += answer + b"\n"
            else:
                self.pieces = answer
        elif (piece := next(self.pieces, None)) is not None:
            self.answers += piece
        else:
            self.answers += b"\n"
            self.pieces = None
        return True


class ControlSocket:
    """Serves its clients without ever waiting for one of them; some turns each time it is polled.

    The permissions of the socket's file say who may connect. A file that a dead process left is replaced.
    """

    def __init__(self, path: Path, mode: int) -> None:
        """LinkError when the socket cannot be made, or when another program serves it."""
        self.path: Final = path
        self.turned_away = 0
        """Attempts to let a client in that failed: there are too many already, or no descriptor is left."""
        self._clients: dict[int, _Client] = {}
        self._listener = _listen(path, mode)
        self._identity = _identity(path)
        self._epoll = select.epoll()
        self._epoll.register(self._listener, select.EPOLLIN)
        self.descriptor: Final = self._epoll.fileno()
        """Readable while a client has come or said something."""
        self.is_busy = False
        """Answers are still to be made or to be taken: `poll` has something to do though nobody says anything."""

    def poll(self, handle: Handle, turns: int = 1) -> None:
        """Accepts a client, reads lines, has them handled, and writes what the clients take of the answers.

        A line takes a turn, and so does each piece of an answer; who had one waits behind the other clients.
        """
        for descriptor, _ in self._epoll.poll(0):
            client = self._clients.get(descriptor)
            if client is None:
                self._accept()
            else:
                self._read(client)
        for descriptor, client in tuple(self._clients.items()):
            had = turns
            while turns and client.take_turn(handle):
                turns -= 1
            if turns < had:
                self._clients[descriptor] = self._clients.pop(descriptor)
            if client.answers and client.pieces is None:
                self._write(client)
            if client.has_finished and client.is_served:
                self._disconnect(client)
        self.is_busy = not all(client.is_served for client in self._clients.values())

    def close(self) -> None:
        """Closes all connections, and removes the file unless somebody has put another in its place."""
        for client in tuple(self._clients.values()):
            self._write(client)
            if client.connection.fileno() in self._clients:
                self._disconnect(client)
        self._epoll.close()
        self._listener.close()
        with contextlib.suppress(OSError):
            if _identity(self.path) == self._identity:
                self.path.unlink()

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except BlockingIOError:  # it has gone again
            return
        except OSError:  # no descriptor left; it waits
            self.turned_away += 1
            return
        if len(self._clients) >= MOST_CLIENTS:
            self.turned_away += 1
            connection.close()
            return
        connection.setblocking(False)
        self._clients[connection.fileno()] = _Client(connection)
        self._epoll.register(connection, select.EPOLLIN)

    def _read(self, client: _Client) -> None:
        if client.has_finished:
            return
        if len(client.received) >= LONGEST_LINE:
            if b"\n" not in client.received:
                self._disconnect(client)
            return  # the lines at hand come first
        try:
            data = client.connection.recv(LONGEST_LINE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            client.received += data
        else:
            client.has_finished = True
            self._epoll.modify(client.connection, 0)

    def _write(self, client: _Client) -> None:
        try:
            del client.answers[: client.connection.send(client.answers)]
        except BlockingIOError:
            if len(client.answers) > QUEUE_LIMIT:
                self._disconnect(client)
        except OSError:
            client.answers.clear()  # it has gone; what it said before is heard to its end

    def _disconnect(self, client: _Client) -> None:
        if self._clients.pop(client.connection.fileno(), None) is not None:
            self._epoll.unregister(client.connection)
            client.connection.close()


def _listen(path: Path, mode: int) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    try:
        if _is_served(path):
            raise OSError(errno.EADDRINUSE, "a running bench has it")
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        before = os.umask(0o777)  # nobody gets in before the permissions are set
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


def _is_served(path: Path) -> bool:
    """Somebody answers at a socket of this name. OSError for what is no socket: it is not ours to remove."""
    if path.exists() and not path.is_socket():
        raise OSError(errno.EEXIST, "there is a file of this name which is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as probe:
        try:
            probe.connect(str(path))
        except BlockingIOError:  # so many are waiting that somebody must be serving them
            return True
        except OSError:
            return False
    return True


def _identity(path: Path) -> tuple[int, int]:
    state = path.lstat()
    return state.st_dev, state.st_ino
