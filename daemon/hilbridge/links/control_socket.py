"""A Unix socket where programs of this machine talk to the daemon: a line to it, a line back."""

import contextlib
import errno
import os
import select
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hilbridge.errors import LinkError

MOST_CLIENTS: Final = 16
LONGEST_LINE: Final = 64 << 10
"""[bytes] of one line; whoever sends a longer one is disconnected."""
QUEUE_LIMIT: Final = 1 << 20
"""[bytes] of answers that one client has not read; whoever lets more pile up is disconnected."""
LINES_PER_POLL: Final = 4


class _Client:
    """One connection: what it has sent of its next lines, and what it has not read of its answers."""

    __slots__ = ("answers", "connection", "received")

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.received = bytearray()
        self.answers = bytearray()


class ControlSocket:
    """Serves its clients without ever waiting for one of them; a few lines each time it is polled.

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

    def poll(self, handle: Callable[[bytes], bytes]) -> None:
        """Accepts a client, reads lines, has them handled, and writes what the clients take of the answers."""
        for descriptor, _ in self._epoll.poll(0):
            client = self._clients.get(descriptor)
            if client is None:
                self._accept()
            else:
                self._read(client)
        left = LINES_PER_POLL
        for client in tuple(self._clients.values()):
            while left and (end := client.received.find(b"\n")) >= 0:
                left -= 1
                line = bytes(client.received[:end])
                del client.received[: end + 1]
                client.answers += handle(line) + b"\n"
            if client.answers:
                self._write(client)

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
            self._disconnect(client)

    def _write(self, client: _Client) -> None:
        try:
            del client.answers[: client.connection.send(client.answers)]
        except BlockingIOError:
            if len(client.answers) > QUEUE_LIMIT:
                self._disconnect(client)
        except OSError:
            self._disconnect(client)

    def _disconnect(self, client: _Client) -> None:
        self._epoll.unregister(client.connection)
        del self._clients[client.connection.fileno()]
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
