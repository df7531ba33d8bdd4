"""What the parts of a bench tell people."""

from typing import Any, Protocol


class Reports(Protocol):
    """Takes what a user should know, at time `t` [ns]: called when something changes, never at a rate."""

    def info(self, t: int, event: str, **fields: Any) -> None:
        """Worth knowing; nothing is wrong."""

    def warning(self, t: int, event: str, **fields: Any) -> None:
        """Works, but not as it should."""
