"""The limit on the lines that one event of the log may have: at most MOST in each second of the run.

Lines beyond it are counted, and reported by event and number once the second is over. The time is that of the events,
so that the same run prints the same lines.
"""

from collections import Counter
from typing import Final

from hilbridge.common.token_bucket import TokenBucket
from hilbridge.common.units import SECOND
from hilbridge.observe.events import Level, LogRecord

MOST: Final = 50
"""Lines of one event in a second; a start may have as many warnings."""


class RateLimit:
    """One bucket of lines for each event; it is asked about every line of the log, in order."""

    def __init__(self) -> None:
        self._second = 0
        self._buckets: Final[dict[str, TokenBucket]] = {}
        self._withheld: Final[Counter[str]] = Counter()

    def passes(self, t: int, event: str) -> bool:
        """Return whether a line about `event` at `t` [ns] may be printed. Call `left_out` first."""
        self._second = max(self._second, t // SECOND)
        bucket = self._buckets.setdefault(event, TokenBucket(MOST, MOST, interval=1))  # [s] of the run
        if bucket.take(self._second):
            return True
        self._withheld[event] += 1
        return False

    def left_out(self, t: int) -> list[LogRecord]:
        """Return what was withheld in the seconds that are over at `t` [ns]."""
        return self.rest() if t // SECOND > self._second else []

    def rest(self) -> list[LogRecord]:
        """Return what was withheld and not reported yet: for the end of the log."""
        records = [
            LogRecord(Level.WARNING, "lines of the log were left out", {"about": event, "lines": lines})
            for event, lines in self._withheld.items()
        ]
        self._withheld.clear()
        return records
