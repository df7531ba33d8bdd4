"""The log of events as the parts of a bench see it."""

from typing import Any, Protocol


class EventLog(Protocol):
    """A log that takes what a user should know, at time `t` [ns]: written to on a change, never at a rate."""

    def info(self, t: int, event: str, **fields: Any) -> None:
        """Log an event that is worth knowing; nothing is wrong."""

    def warning(self, t: int, event: str, **fields: Any) -> None:
        """Log that something works, but not as it should."""


class EventRelay:
    """An event log that passes every event on to the log of the run, once that is connected.

    A bench is built before the run has a log, and in a check, a replay or a test without one: then events are dropped.
    """

    def __init__(self) -> None:
        self._event_log: EventLog | None = None

    def connect(self, event_log: EventLog) -> None:
        """Pass all later events on to `event_log`."""
        self._event_log = event_log

    def info(self, t: int, event: str, **fields: Any) -> None:
        if self._event_log is not None:
            self._event_log.info(t, event, **fields)

    def warning(self, t: int, event: str, **fields: Any) -> None:
        if self._event_log is not None:
            self._event_log.warning(t, event, **fields)
