"""The newest sample of the tick, as a master sees it by polling."""

import time
from typing import Final

from hilbridge.bench.xcp.sample_memory import SampleMemory

_TICKS: Final = 4
_LEAST: Final = 0.1
_MOST: Final = 1.5
"""The next tick is awaited for the time of some ticks, between these [s]: a master has an answer within 2 s."""

_POLL: Final = 0.0005


class Samples:
    """The newest sample of a session; those of an earlier one are not shown."""

    def __init__(self, memory: SampleMemory, period: float = 0.0) -> None:
        """`period`: time [s] of the wall clock from tick to tick."""
        self.patience: Final = min(max(_LEAST, _TICKS * period), _MOST)
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
        before, until = self._ring.newest, time.monotonic() + self.patience
        while self._ring.newest == before and time.monotonic() < until:
            time.sleep(_POLL)
