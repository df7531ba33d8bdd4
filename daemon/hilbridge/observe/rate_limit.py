"""The same event over and over does not fill the disk: at most MOST lines of it in a second of the run.

What was left out is told by name and number, once the second is over. By the events' own time, so that the same run
prints the same lines.
"""

from typing import Final

from hilbridge.common.units import SECOND
from hilbridge.observe.events import Level, LogRecord

MOST: Final = 50
"""Lines of one event in a second; a start may have as many warnings."""


class RateLimit:
    """Asked for every line of the log, in order."""

    def __init__(self) -> None:
        self._second = 0
        self._lines: Final[dict[str, int]] = {}

    def passes(self, t: int, event: str) -> bool:
        """Whether a line about `event` at `t` [ns] may be printed. Ask `left_out` first."""
        self._second = max(self._second, t // SECOND)
        lines = self._lines[event] = self._lines.get(event, 0) + 1
        return lines <= MOST

    def left_out(self, t: int) -> list[LogRecord]:
        """Of seconds that are over at `t` [ns]: what was not printed."""
        return self.rest() if t // SECOND > self._second else []

    def rest(self) -> list[LogRecord]:
        """At the end: what was not printed in a second that is not over."""
        told = [
            LogRecord(Level.WARNING, "lines of the log were left out", {"about": event, "lines": lines - MOST})
            for event, lines in self._lines.items()
            if lines > MOST
        ]
        self._lines.clear()
        return told
