"""The connections of a bench to the outside: their common interface, a link's counters, and how much it reads."""

from dataclasses import dataclass
from typing import Final, Protocol

from hilbridge.base.common.token_bucket import TokenBucket
from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.codec.frame import Frame


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
    error_warning: int = 0
    """Error frames of which: a controller's error counter has passed 96."""
    error_passive: int = 0
    """Error frames of which: a controller's error counter has passed 127."""
    bus_off: int = 0
    """Error frames of which: the controller has left the bus, its error counter has passed 255."""
    reopened: int = 0
    """Times the link was lost and came back."""
    replaced: int = 0
    """Times the link came back with another adapter, or one that may be another; its bus is disarmed then."""
    connected: int = 0
    """Clients that came."""
    disconnected: int = 0
    """Clients that left."""
    turned_away: int = 0
    """Attempts to let a client in that failed: there are too many already, or no descriptor is left."""


class Endpoint(Protocol):
    """A connection of the bench to the outside. No call blocks, and once the endpoint is open no call raises.

    `t` is the time of the tick [ns since the start of the run].
    """

    @property
    def descriptor(self) -> int | None:
        """Readable while there is something to do (poller.py); None: the endpoint is polled in every tick."""

    @property
    def trouble(self) -> str:
        """Why the endpoint does not work at present, as text; empty while it works."""

    @property
    def statistics(self) -> object:
        """Slotted counters."""

    def close(self) -> None:
        """Close it, at the end of the run."""

    def describe(self) -> str:
        """Return one line for people: what it is and how it is reached."""


class DuplexEndpoint(Endpoint, Protocol):
    """An endpoint that is read at the beginning of a tick and written at its end."""

    def poll(self, t: int) -> None:
        """Take in what arrived from outside; open again what was lost."""

    def flush(self, t: int) -> None:
        """Send what is queued."""


class Link(DuplexEndpoint, Protocol):
    """A bus's connection to the outside: what arrives goes to the bus."""

    statistics: LinkStatistics

    def accepts(self, can_id: int) -> bool:
        """Return whether a frame with this identifier would be sent at present: asked before a cyclic frame is built.

        Not while the link is lost, down or bus-off, nor while an earlier frame of the identifier still waits for the
        interface. A caller that asks sends no frame that the bus does not see, and its counter stays without a gap.
        """

    def receive(self, frame: Frame, t: int) -> None:
        """Queue a frame of the bus for the outside."""


_CATCH_UP: Final = 4
"""Ticks whose share of reading a late tick, or the first one after a quiet time, may make up for."""


def read_allowance(per_millisecond: int, period: int) -> TokenBucket:
    """Return the bucket of what a link may read: `per_millisecond` frames or bytes for each millisecond that passed.

    So a flood takes the same share of the time at every rate. At most four ticks of `period` [ns] are made up for:
    reading more would make the next tick later still. The first tick has one millisecond's share.
    """
    most = _CATCH_UP * max(period // MILLISECOND, 1) * per_millisecond
    return TokenBucket(most, per_millisecond, MILLISECOND, level=per_millisecond)
