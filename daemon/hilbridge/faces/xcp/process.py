"""The XCP process as seen from the tick process: opens its socket, starts, supervises and ends it.

The socket belongs to the tick process, which never reads it, so that the address outlives a process that crashed.
"""

import socket
from typing import Final

from hilbridge.base.common.errors import NotNowError, reason_of
from hilbridge.base.process.child_process import Child, spawn
from hilbridge.base.process.supervised_process import SupervisedProcess
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.boundary.links.doors import in_url
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.faces.xcp.setup import Setup
from hilbridge.files.settings.xcp import XcpSettings
from vehiclesim.entries import Entry

_FAREWELL: Final = 2.0
"""[s] Time for its last round."""

_WAITING: Final = 8

_LONGEST: Final = 1024
"""[byte] of what the process has the log say."""

_SAYINGS: Final = 4
"""Lines for the log that are read at once."""


class XcpProcess(SupervisedProcess):
    """The process that serves the master of a run."""

    def __init__(self, memory: SampleMemory, port: socket.socket | None, setup: Setup, reporter: Reporter) -> None:
        """Take the memory and the socket, which it closes; of XCP on CAN there is none."""
        super().__init__()
        self._memory: Final = memory
        self._port: Final = port
        self._setup = setup
        self._reporter: Final = reporter
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.setblocking(False)

    @property
    def where(self) -> str:
        """The address for masters."""
        if self._port is None:
            can = self._setup.can
            return "" if can is None else f"can://{can.channel}/{can.wire.request:X}/{can.wire.answer:X}"
        address, port = self._port.getsockname()[:2]
        return f"{self._setup.transport}://{in_url(address)}:{port}"

    def poll(self, t: int) -> bool:
        """Start the process again if it has ended, and log what it says."""
        restarts = self.restarts
        runs = super().poll(t)
        if restarts != self.restarts:
            self._reporter.warning(t, "XCP process restarted", times=self.restarts)
        for _ in range(_SAYINGS):
            try:
                words = self._ours.recv(_LONGEST)
            except BlockingIOError:
                break
            self._reporter.warning(t, "XCP slave", reason=words.decode(errors="replace"))
        return runs

    def update(self, custom: tuple[Entry, ...]) -> None:
        """Start the process anew where a reload has declared other entries: their addresses mean something else."""
        if custom != self._setup.custom:
            self._setup = self._setup._replace(custom=custom)
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the process, and close socket and memory."""
        self._ours.close()
        self._theirs.close()
        if self._process is not None:
            self._process.end(_FAREWELL)
            self._process = None
        if self._port is not None:
            self._port.close()
        self._memory.close()

    def _spawn(self) -> Child:
        descriptors = [self._memory.descriptor, self._theirs.fileno()]
        if self._port is not None:
            descriptors.append(self._port.fileno())
        return spawn("hilbridge.faces.xcp.server", descriptors, self._setup.encode())

    def _ended(self, process: Child, code: int) -> None:
        self._memory.reset()


def open_port(settings: XcpSettings) -> socket.socket | None:
    """Open the socket of a slave, None for CAN. NotNowError: the address or the port cannot be had."""
    if settings.transport == "can":
        return None
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    where = f"{settings.transport} port {in_url(settings.address)}:{settings.port}"
    try:
        if settings.transport == "tcp":
            return socket.create_server((settings.address, settings.port), family=family, backlog=_WAITING)
        port = socket.socket(family, socket.SOCK_DGRAM)
        try:
            port.bind((settings.address, settings.port))
        except BaseException:
            port.close()
            raise
    except OSError as error:
        raise NotNowError(f"{where}: {reason_of(error)}") from error
    return port
