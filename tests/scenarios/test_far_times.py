"""Times that a run of months reaches, crossed within a second: a run that begins shortly before them.

2^31 ms   24.8 days       2^32 ms   49.7 days       2^53 ns   104 days: beyond, a double has no nanoseconds
"""

from pathlib import Path

import can
import pytest

from hilbridge.base.clock import Clock, StopRequest, VirtualClock
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.bench import Bench
from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.export import export
from hilbridge.boundary.record.recording import BoundaryRecord
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs import loop

FAR = (2**31 * MILLISECOND, 2**32 * MILLISECOND, 2**53)
"""[ns] Each lies within the first second after a whole one."""

LENGTH = SECOND + SECOND // 5

SESSION, VIN, GO_ON, SPEED = (
    Frame(0x7E0, bytes.fromhex("02 10 03 00 00 00 00 00")),
    Frame(0x7E0, bytes.fromhex("03 22 F1 90 00 00 00 00")),
    Frame(0x7E0, bytes.fromhex("30 00 7F 00 00 00 00 00")),  # 127 ms between the frames of the answer
    Frame(0x7DF, bytes.fromhex("02 01 0C 00 00 00 00 00")),
)
QUESTIONS = {0.1: SESSION, 0.15: VIN, 0.2: GO_ON, 0.5: VIN, 0.6: GO_ON, 0.9: SPEED}
"""By time [s]: answers of several frames, some before and some after each far time (at 0.254, 0.296 and 0.648)."""


class Asked:
    """The stages of a bench whose first bus is asked questions, and all frames by time since the beginning."""

    def __init__(self, bench: Bench, begin: int) -> None:
        self.step, self.serve, self.publish = bench.step, bench.serve, bench.publish
        self.frames: list[tuple[int, int, Frame]] = []
        self._questions = {begin + round(at * SECOND): frame for at, frame in QUESTIONS.items()}
        self._bus = next(iter(bench.buses.values()))
        self._bench = bench
        for bus in bench.buses.values():
            bus.attach_observer(lambda t, bus, _received, frame: self.frames.append((t - begin, bus, frame)))

    def sample(self, t: int) -> None:
        if t in self._questions:
            self._bus.transmit(self._questions[t], self._bench.links[self._bus.name])
        self._bench.sample(t)

    def write(self, clock: Clock) -> None:
        """Nothing."""


def frames_from(name: str, begin: int) -> list[tuple[int, int, Frame]]:
    """What a bench puts on its buses in a run whose first tick has the time `begin` [ns]."""
    file = load_bench(name)
    bench = Bench(file)
    bench.connect()
    stages = Asked(bench, begin)
    clock = VirtualClock(file.settings.period, begin + LENGTH)
    clock.t = begin - file.settings.period
    loop.run(clock, stages, StopRequest())
    return stages.frames


@pytest.mark.parametrize("name", ["diagnostics", "truck", "cluster-vw-pq"])
def test_a_run_sends_at_any_time_what_it_sends_at_its_beginning(name: str) -> None:
    """Every frame with its bytes, counters, and answers to testers; only later by a whole number of seconds."""
    reference = frames_from(name, 0)
    assert len(reference) > 100
    assert name != "diagnostics" or sum(frame.can_id == 0x7E8 for _, _, frame in reference) == 1 + 2 * 3 + 1
    for far in FAR:
        begin = far // SECOND * SECOND
        assert begin < far < begin + LENGTH
        assert frames_from(name, begin) == reference


def test_the_date_goes_on_with_the_ticks() -> None:
    """2^53 ns = 104 d 5 h 59 min 59.25 s: a cluster's frame has seconds of the day in 20 bits, then days in 12."""
    file = load_bench("cluster-psa-aee2010").altered(clock="2026-01-01T00:00:00")
    bench = Bench(file)
    bench.connect()
    begin = 2**53 // SECOND * SECOND
    stages = Asked(bench, begin)
    clock = VirtualClock(file.settings.period, begin + 2 * SECOND)
    clock.t = begin - file.settings.period
    loop.run(clock, stages, StopRequest())
    shown = [frame.data for _, _, frame in stages.frames if frame.can_id == 0x3F6]
    assert shown
    for data in shown:
        bits = int.from_bytes(data[:4], "big")
        assert bits >> 12 in (5 * 3600 + 59 * 60 + 59, 6 * 3600, 6 * 3600 + 1)
        assert bits & 0xFFF == 104


@pytest.mark.parametrize("extension", ["blf", "asc", "log", "trc", "csv"])
def test_an_export_has_far_times_in_order_and_to_the_microsecond(tmp_path: Path, extension: str) -> None:
    """A millisecond before and after each of them, by python-can's readers; .asc and .trc count from the first one."""
    times = [0, *(far + side * MILLISECOND for far in FAR for side in (-1, 1))]
    records = [BoundaryRecord(t, FRAME, FrameRecord(0, False, Frame(n, b"")).encode()) for n, t in enumerate(times)]
    path = tmp_path / f"far.{extension}"
    export(records, ["bus"], path)
    with can.LogReader(path) as reader:
        read = [(message.arbitration_id, message.timestamp) for message in reader]
    assert [number for number, _ in read] == [*range(len(times))]
    begin = read[0][1]
    assert [time - begin for _, time in read] == pytest.approx([t / SECOND for t in times], rel=0, abs=2e-6)
