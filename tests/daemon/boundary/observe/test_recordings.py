"""Recordings that begin and end while a bench runs."""

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import can
import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.boundary.observe import room
from hilbridge.boundary.observe.bench_archive import BenchArchive, archive_of
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.boundary.observe.observer import Observer
from hilbridge.boundary.observe.output import Output
from hilbridge.boundary.observe.recording_switch import RecordingSwitch
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.observe.wall_time import Clocks, WallTime
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.boundary.record.boundary_records import END, FRAME, FrameRecord
from hilbridge.boundary.record.catalog import read_recordings
from hilbridge.boundary.record.manifest import MANIFEST
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.segments import MEGABYTE, SegmentLimits
from hilbridge.files.settings.bench import RecordingSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame
from vehiclesim.databus import DataBus


class Run:
    """The tick's side, and the descriptors of the observer's, in one process."""

    def __init__(self, folder: Path, capacity: int = 1 << 20, limits: SegmentLimits | None = None) -> None:
        about = About("demo", "1", 1000, time.time_ns(), ("can",), home=str(folder / "home"))
        about = about._replace(limits=limits or SegmentLimits())
        self.rings = Rings.create(about.encode(), SNAPSHOT_LAYOUT.size, capacity)
        self.reporter = Reporter(self.rings, DataBus())
        self.boundary = Boundary()
        self.bus = Bus("can")
        self.bus.attach_observer(self.boundary.frame)
        self.bench_archive = BenchArchive.create({"bench": "demo", "vehicle": "compact", "buses": ["can"]})
        self.bench_archive.put(archive_of({"bench.yaml": b"name: demo\n"}))
        self.switch = RecordingSwitch(self.rings, self.reporter, self.boundary, self.bench_archive)
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        self.t = 0
        self.observers: list[Observer] = []

    def observer(self) -> Observer:
        self.observers.append(Observer(self.rings, Output(self.writer), BenchArchive(self.bench_archive.descriptor)))
        return self.observers[-1]

    def frames(self, count: int) -> None:
        """A frame a tick."""
        for _ in range(count):
            self.t += MILLISECOND
            self.bus.transmit(Frame(5, self.t.to_bytes(8, "little")), self)
            self.bus.exchange(self.t)

    def receive(self, frame: Frame, t: int) -> None:
        """The bus hands this node nothing that it would keep."""

    def look(self, observer: Observer) -> None:
        while observer.poll(self.t):
            pass

    def end(self, observer: Observer) -> None:
        self.reporter.end(self.t, {"ticks": 7})
        self.look(observer)
        observer.close()

    def events(self) -> list[str]:
        try:
            return [json.loads(line)["event"] for line in os.read(self.reader, 1 << 20).splitlines()]
        except BlockingIOError:
            return []

    def described(self) -> dict[str, Any]:
        described = self.switch.status()
        assert described is not None
        return described._asdict()

    def close(self) -> None:
        for observer in self.observers:  # what they left behind makes frames.blf
            for export in observer._recordings._exports:
                export.wait(30.0)
        self.bench_archive.close()
        os.close(self.reader)
        os.close(self.writer)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run(tmp_path)
    yield made
    made.close()


def recorded(folder: Path) -> list[int]:
    """The times in the frames of a recording [ticks], by what stands in their data."""
    return [
        int.from_bytes(FrameRecord.decode(one.payload).frame.data, "little") // MILLISECOND
        for one in Recording(folder).records()
        if one.kind == FRAME
    ]


def test_a_part_of_a_run_is_recorded(run: Run, tmp_path: Path) -> None:
    """From the tick after its start to the tick of its end; the manifest says which part, and of which bench."""
    observer, folder = run.observer(), tmp_path / "part"
    run.frames(10)
    assert run.switch.start(folder, run.t) == folder
    run.frames(20)
    run.look(observer)
    described = run.described()
    assert described["bytes"] == (folder / "record.000000").stat().st_size
    assert {key: described[key] for key in ("folder", "since", "complete", "begun", "error")} == {
        "folder": str(folder),
        "since": 0.011,
        "complete": True,
        "begun": True,
        "error": "",
    }
    assert run.switch.stop(run.t) == folder
    run.frames(10)
    run.end(observer)
    assert run.switch.status() is None
    assert recorded(folder) == list(range(11, 31))
    facts = manifest.read(folder)
    assert (facts["complete"], facts["since"], facts["duration"], facts["frames"]) == (True, 0.011, 0.019, 20)
    assert (facts["bench"], (folder / "bench/bench.yaml").read_text()) == ("demo", "name: demo\n")
    last = list(Recording(folder).records())[-1]
    assert (last.kind, last.t, json.loads(last.payload)["ticks"]) == (END, 30 * MILLISECOND, run.reporter.ticks)
    assert len(list(can.BLFReader(folder / "frames.blf"))) == 20
    assert "begins 0.011 s after the start of the run" in Recording(folder).lacks_beginning


def test_recordings_follow_each_other(run: Run, tmp_path: Path) -> None:
    """One at a time; where nobody names a folder it has the name of the bench and the date of its start, in UTC."""
    observer = run.observer()
    first = run.switch.start(None, 30 * SECOND)
    named = datetime.strptime(first.name, "demo-%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    assert (first.parent, abs(named - datetime.now(UTC)) < timedelta(hours=1)) == (tmp_path / "home", True)
    with pytest.raises(ConfigurationError, match="is under way"):
        run.switch.start(tmp_path / "second", run.t)
    run.frames(3)
    run.switch.stop(run.t)
    with pytest.raises(ConfigurationError, match="nothing is recorded"):
        run.switch.stop(run.t)
    run.switch.start(tmp_path / "second", run.t)
    run.frames(3)
    run.end(observer)
    assert recorded(first) == [1, 2, 3]
    assert recorded(tmp_path / "second") == [4, 5, 6]
    assert run.events() == ["recording", "recording complete", "recording", "stopped", "recording complete"]
    assert run.rings.bookmarks.incomplete[0] == 0


@pytest.mark.nightly("crashes1", "crashes2", "crashes3")
@pytest.mark.parametrize("crashes", [(0,), (1,), (2,), (0, 1, 2, 3)])
def test_an_observer_that_takes_over_goes_on_with_it(run: Run, tmp_path: Path, crashes: tuple[int, ...]) -> None:
    """Whenever the one before it died, having released nothing of what it took last: no frame twice, none missing."""
    observer = run.observer()
    stages: list[Callable[[], object]] = [
        lambda: run.switch.start(tmp_path / "a", run.t),
        lambda: run.frames(5),
        lambda: (run.switch.stop(run.t), run.switch.start(tmp_path / "b", run.t)),
        lambda: run.frames(5),
    ]
    for number, stage in enumerate(stages):
        stage()
        released = run.rings._cells.released[0]
        run.look(observer)
        if number in crashes:
            run.rings._cells.released[0] = released
            observer = run.observer()
    run.end(observer)
    assert recorded(tmp_path / "a") == [1, 2, 3, 4, 5]
    assert recorded(tmp_path / "b") == [6, 7, 8, 9, 10]
    assert [manifest.read(tmp_path / name)["complete"] for name in "ab"] == [True, True]


def test_a_folder_that_cannot_be_made_is_told(run: Run, tmp_path: Path) -> None:
    """In the log and in the status; another recording may begin; the run's exit status will not be 0."""
    observer = run.observer()
    (tmp_path / "file").write_text("in the way")
    run.switch.start(tmp_path / "file" / "x", run.t)
    run.frames(2)
    run.look(observer)
    assert run.events() == ["cannot record"]
    assert "cannot record into" in run.described()["error"]
    run.switch.start(tmp_path / "good", run.t)
    run.frames(2)
    run.end(observer)
    assert recorded(tmp_path / "good") == [3, 4]
    assert run.rings.bookmarks.incomplete[0] == 1


def test_what_was_lost_before_it_is_not_missing_in_it(tmp_path: Path) -> None:
    """Of what is lost after its start it says so."""
    run = Run(tmp_path, capacity=4096)
    observer = run.observer()
    for _ in range(500):
        run.reporter.info(0, "too much")
    run.look(observer)
    run.switch.start(tmp_path / "first", run.t)
    run.frames(3)
    run.look(observer)
    assert run.described()["complete"] is True
    run.switch.stop(run.t)
    run.look(observer)
    run.switch.start(tmp_path / "second", run.t)
    run.frames(500)
    assert run.reporter.events.lost > 0
    run.look(observer)
    assert run.described()["complete"] is False
    run.end(observer)
    assert [manifest.read(tmp_path / name)["complete"] for name in ("first", "second")] == [True, False]
    run.close()


def test_after_a_reload_a_recording_has_the_new_bench(run: Run, tmp_path: Path) -> None:
    observer = run.observer()
    run.bench_archive.newest = run.bench_archive.propose(archive_of({"bench.yaml": b"name: demo # new\n"}))
    run.switch.start(tmp_path / "part", run.t)
    run.end(observer)
    assert (tmp_path / "part/bench/bench.yaml").read_text() == "name: demo # new\n"


def test_a_disk_that_fills_is_told_in_time_and_never_filled(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word while it is nearly full, then no record into the last 500 MB; the line of the service has both."""
    free, second = [10_000 * MEGABYTE], [0.0]
    monkeypatch.setattr(room.Room.__init__, "__defaults__", (lambda _folder: disk_of(free[0]), lambda: second[0]))
    observer = run.observer()
    run.switch.start(tmp_path / "long", run.t)

    def went_on(megabytes: int) -> str:
        free[0], second[0] = megabytes * MEGABYTE, second[0] + 1
        run.frames(3)
        run.look(observer)
        return run.switch.trouble

    assert went_on(10_000) == ""
    assert went_on(1500) == "the disk of the recording is nearly full: 1,500 MB are left"
    assert run.events() == ["recording", "the disk is nearly full"]
    before = run.described()["bytes"]
    assert went_on(400) == "the recording is NOT COMPLETE: the log has the reason"
    assert run.described()["bytes"] == before
    went_on(10_000)
    assert run.described()["bytes"] > before
    run.end(observer)
    facts = manifest.read(tmp_path / "long")
    assert (facts["complete"], facts["frames"]) == (False, 9)


def disk_of(free: int) -> os.statvfs_result:
    """A file system of 64 GB, in bytes."""
    return os.statvfs_result((1, 1, 64_000 * MEGABYTE, free, free, 0, 0, 0, 0, 255))


def test_a_recording_has_a_bound_and_says_that_it_is_reached(tmp_path: Path) -> None:
    """Once, with the key of the bench file; the default of that is no more than a card of a small machine holds."""
    assert RecordingSettings().size == 10_000
    run = Run(tmp_path, limits=SegmentLimits(segment=200, size=500))
    observer = run.observer()
    run.switch.start(tmp_path / "long", run.t)
    for _ in range(20):
        run.frames(5)
        run.look(observer)
    assert run.events() == ["recording", "recording at its bound"]
    assert run.described()["bytes"] < 1000
    run.end(observer)
    assert Recording(tmp_path / "long").lacks_beginning
    run.close()


def test_a_recording_whose_oldest_part_cannot_be_removed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the log once, and in the line of the service as long as it is so."""
    unlink = Path.unlink

    def refuse_segments(path: Path, **keys: bool) -> None:
        if path.name.startswith("record."):
            raise PermissionError(13, "Permission denied")
        unlink(path, **keys)

    run = Run(tmp_path, limits=SegmentLimits(segment=200, size=500))
    observer = run.observer()
    run.switch.start(tmp_path / "long", run.t)

    def goes_on() -> list[str]:
        for _ in range(20):
            run.frames(5)
            run.look(observer)
        return run.events()

    with monkeypatch.context() as refused:
        refused.setattr(Path, "unlink", refuse_segments)
        assert goes_on() == ["recording", "the oldest segment of the recording cannot be removed"]
        assert "BEYOND ITS BOUNDS: its oldest segment cannot be removed: Permission denied" in run.switch.trouble
        assert run.described()["complete"] is True
    assert "the oldest segments of the recording are removed again" in goes_on()
    assert run.switch.trouble == ""
    run.end(observer)
    run.close()


@dataclass
class Morning:
    """A run on a machine that has just started without a battery for its clock, which is set at some time."""

    run: Run
    difference: int

    def sets_the_clock(self) -> None:
        self.difference += 1_800_000_000 * SECOND  # 2027-01-15T08:00:00Z


@pytest.fixture
def morning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Morning]:
    run = Run(tmp_path)
    morning = Morning(run, -time.monotonic_ns())

    def clocks() -> Clocks:
        now = time.monotonic_ns()
        return Clocks(now + morning.difference, now, now)

    monkeypatch.setattr(WallTime.__init__, "__defaults__", (1.0, clocks))
    monkeypatch.setattr(time, "time_ns", lambda: clocks().wall)
    run.rings.origin[0] = time.monotonic_ns()
    yield morning
    run.close()


def test_a_recording_that_began_in_1970_is_named_anew_at_its_end(morning: Morning) -> None:
    """A link under the old name leads to it, a list has it once, and its manifest the time at once."""
    run, observer = morning.run, morning.run.observer()
    early = run.switch.start(None, run.t)
    assert early.name.startswith("demo-19700101-0000")
    run.frames(3)
    run.look(observer)
    assert manifest.read(early)["began"].startswith("1970-01-01T00:00:")
    morning.sets_the_clock()
    run.look(observer)
    run.frames(3)
    run.look(observer)
    assert manifest.read(early)["began"].startswith("2027-01-15T08:00:")  # and a power cut may come now
    run.end(observer)
    assert {"wall clock stepped", "recording named anew"} < set(run.events())
    recordings, broken = read_recordings(early.parent)
    assert [one.directory.name[:17] for one in recordings] == ["demo-20270115-080"]
    assert not broken
    assert early.is_symlink()
    assert Recording(early).manifest == recordings[0].manifest
    assert not early.readlink().is_absolute()  # the folder may be copied elsewhere


def test_a_recording_that_somebody_named_keeps_its_name(morning: Morning, tmp_path: Path) -> None:
    run, observer = morning.run, morning.run.observer()
    run.switch.start(tmp_path / "demo-19700101-morning", run.t)
    run.look(observer)
    morning.sets_the_clock()
    run.frames(1)
    run.look(observer)
    run.end(observer)
    assert manifest.read(tmp_path / "demo-19700101-morning")["began"].startswith("2027-01-15T08:00:")
    assert not list(tmp_path.glob("*2027*"))


def test_a_manifest_that_cannot_be_written_ends_no_recording(morning: Morning) -> None:
    run, observer = morning.run, morning.run.observer()
    early = run.switch.start(None, run.t)
    run.look(observer)
    (early / MANIFEST).write_text("{")
    morning.sets_the_clock()
    run.look(observer)
    run.frames(5)
    run.look(observer)
    run.end(observer)
    assert {"the beginning was not noted", "recording incomplete"} < set(run.events())
    assert sum(1 for _ in early.glob("record.*")) == 1
