"""A small HTTP server that never waits, asked by other people's clients."""

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import pytest

from hilbridge.boundary.observe.events import MetricsWay
from hilbridge.boundary.observe.http_port import (
    LONGEST_REQUEST,
    MOST_CLIENTS,
    PATIENCE,
    HttpAnswer,
    HttpPort,
    HttpRequest,
)

LARGE = b"x" * 5_000_000


def answer(request: HttpRequest) -> HttpAnswer:
    body = LARGE if request.path == "/large" else f"{request.path} {request.fields.get('accept', '')}".encode()
    return HttpAnswer(HTTPStatus.OK, "text/plain", body)


@pytest.fixture
def number() -> int:
    """Of a port that was free just now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def served(number: int, token: str | None = None) -> Iterator[None]:
    """A port that is looked after by a thread of the test."""
    port, ended = HttpPort(MetricsWay("127.0.0.1", number, token), answer), threading.Event()

    def serve() -> None:
        while not ended.wait(0.002):
            port.poll(0)

    port.poll(0)
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        port.close()


def ask(number: int, method: str, path: str, **fields: str) -> tuple[int, bytes]:
    client = http.client.HTTPConnection("127.0.0.1", number, timeout=20)
    client.request(method, path, headers={"Accept": "text/html"} | fields)
    response = client.getresponse()
    body = response.read()
    client.close()
    return response.status, body


def test_a_request_is_answered(number: int) -> None:
    """Its path without the query, and its header fields; HEAD gets no body; nothing else is allowed."""
    with served(number):
        assert ask(number, "GET", "/some/path?query") == (200, b"/some/path text/html")
        assert ask(number, "HEAD", "/") == (200, b"")
        assert ask(number, "POST", "/")[0] == 405
        assert ask(number, "GET", "/large") == (200, LARGE)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"GET /\r\n\r\n", 400),
        (b"\x16\x03\x01 hello TLS\r\n\r\n", 400),
        (b"GET http://elsewhere/ HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA: " + LONGEST_REQUEST * b"a", 431),
        (b"G", None),
    ],
)
def test_nonsense_is_refused(number: int, said: bytes, status: int | None) -> None:
    """Or, when it ends before it was a request, left without an answer."""
    with served(number), socket.create_connection(("127.0.0.1", number), timeout=20) as client:
        client.sendall(said)
        client.shutdown(socket.SHUT_WR)
        heard = client.recv(100)
    assert heard == b"" if status is None else heard.startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        ("Bearer 0123456789abcdef", 200),
        ("Bearer 0123456789abcdeg", 401),
        ("Basic 0123456789abcdef", 401),
        ("0123456789abcdef", 401),
        ("Bearer \xe9", 401),
        ("", 401),
    ],
)
def test_where_there_is_a_token_each_request_carries_it(number: int, authorization: str, status: int) -> None:
    """As RFC 6750 says; nothing is answered without it."""
    with served(number, token="0123456789abcdef"):
        assert ask(number, "GET", "/a", Authorization=authorization)[0] == status


def test_who_says_nothing_is_sent_away(number: int) -> None:
    """After two seconds; so sixteen that are silent hold others up no longer than that."""
    port = HttpPort(MetricsWay("127.0.0.1", number), answer)
    port.poll(0)
    silent = [socket.create_connection(("127.0.0.1", number), timeout=20) for _ in range(MOST_CLIENTS)]
    last = socket.create_connection(("127.0.0.1", number), timeout=20)
    last.sendall(b"GET / HTTP/1.0\r\n\r\n")
    for now in (0, PATIENCE - 1):
        port.poll(now)
    assert (port.statistics.connected, port.statistics.disconnected) == (MOST_CLIENTS, 0)
    for now in (PATIENCE, PATIENCE + 1, PATIENCE + 2):
        port.poll(now)
    assert last.recv(15) == b"HTTP/1.1 200 OK"
    assert [client.recv(1) for client in silent] == [b""] * MOST_CLIENTS
    for client in (*silent, last):
        client.close()
    port.close()


def test_a_port_that_somebody_has_is_told_and_tried_again(number: int) -> None:
    """Every five seconds; when the other one is gone it opens, also while his connections linger."""
    with socket.create_server(("127.0.0.1", number)) as other, socket.create_connection(("127.0.0.1", number)):
        port = HttpPort(MetricsWay("127.0.0.1", number), answer)
        port.poll(0)
        assert port.trouble == f"127.0.0.1:{number}: Address already in use"
        other.accept()[0].close()
    port.poll(4_000_000_000)
    assert port.trouble != ""
    port.poll(5_000_000_000)
    assert port.trouble == ""
    port.close()
