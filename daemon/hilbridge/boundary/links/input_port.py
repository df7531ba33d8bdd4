"""The ports of inputs: endpoints whose bytes are fed to a source of inputs, and recorded on the way."""

from dataclasses import dataclass
from typing import Protocol

from hilbridge.boundary.links.link import Endpoint


@dataclass(slots=True)
class PortStatistics:
    """Counters since the start of the run; they only ever grow."""

    received: int = 0
    """Bytes."""
    lost: int = 0
    """Times the port was unplugged or failed."""
    opened: int = 0
    """Times the port was opened."""


class InputPort(Endpoint, Protocol):
    """An endpoint where the bytes of one source of inputs come in."""

    @property
    def statistics(self) -> PortStatistics:
        """Slotted counters."""

    def poll(self, t: int) -> bytes:
        """Return what arrived, bounded whatever waits outside; open again what was lost."""
