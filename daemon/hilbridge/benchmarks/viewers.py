"""What three open pages cost the daemon: each gets 30 snapshots a second, and all that pages are told besides.

The viewers connect as a browser does (RFC 6455) and take what comes; they are of this process, and so on the
processors that a browser would be on. Slices with and without them take turns; missed ticks are counted by the daemon
itself.
"""

import select
import socket
import time
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from hilbridge.benchmarks.daemon import Daemon
from hilbridge.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.benchmarks.rig import Measurement, Rig

VIEWERS: Final = 3

_PATIENCE: Final = 10.0
"""[s]"""
_WARMING: Final = 3.0
"""[s] in which the page's process reads the databases; no slice."""
_BINARY: Final = 0x82
"""First byte of a message that is whole, and binary: a snapshot."""
_LENGTHS: Final = {126: 2, 127: 8}
"""[byte] of the length that follows where seven bits do not hold it."""

_UPDATES: Final = Quantity("viewers_updates", "snapshots for each viewer", "1/s")
_MISSED: Final = Quantity("viewers_missed", "missed ticks, three viewers", "%")
_ALONE: Final = Quantity("viewers_missed_none", "missed ticks, no viewer", "%")
_BEYOND: Final = Quantity("viewers_missed_beyond", "missed ticks, viewers - none", "%", Aim("at most", 0.0))


class _Viewer:
    """A page as the server knows it. It answers no ping, and must be gone before that is noticed."""

    def __init__(self, url: str) -> None:
        host = urlsplit(url).netloc
        name, _, port = host.rpartition(":")
        self.snapshots = 0
        self._rest = b""
        self.socket: Final = socket.create_connection((name, int(port)), timeout=_PATIENCE)
        request = (
            f"GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        self.socket.sendall(request.encode())
        while b"\r\n\r\n" not in self._rest:
            self._receive()
        answer, _, self._rest = self._rest.partition(b"\r\n\r\n")
        if b" 101 " not in answer:
            raise OSError(f"the page does not connect: {answer.splitlines()[0].decode()}")

    def take(self) -> None:
        """What has come; whole messages are counted."""
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
    """Three viewers for so long; snapshots a second that each has had."""
    viewers = [_Viewer(url) for _ in range(VIEWERS)]
    by_socket = {viewer.socket: viewer for viewer in viewers}
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for ready in select.select(list(by_socket), [], [], left)[0]:
            by_socket[ready].take()
    for viewer in viewers:
        viewer.socket.close()
    return sum(viewer.snapshots for viewer in viewers) / VIEWERS / seconds


def _address(daemon: Daemon) -> str:
    for record in daemon.said("cockpit"):
        return str(record["url"])
    raise UnavailableError("the daemon has no page")


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, "full")
    url = _address(daemon)
    updates, alone, watched = [], [], []
    try:
        _watch(url, _WARMING)
        for each, at_rest, meanwhile in rig.by_turns(daemon, lambda: _watch(url, rig.effort.slice)):
            updates.append(each)
            alone.append(at_rest)
            watched.append(meanwhile)
    except OSError as error:
        raise UnavailableError(f"nobody can watch: {error}") from error
    yield _UPDATES.median(updates)
    yield _MISSED.median(watched)
    yield _ALONE.median(alone)
    yield _BEYOND.median([more - less for more, less in zip(watched, alone, strict=True)])


MEASUREMENT: Final = Measurement("the page, three viewers", (_UPDATES, _MISSED, _ALONE, _BEYOND), _measure)
