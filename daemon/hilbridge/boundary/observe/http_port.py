"""A port that answers HTTP requests: GET and HEAD, one to a connection, never waiting.

The observer polls it when it has taken its events. A client has two seconds for its request and for reading the answer;
more than sixteen clients wait in the kernel, and a request has no more than 8 KiB. HTTP/1.1 as in RFC 9112. Where there
is a token, a request without it gets 401 (RFC 6750).
"""

import hmac
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, NamedTuple

from hilbridge.base.common.errors import reason_of
from hilbridge.boundary.links.client_server import Client, ClientServer, ClientStatistics
from hilbridge.boundary.links.doors import in_url, listen
from hilbridge.boundary.observe.events import MetricsWay

PATIENCE: Final = 2_000_000_000
"""[ns] for a request and its answer."""
MOST_CLIENTS: Final = 16
LONGEST_REQUEST: Final = 8192
"""[byte]"""

_AGAIN: Final = 5_000_000_000
"""[ns] between two attempts to open the port."""
_END: Final = b"\r\n\r\n"


class HttpRequest(NamedTuple):
    """The request of a client. Names of header fields are in small letters."""

    path: str
    fields: dict[str, str]


class HttpAnswer(NamedTuple):
    """The response to it."""

    status: HTTPStatus
    content_type: str
    body: bytes


class _HttpClient(Client):
    """A connection: it is read until its request is whole, then the response is written, then it is closed."""

    __slots__ = ("_is_answered", "_received", "_respond", "deadline")

    def __init__(self, respond: Callable[[bytes], bytes], deadline: int) -> None:
        super().__init__()
        self.deadline: Final = deadline
        self._respond: Final = respond
        self._received: Final = bytearray()
        self._is_answered = False

    @property
    def room(self) -> int:
        return 0 if self._is_answered else LONGEST_REQUEST

    @property
    def is_finished(self) -> bool:
        return self._is_answered

    def receive(self, data: bytes, t: int) -> None:
        self._received.extend(data)
        head, end, _ = self._received.partition(_END)
        if end:
            self.output.extend(self._respond(bytes(head)))
        elif len(head) >= LONGEST_REQUEST:
            self.output.extend(_response(_refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)))
        else:
            return
        self._is_answered = True


class HttpPort:
    """Answers requests in `poll`, which is called again and again. `trouble`: why it is not open; empty while it is."""

    def __init__(self, way: MetricsWay, answer: Callable[[HttpRequest], HttpAnswer]) -> None:
        self.trouble = ""
        self.statistics: Final = ClientStatistics()
        self._way: Final = way
        self._answer: Final = answer
        self._server: ClientServer[_HttpClient] | None = None
        self._next = 0
        self._now = 0

    @property
    def url(self) -> str:
        """The address of the port."""
        return f"http://{in_url(self._way.address)}:{self._way.port}"

    def poll(self, now: int) -> None:
        """Open the port where it is not open, accept clients, read and answer; `now` [ns]."""
        self._now = now
        if self._server is None:
            if now < self._next:
                return
            self._next = now + _AGAIN
            self._server = self._open()
        if self._server is not None:
            self._server.poll(now)
            self._server.flush()
            for descriptor, client in tuple(self._server.clients.items()):
                if now >= client.deadline:
                    self._server.dismiss(descriptor)

    def close(self) -> None:
        """Close the port and all connections."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def _open(self) -> ClientServer[_HttpClient] | None:
        try:
            door = listen(self._way.port, self._way.address)
        except OSError as error:
            self.trouble = f"{in_url(self._way.address)}:{self._way.port}: {reason_of(error)}"
            return None
        self.trouble = ""
        return ClientServer(
            [door], self._new_client, self.statistics, most=MOST_CLIENTS, accepts=MOST_CLIENTS, turns_away=False
        )

    def _new_client(self) -> _HttpClient:
        return _HttpClient(self._respond, self._now + PATIENCE)

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
        if not self._is_admitted(fields.get("authorization", "")):
            return _response(_refusal(HTTPStatus.UNAUTHORIZED), "WWW-Authenticate: Bearer\r\n")
        answer = self._answer(HttpRequest(target.partition("?")[0], fields))
        return _response(answer, with_body=method == "GET")

    def _is_admitted(self, authorization: str) -> bool:
        expected = f"Bearer {self._way.token}"
        return self._way.token is None or hmac.compare_digest(authorization.encode(), expected.encode())


def _refusal(status: HTTPStatus) -> HttpAnswer:
    return HttpAnswer(status, "text/plain", f"{status.phrase}\n".encode())


def _response(answer: HttpAnswer, fields: str = "", *, with_body: bool = True) -> bytes:
    head = (
        f"HTTP/1.1 {answer.status.value} {answer.status.phrase}\r\n"
        f"Content-Type: {answer.content_type}\r\n"
        f"Content-Length: {len(answer.body)}\r\n"
        f"{fields}"
        "Cache-Control: no-store\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode("latin-1") + (answer.body if with_body else b"")
