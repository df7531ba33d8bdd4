"""A TCP port on the loopback address, as a door: each connection is a client."""

import os
import socket
from typing import Final

from hilbridge.common.errors import KeyPath, LinkError

ADDRESS: Final = "127.0.0.1"
"""Never another one: the port has no password."""

SEND_BUFFER: Final = 64 << 10
"""[bytes] asked of the kernel for one client; the default of 4 MB would let one hear half a minute late."""

_WAITING: Final = 16
"""Connections that the kernel keeps until they are let in."""


class LoopbackPort:
    """Listens from start to end of the run. LinkError, with the key `place`, when the port cannot be had."""

    trouble: Final = ""  # the port stays open whatever its clients do

    def __init__(self, port: int, name: str, place: KeyPath = ()) -> None:
        self._listener = _listen(port, name, place)
        address, opened = self._listener.getsockname()  # the port also where any free one was asked for
        self._name = f"socket://{address}:{opened}"
        self._connections: dict[int, socket.socket] = {}

    @property
    def descriptor(self) -> int:
        return self._listener.fileno()

    def renew(self, t: int) -> None:
        """It never needs it."""

    def enter(self) -> int:
        connection, _ = self._listener.accept()
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._connections[connection.fileno()] = connection
        return connection.fileno()

    def leave(self, descriptor: int) -> None:
        self._connections.pop(descriptor).close()

    def close(self) -> None:
        self._listener.close()

    def describe(self) -> str:
        return self._name


def _listen(port: int, name: str, place: KeyPath) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of the last run may linger
        listener.bind((ADDRESS, port))
        listener.listen(_WAITING)
    except OSError as error:
        listener.close()
        reason = os.strerror(error.errno) if error.errno is not None else str(error)
        raise LinkError(
            f"the {name} port {ADDRESS}:{port} cannot be opened: {reason} (is another program using it? "
            "0 takes any free port)",
            place,
        ) from error
    listener.setblocking(False)
    return listener
