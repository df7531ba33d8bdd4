"""A reload: what the child hands over, what is recorded, and what is refused."""

import time
from pathlib import Path

import pytest

from hilbridge.base.process.notify import Notifier
from hilbridge.bench import wiring as wiring_module
from hilbridge.bench.bench import Bench
from hilbridge.boundary.observe.bench_archive import BenchArchive, archive_of
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record.boundary_records import RELOAD, RELOAD_LAYOUT
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import bundle
from hilbridge.frames.codec.frame import LOGGED, Frame
from hilbridge.runs.reload.reload import Reload

PATIENCE = 60.0

BENCH = """
name: changing
rate: 1000
vehicle: compact
buses:
  one: {interface: embedded, database: many.dbc, transmit: [HILBRIDGE]}
inputs: [{source: demo-driver}]
diagnostics: {units: {engine: {unit: engine, bus: one}}}
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
        self.bench.connect()
        self.records: list[tuple[int, int, bytes]] = []
        self.bench.boundary.listen(self._put)
        rings = Rings.create(About("changing", "1", 1000, 0).encode(), SNAPSHOT_LAYOUT.size, 1 << 16)
        bench_archive = BenchArchive.create({"bench": "changing"})
        bench_archive.put(archive_of(bundle(loaded)))
        self.bench_archive = bench_archive
        reporter = Reporter(rings, self.bench.vehicle.data, list(self.bench.buses.values()))
        self.forbidden = ""
        self.reload = Reload(
            self.bench,
            reporter,
            Notifier(),
            bench_archive=bench_archive,
            seed=None,
            forbidden=lambda: self.forbidden,
            line=str,
        )
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
        refused = self.reload.statistics().refused
        while not self.reload.adopting and self.reload.statistics().refused == refused:
            assert time.monotonic() < deadline
            time.sleep(0.02)
            self.reload.poll(self.t)

    def adopt(self) -> int:
        """Ticks until the candidate is adopted or refused; how many ticks that took."""
        ticks = 0
        while self.reload.adopting:
            self.tick()
            self.reload.advance(self.t)
            ticks += 1
        return ticks


def test_a_bench_is_adopted_in_one_tick(tmp_path: Path) -> None:
    """However many messages it has; the ticks missed for it are counted by the reload."""
    running = Running(write_bench(tmp_path, 2))
    running.tick()
    write_bench(tmp_path, 40)
    running.read()
    assert not running.reload.excuse(1)
    assert running.adopt() == 1
    assert running.reload.excuse(3)
    assert not running.reload.excuse(1)
    statistics = running.reload.statistics()
    assert (statistics.count, statistics.refused, statistics.skipped_ticks) == (1, 0, 3)
    assert statistics.longest_ms > 0
    assert len(running.bench.wiring.plan.frames) == 40


def test_the_outcome_answers_the_requests_until_it_began(tmp_path: Path) -> None:
    """A request that comes while a reload is under way is answered by the next one."""
    running = Running(write_bench(tmp_path, 2))
    running.tick()
    assert running.reload.status().last is None
    assert running.reload.request() == 1
    running.read()  # makes the second request, and begins
    assert running.reload.request() == 3
    running.adopt()
    last = running.reload.status().last
    assert last is not None
    assert (last.request, last.outcome, last.reason) == (2, "reloaded", "")
    assert last.took_ms > 0
    running.forbidden = "a scenario is played"
    running.reload.poll(running.t)
    last = running.reload.status().last
    assert last is not None
    assert (last.request, last.outcome, last.reason) == (3, "refused", "a scenario is played")


def given_a_log(folder: Path, frames: list[str]) -> Running:
    """A bench that has just been reloaded with these frames, one a millisecond, as its rest bus."""
    running = Running(write_bench(folder, 2))
    running.tick()
    lines = [f"({n / 1000:.6f}) can0 {frame}\n" for n, frame in enumerate(frames)]
    (folder / "drive.log").write_text("".join(lines))
    write_bench(folder, 2, BENCH.replace("[HILBRIDGE]}", "[HILBRIDGE], rest_bus: {file: drive.log}}"))
    running.read()
    running.adopt()
    return running


def test_a_log_is_parsed_by_the_child(tmp_path: Path) -> None:
    """The rest bus plays it out of the memory in which the child has left it; own frames are left out of it."""
    running = given_a_log(tmp_path, [f"{0x100 if n % 2 else 0x400:03X}#{n % 256:02X}" for n in range(20_000)])
    playlist = running.bench.wiring.playlists["one"]
    assert len(playlist.times) == 10_000
    assert running.bench.wiring.bench_files.logs == {}
    assert len(playlist.log.obj) > 20_000 * LOGGED.size  # type: ignore[arg-type]  # the mapped memory
    del running.frames[:]
    for _ in range(10):
        running.tick()
    assert [frame.data for frame in running.frames if frame.can_id == 0x400] == [bytes([2 * n]) for n in range(5)]


def test_the_recording_gets_the_files_in_pieces_and_the_last_one_with_the_adoption(tmp_path: Path) -> None:
    """However many they are; together they are the archive that the archive keeps."""
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


def test_what_became_impossible_while_it_was_checked_is_refused(tmp_path: Path) -> None:
    """The bench continues as it was, and so does the archive."""
    running = Running(write_bench(tmp_path, 2))
    wiring, newest = running.bench.wiring, running.bench_archive.newest
    running.tick()
    running.read()
    running.forbidden = "a scenario is played"
    running.adopt()
    assert (running.bench.wiring, running.bench_archive.newest) == (wiring, newest)
    assert running.reload.statistics().refused == 1


def test_an_error_in_building_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is: it is refused, and the next request is served as if nothing had happened."""
    running = Running(write_bench(tmp_path, 2))
    running.tick()
    nodes, wiring = running.bench.buses["one"].nodes, running.bench.wiring
    running.read()
    with monkeypatch.context() as patch:
        patch.setattr(wiring_module, "FaultTargets", lambda *_: 1 // 0)
        running.adopt()
    assert (running.bench.buses["one"].nodes, running.bench.wiring) == (nodes, wiring)
    assert running.reload.statistics().refused == 1
    running.read()
    running.adopt()
    assert running.reload.statistics().count == 1
