"""The effect of a fault on frames between their sender and a bus; frames of the plan and of the gateway meet it."""

from typing import Protocol

from hilbridge.frames.bus.bus import Node
from hilbridge.frames.codec.frame import Frame


class Way(Protocol):
    """Where a frame goes: a bus, or what carries a long message to one in packets."""

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        """Send a frame of `origin`."""


class Disturbance(Protocol):
    """A fault that alters frames on their way to a bus."""

    def falsified(self, data: bytes) -> bytes:
        """Return the bytes that are sent, and protected before where the sender does so, in place of `data`."""

    def transmit(self, frame: Frame, t: int, way: Way, origin: Node | None) -> None:
        """Send the altered frame on its way as one of `origin`, at `t` [ns] or later."""
