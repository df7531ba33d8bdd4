"""The newest sample of the tick, as a master sees it by polling."""

import time
from typing import Final

from hilbridge.bench.xcp.sample_memory import SampleMemory

_PATIENCE: Final = 0.1
"""[s] for the next tick, where one is awaited."""

_POLL: Final = 0.0005


class Samples:
    """The newest sample of a session; those of an earlier one are not shown."""

    def __init__(self, memory: SampleMemory) -> None:
        self._ring: Final = memory.ring
        self._before = 0

    def begin(self) -> None:
        """Forget the samples so far."""
        self._before = self._ring.newest

    def newest(self) -> bytes | None:
        """Return the newest sample; None before the first one of the session."""
        return self._ring.get() if self._ring.newest > self._before else None

    def await_next(self) -> None:
        """Wait for the tick after this moment, but not longer than some of them take."""
        before, until = self._ring.newest, time.monotonic() + _PATIENCE
        while self._ring.newest == before and time.monotonic() < until:
            time.sleep(_POLL)
