"""The port of a serial bus, as the line knows it."""

from typing import Protocol


class LinePort(Protocol):
    """A port that takes bytes, and makes the break of LIN."""

    @property
    def trouble(self) -> str:
        """Why it does not work; empty while it does."""

    def write(self, packet: bytes, t: int) -> bool:
        """Take a whole packet, or none of it: then return False. Never blocks."""

    def set_break(self, on: bool, t: int) -> bool:
        """Begin or end a break; return whether that was possible. Never waits for its end."""

    def describe(self) -> str:
        """Return one line for people."""
