"""How long an answer is waited for.

    AT0    T
    AT1    min(T, 2 L + 20 ms)
    AT2    min(T, 1.5 L + 8 ms)

and 60 ms at least, if not T, for the first answer to a request, because any ECU may take P2 = 50 ms (ISO 15765-4). T is
the time-out of AT ST, L the time that the ECUs lately needed: the latest one, or seven eighths of what L was, whichever
is more. The maker keeps the chip's own rule to itself; what it says is that waiting follows the answers, closer with
AT2, and never takes longer than T.
"""

from typing import Final

from hilbridge.common.units import MILLISECOND
from hilbridge.diagnostics.elm327.setup import Setup

PENDING_TIMEOUT: Final = 5_000 * MILLISECOND
"""[ns] an ECU that answered 7F xx 78 has for its answer (P2* of ISO 14229-2)."""

FIRST_ANSWER: Final = 60 * MILLISECOND
"""[ns]"""


class AdaptiveTiming:
    """Learns from the answers to one client. All times are in ns."""

    def __init__(self) -> None:
        self._latency: int | None = None

    def first_wait(self, setup: Setup) -> int:
        """For the first answer."""
        return min(setup.longest_wait, max(self.wait(setup), FIRST_ANSWER))

    def wait(self, setup: Setup) -> int:
        """For another one."""
        longest = setup.longest_wait
        latency = self._latency
        if setup.adaptive == 0 or latency is None:
            return longest
        if setup.adaptive == 1:
            return min(longest, 2 * latency + 20 * MILLISECOND)
        return min(longest, latency + latency // 2 + 8 * MILLISECOND)

    def learn(self, latency: int) -> None:
        """An answer came `latency` [ns] after what it was waited for."""
        before = self._latency or 0
        self._latency = max(latency, before - before // 8)

    def forget(self) -> None:
        """Another protocol, other ECUs."""
        self._latency = None
