"""The address of the page on a terminal: alone on its line, after everything that a start says."""

from typing import Any

import pytest

from hilbridge.boundary.observe import page_line
from hilbridge.boundary.observe.events import LogLevel, LogRecord
from hilbridge.boundary.observe.page_line import PageLine

URL = "http://127.0.0.1:8090/?token=5f"


def record(event: str, **fields: Any) -> LogRecord:
    return LogRecord(LogLevel.INFO, event, fields)


def test_it_waits_until_the_start_is_complete() -> None:
    written: list[str] = []
    line = PageLine(written.append)
    assert not line.takes(record("bus open", bus="can"))
    assert line.takes(record("cockpit", url=URL))
    line.show()
    assert not written
    assert not line.takes(record("ready"))
    line.show()
    line.show()
    assert written == [f"open {URL}\n"]


def test_a_page_that_opens_late_is_told_at_once() -> None:
    written: list[str] = []
    line = PageLine(written.append)
    line.takes(record("ready"))
    line.show()
    line.takes(record("cockpit", url=URL))
    line.show()
    assert written == [f"open {URL}\n"]


@pytest.mark.parametrize("high", [True, False])
def test_a_page_for_the_network_has_its_code_above(monkeypatch: pytest.MonkeyPatch, high: bool) -> None:
    """On a terminal that shows it whole."""
    monkeypatch.setattr(page_line, "_is_high", lambda: high)
    monkeypatch.setattr(page_line, "qr_code", lambda url: f"<{url}>\n")
    written: list[str] = []
    line = PageLine(written.append)
    line.takes(record("cockpit", url="http://10.0.0.7:80/"))
    line.takes(record("ready"))
    line.show()
    assert written == [*(["<http://10.0.0.7:80/>\n"] if high else []), "open http://10.0.0.7:80/\n"]
