"""How often the inputs may tell people what changed: never at the rate of the inputs."""

from typing import Final

INTERVAL: Final = 10_000_000_000
"""[ns] in which one report more is allowed."""

BURST: Final = 6
"""Reports that may follow one another at once: connecting, testing and unplugging something takes some."""


class Pace:
    """A token bucket: BURST reports at once, one more per INTERVAL. What must wait is reported as it is by then."""

    __slots__ = ("_full",)

    def __init__(self) -> None:
        self._full = 0  # [ns] when the bucket is full again

    def due(self, t: int) -> int:
        """[ns] when the next report may be made; not after `t` if now."""
        return max(t, self._full - (BURST - 1) * INTERVAL)

    def take(self, t: int) -> bool:
        """Whether a report may be made at `t`; if so it is counted."""
        if self.due(t) > t:
            return False
        self._full = max(t, self._full) + INTERVAL
        return True
