"""A Unix socket through which programs of this machine control the daemon: a line to it, a line back.

The server of its clients never waits for one of them. A client that sends a line longer than LONGEST_LINE is
disconnected. Where all places are taken, a client that comes gets that of the idle one that has been silent longest.
Of one that has gone, what it had sent whole is still handed on, a line at a time behind those of the others.
"""

import contextlib
import errno
import json
import os
import socket
from collections import deque
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import ClassVar, Final, TypeAlias

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.base.common.errors import LinkError
from hilbridge.base.common.lasting_files import is_there
from hilbridge.boundary.links.client_server import Client, ClientServer, ClientStatistics
from hilbridge.boundary.links.doors import ListeningSocket

MOST_CLIENTS: Final = 64
MOST_GONE: Final = 16
"""Clients that have gone and whose lines are still handed on; beyond these the lines of the first are dropped."""
QUEUE_LIMIT: Final = 1 << 20
"""[bytes] of answers that one client has not read; a client that lets more pile up is disconnected."""

_AT_ONCE: Final = 8
"""Clients that are let in by one poll."""

_MAKE_ROOM: Final = json.dumps(
    {"error": "this connection was silent longer than any other, and another client needs its place"}
).encode()


class Reply:
    """The answer to a line, while it is being made: its pieces follow each other."""

    __slots__ = ("is_whole", "pieces")

    def __init__(self) -> None:
        self.pieces: Final = bytearray()
        self.is_whole = False

    def abandon(self) -> None:
        """Note that no one waits for it any more."""


Handle: TypeAlias = Callable[[bytes, bool], bytes | Reply]
"""Returns the answer to a line, or one that is being made. The flag: someone is there to hear it."""


class _ControlClient(Client):
    """One connection: what it has sent of its next lines, and the answer that is being made to its last one.

    `rank`: the clients of lower rank give up their places first, those that have not said a whole line yet before all.
    """

    __slots__ = ("_has_ended", "_left", "_lines", "_order", "_reply", "rank")

    lingers: ClassVar = True

    def __init__(self, left: "deque[_ControlClient]", order: "count[int]") -> None:
        super().__init__()
        self._lines: Final = bytearray()
        self._reply: Reply | None = None
        self._has_ended = False  # it sends no more, and may still be waiting for answers
        self._left: Final = left
        self._order: Final = order
        self.rank = (0, next(order))

    @property
    def room(self) -> int:
        """The lines at hand come first."""
        return 0 if self._has_ended or len(self._lines) >= LONGEST_LINE else LONGEST_LINE

    @property
    def has_line(self) -> bool:
        """Whether a line can be handed on."""
        return self._reply is None and b"\n" in self._lines

    @property
    def is_idle(self) -> bool:
        """Whether it waits for no answer."""
        return self._reply is None and b"\n" not in self._lines

    @property
    def is_finished(self) -> bool:
        return self._has_ended and self.is_idle and not self.output

    def receive(self, data: bytes, t: int) -> None:
        self._lines.extend(data)
        if len(self._lines) >= LONGEST_LINE and b"\n" not in self._lines:
            self._lines.clear()
            self.output.clear()
            self._has_ended = True

    def end_input(self) -> None:
        self._has_ended = True

    def close(self) -> None:
        if self._reply is not None:
            self._reply.abandon()
            self._reply = None
        if b"\n" in self._lines:
            self._left.append(self)

    def advance(self, handle: Handle, *, heard: bool = True) -> None:
        """Hand on the next line, or take the outcome of the answer to the last one."""
        if self._reply is None:
            end = self._lines.find(b"\n")
            if end < 0:
                return
            line = bytes(self._lines[:end])
            del self._lines[: end + 1]
            answer = handle(line, heard)
            if isinstance(answer, bytes):
                self._answered(answer)
            else:
                self._reply = answer
        if self._reply is not None and self._reply.is_whole:
            self._answered(self._reply.pieces)
            self._reply = None

    def _answered(self, answer: bytes | bytearray) -> None:
        self.output.extend(answer)
        self.output.extend(b"\n")
        self.rank = (1, next(self._order))


class ControlSocket:
    """The server of the control clients, on a socket that listens."""

    def __init__(self, listener: socket.socket, most: int = MOST_CLIENTS) -> None:
        self.statistics: Final = ClientStatistics()
        self._left: Final[deque[_ControlClient]] = deque(maxlen=MOST_GONE)
        order = count()
        self._server: Final = ClientServer(
            [ListeningSocket(listener, "control socket")],
            lambda: _ControlClient(self._left, order),
            self.statistics,
            most=most,
            accepts=_AT_ONCE,
            make_room=self._make_room,
        )
        self.descriptor: Final = self._server.descriptor
        """Readable while a client connects, has sent something or has gone."""

    def exchange(self, listener: socket.socket) -> None:
        """Let clients in where another socket listens; those that are connected stay."""
        self._server.exchange(ListeningSocket(listener, "control socket"))

    @property
    def has_line(self) -> bool:
        """Whether `poll` has lines to hand on although no client sends any."""
        return any(client.has_line for client in (*self._server.clients.values(), *self._left))

    @property
    def is_sending(self) -> bool:
        """Whether clients have not taken all of their answers yet."""
        return any(client.output for client in self._server.clients.values())

    def poll(self, handle: Handle) -> None:
        """Let clients in, read lines, hand on one of each client, and write what the clients take of the answers."""
        self._server.poll(0)  # its door needs no time: it never has to be opened again
        clients = self._server.clients
        for client in tuple(clients.values()):
            client.advance(handle)
        if self._left:
            gone = self._left[0]
            gone.advance(handle, heard=False)
            gone.output.clear()
            if gone.is_idle:
                self._left.popleft()
        behind = [(each, size) for each, client in clients.items() if (size := len(client.output)) > QUEUE_LIMIT]
        self._server.flush()
        for descriptor, size in behind:
            if descriptor in clients and len(clients[descriptor].output) == size:  # it has read nothing of it
                self._server.dismiss(descriptor)

    def close(self) -> None:
        """Close all connections, and the socket."""
        self._server.flush()
        self._server.close()

    def _make_room(self) -> int | None:
        """Return the client that gives up its place; None while all of them wait for answers."""
        idle = [(client.rank, descriptor) for descriptor, client in self._server.clients.items() if client.is_idle]
        if not idle:
            return None
        _, descriptor = min(idle)
        self._server.clients[descriptor].output.extend(_MAKE_ROOM + b"\n")
        return descriptor


class SocketFile:
    """A Unix socket that listens, and its file, whose permissions decide who may connect.

    A file that a dead process left is replaced.
    """

    def __init__(self, path: Path, mode: int) -> None:
        """LinkError when the socket cannot be made, or when another program serves it."""
        self.path: Final = path
        self.listener: Final = _listen(path, mode)
        self.identity: Final = identity(path)

    def close(self) -> None:
        """Close the socket, and remove the file unless another one has been put in its place."""
        self.listener.close()
        with contextlib.suppress(OSError):
            if identity(self.path) == self.identity:
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
    if is_there(path) and not path.is_socket():
        raise OSError(errno.EEXIST, "there is a file of this name which is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as probe:
        try:
            probe.connect(str(path))
        except BlockingIOError:  # its backlog is full, so a program serves it
            return True
        except OSError:
            return False
    return True


def identity(path: Path) -> tuple[int, int]:
    """Return what a file is known by, whatever its name. OSError: there is none."""
    state = path.lstat()
    return state.st_dev, state.st_ino
