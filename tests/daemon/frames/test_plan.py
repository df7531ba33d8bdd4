"""Frames go when they are due: exactly periodic, never in bursts, the same bytes every time."""

from itertools import pairwise
from pathlib import Path

import pytest

from hilbridge.frames.bus import Bus
from hilbridge.frames.database import load_database
from hilbridge.frames.frame import Frame
from hilbridge.frames.plan import FramePlan
from hilbridge.settings import BenchSettings
from vehiclesim.channels import VehicleData
from vehiclesim.databus import DataBus

MILLISECOND = 1_000_000

Sent = tuple[int, int, Frame]


class Bench:
    """A plan on buses whose traffic is noted as (t, bus index, frame)."""

    def __init__(self, folder: Path, periods: dict[str, list[int]], rate: int = 1000) -> None:
        """`periods` [ms] of the frames of each bus; identifiers count from 0x100."""
        self.data = DataBus()
        self.sent: list[Sent] = []
        self.buses = {name: Bus(name, index, self._tap) for index, name in enumerate(periods)}
        databases = {name: load_database(_database(folder, name, rows)) for name, rows in periods.items()}
        buses = {name: {"interface": "embedded", "database": "x", "transmit": ["ECU"]} for name in periods}
        settings = BenchSettings.model_validate({"name": "b", "rate": rate, "vehicle": "v", "buses": buses})
        self.plan = FramePlan(settings, databases, self.data, self.buses)

    def _tap(self, t: int, bus: int, received: bool, frame: Frame) -> None:
        self.sent.append((t, bus, frame))

    def tick(self, t: int) -> int:
        """One tick; answers the number of frames sent."""
        before = len(self.sent)
        self.plan.publish(t)
        for bus in self.buses.values():
            bus.exchange(t)
        return len(self.sent) - before


def _database(folder: Path, name: str, periods: list[int]) -> Path:
    messages = [
        f'BO_ {0x100 + i} M{i}: 2 ECU\n SG_ EngineRpm : 0|16@1+ (1,0) [0|0] "rpm" ECU\n' for i in range(len(periods))
    ]
    cycles = [f'BA_ "GenMsgCycleTime" BO_ {0x100 + i} {period};\n' for i, period in enumerate(periods)]
    attribute = 'BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;\nBA_DEF_DEF_ "GenMsgCycleTime" 0;\n'
    path = folder / f"{name}.dbc"
    path.write_text("\n".join(['VERSION ""\n', "BU_: ECU\n", *messages, attribute, *cycles]))
    return path


def test_every_frame_is_exactly_periodic(tmp_path: Path) -> None:
    """From its phase on, in each period once."""
    bench = Bench(tmp_path, {"a": [10, 20, 25], "b": [100]})
    for tick in range(1000):
        bench.tick(tick * MILLISECOND)
    for planned in bench.plan.frames:
        times = [t for t, bus, frame in bench.sent if (bus, frame.can_id) == (planned.bus.index, planned.can_id)]
        assert times == list(range(planned.phase, 1000 * MILLISECOND, planned.period))
        assert (planned.sent, planned.skipped) == (len(times), 0)


def test_forty_frames_on_two_buses_never_bunch(tmp_path: Path) -> None:
    """The frames of all buses share the tick: not more than three in any."""
    usual = [10, 20, 50, 100, 1000]
    bench = Bench(tmp_path, {"a": usual * 4, "b": usual * 4})
    assert max(bench.tick(tick * MILLISECOND) for tick in range(2000)) <= 3


def test_a_late_frame_goes_once_and_its_later_times_stay(tmp_path: Path) -> None:
    """After 35 ms of silence a 10 ms frame goes once, and next at its own time."""
    bench = Bench(tmp_path, {"a": [10]})
    ticks = [*range(20), 55, *range(56, 75)]
    for tick in ticks:
        bench.tick(tick * MILLISECOND)
    assert [t // MILLISECOND for t, _, _ in bench.sent] == [0, 10, 55, 60, 70]
    (frame,) = bench.plan.frames
    assert (frame.sent, frame.skipped) == (5, 3)


def test_a_jump_over_hours_is_no_burst(tmp_path: Path) -> None:
    """Each frame goes once, whatever the gap."""
    bench = Bench(tmp_path, {"a": [10, 20, 100]})
    bench.tick(0)
    assert bench.tick(7_200_000 * MILLISECOND + 5) == 3
    assert bench.tick(7_200_000 * MILLISECOND + 6) == 0


def test_frames_of_one_tick_go_in_the_order_of_arbitration(tmp_path: Path) -> None:
    """The lowest identifier first, as on the wire."""
    bench = Bench(tmp_path, {"a": [10, 10, 10]}, rate=100)
    bench.tick(0)
    assert [frame.can_id for _, _, frame in bench.sent] == [0x100, 0x101, 0x102]


def test_frames_carry_the_data_bus_of_their_tick(tmp_path: Path) -> None:
    """Encoded when they are due."""
    bench = Bench(tmp_path, {"a": [10]})
    for tick, rpm in ((0, 800), (10, 900)):
        bench.data.vehicle[VehicleData.ENGINE_RPM] = rpm * 1000
        bench.tick(tick * MILLISECOND)
    assert [int.from_bytes(frame.data, "little") for _, _, frame in bench.sent] == [800, 900]


def test_two_plans_of_one_bench_send_the_same(tmp_path: Path) -> None:
    """The same frames at the same times with the same bytes."""
    runs = []
    for _ in range(2):
        bench = Bench(tmp_path, {"a": [10, 20, 50], "b": [10, 25]})
        for tick in range(200):
            bench.data.vehicle[VehicleData.ENGINE_RPM] = tick * 7919
            bench.tick(tick * MILLISECOND)
        runs.append(bench.sent)
    assert runs[0] == runs[1]
    assert len(runs[0]) == 20 + 10 + 4 + 20 + 8


def test_the_report_lists_frames_signals_and_load(tmp_path: Path) -> None:
    """10 ms and 20 ms of 2 bytes: at worst 75 bits each, at 500 kbit/s 2.25 %."""
    bench = Bench(tmp_path, {"a": [10, 20], "b": []})
    first, second = bench.plan.describe()
    assert (first.bus, first.bitrate, first.load) == ("a", None, None)
    assert [(frame.message, frame.identifier, frame.period) for frame in first.frames] == [
        ("M0", 256, 10),
        ("M1", 257, 20),
    ]
    assert [signal.text for signal in first.frames[0].signals] == ["vehicle.EngineRpm"]
    assert len({frame.phase % 10 for frame in first.frames}) == 2
    assert second.frames == ()
    assert second.warnings == ("node ECU sends no message",)


def test_the_load_is_that_of_the_frames_at_their_periods(tmp_path: Path) -> None:
    """2 bytes take at worst 75 bits (34 + 16 + 13 + 49 // 4); 100 + 50 of them a second at 500 kbit/s are 2.25 %."""
    path = _database(tmp_path, "a", [10, 20])
    path.write_text(path.read_text() + 'BA_DEF_ "Baudrate" INT 0 1000000;\nBA_ "Baudrate" 500000;\n')
    bus = {"interface": "embedded", "database": "x", "transmit": ["ECU"]}
    settings = BenchSettings.model_validate({"name": "b", "vehicle": "v", "buses": {"a": bus}})
    plan = FramePlan(settings, {"a": load_database(path)}, DataBus(), {"a": Bus("a")})
    (report,) = plan.describe()
    assert report.load == pytest.approx(100 * 150 * 75 / 500_000)


def test_gaps_between_frames_of_one_bus_are_spread(tmp_path: Path) -> None:
    """Ten frames of 10 ms at 1 kHz: one in each millisecond."""
    bench = Bench(tmp_path, {"a": [10] * 10})
    for tick in range(10):
        bench.tick(tick * MILLISECOND)
    assert all(later - earlier == MILLISECOND for (earlier, _, _), (later, _, _) in pairwise(bench.sent))
