"""Cost of three open pages for the daemon: each receives 30 snapshots a second, and all other messages to pages.

The viewers connect as a browser does (RFC 6455) and read everything; they run in this process, on the processors that a
browser would use. Slices with and without them take turns; missed ticks are counted by the daemon itself.
"""

import select
import socket
import time
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from hilbridge.runs.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import Measurement, Rig

from .benches import FULL
from .ports import page_address
from .turns import by_turns

VIEWERS: Final = 3

_TIMEOUT: Final = 10.0
"""[s]"""
_WARMING: Final = 3.0
"""[s] before the first slice, in which the page's process reads the databases."""
_BINARY: Final = 0x82
"""First byte of an unfragmented binary message: a snapshot."""
_LENGTHS: Final = {126: 2, 127: 8}
"""Size of the length that follows where seven bits do not hold it [byte]."""

_UPDATES: Final = Quantity("viewers_updates", "snapshots for each viewer", "1/s")
_MISSED: Final = Quantity("viewers_missed", "missed ticks, three viewers", "%")
_ALONE: Final = Quantity("viewers_missed_none", "missed ticks, no viewer", "%")
_BEYOND: Final = Quantity("viewers_missed_beyond", "missed ticks, viewers - none", "%", Aim("at most", 0.0))


class Viewer:
    """A page as the server sees it. It answers no ping, and must leave before the server's time-out for that."""

    def __init__(self, url: str, *fields: str) -> None:
        """Connect; `fields` are further ones of the header."""
        parts = urlsplit(url)
        host, token = parts.netloc, parts.query.removeprefix("token=")
        name, _, port = host.rpartition(":")
        self.snapshots = 0
        self._rest = b""
        self.socket: Final = socket.create_connection((name, int(port)), timeout=_TIMEOUT)
        try:
            self._open(host, token, fields)
        except BaseException:
            self.socket.close()
            raise

    def _open(self, host: str, token: str, fields: tuple[str, ...]) -> None:
        """Ask for the WebSocket; OSError when that is refused."""
        request = (
            f"GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Authorization: Bearer {token}\r\n"
        )
        self.socket.sendall("".join([request, *(f"{field}\r\n" for field in fields), "\r\n"]).encode())
        while b"\r\n\r\n" not in self._rest:
            self._receive()
        answer, _, self._rest = self._rest.partition(b"\r\n\r\n")
        if b" 101 " not in answer:
            raise OSError(f"the page does not connect: {answer.splitlines()[0].decode()}")

    def receive(self) -> None:
        """Read, and count the complete snapshots."""
        self._receive()
        while len(self._rest) >= 2:
            length, begin = self._rest[1], 2
            if length in _LENGTHS:
                begin += _LENGTHS[length]
                length = int.from_bytes(self._rest[2:begin], "big")
            if len(self._rest) < begin + length or len(self._rest) < begin:
                return
            self.snapshots += self._rest[0] == _BINARY
            self._rest = self._rest[begin + length :]

    def _receive(self) -> None:
        data = self.socket.recv(1 << 16)
        if not data:
            raise OSError("the page has closed the connection")
        self._rest += data


def _watch(url: str, seconds: float) -> float:
    """Connect three viewers for some seconds; return the snapshots per second and viewer."""
    viewers = [Viewer(url) for _ in range(VIEWERS)]
    by_socket = {viewer.socket: viewer for viewer in viewers}
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for ready in select.select(list(by_socket), [], [], left)[0]:
            by_socket[ready].receive()
    for viewer in viewers:
        viewer.socket.close()
    return sum(viewer.snapshots for viewer in viewers) / VIEWERS / seconds


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, FULL)
    url = page_address(daemon)
    updates, alone, watched = [], [], []
    try:
        _watch(url, _WARMING)
        for each, at_rest, meanwhile in by_turns(rig.effort, daemon, lambda: _watch(url, rig.effort.slice)):
            updates.append(each)
            alone.append(at_rest)
            watched.append(meanwhile)
    except OSError as error:
        raise UnavailableError(f"the page cannot be watched: {error}") from error
    yield _UPDATES.median(updates)
    yield _MISSED.median(watched)
    yield _ALONE.median(alone)
    yield _BEYOND.median([more - less for more, less in zip(watched, alone, strict=True)])


MEASUREMENT: Final = Measurement("the page, three viewers", (_UPDATES, _MISSED, _ALONE, _BEYOND), _measure)
