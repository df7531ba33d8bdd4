"""The link to a python-can interface without a socket of its own: a helper process behind a pair of sockets.

Some interfaces block in `recv(0)`, start threads or load vendor libraries; none of that belongs in the tick process.
The pair carries what a SocketCAN socket carries, struct can_frame and canfd_frame, so that the tick treats both alike.
Any datagram of another size is a report: "opened" first, or the reason why the helper ends.
"""

import contextlib
import errno
import json
import os
import socket
import subprocess
from typing import Final

from hilbridge.base.common.errors import LinkError, NotNowError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.base.process.child_process import Child, spawn
from hilbridge.boundary.links.adapter import serial_adapter
from hilbridge.boundary.links.can_frame import LARGEST_REPORT
from hilbridge.boundary.links.helper_process import OPENED, unpack_report
from hilbridge.boundary.links.socket_link import SocketLink
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus

START_LIMIT: Final = 30_000 * MILLISECOND
"""[ns] for an interface to open; python-can's slcan alone sleeps 2 s."""
PATIENCE_AT_START: Final = 5.0
"""[s] that a start waits for an interface which may also open later; a service manager waits for the first tick."""
STOP_LIMIT: Final = 2.0
"""[s] for the helper to close its interface at the end of the run."""
SEND_BUFFER: Final = 64 << 10
"""[bytes] to the helper: 170 frames, as many as one that hung would send late."""
RECEIVE_BUFFER: Final = 1 << 20
"""[bytes] from the helper: 2,700 frames, a third of a second of a full 1 Mbit/s bus."""

_REMOTE: Final = ("socketcand", "udp_multicast", "remote")
"""Interfaces of python-can at the far end of a network: nothing is pulled here."""


class HelperLink(SocketLink):
    """A bus on an interface that python-can drives in a process of its own.

    The helper ends when its interface fails; the link then starts another one, with back-off.
    """

    def __init__(self, bus: Bus, settings: BusSettings, period: int = MILLISECOND, *, waits: bool = False) -> None:
        super().__init__(bus, period)
        self._interface = settings.interface
        self._channel = settings.channel
        common = {key: value for key in ("bitrate", "fd") if (value := getattr(settings, key))}
        request = {
            "interface": settings.interface,
            "channel": settings.channel,
            "options": settings.options,
            "common": common,
        }
        self._armed = settings.armed
        remote = settings.interface in _REMOTE or "://" in str(settings.channel)
        self._local = settings.is_hardware and not remote
        self._request = json.dumps(request).encode()
        self._process: Child | None = None
        self._started = 0
        self._last_report = ""
        self._start(waits=waits)
        if self._socket is not None:
            self._wait_until_open(self._socket, waits=waits)

    def describe(self) -> str:
        return f"{self._interface} {self._channel} (helper process)"

    def poll(self, t: int) -> None:
        super().poll(t)
        if not self._working and self._socket is not None and t - self._started > START_LIMIT:
            self._lose("it does not open", t)

    def close(self) -> None:
        process = self._process
        self._shut()
        if process is not None:
            try:
                process.wait(STOP_LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            self._process = None

    def _wait_until_open(self, helper: socket.socket, *, waits: bool) -> None:
        """Wait for the helper, at start only."""
        self._working = False
        helper.settimeout(PATIENCE_AT_START if waits else START_LIMIT / 1e9)
        failure: LinkError = NotNowError("the helper process ended at once")
        try:
            report = helper.recv(LARGEST_REPORT)
        except TimeoutError:
            if waits:
                helper.setblocking(False)
                self._loss = f"{self.describe()} does not open yet"
                return
            report, failure = b"", NotNowError(f"it does not open within {START_LIMIT // 1_000_000_000} s")
        except ConnectionResetError:
            report = b""
        if report == OPENED:
            helper.setblocking(False)
            self._know_adapter()
            self._working = True
            return
        self.close()
        if report:
            failure = unpack_report(report)
        if not (waits and isinstance(failure, NotNowError)):
            raise type(failure)(f"{self._interface} {self._channel}: {failure}", failure.place)
        self._await(_missing(self._channel) or failure, 0)

    def _know_adapter(self) -> None:
        if self._local:
            self._know(serial_adapter(self._interface, str(self._channel)), armed=self._armed)

    def _open_again(self, t: int) -> None:
        if (missing := _missing(self._channel)) is not None:  # cheap, for the many attempts: a helper is a process
            self._await(missing, t)
        else:
            super()._open_again(t)

    def _open(self) -> socket.socket:
        """Start a helper; it works when its report has come."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            raise NotNowError("the last helper process has not ended yet")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, contextlib.ExitStack() as on_failure:
            on_failure.callback(ours.close)
            ours.setblocking(False)
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, RECEIVE_BUFFER)
            ours.send(self._request)
            self._process = spawn(
                "hilbridge.boundary.links.helper_process", [theirs.fileno()], os.getpid(), inherit_output=False
            )
            on_failure.pop_all()
        self._last_report = ""
        return ours

    def _opened(self, t: int) -> None:
        self._started = t

    def _report(self, datagram: bytes, t: int) -> None:
        if datagram == OPENED:
            self._know_adapter()
            super()._opened(t)
        elif datagram:
            self._last_report = str(unpack_report(datagram))
        else:
            self._lose(self._last_report or "the helper process died", t)


def _missing(channel: str | int | None) -> NotNowError | None:
    """Return the error of a channel that names a device file which is not there; `@` and a baud rate may follow it."""
    path = str(channel)
    if not path.startswith("/") or os.path.lexists(path):
        return None
    device = path.partition("@")[0]
    return None if os.path.lexists(device) else NotNowError(f"{device}: {os.strerror(errno.ENOENT)}")
