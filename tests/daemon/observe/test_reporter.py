"""What the tick process puts into the rings."""

from collections.abc import Iterator

import pytest

from hilbridge.frames.bus import Bus
from hilbridge.observe.events import (
    LOG,
    SNAPSHOT_LAYOUT,
    STATE,
    Level,
    LogRecord,
    Snapshot,
    decode_end,
    decode_state,
)
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import Rings
from hilbridge.record.crossings import END
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
    reporter.log(Level.DEBUG, 4, "d")
    events = rings.event_reader().read()
    assert [(event.kind, event.t) for event in events] == [(LOG, 1), (LOG, 2), (LOG, 3), (LOG, 4)]
    assert [LogRecord.decode(event.payload) for event in events] == [
        (Level.INFO, "a", {"x": 1}),
        (Level.WARNING, "b", {}),
        (Level.ERROR, "c", {"why": "broken"}),
        (Level.DEBUG, "d", {}),
    ]


def test_state(rings: Rings) -> None:
    """The stored state is an event; one that finds no room is told."""
    reporter = Reporter(rings, DataBus())
    assert reporter.state(7, {"odometer_m": 5})
    assert not reporter.state(8, {"too long": "x" * 5000})
    (event,) = rings.event_reader().read()
    assert (event.kind, event.t, decode_state(event.payload)) == (STATE, 7, {"odometer_m": 5})


def test_snapshot(rings: Rings) -> None:
    """The data bus as it is, frames of all buses, ticks done and missed summed up, the latest lateness."""
    data = DataBus()
    buses = [Bus("a"), Bus("b")]
    reporter = Reporter(rings, data, buses)
    data.vehicle[VehicleData.ENGINE_RPM] = 850_123
    data.vehicle[VehicleData.SPEED] = NAN
    data.input[0] = -10_000
    data.settings[-1] = 5
    buses[0].received, buses[1].received, buses[1].transmitted = 3, 4, 5
    reporter.snapshot(1_000_000, 0, 50)
    reporter.snapshot(4_000_000, 2, 70)
    content = rings.snapshots.get()
    assert content is not None
    snapshot = Snapshot.decode(content)
    assert snapshot[:6] == (4_000_000, 2, 2, 7, 5, 70)
    assert snapshot.channels == tuple(map(tuple, data.channels))


def test_end(rings: Rings) -> None:
    """The last event carries the statistics; it tells whether it fitted."""
    reporter = Reporter(rings, DataBus())
    assert reporter.end(9, {"ticks": 9})
    (event,) = rings.event_reader().read()
    assert (event.kind, event.t, decode_end(event.payload)) == (END, 9, {"ticks": 9})
    while reporter.end(9, {"ticks": 9}):
        pass
    assert reporter.events.lost == 1
