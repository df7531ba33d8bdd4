"""How a driver of labgrid reaches what a bench has: its control socket, and its ports on loopback.

A bench listens for its own machine only. From another one labgrid's SSH connection to that machine carries both: who
may command a bench is whom the control socket lets in as the user of that connection.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

from labgrid.driver.exception import ExecutionError
from labgrid.util.ssh import sshmanager

from hilbridge.faces.labgrid.resources import HilbridgeBench, NetworkHilbridgeBench, boot

_PATIENCE: Final = 10.0
"""[s] for ssh to hand a request to the connection that is open."""


class Way(Protocol):
    """A way to a bench: `control` is a Unix socket of this machine."""

    control: str

    def port(self, number: int) -> int:
        """Return the port of this machine's loopback that leads to a port of the bench's loopback."""


class Direct:
    """The way to a bench of this machine."""

    def __init__(self, control: str) -> None:
        self.control = control

    def port(self, number: int) -> int:
        return number


class BySsh:
    """The way to a bench of another machine, by labgrid's connection to it; `folder` is for the socket here."""

    def __init__(self, host: str, control: str, folder: Path) -> None:
        self._connection: Final[Any] = sshmanager.get(host)
        self._host: Final = host
        self.control = str(folder / "control.sock")
        self._forward: Final = f"{self.control}:{control}"
        self._ask("forward")

    def port(self, number: int) -> int:
        port: int = self._connection.add_port_forward("127.0.0.1", number)
        return port

    def close(self) -> None:
        """End the forwarding of the control socket; that of ports ends with labgrid's connection."""
        if self._connection.isconnected():
            self._ask("cancel")

    def _ask(self, request: str) -> None:
        words = [*self._connection.get_prefix(), "-O", request, "-L", self._forward]
        try:
            subprocess.run(words, check=True, capture_output=True, text=True, timeout=_PATIENCE)
        except subprocess.SubprocessError as error:  # an error of ssh, or no answer
            reason = getattr(error, "stderr", None) or str(error)
            raise ExecutionError(f"ssh to {self._host}: {request} {self._forward}: {reason}") from error


@contextmanager
def way_to(bench: HilbridgeBench | NetworkHilbridgeBench) -> Iterator[Way]:
    """Yield the way to a bench. ExecutionError: there is no connection to its machine."""
    if bench.control is None:
        raise ExecutionError("the exporter has not seen this bench yet")
    extra: dict[str, Any] = getattr(bench, "extra", {})
    proxy = extra.get("proxy") if extra.get("proxy_required") else None
    if isinstance(bench, HilbridgeBench) or (
        proxy is None and extra.get("boot") == boot() and Path(bench.control).exists()
    ):
        yield Direct(bench.control)
        return
    with tempfile.TemporaryDirectory(prefix="hilbridge-") as folder:
        way = BySsh(proxy or bench.host, bench.control, Path(folder))
        try:
            yield way
        finally:
            way.close()
