"""The lines of the log, and the limit of their number.

On a terminal: time, level, event and `key=value` pairs (`outer.inner=value` where fields hold fields), in colour
unless NO_COLOR is set; the time is the local one, on the virtual clock that of the run. Otherwise one JSON object for
each line: `timestamp` (UTC; not on the virtual clock), `t` [s of the run], `level`, `event`, then the fields. Time
stamps come from the event's own t, never from the moment at which it is printed.

Where the standard output is the journal, a line begins with its priority, `<4>` for a warning (sd-daemon(3)): journald
removes it, and `journalctl -p warning` filters by it. The fields stay in the JSON object, so that every reader gets
the same text and journald's own protocol is not needed.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from hilbridge.base.common.terminal import printable, printable_json
from hilbridge.base.common.token_bucket import TokenBucket
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.events import Fields, LogLevel, LogRecord

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_RESERVED: Final = ("timestamp", "t", "level", "event")

MOST_LINES: Final = 50
"""Lines of one event in a second of the run; a start may have as many warnings."""


_PRIORITIES: Final = {LogLevel.DEBUG: "<7>", LogLevel.INFO: "<6>", LogLevel.WARNING: "<4>", LogLevel.ERROR: "<3>"}
"""Prefixes of syslog priorities, as journald understands them."""


_JSON: Final = partial(printable_json, default=repr)


def colours_wanted() -> bool:
    """Return False when NO_COLOR is set or the terminal has no colours."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class LogPrinter:
    """A printer of log records, which passes each line to `write`.

    `wall` returns the time of day [ns since 1970] of run time t [ns]; None on the virtual clock.
    `console`: text in place of JSON, in colour where `colours` may be. `journal`: the lines begin with their priority.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        wall: Callable[[int], int] | None,
        *,
        console: bool,
        colours: bool = True,
        journal: bool = False,
    ) -> None:
        self._write = write
        self._wall = wall
        self._console = console
        self._priorities = _PRIORITIES if journal else {}
        self._render = _console_renderer(colours=colours and colours_wanted()) if console else _JSON

    def print(self, t: int, record: LogRecord) -> None:
        """Print a record of run time `t` [ns]."""
        self._write(f"{self._priorities.get(record.level, '')}{self._render(self._arranged(t, record))}\n")

    def _arranged(self, t: int, record: LogRecord) -> dict[str, Any]:
        """Return a line's keys in the order of reading; a field with the name of one of the line's own gets a `_`."""
        arranged: dict[str, Any] = {}
        if self._console or self._wall is not None:
            arranged["timestamp"] = self._timestamp(t)
        if not self._console:
            arranged["t"] = t / 1e9
        arranged |= {"level": record.level.name.lower(), "event": record.event}
        fields = dict(_flat(record.fields)) if self._console else record.fields
        for name, value in fields.items():
            arranged[f"{name}_" if name in _RESERVED else name] = value
        return {printable(name): _shown(value) for name, value in arranged.items()} if self._console else arranged

    def _timestamp(self, t: int) -> str:
        if self._wall is None:
            return f"{t / 1e9:10.3f} s"
        date = _EPOCH + timedelta(microseconds=self._wall(t) // 1000)
        if self._console:
            return date.astimezone().strftime("%H:%M:%S.%f")[:-3]
        return date.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _flat(fields: Fields, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Name nested fields `outer.inner`; leave out empty ones."""
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _shown(value: Any) -> Any:
    """Return a value for a terminal, where a line may have what another program has named or said."""
    if isinstance(value, list):
        return printable(repr(value))
    return printable(value) if isinstance(value, str) else value


def _console_renderer(*, colours: bool) -> Callable[[dict[str, Any]], str]:
    import structlog  # with what it imports itself half of the start of the observer, which needs it on terminals only

    render = structlog.dev.ConsoleRenderer(
        colors=colours, sort_keys=False, exception_formatter=structlog.dev.plain_traceback
    )
    return lambda line: str(render(None, "", line))


class LineLimit:
    """One bucket of lines for each event; it is asked about every line of the log, in order."""

    def __init__(self) -> None:
        self._second = 0
        self._buckets: Final[dict[str, TokenBucket]] = {}
        self._withheld: Final[Counter[str]] = Counter()

    def passes(self, t: int, event: str) -> bool:
        """Return whether a line about `event` at `t` [ns] may be printed. Call `left_out` first."""
        self._second = max(self._second, t // SECOND)
        bucket = self._buckets.setdefault(event, TokenBucket(MOST_LINES, MOST_LINES, interval=1))  # [s] of the run
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
            LogRecord(LogLevel.WARNING, "lines of the log were left out", {"about": event, "lines": lines})
            for event, lines in self._withheld.items()
        ]
        self._withheld.clear()
        return records
