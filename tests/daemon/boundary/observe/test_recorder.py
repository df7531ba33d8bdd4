"""From the event ring into a recording."""

from pathlib import Path
from time import monotonic, sleep

import pytest

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT
from hilbridge.boundary.observe.recorder import Recorder
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.boundary.record.boundary_records import COMMAND, FRAME
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.segments import GAP, SegmentLimits
from hilbridge.frames.codec.frame import Frame
from vehiclesim.databus import DataBus


class Bench:
    """A ring with events in it, and the recorder that empties it."""

    def __init__(self, directory: Path) -> None:
        manifest.create(directory, {"bench": "demo", "vehicle": "compact", "buses": ["powertrain"]})
        self.directory = directory
        self.rings = Rings.create(b"", SNAPSHOT_LAYOUT.size, capacity=1 << 16)
        self.reporter = Reporter(self.rings, DataBus())
        self.boundary = Boundary()
        self.boundary.put = self.reporter.events.put
        self.reader = self.rings.event_reader()
        self.recorder = self.start()

    def start(self) -> Recorder:
        return Recorder(self.directory, self.rings.bookmarks, SegmentLimits())

    def frames(self, count: int, t: int) -> None:
        for _ in range(count):
            self.boundary.frame(t, 0, False, Frame(1, b"12345678"))

    def take(self) -> None:
        while events := self.reader.read():
            for event in events:
                self.recorder.take(event)
        self.recorder.write()

    def kinds(self) -> list[int]:
        return [crossing.kind for crossing in Recording(self.directory).records()]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_what_crossed_the_boundary_is_recorded_and_nothing_else(bench: Bench) -> None:
    """In the order of the ring; the lines of the log are none of it. It is in the file at once."""
    bench.frames(1, t=0)
    bench.reporter.info(0, "a line of the log")
    bench.boundary.command(0, b"{}")
    bench.frames(1, t=1)
    bench.take()
    assert bench.kinds() == [FRAME, COMMAND, FRAME]


def test_a_successor_that_sees_the_same_events_again_records_them_once(bench: Bench) -> None:
    """Its predecessor was killed before it could release the ring."""
    bench.frames(3, t=0)
    bench.take()
    bench.recorder = bench.start()
    bench.reader = bench.rings.event_reader()
    bench.frames(2, t=1)
    bench.take()
    assert bench.kinds() == [FRAME] * 5
    assert bench.recorder.frames == 5


def test_events_that_the_ring_lost_leave_a_mark(bench: Bench) -> None:
    """A replay must know where it cannot go on."""
    bench.frames(5000, t=0)
    assert bench.reporter.events.lost
    bench.take()
    bench.reader.release(bench.reader.position)
    bench.frames(1, t=1)
    bench.take()
    assert bench.kinds()[-2:] == [GAP, FRAME]


def test_complete_recording(bench: Bench) -> None:
    """At the end the manifest says how much there is."""
    bench.frames(5, t=3 * SECOND)
    bench.take()
    assert bench.recorder.close(4 * SECOND, []) == []
    facts = manifest.read(bench.directory)
    assert (facts["complete"], facts["frames"], facts["duration"], facts["missing"]) == (True, 5, 4.0, [])


def test_incomplete_recording_says_why(bench: Bench) -> None:
    """What is missing is listed."""
    bench.frames(5, t=0)
    bench.take()
    assert bench.recorder.close(0, ["something"]) == ["something"]
    facts = manifest.read(bench.directory)
    assert (facts["complete"], facts["frames"], facts["missing"]) == (False, 5, ["something"])


def test_full_segments_are_packed(tmp_path: Path) -> None:
    """All records are read."""
    bench = Bench(tmp_path)
    bench.recorder = Recorder(tmp_path, bench.rings.bookmarks, SegmentLimits(2000))
    for t in range(100):
        bench.frames(1, t=t * SECOND)
        bench.take()
    deadline = monotonic() + 60
    while not list(tmp_path.glob("record.*.z")) and monotonic() < deadline:
        sleep(0.01)
    assert bench.recorder.close(100 * SECOND, []) == []
    assert (tmp_path / "record.000000.z").exists()
    assert bench.kinds() == [FRAME] * 100
