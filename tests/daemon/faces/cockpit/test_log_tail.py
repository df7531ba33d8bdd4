"""The log of the page, read from a ring whose observer has read everything already."""

from collections.abc import Iterator

import pytest

from hilbridge.boundary.observe.event_ring import EventWriter
from hilbridge.boundary.observe.events import LOG, LogLevel, LogRecord
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record.boundary_records import FRAME
from hilbridge.faces.cockpit.log_tail import MOST, LogTail

CAPACITY = 1 << 18


@pytest.fixture
def rings() -> Iterator[Rings]:
    rings = Rings.create(b"", 64, CAPACITY)
    yield rings
    rings.close()


def write(rings: Rings, writer: EventWriter, *lines: str, frames: int = 0) -> None:
    """Lines and frames; the observer takes them at once."""
    for line in lines:
        assert writer.put(LOG, 0, LogRecord(LogLevel.INFO, line, {}).encode())
    for _ in range(frames):
        assert writer.put(FRAME, 0, bytes(64))
        rings.event_reader().release(rings.event_reader().written)


def told(tail: LogTail) -> list[str]:
    while tail.read():
        pass
    return [event for _, _, event, _ in tail.lines]


def test_the_first_viewer_is_shown_what_was_logged_since_the_start(rings: Rings) -> None:
    write(rings, rings.event_writer(), "hilbridge 0.1.0", "bus open", frames=100)
    assert told(LogTail(rings)) == ["hilbridge 0.1.0", "bus open"]


def test_after_a_pause_nothing_is_missing_or_told_twice(rings: Rings) -> None:
    writer, tail = rings.event_writer(), LogTail(rings)
    write(rings, writer, "bus open", frames=10)
    assert told(tail) == ["bus open"]
    tail.pause()
    write(rings, writer, "link lost", frames=10)
    assert told(tail) == ["bus open", "link lost"]


def test_what_is_overwritten_is_left_out(rings: Rings) -> None:
    """It goes on from where the observer is; and of very many lines the newest stay."""
    writer, tail = rings.event_writer(), LogTail(rings)
    write(rings, writer, "bus open", frames=CAPACITY // 64)
    assert told(tail) == []
    write(rings, writer, *map(str, range(2 * MOST)))
    assert told(tail) == [str(number) for number in range(MOST, 2 * MOST)]
