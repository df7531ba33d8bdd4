"""From the event ring into a recording."""

from pathlib import Path

import pytest

from hilbridge.frames.frame import Frame
from hilbridge.observe.events import SNAPSHOT_LAYOUT
from hilbridge.observe.recorder import Recorder
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import Rings
from hilbridge.record import manifest
from hilbridge.record.blf import BLOCK, SECOND
from vehiclesim.databus import DataBus


class Bench:
    """A ring with frames in it, and the recorder that empties it."""

    def __init__(self, directory: Path) -> None:
        manifest.create(directory, {})
        self.directory = directory
        self.rings = Rings.create(b"", SNAPSHOT_LAYOUT.size)
        self.reporter = Reporter(self.rings, DataBus())
        self.reader = self.rings.event_reader()
        self.recorder = Recorder(directory, self.rings.bookmarks.unrecorded, held_back=1 << 20)

    def frames(self, count: int, t: int) -> None:
        for _ in range(count):
            self.reporter.frame(t, 0, False, Frame(1, b"12345678"))

    def take(self) -> int:
        """Takes everything; how many bytes of the ring may not be released."""
        while events := self.reader.read():
            for event in events:
                self.recorder.take(event)
        return self.reader.position - self.recorder.releasable(self.reader.position)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_ring_is_released_behind_what_is_in_the_file(bench: Bench) -> None:
    """Everything up to the first frame that is not in the file yet may be overwritten, nothing more."""
    assert bench.take() == 0
    bench.frames(BLOCK, t=0)
    assert bench.take() == 0
    bench.reporter.info(0, "between")
    assert bench.take() == 0
    bench.frames(1, t=0)
    one = bench.take()
    assert one > 0
    bench.frames(2, t=0)
    assert bench.take() == 3 * one
    bench.reporter.info(0, "after")
    assert bench.take() > 3 * one


def test_later_event_ends_a_block(bench: Bench) -> None:
    """A frame waits for its block no longer than until something happens in a later second."""
    bench.frames(3, t=SECOND // 2)
    assert bench.take() > 0
    bench.reporter.info(SECOND, "later")
    assert bench.take() == 0
    assert bench.recorder.frames == 3


def test_flood_of_other_events_does_not_fill_the_ring(bench: Bench) -> None:
    """Pending frames keep back a part of the ring at most; then their block is written early."""
    bench.frames(3, t=0)
    for _ in range(30):
        bench.reporter.info(0, "x" * 50_000)
    assert bench.take() == 0
    assert bench.recorder.frames == 3


def test_complete_recording(bench: Bench) -> None:
    """At the end the rest is written and the manifest says how much there is."""
    bench.frames(5, t=3 * SECOND)
    bench.take()
    assert bench.recorder.close(4 * SECOND, []) == []
    facts = manifest.read(bench.directory)
    assert (facts["complete"], facts["frames"], facts["duration"], facts["missing"]) == (True, 5, 4.0, [])


def test_incomplete_recording_says_why(bench: Bench) -> None:
    """What is missing is listed: what the caller knows, and frames that were not written."""
    bench.frames(5, t=0)
    bench.take()
    (bench.directory / "frames.blf").unlink()
    missing = bench.recorder.close(0, ["something"])
    assert missing == ["something", "5 frames were not written to the file"]
    facts = manifest.read(bench.directory)
    assert (facts["complete"], facts["missing"]) == (False, missing)
