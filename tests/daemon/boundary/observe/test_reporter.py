"""What the tick process puts into the rings."""

from collections.abc import Iterator

import pytest

from hilbridge.base.clock import VirtualClock
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.observe.carried_frames import CarriedFrame, decode
from hilbridge.boundary.observe.event_ring import EventReader
from hilbridge.boundary.observe.events import (
    LOG,
    SNAPSHOT_LAYOUT,
    STATE,
    STATISTICS,
    LogLevel,
    LogRecord,
    Snapshot,
    decode_state,
    decode_statistics,
)
from hilbridge.boundary.observe.reporter import LINES, MOST_WAITING, Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record.boundary_records import END
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.gate import Gate
from vehiclesim.channels import NAN, VehicleData
from vehiclesim.databus import DataBus


@pytest.fixture
def rings() -> Iterator[Rings]:
    made = Rings.create(b"", snapshot=SNAPSHOT_LAYOUT.size, capacity=4096)
    yield made
    made.close()


def test_log_lines(rings: Rings) -> None:
    """Each level has its method; time, event and fields arrive."""
    reporter = Reporter(rings, DataBus())
    reporter.info(1, "a", x=1)
    reporter.warning(2, "b")
    reporter.error(3, "c", why="broken")
    reporter.log(LogLevel.DEBUG, 4, "d")
    events = rings.event_reader().read()
    assert [(event.kind, event.t) for event in events] == [(LOG, 1), (LOG, 2), (LOG, 3), (LOG, 4)]
    assert [LogRecord.decode(event.payload) for event in events] == [
        (LogLevel.INFO, "a", {"x": 1}),
        (LogLevel.WARNING, "b", {}),
        (LogLevel.ERROR, "c", {"why": "broken"}),
        (LogLevel.DEBUG, "d", {}),
    ]


def test_frames_for_needles_are_written_so_often_and_no_more(rings: Rings) -> None:
    """At 20 Hz: in the ticks of a second, a millisecond each, 20 times; with the newest frame of their time."""
    reporter, clock, asked = Reporter(rings, DataBus()), VirtualClock(1_000_000), []

    def newest() -> list[CarriedFrame]:
        asked.append(clock.t)
        return [CarriedFrame(clock.t, 0x100, 0, b"")]

    reporter.carry(newest, 20)
    for _ in range(1000):
        reporter.tick(clock)
        clock.wait()
    assert len(asked) == rings.carried.newest == 20
    assert [one.t for one in decode(rings.carried.get() or b"")] == [asked[-1]]


def lines(reader: EventReader) -> list[tuple[int, str]]:
    """Time and event of the lines that have come since it was asked last."""
    return [(event.t, LogRecord.decode(event.payload).event) for event in reader.read() if event.kind == LOG]


@pytest.fixture
def large() -> Iterator[Rings]:
    made = Rings.create(b"", snapshot=SNAPSHOT_LAYOUT.size)
    yield made
    made.close()


def test_a_tick_puts_so_many_lines_and_no_more(large: Rings) -> None:
    """The others come with the next ticks, in their order and with their own time; what is new waits behind them."""
    reporter, reader = Reporter(large, DataBus()), large.event_reader()
    reporter.snapshot(0, 0, 0)
    for number in range(2 * LINES + 1):
        reporter.info(5, f"line {number}")
    assert lines(reader) == [(5, f"line {number}") for number in range(LINES)]
    reporter.snapshot(6, 0, 0)
    reporter.info(7, "new")
    assert lines(reader) == [(5, f"line {number}") for number in range(LINES, 2 * LINES)]
    reporter.snapshot(8, 0, 0)
    assert lines(reader) == [(5, f"line {2 * LINES}"), (7, "new")]
    reporter.info(9, "at once")
    assert lines(reader) == [(9, "at once")]


def test_nothing_waits_before_the_first_tick_and_after_the_last_one(large: Rings) -> None:
    """A start may have many warnings; at the end whatever waits comes before the END."""
    reporter, reader = Reporter(large, DataBus()), large.event_reader()
    for _ in range(3 * LINES):
        reporter.warning(0, "frame plan")
    assert len(lines(reader)) == 3 * LINES
    reporter.snapshot(1, 0, 0)
    for _ in range(3 * LINES):
        reporter.info(2, "last words")
    assert reporter.end(3, {})
    assert [event.kind for event in reader.read()] == [LOG] * 3 * LINES + [END]
    reporter.info(4, "afterwards")
    assert lines(reader) == [(4, "afterwards")]


def test_a_flood_of_lines_fills_no_memory(large: Rings) -> None:
    """What is too much is left out, and reported by its number when the rest has come."""
    reporter, reader = Reporter(large, DataBus()), large.event_reader()
    reporter.snapshot(0, 0, 0)
    for _ in range(LINES + MOST_WAITING + 7):
        reporter.info(1, "again")
    reporter.flush()
    told = []
    while events := reader.read():
        told += [LogRecord.decode(event.payload) for event in events]
    assert [record.event for record in told[:-1]] == ["again"] * (LINES + MOST_WAITING)
    assert told[-1] == (LogLevel.WARNING, "lines of the log were left out", {"lines": 7})


def test_statistics(rings: Rings) -> None:
    """Counters for the log, whatever else is said in the tick."""
    reporter = Reporter(rings, DataBus())
    reporter.statistics(5, {"ticks": 9})
    (event,) = rings.event_reader().read()
    assert (event.kind, event.t, decode_statistics(event.payload)) == (STATISTICS, 5, {"ticks": 9})


def test_state(rings: Rings) -> None:
    """The stored state is an event; one that finds no room is reported."""
    reporter = Reporter(rings, DataBus())
    assert reporter.state(7, {"odometer_m": 5})
    assert not reporter.state(8, {"too long": "x" * 5000})
    (event,) = rings.event_reader().read()
    assert (event.kind, event.t, decode_state(event.payload)) == (STATE, 7, {"odometer_m": 5})


def test_snapshot(rings: Rings) -> None:
    """The data bus as it is, frames of all buses, ticks done and missed summed up, the latest lateness."""
    data = DataBus()
    buses = [Bus("a"), Bus("b")]
    gates = {bus.name: Gate(EmbeddedLink(bus), BusSettings(interface="embedded")) for bus in buses}
    gates["b"].armed = False
    reporter = Reporter(rings, data, buses, gates)
    data.vehicle[VehicleData.ENGINE_RPM] = 850_123
    data.vehicle[VehicleData.SPEED] = NAN
    data.input[0] = -10_000
    data.settings[-1] = 5
    buses[0].received, buses[1].received = 3, 4
    gates["a"].statistics.passed, gates["b"].statistics.passed, gates["b"].statistics.unarmed = 1, 4, 9
    reporter.snapshot(1_000_000, 0, 50)
    reporter.snapshot(4_000_000, 2, 70)
    content = rings.snapshots.get()
    assert content is not None
    snapshot = Snapshot.decode(content)
    assert snapshot[:8] == (4_000_000, 2, 2, 7, 5, 70, 9, 0b10)
    assert snapshot.channels == tuple(map(tuple, data.channels))


def test_a_snapshot_every_five_milliseconds(rings: Rings) -> None:
    """Every tick is counted, and where ticks are longer each of them has its snapshot."""
    reporter, clock = Reporter(rings, DataBus()), VirtualClock(1_000_000)
    written = []
    for millisecond in (0, 1, 4, 5, 6, 30, 31):
        clock.t = millisecond * 1_000_000
        reporter.tick(clock)
        content = rings.snapshots.get()
        assert content is not None
        written.append((Snapshot.decode(content).t // 1_000_000, reporter.ticks))
    assert written == [(0, 1), (0, 2), (0, 3), (5, 4), (5, 5), (30, 6), (30, 7)]


@pytest.mark.parametrize(("pace", "times"), [(10.0, [0, 50]), (0.1, [0, 1, 2, 49, 50])])
def test_the_interval_of_snapshots_is_that_of_the_wall_clock(rings: Rings, pace: float, times: list[int]) -> None:
    reporter, clock = Reporter(rings, DataBus(), pace=pace), VirtualClock(1_000_000)
    written = []
    for millisecond in (0, 1, 2, 49, 50):
        clock.t = millisecond * 1_000_000
        reporter.tick(clock)
        content = rings.snapshots.get()
        assert content is not None
        written.append(Snapshot.decode(content).t // 1_000_000)
    assert list(dict.fromkeys(written)) == times


def test_end(rings: Rings) -> None:
    """The last event carries the statistics; it tells whether it fitted."""
    reporter = Reporter(rings, DataBus())
    assert reporter.end(9, {"ticks": 9})
    (event,) = rings.event_reader().read()
    assert (event.kind, event.t, decode_statistics(event.payload)) == (END, 9, {"ticks": 9})
    while reporter.end(9, {"ticks": 9}):
        pass
    assert reporter.events.lost == 1
