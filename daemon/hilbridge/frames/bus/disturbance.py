"""The effect of a fault on frames between their sender and a bus; frames of the plan and of the gateway meet it."""

from typing import Protocol

from hilbridge.frames.bus.bus import Bus, Node
from hilbridge.frames.codec.frame import Frame


class Disturbance(Protocol):
    """A fault that alters frames on their way to a bus."""

    def falsified(self, data: bytes) -> bytes:
        """Return the bytes that are sent, and protected before where the sender does so, in place of `data`."""

    def transmit(self, frame: Frame, t: int, bus: Bus, origin: Node | None) -> None:
        """Put the altered frame on the bus as one of `origin`, at `t` [ns] or later."""
