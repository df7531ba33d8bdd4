"""Measures six shares that decisions of docs/scaling.md rest on, each within one run.

python -m tests.bench.shares building [BENCH]       a bench built again with other values beside the first of a process
python -m tests.bench.shares solver [BENCH]         the solver's step and the vehicle's step beside a whole tick
python -m tests.bench.shares ticks BENCH...         the stages of a tick of benches, as a multiple of real time
python -m tests.bench.shares compression SEGMENT    size and pace of zlib on a segment of a recording
python -m tests.bench.shares span [FRAMES]          reading the last second of a segment beside reading all of it
python -m tests.bench.shares export RECORDING       an export beside python-can, which reads and writes it again
"""

import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import can

from hilbridge.base.clock import Clock, StopRequest, VirtualClock
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.bench import Bench
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.export import export
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.segments import HEADER, header, record, segment_path, whole_records
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.changes import Changes
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs import loop

BENCHES: Final = 10
TURNS: Final = 5
TICKS: Final = 4_000
MOST: Final = 16 << 20
"""[byte] of a segment."""


def seconds(work: Callable[[], object], count: int = 1) -> float:
    """[s] of processor for doing it so often."""
    begin = time.process_time()
    for _ in range(count):
        work()
    return time.process_time() - begin


def building(name: str) -> None:
    """Print what it costs to build a bench whose vehicle has a mass of its own."""
    masses = iter(range(1000, 1001 + BENCHES))

    def build() -> None:
        Bench(load_bench(name, Changes.of({"vehicle.body.mass": float(next(masses))})).without_demo_driver())

    first, again = seconds(build), seconds(build, BENCHES) / BENCHES
    print(f"{name}: first {1e3 * first:.1f} ms, again {1e3 * again:.1f} ms: {again / first:.2f}")


class Stages:
    """The stages of a tick without what a run writes."""

    def __init__(self, bench: Bench, stop: StopRequest) -> None:
        self.sample, self.step, self.serve, self.publish = bench.sample, bench.step, bench.serve, bench.publish
        self._stop, self._ticks = stop, 0

    def write(self, _clock: Clock) -> None:
        """Count."""
        self._ticks += 1
        self._stop.requested = self._ticks >= TICKS


def solver(name: str) -> None:
    """Print the share of the solver's step in a tick, for a run in ten."""
    file = load_bench(name)
    bench, clock = Bench(file), VirtualClock(file.settings.period)
    vehicle, period = bench.vehicle, file.settings.period / SECOND
    for _ in range(10):
        stop = StopRequest()
        tick = seconds(lambda stop=stop: loop.run(clock, Stages(bench, stop), stop))  # type: ignore[misc]
        inner = seconds(lambda: vehicle.solver.step(period), TICKS)
        whole = seconds(lambda: vehicle.step(period), TICKS)
        print(f"{name}: tick {1e6 * tick / TICKS:.1f} µs, solver {inner / tick:.2f}, vehicle {whole / tick:.2f}")


def ticks(names: list[str]) -> None:
    """Print how many times faster than real time benches tick, without what a run writes, in their best of turns."""
    for name in names:
        file = load_bench(name)
        bench, clock = Bench(file), VirtualClock(file.settings.period)
        best = min(seconds(lambda: loop.run(clock, Stages(bench, stop), stop)) for stop in stops())  # noqa: B023
        print(f"{name}: {TICKS * file.settings.period / SECOND / best:.0f}")


def stops() -> Iterator[StopRequest]:
    """Yield a request for each turn."""
    for _ in range(TURNS):
        yield StopRequest()


def compression(path: str) -> None:
    """Print how small zlib makes a segment, and how fast, beside reading its records."""
    content = Path(path).read_bytes()[:MOST]
    for level in (1, 6):
        packed = b""

        def pack(level: int = level) -> None:
            nonlocal packed
            packed = zlib.compress(content, level)

        spent = seconds(pack)
        back = seconds(lambda: zlib.decompress(packed))  # noqa: B023 - called here
        print(f"level {level}: {len(content) / len(packed):.2f} times smaller, {len(content) / 1e6 / spent:.0f} MB/s")
        print(f"  back {len(content) / 1e6 / back:.0f} MB/s")
    reading = seconds(lambda: whole_records(content[HEADER.size :], HEADER.size))
    print(f"records read: {len(content) / 1e6 / reading:.0f} MB/s")


def span(frames: str) -> None:
    """Print what the last second of a segment costs, with one frame in each ms, beside all of it."""
    count = int(frames)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "recording")
        manifest.create(folder, {"bench": "demo", "vehicle": "compact", "buses": ["can"]})
        content = bytearray(header(0, 0))
        payload = FrameRecord(0, True, Frame(5, bytes(8))).encode()
        for n in range(count):
            content += record(len(content), n, n * MILLISECOND, FRAME, payload)
        segment_path(folder, 0).write_bytes(content)
        one = Recording(folder)
        everything = seconds(lambda: sum(1 for _ in one.records()))
        end = count * MILLISECOND
        last = seconds(lambda: sum(1 for _ in one.between(end - SECOND, end)))
    print(f"{len(content) / 1e6:.0f} MB, {count} frames: {everything * 1e3:.0f} ms of processor")
    print(f"their last second: {last * 1e3:.1f} ms, {last / everything:.3f} of it")


def exporting(path: str) -> None:
    """Print what an export costs, and what python-can needs to read a file of that format and to write it again."""
    recording = Recording(Path(path))
    with tempfile.TemporaryDirectory() as name:
        for extension in (".log", ".blf", ".asc"):
            turns = [beside_python_can(recording, Path(name, f"{turn}{extension}")) for turn in range(TURNS)]
            ours, read, written = (min(column) for column in zip(*turns, strict=True))
            print(f"{extension}: {ours:.2f} s; python-can reads in {read:.2f} s, writes in {written:.2f} s")
            print(f"  {ours / (read + written):.2f} of both, {ours / written:.2f} of its writing")


def beside_python_can(recording: Recording, file: Path) -> tuple[float, float, float]:
    """Return seconds of processor for an export, and for python-can's reading and writing of the same frames."""
    frames: list[can.Message] = []
    ours = seconds(lambda: export(recording.records(), recording.manifest["buses"], file))
    read = seconds(lambda: frames.extend(can.LogReader(file)))

    def write() -> None:
        with can.Logger(file.with_stem("again")) as writer:
            for frame in frames:
                writer.on_message_received(frame)

    return ours, read, seconds(write)


PARTS: Final = {"building": (building, "demo"), "solver": (solver, "demo"), "span": (span, "600000")}

if __name__ == "__main__":
    if sys.argv[1] in ("compression", "export"):
        {"compression": compression, "export": exporting}[sys.argv[1]](sys.argv[2])
    elif sys.argv[1] == "ticks":
        ticks(sys.argv[2:])
    else:
        what, usual = PARTS[sys.argv[1]]
        what(sys.argv[2] if len(sys.argv) > 2 else usual)
