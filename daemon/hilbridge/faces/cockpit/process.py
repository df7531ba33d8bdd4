"""The cockpit process as seen from the tick process: opens its socket, starts, supervises and ends it.

The listening socket belongs to the tick process, which never reads it: the page keeps its address while its process is
restarted, and browsers that connect meanwhile wait. The child receives that socket, the rings and the bench archive by
descriptor, and everything else as lines on standard input (setup_message.py); it ends when standard input does.
"""

import contextlib
import errno
import os
import socket
from importlib.util import find_spec
from typing import Any, Final

from hilbridge.base.common.errors import LinkError, NotNowError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.process.child_process import Child, spawn
from hilbridge.base.process.supervised_process import SupervisedProcess
from hilbridge.boundary.observe.bench_archive import ArchivePlace, BenchArchive
from hilbridge.boundary.observe.rings import Rings
from hilbridge.faces.cockpit.setup_message import SetupMessage
from hilbridge.files.settings.bench import CockpitSettings

_WAITING: Final = 64
"""Connections that the kernel holds until the child accepts them."""

_SIDE_BY_SIDE: Final = 20
"""Ports that are tried where the bench names none: benches that run side by side have a page each."""

_FAREWELL: Final = 3.0
"""[s] Time for the child to close its connections."""


class CockpitProcess(SupervisedProcess):
    """The process that serves the page of a run, on its rings and its bench archive."""

    def __init__(self, rings: Rings, bench_archive: BenchArchive, setup: SetupMessage, listener: socket.socket) -> None:
        """Take the socket of `listen`, which it closes. Without a control socket the page is read-only."""
        super().__init__()
        self._rings: Final = rings
        self._bench_archive: Final = bench_archive
        self._listener: Final = listener
        self._setup = setup

    @property
    def url(self) -> str:
        """Address of the page, with the token where it is that of the run; one of the bench file stays there."""
        return page_address(self._listener, None if self._setup.settings.token is not None else self._setup.token)

    def update(self, facts: dict[str, Any], bench: ArchivePlace) -> None:
        """Send the facts of a newly adopted configuration. A child that does not read them is killed, and restarted."""
        self._setup = self._setup._replace(facts=facts, bench=bench)
        if self._process is not None and self._process.stdin is not None:
            line = self._setup.encode()
            try:
                taken = os.write(self._process.stdin.fileno(), line)
            except OSError:  # its pipe is full, or the child has ended
                taken = 0
            if taken < len(line):
                self._process.kill()

    def close(self) -> None:
        """End the process and close the socket."""
        if self._process is not None:
            _close_input(self._process)
            self._process.end(_FAREWELL)
            self._process = None
        self._listener.close()

    def _spawn(self) -> Child:
        descriptors = [self._rings.descriptor, self._bench_archive.descriptor, self._listener.fileno()]
        process = spawn("hilbridge.faces.cockpit.server", descriptors, pipe_input=True)
        if process.stdin is not None:
            process.stdin.write(self._setup.encode())  # a pipe takes 64 KiB without waiting
            process.stdin.flush()
            os.set_blocking(process.stdin.fileno(), False)
        return process

    def _ended(self, process: Child, code: int) -> None:
        _close_input(process)


def page_address(listener: socket.socket, token: str | None) -> str:
    """Return the address of a page for browsers, with the token if there is one."""
    address, port = listener.getsockname()[:2]
    page = f"http://[{address}]:{port}/" if ":" in address else f"http://{address}:{port}/"
    return page if token is None else f"{page}?token={token}"


def listen(settings: CockpitSettings) -> socket.socket:
    """Open the socket of a page. NotNowError: the address cannot be had; LinkError: the packages are not installed."""
    if find_spec("uvicorn") is None or find_spec("starlette") is None:
        raise LinkError(f"it is not installed: {extra_remedy('cockpit')}")
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    chosen = "port" in settings.model_fields_set
    for port in range(settings.port, settings.port + (0 if chosen else _SIDE_BY_SIDE)):
        with contextlib.suppress(OSError):  # what is wrong is told of the first one
            return socket.create_server((settings.address, port), family=family, backlog=_WAITING)
    try:
        return socket.create_server((settings.address, settings.port), family=family, backlog=_WAITING)
    except OSError as error:
        where = f"{settings.address} port {settings.port}"
        remedy = "; 'cockpit: {port: ...}' names another one" if error.errno == errno.EADDRINUSE else ""
        raise NotNowError(f"{where}: {error.strerror or error}{remedy}") from error


def _close_input(process: Child) -> None:
    if process.stdin is not None:
        process.stdin.close()
