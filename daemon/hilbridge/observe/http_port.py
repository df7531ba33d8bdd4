"""A port of the loopback address that answers HTTP requests: GET and HEAD, one to a connection, never waiting.

The observer looks in when it has taken its events. Who connects has two seconds to say what he wants and to take the
answer; more than sixteen wait outside, and a request has no more than 8 KiB. HTTP/1.1 as in RFC 9112.
"""

import contextlib
import os
import socket
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, NamedTuple

ADDRESS: Final = "127.0.0.1"
PATIENCE: Final = 2_000_000_000
"""[ns] for a request and its answer."""
MOST_CLIENTS: Final = 16
LONGEST_REQUEST: Final = 8192
"""[byte]"""

_AGAIN: Final = 5_000_000_000
"""[ns] between two attempts to open the port."""
_PIECE: Final = 1 << 16
_END: Final = b"\r\n\r\n"


class Request(NamedTuple):
    """What a client wants. Names of header fields are in small letters."""

    path: str
    fields: dict[str, str]


class Answer(NamedTuple):
    """What it gets."""

    status: HTTPStatus
    content_type: str
    body: bytes


class _Client:
    """A connection: first it is read from, then written to."""

    def __init__(self, connection: socket.socket, deadline: int) -> None:
        self.connection: Final = connection
        self.deadline: Final = deadline
        self.heard = b""
        self.to_say: bytes | None = None


class HttpPort:
    """`poll` again and again. `trouble` says why the port is not open; empty while it is."""

    def __init__(self, port: int, answer: Callable[[Request], Answer]) -> None:
        self.trouble = ""
        self._port: Final = port
        self._answer: Final = answer
        self._listener: socket.socket | None = None
        self._clients: list[_Client] = []
        self._next = 0

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://{ADDRESS}:{self._port}"

    def poll(self, now: int) -> None:
        """Opens the port where it is not open, takes clients, reads and answers; `now` [ns]."""
        if self._listener is None:
            if now < self._next:
                return
            self._next = now + _AGAIN
            self._open()
        self._accept(now)
        self._clients = [client for client in self._clients if self._goes_on(client, now)]

    def close(self) -> None:
        """Gives up the port and all clients."""
        for client in self._clients:
            client.connection.close()
        self._clients.clear()
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def _open(self) -> None:
        try:
            self._listener = socket.create_server((ADDRESS, self._port), backlog=MOST_CLIENTS)  # with SO_REUSEADDR
        except OSError as error:
            self.trouble = f"port {self._port}: {os.strerror(error.errno or 0)}"
        else:
            self._listener.setblocking(False)
            self.trouble = ""

    def _accept(self, now: int) -> None:
        while self._listener is not None and len(self._clients) < MOST_CLIENTS:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # nobody there, gone again, or no descriptor for him: he waits
                return
            connection.setblocking(False)
            self._clients.append(_Client(connection, now + PATIENCE))

    def _goes_on(self, client: _Client, now: int) -> bool:
        """Does what can be done for a client. False: it is done, or given up, and closed."""
        try:
            if client.to_say is None:
                self._read(client)
            if client.to_say:
                client.to_say = client.to_say[client.connection.send(client.to_say[:_PIECE]) :]
            done = client.to_say == b""
        except BlockingIOError:
            done = False
        except OSError:
            done = True
        if not done and now < client.deadline:
            return True
        with contextlib.suppress(OSError):
            client.connection.shutdown(socket.SHUT_WR)
        client.connection.close()
        return False

    def _read(self, client: _Client) -> None:
        data = client.connection.recv(LONGEST_REQUEST)
        client.heard += data
        if _END in client.heard:
            client.to_say = self._respond(client.heard.partition(_END)[0])
        elif len(client.heard) >= LONGEST_REQUEST:
            client.to_say = _response(_refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE))
        elif not data:
            client.to_say = b""

    def _respond(self, head: bytes) -> bytes:
        first, *lines = head.decode("latin-1").split("\r\n")
        method, _, rest = first.partition(" ")
        target, _, version = rest.partition(" ")
        if not version.startswith("HTTP/1.") or not target.startswith("/"):
            return _response(_refusal(HTTPStatus.BAD_REQUEST))
        if method not in ("GET", "HEAD"):
            return _response(_refusal(HTTPStatus.METHOD_NOT_ALLOWED), "Allow: GET, HEAD\r\n")
        named = [line.partition(":") for line in lines]
        fields = {name.lower(): value.strip() for name, _, value in named}
        answer = self._answer(Request(target.partition("?")[0], fields))
        return _response(answer, with_body=method == "GET")


def _refusal(status: HTTPStatus) -> Answer:
    return Answer(status, "text/plain", f"{status.phrase}\n".encode())


def _response(answer: Answer, fields: str = "", *, with_body: bool = True) -> bytes:
    head = (
        f"HTTP/1.1 {answer.status.value} {answer.status.phrase}\r\n"
        f"Content-Type: {answer.content_type}\r\n"
        f"Content-Length: {len(answer.body)}\r\n"
        f"{fields}"
        "Cache-Control: no-store\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode("latin-1") + (answer.body if with_body else b"")
