"""What every way out of the process has in common.

The face of a link, its counters, how much it reads in a tick, and when it tries again.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from hilbridge.frames.frame import Frame

MILLISECOND: Final = 1_000_000
FIRST_DELAY: Final = 100 * MILLISECOND
LONGEST_DELAY: Final = 5_000 * MILLISECOND
LONGEST_PERIOD: Final = 100
"""[ms] of a tick, at 10 Hz."""


@dataclass(slots=True)
class LinkStatistics:
    """Counters since the start of the run; they only ever grow."""

    received: int = 0
    """Frames taken from outside and put on the bus."""
    sent: int = 0
    """Frames handed to the interface or queued for a client, one for each client."""
    confirmed: int = 0
    """Own frames that the interface echoed after their transmission."""
    refused: int = 0
    """Frames that were not taken: by the interface (queue full, down, lost), or from a client that may not send."""
    dropped: int = 0
    """Frames discarded because a client, or the interface, is behind and the link's own queue is full."""
    overflowed: int = 0
    """Received frames that the kernel discarded because the receive buffer was full."""
    errors: int = 0
    """Error frames, malformed lines, and calls that failed."""
    reopened: int = 0
    """Times the link was lost and came back."""
    connected: int = 0
    """Clients that came."""
    disconnected: int = 0
    """Clients that left."""


class Link(Protocol):
    """A bus's connection to the outside. No call blocks, and once the link is open no call raises.

    `t` is the time of the tick [ns since the start of the run].
    """

    statistics: LinkStatistics

    @property
    def trouble(self) -> str:
        """Why the link does not work at present, in words; empty while it works."""

    def poll(self, t: int) -> None:
        """Once a tick: hands what came from outside to the bus; opens again what was lost."""

    def receive(self, frame: Frame, t: int) -> None:
        """Queues a frame of the bus for the outside."""

    def flush(self, t: int) -> None:
        """At the end of the tick: sends what is queued."""

    def close(self) -> None:
        """At the end of the run."""

    def describe(self) -> str:
        """One line for people: what this link is and how it is reached."""


class Backoff:
    """When to try again: after the n-th failure in a row the next attempt is due after min(100 ms * 2^(n-1), 5 s).

    The row starts over when the last attempt was good for longer than the longest delay, so that something that opens
    and fails at once is not tried ten times a second for ever.
    """

    def __init__(self) -> None:
        self._delay = FIRST_DELAY
        self._attempt = 0

    def due(self, t: int) -> bool:
        """Whether an attempt may be made in the tick of time `t` [ns]."""
        return t >= self._attempt

    def failed(self, t: int) -> None:
        """The attempt did not succeed, or what it opened was lost at `t` [ns]."""
        if t - self._attempt > LONGEST_DELAY:
            self._delay = FIRST_DELAY
        self._attempt = t + self._delay
        self._delay = min(2 * self._delay, LONGEST_DELAY)


_CATCH_UP: Final = 4


class Allowance:
    """How much may be read in a tick: the same amount for every millisecond since the last one.

    So a flood takes the same share of the time at every rate. What a late tick may make up for is four of the shortest
    ticks seen: reading more would make the next one later still.
    """

    def __init__(self, per_millisecond: int) -> None:
        self._per_millisecond = per_millisecond
        self._last = 0
        self._shortest = LONGEST_PERIOD

    def at(self, t: int) -> int:
        """The amount for the tick of time `t` [ns]; one millisecond's at least."""
        elapsed = (t - self._last) // MILLISECOND
        self._last = t
        if elapsed > 0:
            self._shortest = min(self._shortest, elapsed)
        return self._per_millisecond * min(max(elapsed, 1), _CATCH_UP * self._shortest)
