"""The lines of the log: structlog's only configuration, and the limit of their number.

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
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog

from hilbridge.common.token_bucket import TokenBucket
from hilbridge.common.units import SECOND
from hilbridge.observe.events import Fields, LogLevel, LogRecord

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_RESERVED: Final = ("timestamp", "t", "level", "event")

MOST_LINES: Final = 50
"""Lines of one event in a second of the run; a start may have as many warnings."""


_PRIORITIES: Final = {LogLevel.DEBUG: "<7>", LogLevel.INFO: "<6>", LogLevel.WARNING: "<4>", LogLevel.ERROR: "<3>"}
"""Prefixes of syslog priorities, as journald understands them."""


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
        self._wall = wall
        self._console = console
        self._logger = structlog.wrap_logger(
            _Sink(write, _PRIORITIES if journal else {}),
            processors=[
                structlog.stdlib.add_log_level,
                self._arrange,
                _renderer(console=console, colours=colours and colours_wanted()),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(LogLevel.DEBUG),
        )

    def print(self, t: int, record: LogRecord) -> None:
        """Print a record of run time `t` [ns]."""
        self._logger.log(record.level, record.event, t=t, fields=record.fields)

    def _arrange(self, _logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Arrange the keys in the order of reading; a field with the name of one of the line's own keys gets a `_`."""
        arranged: dict[str, Any] = {}
        if self._console or self._wall is not None:
            arranged["timestamp"] = self._timestamp(line["t"])
        if not self._console:
            arranged["t"] = line["t"] / 1e9
        arranged |= {"level": line["level"], "event": line["event"]}
        fields = dict(_flat(line["fields"])) if self._console else line["fields"]
        for name, value in fields.items():
            arranged[f"{name}_" if name in _RESERVED else name] = value
        return arranged

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


class _Sink:
    """The innermost logger, which takes structlog's rendered lines: a method for each level."""

    def __init__(self, write: Callable[[str], None], priorities: Mapping[LogLevel, str]) -> None:
        self._write = write
        self._priorities = priorities

    def debug(self, line: str) -> None:
        self._put(LogLevel.DEBUG, line)

    def info(self, line: str) -> None:
        self._put(LogLevel.INFO, line)

    def warning(self, line: str) -> None:
        self._put(LogLevel.WARNING, line)

    def error(self, line: str) -> None:
        self._put(LogLevel.ERROR, line)

    def _put(self, level: LogLevel, line: str) -> None:
        self._write(f"{self._priorities.get(level, '')}{line}\n")


def _renderer(*, console: bool, colours: bool) -> structlog.typing.Processor:
    if console:
        return structlog.dev.ConsoleRenderer(
            colors=colours, sort_keys=False, exception_formatter=structlog.dev.plain_traceback
        )
    return structlog.processors.JSONRenderer(ensure_ascii=False)


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
