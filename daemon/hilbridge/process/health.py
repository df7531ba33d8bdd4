"""When the tick is well enough to tell the service manager so."""

from typing import Final

WORST: Final = 0.5
"""Share of the ticks that may be missed: a bench that does less than half of its work is better started anew."""


class Health:
    """Looks at the ticks since it was last asked: healthy is who did some, and at least half of those that were due."""

    def __init__(self) -> None:
        self._ticks = 0
        self._missed = 0

    def is_good(self, ticks: int, missed: int) -> bool:
        """`ticks` that were done and `missed` ones, both since the start."""
        done, lost = ticks - self._ticks, missed - self._missed
        self._ticks, self._missed = ticks, missed
        return done > 0 and lost <= WORST * (done + lost)
