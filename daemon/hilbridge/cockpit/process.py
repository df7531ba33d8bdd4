"""The cockpit as the tick process keeps it: its socket opened, the process started, looked after, ended.

The socket that listens belongs to the tick process, which never reads it: the page stays at its address while its
process is started again, and browsers that knock meanwhile wait. The child gets that socket and the rings by
descriptor, and a line on standard input that says the rest; it ends when standard input does.
"""

import json
import socket
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from hilbridge.child_process import spawn
from hilbridge.cockpit.facts import Files
from hilbridge.errors import LinkError
from hilbridge.kept_process import KeptProcess
from hilbridge.observe.rings import Rings
from hilbridge.settings.cockpit import CockpitSettings

_WAITING: Final = 64
"""Connections that the kernel keeps until the child takes them."""
_FAREWELL: Final = 3.0
"""[s] for the child to say goodbye to its viewers."""


class CockpitProcess(KeptProcess):
    """The page of this run, on its rings."""

    def __init__(
        self,
        settings: CockpitSettings,
        rings: Rings,
        control: Path | None,
        facts: dict[str, Any],
        files: Files,
    ) -> None:
        """Opens the socket. `control`: of the control socket; without one the page shows and changes nothing.

        LinkError: the address cannot be had, or the programs for it are not installed.
        """
        super().__init__()
        self._rings: Final = rings
        self._settings: Final = settings
        self._listener: Final = _listen(settings)
        told = {
            "settings": settings.model_dump(),
            "control": None if control is None else str(control),
            "facts": facts,
            "files": files._asdict(),
        }
        self._told: Final = json.dumps(told).encode() + b"\n"

    @property
    def url(self) -> str:
        """Where a browser finds the page; the token is not told."""
        address, port = self._listener.getsockname()[:2]
        return f"http://[{address}]:{port}/" if ":" in address else f"http://{address}:{port}/"

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

    def _spawn(self) -> subprocess.Popen[bytes]:
        descriptors = [self._rings.descriptor, self._listener.fileno()]
        process = spawn("hilbridge.cockpit.server", descriptors, stdin=subprocess.PIPE)
        if process.stdin is not None:
            process.stdin.write(self._told)  # a pipe takes 64 KiB without waiting
            process.stdin.flush()
        return process

    def _ended(self, process: subprocess.Popen[bytes], code: int) -> None:
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


def _close_input(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()
