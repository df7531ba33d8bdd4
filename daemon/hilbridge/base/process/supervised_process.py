"""A supervised child process: it is started, and started again with back-off when it has ended.

Times [ns] are from a clock of the caller's choice.
"""

from abc import abstractmethod
from typing import Final

from hilbridge.base.common.backoff import Backoff
from hilbridge.base.process.child_process import Child


class SupervisedProcess:
    """The supervisor of one child at a time. `restarts` counts how often it had to be started again."""

    def __init__(self) -> None:
        self.restarts = 0
        self._process: Child | None = None
        self._backoff: Final = Backoff()

    @property
    def pid(self) -> int | None:
        """The number of the running process; None while there is none."""
        return self._process.pid if self._process else None

    def start(self, t: int = 0) -> None:
        """Start the process; OSError when that fails."""
        self._process = self._spawn()
        self._backoff.succeeded(t)

    def poll(self, t: int) -> bool:
        """Start the process again if it has ended, and return whether it runs; call it some ten times a second."""
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return True
            ended, self._process = self._process, None
            self._ended(ended, code)
            self._backoff.failed(t)
        if not self._wanted or not self._backoff.due(t):
            return False
        try:
            self.start(t)
        except OSError:
            self._backoff.failed(t)
            return False
        self.restarts += 1
        return True

    @property
    def _wanted(self) -> bool:
        """Whether the process is to run."""
        return True

    @abstractmethod
    def _spawn(self) -> Child:
        """Start a process; OSError when that fails."""

    @abstractmethod
    def _ended(self, process: Child, code: int) -> None:
        """Note that a process has ended by itself, with this exit status."""
