"""What a reload costs the tick: nothing grows with the bench but the number of parts."""

import gc
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hilbridge.bench.bench import Bench
from hilbridge.codec.frame import Frame
from hilbridge.configuration.benchfile import load_bench
from hilbridge.configuration.bundle import bundle
from hilbridge.observe.bench_archive import BenchArchive, archive_of
from hilbridge.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import Rings
from hilbridge.plan.playlist import RECORD
from hilbridge.process.notify import Notifier
from hilbridge.record.boundary_records import RELOAD, RELOAD_LAYOUT
from hilbridge.reload.reload import Origin, Reload

PATIENCE = 60.0

SLOW = {"import", "compile", "open", "pickle.find_class", "os.posix_spawn", "os.fork"}
"""Audit events (sys.addaudithook) of what has no place in the tick that adopts."""

_heard: list[str] | None = None


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if _heard is not None and event in SLOW and not (event == "open" and isinstance(arguments[0], int)):
        _heard.append(event)  # a number is a descriptor that is open already


sys.addaudithook(_hear)  # there is no way to take one away again


@contextmanager
def listening() -> Iterator[list[str]]:
    """Hears the audit events meanwhile."""
    global _heard  # noqa: PLW0603 - what a hook sees
    heard: list[str] = []
    _heard = heard
    try:
        yield heard
    finally:
        _heard = None


BENCH = """
name: changing
rate: 1000
vehicle: compact
buses:
  one: {interface: embedded, database: many.dbc, transmit: [HILBRIDGE]}
inputs: [{source: demo-driver}]
diagnostics: {obd: {bus: one}}
"""


def write_bench(folder: Path, messages: int, text: str = BENCH) -> Path:
    """One whose database has so many messages of eight signals."""
    lines = ["BU_: HILBRIDGE"]
    for number in range(messages):
        lines += [f"BO_ {256 + number} M{number}: 8 HILBRIDGE"]
        lines += [f' SG_ S{number}_{byte} : {8 * byte}|8@1+ (0.5,0) [0|127.5] "" X' for byte in range(8)]
    lines += ['BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;']
    lines += [f'BA_ "GenMsgCycleTime" BO_ {256 + number} 100;' for number in range(messages)]
    (folder / "many.dbc").write_text("\n".join(lines) + "\n")
    (folder / "bench.yaml").write_text(text)
    return folder / "bench.yaml"


class Running:
    """A bench that is ticked by hand, and what reloads it."""

    def __init__(self, file: Path) -> None:
        loaded = load_bench(str(file))
        self.bench = Bench(loaded)
        self.bench.open_nothing()
        self.records: list[tuple[int, int, bytes]] = []
        self.bench.boundary.listen(self._put)
        rings = Rings.create(About("changing", "1", 1000, 0).encode(), SNAPSHOT_LAYOUT.size, 1 << 16)
        bench_archive = BenchArchive.create({"bench": "changing"})
        bench_archive.put(archive_of(bundle(loaded)))
        self.bench_archive = bench_archive
        reporter = Reporter(rings, self.bench.vehicle.data, list(self.bench.buses.values()))
        self.reload = Reload(self.bench, reporter, Notifier(), Origin(bench_archive, None), lambda: "")
        self.frames: list[Frame] = []
        self.bench.buses["one"].attach_observer(lambda _t, _bus, _received, frame: self.frames.append(frame))
        self.t = 0

    def _put(self, kind: int, t: int, payload: bytes) -> bool:
        self.records.append((kind, t, payload))
        return True

    def tick(self) -> None:
        self.t += self.bench.settings.period
        self.bench.sample(self.t)
        self.bench.step()
        self.bench.serve(self.t)
        self.bench.publish(self.t)

    def read(self) -> None:
        """A child has read the file."""
        self.reload.request()
        deadline = time.monotonic() + PATIENCE
        self.reload.poll(self.t)
        while not self.reload.building and not self.reload.statistics()["refused"]:
            assert time.monotonic() < deadline
            time.sleep(0.02)
            self.reload.poll(self.t)

    def build(self) -> list[Counter[str]]:
        """Ticks until the bench is adopted; the audit events of what was built after each."""
        parts = []
        while self.reload.building:
            self.tick()
            with listening() as heard:
                self.reload.build(self.t)
            parts.append(Counter(heard))
        return parts


def test_in_the_tick_that_adopts_everything_is_ready(tmp_path: Path) -> None:
    """Nothing is imported, read, unpickled or compiled in it; no part imports anything at all, or opens a file."""
    running = Running(write_bench(tmp_path, 5))
    running.tick()
    running.read()
    modules = set(sys.modules)
    parts = running.build()
    assert running.reload.statistics()["count"] == 1
    assert set(sys.modules) == modules
    assert parts[-1] == Counter()
    assert sum(part["pickle.find_class"] for part in parts) > 5
    together = sum(parts, Counter[str]())
    assert not together.keys() & {"import", "open", "os.posix_spawn", "os.fork"}


def test_more_messages_make_more_parts_and_not_longer_ones(tmp_path: Path) -> None:
    """The most that is compiled or looked up for one part is the same for four and for forty messages."""
    most, number = [], []
    for messages in (4, 40):
        running = Running(write_bench(tmp_path, messages))
        running.tick()
        running.read()
        parts = running.build()
        most.append([max(part[event] for part in parts) for event in ("compile", "pickle.find_class")])
        number.append(len(parts))
    assert most[0] == most[1]
    assert number[1] - number[0] >= 2 * 36  # each is read, and planned


def test_a_slow_bench_builds_more_in_a_tick(tmp_path: Path) -> None:
    """A part for each millisecond of the period: the reload lasts as long."""
    number = []
    for rate in (1000, 100):
        running = Running(write_bench(tmp_path, 20, BENCH.replace("1000", str(rate))))
        running.tick()
        running.read()
        number.append(len(running.build()))
    assert number[1] == pytest.approx(number[0] / 10, abs=1)


def given_a_log(folder: Path, frames: list[str]) -> Running:
    """A bench that has just been reloaded with these frames, one a millisecond, as its rest bus."""
    running = Running(write_bench(folder, 2))
    running.tick()
    lines = [f"({n / 1000:.6f}) can0 {frame}\n" for n, frame in enumerate(frames)]
    (folder / "drive.log").write_text("".join(lines))
    write_bench(folder, 2, BENCH.replace("[HILBRIDGE]}", "[HILBRIDGE], rest_bus: {file: drive.log}}"))
    running.read()
    running.build()
    return running


def test_a_log_is_parsed_by_the_child(tmp_path: Path) -> None:
    """The rest bus plays it out of the memory in which the child has left it; own frames are left out of it."""
    running = given_a_log(tmp_path, [f"{0x100 if n % 2 else 0x400:03X}#{n % 256:02X}" for n in range(20_000)])
    playlist = running.bench.wiring.playlists["one"]
    assert len(playlist.times) == 10_000
    assert running.bench.wiring.bench_files.logs == {}
    assert len(playlist.log.obj) > 20_000 * RECORD.size  # type: ignore[arg-type]  # the mapped memory
    del running.frames[:]
    for _ in range(10):
        running.tick()
    assert [frame.data for frame in running.frames if frame.can_id == 0x400] == [bytes([2 * n]) for n in range(5)]


def test_the_recording_gets_the_files_in_pieces_and_the_last_one_with_the_adoption(tmp_path: Path) -> None:
    """However many they are; together they are the archive that the dossier keeps."""
    running = given_a_log(tmp_path, [f"400#{n * 0x9E3779B97F4A7C15 % 2**64:016X}" for n in range(20_000)])
    pieces = [(t, payload) for kind, t, payload in running.records if kind == RELOAD]
    assert len({t for t, _ in pieces}) == len(pieces) > 5  # one a tick
    assert pieces[-1][0] == running.t
    assert [RELOAD_LAYOUT.unpack_from(one) for _, one in pieces] == [(n, len(pieces)) for n in range(len(pieces))]
    archive = b"".join(one[RELOAD_LAYOUT.size :] for _, one in pieces)
    assert archive == running.bench_archive.read(running.bench_archive.newest.archive)
    assert (
        running.bench_archive.get(running.bench_archive.newest)[1]["drive.log"] == (tmp_path / "drive.log").read_bytes()
    )


def test_what_became_impossible_while_it_was_built_is_refused(tmp_path: Path) -> None:
    """The bench goes on as it was, and so does the dossier."""
    running = Running(write_bench(tmp_path, 2))
    reasons = ["", "a scenario is played"]
    running.reload._forbidden = lambda: reasons[running.reload.building]  # type: ignore[misc]
    wiring, newest = running.bench.wiring, running.bench_archive.newest
    running.tick()
    running.read()
    running.build()
    assert (running.bench.wiring, running.bench_archive.newest) == (wiring, newest)
    assert running.reload.statistics()["refused"] == 1


def test_what_is_replaced_needs_no_collector_to_go(tmp_path: Path) -> None:
    """What was built is frozen, so that the clock's collector never sees it: a message in a cycle would stay for ever.

    Control units do, and are the same however many messages there are.
    """
    found = []
    automatic = gc.isenabled()
    for messages in (2, 30):
        running = Running(write_bench(tmp_path, messages))
        try:
            for _ in range(2):  # caches are filled by the first one
                running.tick()
                running.read()
                gc.collect()
                gc.disable()
                running.build()
                gc.unfreeze()
                found.append(gc.collect())
        finally:
            gc.unfreeze()
            (gc.enable if automatic else gc.disable)()
    assert found[3] <= found[1]
