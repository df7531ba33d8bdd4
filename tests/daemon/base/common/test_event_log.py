"""The relay between the parts of a bench and the log of a run."""

from typing import Any

from hilbridge.base.common.event_log import EventRelay


class Log:
    """A log that keeps its events."""

    def __init__(self) -> None:
        self.events: list[tuple[str, int, str, dict[str, Any]]] = []

    def info(self, t: int, event: str, **fields: Any) -> None:
        self.events.append(("info", t, event, fields))

    def warning(self, t: int, event: str, **fields: Any) -> None:
        self.events.append(("warning", t, event, fields))


def test_events_reach_the_log_once_it_is_connected() -> None:
    """Each at its level, with its time and its fields; those before are dropped."""
    relay, log = EventRelay(), Log()
    relay.info(1, "early")
    relay.warning(1, "early")
    relay.connect(log)
    relay.info(2, "one", a=1)
    relay.warning(3, "other")
    assert log.events == [("info", 2, "one", {"a": 1}), ("warning", 3, "other", {})]
