"""What the observer has done itself, in numbers."""

from typing import NamedTuple


class Recorded(NamedTuple):
    """What a recording has come to."""

    frames: int
    size: int
    """[byte] of the segments that are kept."""
    missing: int
    """Records that it lacks."""


class Work(NamedTuple):
    """Since this observer began."""

    unprinted: int
    """Lines of the log that went nowhere."""
    recorded: Recorded | None
