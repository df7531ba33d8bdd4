"""How a line of the log looks."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.events import Fields, LogLevel, LogRecord
from hilbridge.boundary.observe.logs import MOST_LINES, LineLimit, LogPrinter

STARTED = 1_700_000_000_123_456_789
"""2023-11-14 22:13:20.123456789 UTC"""


def printed(
    t: int, event: str, fields: Fields, *, started: int | None, console: bool, level: LogLevel = LogLevel.INFO
) -> str:
    lines: list[str] = []
    wall = None if started is None else lambda t: started + t
    LogPrinter(lines.append, wall, console=console).print(t, LogRecord(level, event, fields))
    (line,) = lines
    assert line.endswith("\n")
    assert line.count("\n") == 1
    return line


def test_record_in_real_time() -> None:
    """One JSON object: UTC time stamp of the event (start + t), t in seconds, level, event, then the fields."""
    line = printed(1_500_000_000, "listening", {"bus": "powertrain", "port": 29536}, started=STARTED, console=False)
    assert list(json.loads(line).items()) == [
        ("timestamp", "2023-11-14T22:13:21.623456Z"),
        ("t", 1.5),
        ("level", "info"),
        ("event", "listening"),
        ("bus", "powertrain"),
        ("port", 29536),
    ]


def test_record_on_the_virtual_clock() -> None:
    """There is no wall-clock time: the same run prints the same lines."""
    line = printed(1_500_000_000, "listening", {}, started=None, console=False, level=LogLevel.ERROR)
    assert json.loads(line) == {"t": 1.5, "level": "error", "event": "listening"}


@pytest.mark.parametrize("console", [False, True])
def test_line_is_one_line(console: bool) -> None:
    """A line break inside a value does not break the line."""
    assert "two" in printed(0, "odd", {"text": "one\ntwo"}, started=None, console=console)


@pytest.mark.parametrize("name", ["timestamp", "t", "level", "event"])
def test_fields_do_not_replace_the_line_s_own_keys(name: str) -> None:
    """A field with such a name gets an underscore."""
    record = json.loads(printed(0, "what", {name: "mine"}, started=STARTED, console=False))
    assert record[f"{name}_"] == "mine"
    assert (record["event"], record["level"], record["t"]) == ("what", "info", 0.0)


def test_fields_inside_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal `outer.inner=value`, nothing for empty ones; a JSON record keeps its structure."""
    monkeypatch.setenv("NO_COLOR", "1")
    fields: Fields = {"late": {"p50": 3, "p99": 9}, "links": {}}
    line = printed(0, "stopped", fields, started=None, console=True)
    assert line.rstrip().endswith("late.p50=3 late.p99=9")
    record = json.loads(printed(0, "stopped", fields, started=None, console=False))
    assert (record["late"], record["links"]) == ({"p50": 3, "p99": 9}, {})


def test_terminal_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Local time of day, level, event and key=value, without escape sequences when NO_COLOR is set."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    line = printed(500_000_000, "bus off", {"bus": "a b"}, started=STARTED, console=True, level=LogLevel.WARNING)
    monkeypatch.undo()
    time.tzset()
    assert line.split() == ["22:13:20.623", "[warning", "]", "bus", "off", "bus='a", "b'"]


def test_terminal_line_on_the_virtual_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds of the run instead of the time of day."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(12_345_000_000, "x", {}, started=None, console=True).split()[:2] == ["12.345", "s"]


def test_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal that can, levels are coloured."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[" in printed(0, "x", {}, started=None, console=True)
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b[" not in printed(0, "x", {}, started=None, console=True)


@pytest.mark.parametrize(
    ("level", "prefix"),
    [(LogLevel.DEBUG, "<7>"), (LogLevel.INFO, "<6>"), (LogLevel.WARNING, "<4>"), (LogLevel.ERROR, "<3>")],
)
def test_in_the_journal_a_line_begins_with_its_priority(level: LogLevel, prefix: str) -> None:
    """The numbers of sd-daemon(3): SD_DEBUG 7, SD_INFO 6, SD_WARNING 4, SD_ERR 3; behind it the same JSON object."""
    lines: list[str] = []
    LogPrinter(lines.append, None, console=False, journal=True).print(0, LogRecord(level, "x", {"a": 1}))
    assert lines[0].startswith(prefix)
    assert json.loads(lines[0].removeprefix(prefix)) == {"t": 0.0, "level": level.name.lower(), "event": "x", "a": 1}


def test_so_many_lines_of_an_event_in_a_second() -> None:
    """Another event passes meanwhile; in the next second the first one does again."""
    limit = LineLimit()
    assert [limit.passes(n, "flood") for n in range(MOST_LINES + 3)] == [True] * MOST_LINES + [False] * 3
    assert limit.passes(5, "other")
    (told,) = limit.left_out(SECOND)
    assert (told.level.name, told.fields) == ("WARNING", {"about": "flood", "lines": 3})
    assert limit.passes(SECOND, "flood")
    assert limit.left_out(2 * SECOND) == []


def test_what_is_left_at_the_end_is_told() -> None:
    limit = LineLimit()
    for n in range(MOST_LINES + 1):
        limit.passes(n, "flood")
    assert limit.left_out(SECOND - 1) == []
    assert [told.fields["lines"] for told in limit.rest()] == [1]
    assert limit.rest() == []


@given(st.lists(st.tuples(st.integers(0, 5 * SECOND), st.sampled_from("abc")), max_size=600).map(sorted))
def test_every_line_is_printed_or_counted(lines: list[tuple[int, str]]) -> None:
    """And in no second are there more than MOST_LINES of one event."""
    limit = LineLimit()
    printed: list[tuple[int, str]] = []
    counted = 0
    for t, event in lines:
        counted += sum(told.fields["lines"] for told in limit.left_out(t))
        if limit.passes(t, event):
            printed.append((t // SECOND, event))
    counted += sum(told.fields["lines"] for told in limit.rest())
    assert len(printed) + counted == len(lines)
    assert all(printed.count(one) <= MOST_LINES for one in printed)
