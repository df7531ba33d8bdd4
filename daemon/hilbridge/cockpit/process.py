"""The cockpit as the tick process keeps it: its socket opened, the process started, looked after, ended.

The socket that listens belongs to the tick process, which never reads it: the page stays at its address while its
process is started again, and browsers that knock meanwhile wait. The child gets that socket, the rings and the dossier
by descriptor, and lines on standard input that say the rest (told.py); it ends when standard input does.
"""

import os
import socket
import subprocess
from importlib.util import find_spec
from typing import Any, Final

from hilbridge.cockpit.setup_message import SetupMessage
from hilbridge.common.errors import LinkError
from hilbridge.observe.bench_archive import ArchivePlace, BenchArchive
from hilbridge.observe.rings import Rings
from hilbridge.process.child_process import Child, spawn
from hilbridge.process.supervised_process import SupervisedProcess
from hilbridge.settings.cockpit import CockpitSettings

_WAITING: Final = 64
"""Connections that the kernel keeps until the child takes them."""
_FAREWELL: Final = 3.0
"""[s] for the child to say goodbye to its viewers."""


class CockpitProcess(SupervisedProcess):
    """The page of this run, on its rings and its dossier."""

    def __init__(self, rings: Rings, bench_archive: BenchArchive, told: SetupMessage) -> None:
        """Opens the socket. Without a control socket the page shows and changes nothing.

        LinkError: the address cannot be had, or the programs for it are not installed.
        """
        super().__init__()
        self._rings: Final = rings
        self._bench_archive: Final = bench_archive
        self._listener: Final = _listen(told.settings)
        self._told = told

    @property
    def url(self) -> str:
        """Where a browser finds the page; the token is not told."""
        address, port = self._listener.getsockname()[:2]
        return f"http://[{address}]:{port}/" if ":" in address else f"http://{address}:{port}/"

    def tell(self, facts: dict[str, Any], bench: ArchivePlace) -> None:
        """The bench has adopted another configuration. A process that does not listen is ended: the next one will."""
        self._told = self._told._replace(facts=facts, bench=bench)
        if self._process is not None and self._process.stdin is not None:
            line = self._told.encode()
            try:
                taken = os.write(self._process.stdin.fileno(), line)
            except OSError:  # its pipe is full, or it has gone
                taken = 0
            if taken < len(line):
                self._process.kill()

    def close(self) -> None:
        """Ends the process and gives up the socket."""
        if self._process is not None:
            _close_input(self._process)
            try:
                self._process.wait(_FAREWELL)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        self._listener.close()

    def _spawn(self) -> Child:
        descriptors = [self._rings.descriptor, self._bench_archive.descriptor, self._listener.fileno()]
        process = spawn("hilbridge.cockpit.server", descriptors, listens=True)
        if process.stdin is not None:
            process.stdin.write(self._told.encode())  # a pipe takes 64 KiB without waiting
            process.stdin.flush()
            os.set_blocking(process.stdin.fileno(), False)
        return process

    def _ended(self, process: Child, code: int) -> None:
        _close_input(process)


def _listen(settings: CockpitSettings) -> socket.socket:
    if find_spec("uvicorn") is None or find_spec("starlette") is None:
        raise LinkError("it is not installed: pip install 'hilbridge[cockpit]'")
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    try:
        return socket.create_server((settings.address, settings.port), family=family, backlog=_WAITING)
    except OSError as error:
        where = f"{settings.address} port {settings.port}"
        raise LinkError(f"{where}: {error.strerror or error}") from error


def _close_input(process: Child) -> None:
    if process.stdin is not None:
        process.stdin.close()
