"""The process of the fabric as seen from the tick process, which supervises it and logs what it tells."""

import json
import os
import socket
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.common.units import SECOND
from hilbridge.base.common.words import counted
from hilbridge.base.process.child_process import Child, spawn
from hilbridge.base.process.supervised_process import SupervisedProcess
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.faces.fabric.setup import Setup
from hilbridge.files.settings.fabric import FabricSettings

_FAREWELL: Final = 3.0
"""[s] Time to leave the fabric."""
_LONGEST: Final = 4096
_LATE: Final = 10 * SECOND
"""[ns] after which a process that has said nothing yet is told."""


def _burden() -> str:
    """Return what keeps this machine from starting a process, as far as one can tell."""
    load, processors = os.getloadavg()[0], len(os.sched_getaffinity(0))
    words = f"{load:.0f} programs wait for {counted(processors, 'processor')}"
    return f"{words}: fewer benches here, or lower rates" if load > processors else f"its process hangs, though {words}"


class FabricRow(NamedTuple):
    """Where the bench is found, what is wrong, how often the process was started again, and the commands it allows."""

    where: str
    trouble: str
    restarts: int
    allow: Sequence[str]


def check_fabric(settings: FabricSettings) -> None:
    """ConfigurationError: Zenoh is not installed, or the file with its configuration is not there."""
    require_zenoh()
    if settings.config is not None and not Path(settings.config).is_file():
        raise ConfigurationError(f"there is no file {settings.config}", ("fabric", "config"))


def require_zenoh() -> None:
    """ConfigurationError: Zenoh is not installed."""
    if find_spec("zenoh") is None:
        raise ConfigurationError(f"the fabric needs Zenoh, which is not installed: {extra_remedy('fabric')}")


class FabricProcess(SupervisedProcess):
    """The process that has the bench on the fabric."""

    def __init__(self, rings: Rings, reporter: Reporter, setup: Setup) -> None:
        super().__init__()
        self._rings: Final = rings
        self._reporter: Final = reporter
        self._setup = setup
        self._state = {"where": "", "trouble": ""}
        self._awaited_since: int | None = None  # [ns] a process that has said nothing yet
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.setblocking(False)

    def status(self) -> FabricRow:
        """Return how the bench is on the fabric."""
        return FabricRow(self._state["where"], self._state["trouble"], self.restarts, self._setup.allow)

    def poll(self, t: int) -> bool:
        """Start the process again if it has ended, and log what it tells."""
        restarts = self.restarts
        runs = super().poll(t)
        if restarts != self.restarts:
            self._reporter.warning(t, "fabric process restarted", times=self.restarts)
        try:
            state = json.loads(self._ours.recv(_LONGEST))
        except BlockingIOError:
            if runs:
                self._await(t)
            return runs
        self._awaited_since = None
        self._state = state
        if state["trouble"]:
            self._reporter.warning(t, "fabric", **state)
        else:
            self._reporter.info(t, "fabric", where=state["where"])
        return runs

    def _await(self, t: int) -> None:
        """Say of a process that has said nothing for too long why that may be; once."""
        if any(self._state.values()):
            return
        if self._awaited_since is None:
            self._awaited_since = t
        elif t - self._awaited_since >= _LATE:
            self._state = {"where": "", "trouble": f"not there after {_LATE // SECOND} s: {_burden()}"}
            self._reporter.warning(t, "fabric", **self._state)

    def update(self, custom: tuple[tuple[str, int, str], ...]) -> None:
        """Start the process anew where a reload has declared other entries."""
        if custom != self._setup.custom:
            self._setup = self._setup._replace(custom=custom)
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """Let the process leave the fabric, and end it."""
        self._ours.close()
        self._theirs.close()
        if self._process is not None:
            self._process.end(_FAREWELL)
            self._process = None

    def _spawn(self) -> Child:
        descriptors = [self._rings.descriptor, self._theirs.fileno()]
        return spawn("hilbridge.faces.fabric.server", descriptors, self._setup.encode())

    def _ended(self, process: Child, code: int) -> None:
        self._state = {"where": "", "trouble": f"its process has ended with status {code}"}
