"""The delay before another attempt: after the n-th failure in a row it is min(50 ms · 2^(n-1), 1 s).

So what comes back is in use again within two seconds, the time it takes to open included, and what stays away costs one
attempt a second. Times are in ns, from a clock of the caller's choice.
"""

from typing import Final

from hilbridge.base.common.units import MILLISECOND

FIRST_DELAY: Final = 50 * MILLISECOND
LONGEST_DELAY: Final = 1_000 * MILLISECOND


class Backoff:
    """The schedule of the attempts to open one thing: a link, a port, a process.

    The row of failures starts over when the last success held for longer than the longest delay, so that something
    that opens and fails at once is not tried twenty times a second without end.
    """

    def __init__(self) -> None:
        self._delay = FIRST_DELAY
        self._attempt = 0
        self._success: int | None = None

    def due(self, t: int) -> bool:
        """Return whether an attempt may be made at `t` [ns]."""
        return t >= self._attempt

    def succeeded(self, t: int) -> None:
        """Note that the attempt made at `t` [ns] succeeded."""
        self._success = t

    def failed(self, t: int) -> None:
        """Note that the attempt failed, or that what it opened was lost, at `t` [ns]."""
        if self._success is not None and t - self._success > LONGEST_DELAY:
            self._delay = FIRST_DELAY
        self._success = None
        self._attempt = t + self._delay
        self._delay = min(2 * self._delay, LONGEST_DELAY)
