"""The cockpit as the tick process keeps it: its socket opened, the process started, looked after, ended.

The socket that listens belongs to the tick process, which never reads it: the page stays at its address while its
process is started again, and browsers that knock meanwhile wait. The child gets that socket and the rings by
descriptor, and a line on standard input that says the rest; it ends when standard input does.
"""

import json
import socket
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from hilbridge.backoff import Backoff
from hilbridge.child_process import spawn
from hilbridge.errors import LinkError
from hilbridge.observe.rings import Rings
from hilbridge.settings.cockpit import CockpitSettings

_WAITING: Final = 64
"""Connections that the kernel keeps until the child takes them."""
_FAREWELL: Final = 3.0
"""[s] for the child to say goodbye to its viewers."""


class CockpitProcess:
    """At most one at a time, on the rings of this run. `restarts` counts how often it had to be started again."""

    def __init__(self, settings: CockpitSettings, rings: Rings, control: Path | None, facts: dict[str, Any]) -> None:
        """Opens the socket. `control`: of the control socket; without one the page shows and changes nothing.

        LinkError: the address cannot be had, or the programs for it are not installed.
        """
        self.restarts = 0
        self._rings: Final = rings
        self._settings: Final = settings
        self._listener: Final = _listen(settings)
        told = settings.model_dump() | {"control": None if control is None else str(control), "facts": facts}
        self._told: Final = json.dumps(told).encode() + b"\n"
        self._process: subprocess.Popen[bytes] | None = None
        self._backoff: Final = Backoff()

    @property
    def url(self) -> str:
        """Where a browser finds the page; the token is not told."""
        address, port = self._listener.getsockname()[:2]
        return f"http://[{address}]:{port}/" if ":" in address else f"http://{address}:{port}/"

    @property
    def pid(self) -> int | None:
        """Of the running process."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Starts the process; OSError when that fails."""
        descriptors = [self._rings.descriptor, self._listener.fileno()]
        process = spawn("hilbridge.cockpit.server", descriptors, stdin=subprocess.PIPE)
        if process.stdin is not None:
            process.stdin.write(self._told)  # a pipe takes 64 KiB without waiting
            process.stdin.flush()
        self._process = process
        self._backoff.succeeded(time.monotonic_ns())

    def poll(self) -> bool:
        """Looks after the process without waiting; call it some ten times a second. False: there is none at present."""
        now = time.monotonic_ns()
        if self._process is not None:
            if self._process.poll() is None:
                return True
            _close_input(self._process)
            self._process = None
            self._backoff.failed(now)
        if not self._backoff.due(now):
            return False
        try:
            self.start()
        except OSError:
            self._backoff.failed(now)
            return False
        self.restarts += 1
        return True

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


def _listen(settings: CockpitSettings) -> socket.socket:
    if find_spec("uvicorn") is None or find_spec("starlette") is None:
        raise LinkError("it is not installed: pip install 'hilbridge[cockpit]'")
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    try:
        return socket.create_server((settings.address, settings.port), family=family, backlog=_WAITING)
    except OSError as error:
        where = f"{settings.address} port {settings.port}"
        raise LinkError(f"{where}: {error.strerror or error}") from error


def _close_input(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()
