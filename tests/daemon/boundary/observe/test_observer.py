"""The observer: what it prints and records, whatever happens to it."""

import contextlib
import json
import os
import pty
import random
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import can
import pytest

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.boundary.observe.observer import Observer
from hilbridge.boundary.observe.output import Output
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.segments import GAP, GAP_LAYOUT
from hilbridge.boundary.record.state_start import load_state
from hilbridge.frames.codec.frame import Frame
from vehiclesim.channels import VehicleData
from vehiclesim.databus import DataBus


@contextlib.contextmanager
def full_disk(directory: Path) -> Iterator[None]:
    """No file may become larger than the largest in the directory is."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(path.stat().st_size for path in directory.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 30_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class Run:
    """A run and its observer in one process, the output in a pipe."""

    def __init__(
        self,
        record: Path | None = None,
        capacity: int = 1 << 20,
        state: Path | None = None,
        started: int | None = None,
    ) -> None:
        if record:
            manifest.create(record, {"bench": "demo", "vehicle": "compact", "buses": ["powertrain"]})
        about = About("demo", "1", 1000, started, ("powertrain",), str(record) if record else None)
        about = about._replace(state=str(state) if state else None)
        self.rings = Rings.create(about.encode(), SNAPSHOT_LAYOUT.size, capacity)
        self.data = DataBus()
        self.reporter = Reporter(self.rings, self.data)
        self.boundary = Boundary()
        self.boundary.put = self.reporter.events.put
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        self.now = 0

    def observer(self) -> Observer:
        return Observer(self.rings, Output(self.writer))

    def look(self, observer: Observer) -> None:
        """Looks until there is nothing more to take; the observer's clock goes on by a second."""
        self.now += SECOND
        while observer.poll(self.now):
            pass

    def printed(self) -> list[dict[str, Any]]:
        try:
            return [json.loads(line) for line in os.read(self.reader, 1 << 20).splitlines()]
        except BlockingIOError:
            return []

    def events(self) -> list[str]:
        return [line["event"] for line in self.printed()]

    def close(self) -> None:
        os.close(self.reader)
        os.close(self.writer)


@pytest.fixture
def run() -> Iterator[Run]:
    made = Run()
    yield made
    made.close()


def test_log_in_order_until_the_end(run: Run) -> None:
    """Lines come as they were reported; the END event ends it with the statistics."""
    observer = run.observer()
    run.reporter.info(1, "one", x=1)
    run.look(observer)
    run.reporter.error(2_500_000_000, "two")
    run.reporter.end(3 * SECOND, {"ticks": 3000})
    run.look(observer)
    assert observer.ended
    observer.close()
    assert run.printed() == [
        {"t": 1e-9, "level": "info", "event": "one", "x": 1},
        {"t": 2.5, "level": "error", "event": "two"},
        {"t": 3.0, "level": "info", "event": "stopped", "ticks": 3000},
    ]


def test_statistics_are_counters_lateness_and_step_time() -> None:
    """In real time; each time somebody asks, and with the last line. Lateness is read out of the shared memory."""
    run = Run(started=0)
    observer = run.observer()
    for milliseconds in (1, 1, 3):
        run.rings.step_time.record(milliseconds * 1_000_000)
    run.reporter.statistics(SECOND, {"ticks": 3})
    run.look(observer)
    run.reporter.end(2 * SECOND, {"ticks": 3})
    run.look(observer)
    asked, stopped = [line for line in run.printed() if line["event"] in {"statistics", "stopped"}]
    run.close()
    assert asked["ticks"] == stopped["ticks"] == 3
    assert asked["tick_us"]["max"] == stopped["tick_us"]["max"] == 3000.0
    assert 1000.0 <= asked["tick_us"]["p50"] <= 1000.0 * 33 / 32
    assert asked["lateness_us"] == asked["answer_us"] == dict.fromkeys(("p50", "p99", "p99_9", "max"), 0.0)


def test_status_once_a_second_when_piped(run: Run) -> None:
    """One record for each second of the observer's clock, with the newest values; none before the first tick.

    And none again for the same tick: the run has ended, and its last words are still to come.
    """
    observer = run.observer()
    run.look(observer)
    assert run.printed() == []
    for tick in range(5):
        run.data.vehicle[VehicleData.ENGINE_RPM] = 1000 * tick
        run.reporter.snapshot(tick * 1_000_000, 0, 0)
    run.look(observer)
    observer.poll(run.now + SECOND // 2)
    (status,) = run.printed()
    assert (status["event"], status["rpm"], status["t"]) == ("status", 4.0, 0.004)
    run.look(observer)
    assert run.events() == []
    run.reporter.snapshot(5_000_000, 0, 0)
    run.look(observer)
    assert run.events() == ["status"]


def test_terminal_gets_a_line_and_readable_log() -> None:
    """On a terminal: no JSON, and a status line that is refreshed in place."""
    run = Run()
    master, slave = pty.openpty()
    observer = Observer(run.rings, Output(slave))
    run.reporter.info(0, "hello")
    run.reporter.snapshot(0, 0, 0)
    for _ in range(3):
        run.look(observer)
    observer.close()
    os.close(slave)
    text = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while part := os.read(master, 1 << 16):
            text += part
    os.close(master)
    run.close()
    assert b"hello" in text
    assert b"{" not in text
    assert text.count(b"rpm") == 3
    assert text.count(b"\n") == 2


def test_lost_events_are_announced() -> None:
    """An overflow of the event ring is logged with its total; a recording of that run is incomplete."""
    run = Run(capacity=1000)
    observer = run.observer()
    for tick in range(100):
        run.reporter.info(tick, "x")
    run.look(observer)
    notices = [line for line in run.printed() if line["level"] == "warning"]
    assert [line["total"] for line in notices] == [run.reporter.events.lost]
    run.look(observer)
    assert run.printed() == []
    run.close()


def test_unreadable_events_are_announced(run: Run) -> None:
    """Damage in the ring is logged and passed over; what comes after is printed."""
    observer = run.observer()
    run.reporter.info(0, "gone")
    memory = memoryview(run.rings._events)
    memory[20] ^= 0xFF
    for _ in range(250):
        run.look(observer)
    run.reporter.info(1, "after")
    run.look(observer)
    assert run.events() == ["unreadable events were given up", "after"]


def test_lines_that_were_not_printed_are_announced(run: Run) -> None:
    """When the output was stuck and flows again, a line says how many were dropped."""
    observer, numbers = run.observer(), count()
    for _ in range(20):
        for _ in range(500):
            run.reporter.info(0, f"{next(numbers)} {'x' * 100}")
        run.look(observer)
    received = b""
    for _ in range(20):
        while True:
            try:
                received += os.read(run.reader, 1 << 20)
            except BlockingIOError:
                break
        run.look(observer)
    lines = [json.loads(line) for line in received.splitlines()]
    assert [line["event"] for line in lines if line["level"] == "warning"] == ["lines of the log were not printed"]
    assert lines[-1]["total"] + len(lines) - 1 == 10_000


def frames(run: Run, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        frame = Frame(number % 0x7FF, number.to_bytes(8, "little"))
        run.boundary.frame(number * 500_000, 0, False, frame)


def test_recording(tmp_path: Path) -> None:
    """Every frame is in frames.blf at its time, and the manifest says that the recording is complete."""
    run = Run(tmp_path)
    observer = run.observer()
    frames(run, 3000)
    run.reporter.end(2 * SECOND, {})
    run.look(observer)
    observer.close()
    assert run.events() == ["stopped", "recording complete"]
    with can.BLFReader(tmp_path / "frames.blf") as reader:
        assert [round(message.timestamp * 1e9) for message in reader] == [n * 500_000 for n in range(3000)]
    assert manifest.read(tmp_path)["complete"] is True
    run.close()


def test_recording_of_a_daemon_that_is_gone(tmp_path: Path) -> None:
    """Without an END event the frames up to the last one are kept, and the manifest says what is missing."""
    run = Run(tmp_path)
    observer = run.observer()
    frames(run, 100)
    run.look(observer)
    observer.close()
    assert run.events() == ["the daemon died", "recording incomplete"]
    facts = manifest.read(tmp_path)
    assert (facts["complete"], facts["frames"]) == (False, 100)
    assert facts["missing"] == ["the daemon died before the run ended"]
    run.close()


def test_recording_with_lost_events_is_incomplete(tmp_path: Path) -> None:
    """An overflow is noted in the manifest."""
    run = Run(tmp_path, capacity=2000)
    observer = run.observer()
    frames(run, 100)
    run.look(observer)
    run.reporter.end(0, {})
    run.look(observer)
    observer.close()
    facts = manifest.read(tmp_path)
    assert facts["complete"] is False
    assert facts["missing"] == [f"{run.reporter.events.lost} events were lost: the event ring was full"]
    run.close()


def test_run_goes_on_without_its_recording(tmp_path: Path) -> None:
    """When the record cannot be begun this is announced, the log goes on, and the tick process hears of it."""
    run = Run(tmp_path)
    (tmp_path / "record.000000").mkdir()
    observer = run.observer()
    run.reporter.info(0, "on")
    run.look(observer)
    assert run.events() == ["cannot record", "on"]
    assert run.rings.bookmarks.incomplete[0] == 1
    run.close()


def test_a_full_disk_costs_records_and_not_the_run(tmp_path: Path) -> None:
    """What did not fit is counted and announced; it goes on when there is room; the recording says what it lacks."""
    run = Run(tmp_path)
    observer = run.observer()
    frames(run, 1000)
    run.look(observer)
    with full_disk(tmp_path):
        frames(run, 2100, first=1000)
        run.look(observer)
        assert run.events() == ["cannot write the recording"]
    frames(run, 10, first=3100)
    run.look(observer)
    run.reporter.end(2 * SECOND, {"ticks": 2000})
    run.look(observer)
    observer.close()
    assert run.events() == ["writing the recording again", "stopped", "recording incomplete"]
    facts = manifest.read(tmp_path)
    missing = run.rings.bookmarks.unrecorded[0]
    assert (facts["complete"], facts["missing"]) == (False, [f"not written: {missing:,} records"])
    assert facts["frames"] + missing == 3110
    assert run.rings.bookmarks.incomplete[0] == 1
    recording = Recording(tmp_path)
    (gap,) = [one for one in recording.records() if one.kind == GAP]
    assert GAP_LAYOUT.unpack(gap.payload) == (missing,)
    run.close()


def test_the_newest_state_is_stored(tmp_path: Path) -> None:
    """Of several at once the last one counts; a folder that cannot be written to is announced, and tried again."""
    run = Run(state=tmp_path / "folder" / "state.json")
    (tmp_path / "folder").write_text("in the way")
    observer = run.observer()
    for odometer in range(3):
        run.reporter.state(odometer, {"odometer": odometer})
    run.look(observer)
    assert run.events() == ["cannot write the stored state"]
    (tmp_path / "folder").unlink()
    run.reporter.end(0, {})
    run.look(observer)
    observer.close()
    assert load_state(tmp_path / "folder" / "state.json", pytest.fail) == {"odometer": 2}
    run.close()


def test_successor_repeats_nothing_and_misses_nothing(run: Run) -> None:
    """An observer that takes over prints what its predecessor had not printed."""
    first = run.observer()
    run.reporter.info(0, "one")
    run.look(first)
    run.reporter.info(0, "two")
    run.look(run.observer())
    assert run.events() == ["one", "two"]


def test_end_is_found_by_a_successor_too(run: Run) -> None:
    """An observer that dies after it saw the END event, but before it closed everything, leaves it to the next one."""
    first = run.observer()
    run.reporter.end(0, {})
    run.look(first)
    second = run.observer()
    run.look(second)
    assert second.ended


@pytest.mark.parametrize("seed", range(2))
def test_killed_observers_leave_no_trace_in_the_recording(tmp_path: Path, seed: int) -> None:
    """However often and whenever the observer is killed, frames.blf is the one of an undisturbed run, to the byte."""
    count = 16_000
    undisturbed = Run(tmp_path / "undisturbed", capacity=1 << 21)
    observer = undisturbed.observer()
    frames(undisturbed, count)
    undisturbed.reporter.end(6 * SECOND, {})
    undisturbed.look(observer)
    observer.close()
    undisturbed.close()

    moments = random.Random(seed)
    run = Run(tmp_path / "killed", capacity=1 << 18)
    child = _fork_observer(run)
    kills = 12

    def replace(child: int) -> int:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return _fork_observer(run)

    def make_room() -> bool:
        nonlocal child, kills
        time.sleep(moments.uniform(0.0, 0.01))
        if kills and moments.random() < 0.3:
            kills -= 1
            child = replace(child)
        return True

    run.reporter.events.make_room = make_room
    frames(run, count)
    run.reporter.end(6 * SECOND, {})
    for _ in range(3):
        time.sleep(moments.uniform(0.0, 0.02))
        child = replace(child)
    assert os.waitpid(child, 0)[1] == 0
    run.close()
    assert run.reporter.events.lost == 0
    assert (tmp_path / "killed" / "frames.blf").read_bytes() == (tmp_path / "undisturbed" / "frames.blf").read_bytes()
    assert manifest.read(tmp_path / "killed")["complete"] is True


def _fork_observer(run: Run) -> int:
    child = os.fork()
    if child == 0:
        try:
            _observe(run)
            os._exit(0)
        finally:
            traceback.print_exc()
            os._exit(1)
    return child


def _observe(run: Run) -> None:
    with Path(os.devnull).open("w") as nowhere:
        observer = Observer(run.rings, Output(nowhere.fileno()))
        while not observer.ended:
            if not observer.poll(time.monotonic_ns()):
                time.sleep(0.0005)
        observer.close()


def test_pieces_of_memory_are_stored_with_the_next_state_beside_older_ones(tmp_path: Path) -> None:
    """A run after it adds to them; null takes one out."""
    path = tmp_path / "state.json"

    def stored(state: dict[str, int], *pieces: tuple[str, str, str | int | None]) -> dict[str, Any]:
        run = Run(state=path)
        observer = run.observer()
        for piece in pieces:
            run.reporter.memory(0, *piece)
        run.reporter.state(0, state)
        run.reporter.end(0, {})
        run.look(observer)
        observer.close()
        run.close()
        return load_state(path, pytest.fail)

    engine: dict[str, str | int] = {"0000080000": "AAEC", "0000084000": 255}
    assert stored({"odometer": 1}, *(("engine", *piece) for piece in engine.items())) == {
        "odometer": 1,
        "memory_pieces": {"engine": engine},
    }
    changed: list[tuple[str, str, str | int | None]] = [
        ("engine", "0000084000", None),
        ("gearbox", "0000000100", "AA=="),
    ]
    assert stored({"odometer": 2}, *changed) == {
        "odometer": 2,
        "memory_pieces": {"engine": {"0000080000": "AAEC"}, "gearbox": {"0000000100": "AA=="}},
    }
