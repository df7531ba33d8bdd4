"""What an interpreter is busy with: it has no prompt for the client until that is done."""

from typing import Protocol

from hilbridge.codec.frame import Frame


class Activity(Protocol):
    """A request under way, a search, or monitoring. Any character of the client ends it."""

    @property
    def done(self) -> bool:
        """There is nothing more to come."""

    def receive(self, frame: Frame, t: int) -> None:
        """Takes a frame of the bus."""

    def poll(self, t: int) -> None:
        """Once a tick."""

    def successor(self, t: int) -> "Activity | None":
        """When it is done: what is to follow without a prompt."""
