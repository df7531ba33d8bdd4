"""Frames go when they are due: exactly periodic, never in bursts, the same bytes every time."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import cantools.database
import pytest
from crccheck.crc import Crc8SaeJ1850  # type: ignore[import-untyped]

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings import BenchSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.plan.plan import FramePlan
from vehiclesim.channels import InputData, VehicleData
from vehiclesim.databus import DataBus

Sent = tuple[int, int, Frame]


def take(bus: Bus) -> list[Any]:
    """Take the frames off a bus before they reach anybody."""
    taken, bus.pending = bus.pending, []
    return taken


class Bench:
    """A plan on buses whose traffic is noted as (t, bus index, frame)."""

    def __init__(
        self, folder: Path, periods: dict[str, list[int]], rate: int = 1000, messages: dict[str, Any] | None = None
    ) -> None:
        """`periods` [ms] of the frames of each bus; identifiers count from 0x100. `messages`: keys of all of them."""
        self.data = DataBus()
        self.sent: list[Sent] = []
        self.buses = {name: Bus(name, index) for index, name in enumerate(periods)}
        for bus in self.buses.values():
            bus.attach_observer(self._note)
        databases = {name: load_database(_database(folder, name, rows)) for name, rows in periods.items()}
        buses = {
            name: {
                "interface": "embedded",
                "database": "x",
                "transmit": ["ECU"],
                "messages": {f"M{i}": messages for i in range(len(rows))} if messages else {},
            }
            for name, rows in periods.items()
        }
        settings = BenchSettings.model_validate({"name": "b", "rate": rate, "vehicle": "v", "buses": buses})
        self.plan = FramePlan(settings, databases, self.data, self.buses)

    def _note(self, t: int, bus: int, received: bool, frame: Frame) -> None:
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
        f'BO_ {0x100 + i} M{i}: 4 ECU\n SG_ EngineRpm : 0|16@1+ (1,0) [0|0] "rpm" ECU\n' for i in range(len(periods))
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


def test_forty_frames_on_two_buses_are_exact_for_ten_minutes(tmp_path: Path) -> None:
    """Periods from 10 to 1000 ms: each interval is the period, and no tick holds more than three frames."""
    usual = [10, 20, 25, 40, 50, 100, 200, 250, 500, 1000]
    bench = Bench(tmp_path, {"a": usual * 2, "b": usual * 2})
    before: dict[tuple[int, int], int] = {}
    intervals: dict[tuple[int, int], set[int]] = {}
    most = 0
    for tick in range(600_000):
        bench.plan.publish(tick * MILLISECOND)
        number = 0
        for index, bus in enumerate(bench.buses.values()):
            for _, frame in take(bus):
                number += 1
                key = (index, frame.can_id)
                if key in before:
                    intervals.setdefault(key, set()).add(tick - before[key])
                before[key] = tick
        most = max(most, number)
    assert most == bench.plan.busiest_tick() <= 3
    assert intervals == {(bus, 0x100 + i): {period} for bus in (0, 1) for i, period in enumerate(usual * 2)}
    for row in bench.plan.statistics():
        period = usual[(row.identifier - 0x100) % len(usual)]
        assert row.sent == 600_000 // period
        assert row.period is not None
        assert row.period[1:] == (period * MILLISECOND, period * MILLISECOND, period * MILLISECOND, 0)


def test_forty_protected_frames_arrive_whole_for_a_minute(tmp_path: Path) -> None:
    """Every counter goes on by one, every checksum is the CRC-8 of SAE J1850 as crccheck calculates it."""
    usual = [10, 20, 25, 40, 50, 100, 200, 250, 500, 1000] * 2
    protection = {
        "counter": {"at": {"bit": 16, "width": 4}},
        "checksum": {"at": {"bit": 24, "width": 8}, "algorithm": "crc8"},
    }
    bench = Bench(tmp_path, {"a": usual, "b": usual}, messages={"protection": [protection]})
    counters: Counter[tuple[int, int]] = Counter()
    for tick in range(60_000):
        bench.data.vehicle[VehicleData.ENGINE_RPM] = tick * 71
        bench.plan.publish(tick * MILLISECOND)
        for index, bus in enumerate(bench.buses.values()):
            for _, frame in take(bus):
                key = (index, frame.can_id)
                assert frame.data[2] == counters[key] % 16
                assert frame.data[3] == Crc8SaeJ1850.calc(frame.data[:3])
                counters[key] += 1
    assert counters == {(bus, 0x100 + i): 60_000 // period for bus in (0, 1) for i, period in enumerate(usual)}


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
    assert [int.from_bytes(frame.data[:2], "little") for _, _, frame in bench.sent] == [800, 900]


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


def test_gaps_between_frames_of_one_bus_are_spread(tmp_path: Path) -> None:
    """Ten frames of 10 ms at 1 kHz: one in each millisecond."""
    bench = Bench(tmp_path, {"a": [10] * 10})
    for tick in range(10):
        bench.tick(tick * MILLISECOND)
    assert all(later - earlier == MILLISECOND for (earlier, _, _), (later, _, _) in pairwise(bench.sent))


def test_the_status_tells_what_each_frame_did(tmp_path: Path) -> None:
    """A 10 ms frame that missed 35 ms: an interval of 45 and one of 5 ms among those of 10, and 3 cycles skipped."""
    bench = Bench(tmp_path, {"a": [10, 1000]})
    assert [row.period for row in bench.plan.statistics()] == [None, None]
    for tick in [*range(20), 55, *range(56, 75)]:
        bench.tick(tick * MILLISECOND)
    row, _ = bench.plan.statistics()
    assert (row.bus, row.message, row.identifier) == ("a", "M0", 0x100)
    assert (row.sent, row.skipped, row.last) == (5, 3, 70 * MILLISECOND)
    assert row.period == (4, 5 * MILLISECOND, 70 / 4 * MILLISECOND, 45 * MILLISECOND, 31 + 1)


class Noting:
    """A further sender."""

    def __init__(self) -> None:
        self.times: list[int] = []

    def publish(self, t: int) -> None:
        self.times.append(t)

    def describe(self) -> str:
        return "noting"


def test_further_senders_have_their_turn_in_every_tick(tmp_path: Path) -> None:
    """After the frames of the plan."""
    bench = Bench(tmp_path, {"a": [10]})
    sender = Noting()
    bench.plan.senders.append(sender)
    for tick in range(3):
        bench.tick(tick * MILLISECOND)
    assert sender.times == [0, MILLISECOND, 2 * MILLISECOND]


CAR = """VERSION ""

BU_: ECU

BO_ 256 Wake: 1 ECU
 SG_ Awake : 0|8@1+ (1,0) [0|255] "" ECU

BO_ 16 Ignition: 2 ECU
 SG_ Key : 0|2@1- (1,0) [-1|1] "" ECU
 SG_ Counter : 8|4@1+ (1,0) [0|15] "" ECU
 SG_ Checksum : 12|4@1+ (1,0) [0|15] "" ECU

BO_ 32 Lamps: 1 ECU
 SG_ EngineStalled : 0|2@1+ (1,0) [0|3] "" ECU
 SG_ Oil : 2|2@1+ (1,0) [0|3] "" ECU

BO_ 48 Starter: 1 ECU
 SG_ Key : 0|2@1- (1,0) [-1|1] "" ECU

BO_ 64 Running: 1 ECU
 SG_ EngineWorking : 0|1@1+ (1,0) [0|1] "" ECU

BO_ 80 Doors: 1 ECU
 SG_ Open : 0|1@1+ (1,0) [0|1] "" ECU
"""

MESSAGES: dict[str, Any] = {
    "Wake": {"period": 100, "phase": 50, "terminals": [15], "wake_up": True, "signals": {"Awake": {"constant": 1}}},
    "Ignition": {
        "period": 20,
        "phase": 0,
        "terminals": [15],
        "after_run": 50,
        "protection": [
            {"counter": {"at": "Counter"}, "checksum": {"at": "Checksum", "algorithm": "nibble-xor", "initial": 0}}
        ],
    },
    "Lamps": {
        "send": "on-change",
        "terminals": ["R", 15],
        "signals": {
            "EngineStalled": {"from": "vehicle.EngineStalled", "bulb_check": 30},
            "Oil": {"constant": 0, "bulb_check": 60},
        },
    },
    "Starter": {"period": 10, "phase": 5, "terminals": [50]},
    "Running": {"period": 50, "phase": 0, "terminals": ["run"]},
    "Doors": {"period": 100, "phase": 90},
}


def drive(folder: Path, ticks: int, keys: dict[int, int], working: dict[int, int]) -> dict[str, list[tuple[int, Any]]]:
    """Frames by message as (tick, signals), decoded by cantools; key and engine change at the ticks given."""
    path = folder / "car.dbc"
    path.write_text(CAR)
    oracle = cantools.database.load_file(path)
    bus = Bus("a")
    data = DataBus()
    settings = BenchSettings.model_validate(
        {
            "name": "b",
            "vehicle": "v",
            "buses": {"a": {"interface": "embedded", "database": "x", "messages": MESSAGES}},
        }
    )
    plan = FramePlan(settings, {"a": load_database(path)}, data, {"a": bus})
    sent: dict[str, list[tuple[int, Any]]] = {name: [] for name in MESSAGES}
    for tick in range(ticks):
        data.input[InputData.KEY] = keys.get(tick, data.input[InputData.KEY])
        data.vehicle[VehicleData.ENGINE_WORKING] = working.get(tick, data.vehicle[VehicleData.ENGINE_WORKING])
        plan.publish(tick * MILLISECOND)
        for _, frame in take(bus):
            message = oracle.get_message_by_frame_id(frame.can_id)  # type: ignore[union-attr]  # a CAN database
            sent[message.name].append((tick, message.decode(frame.data)))
    return sent


def times(rows: list[tuple[int, Any]]) -> list[int]:
    return [tick for tick, _ in rows]


def test_a_drive_from_key_on_to_key_off(tmp_path: Path) -> None:
    """Key on at 30, start from 103 to 124, engine works from 120, key off at 331: who goes when, and what is sent."""
    sent = drive(tmp_path, 600, {0: -1, 30: 0, 103: 1, 124: 0, 331: -1}, {120: 1, 340: 0})
    assert times(sent["Wake"]) == [30, 50, 150, 250, 350]
    assert times(sent["Ignition"]) == list(range(40, 401, 20))
    assert times(sent["Starter"]) == [105, 115, 125]
    assert times(sent["Running"]) == [150, 200, 250, 300, 350]
    assert times(sent["Doors"]) == [90, 190, 290, 390, 490, 590]
    assert [signals["Key"] for _, signals in sent["Starter"]] == [1, 1, 0]
    assert sent["Ignition"][-1][1]["Key"] == -1
    assert [signals["Key"] for tick, signals in sent["Ignition"] if tick < 331][-1] == 0
    assert sent["Lamps"] == [
        (30, {"EngineStalled": 1, "Oil": 1}),
        (60, {"EngineStalled": 0, "Oil": 1}),
        (90, {"EngineStalled": 0, "Oil": 0}),
    ]


def test_counters_go_on_with_every_frame_and_checksums_fit(tmp_path: Path) -> None:
    """0 to 15 and round again; the four nibbles of a frame give 0 when they are xored."""
    sent = drive(tmp_path, 800, {0: 0}, {})["Ignition"]
    assert [signals["Counter"] for _, signals in sent] == [count % 16 for count in range(40)]
    for _, signals in sent:
        low = signals["Key"] & 3
        assert low ^ signals["Counter"] ^ signals["Checksum"] == 0


@pytest.mark.parametrize("wake", [MESSAGES["Wake"], {"send": "on-change", "terminals": [15], "wake_up": True}])
def test_the_first_tick_wakes_up_in_order(tmp_path: Path, wake: dict[str, Any]) -> None:
    """With the ignition on from the start the waking frame goes first, though its identifier is the highest."""
    path = tmp_path / "car.dbc"
    path.write_text(CAR)
    data = DataBus()
    data.input[InputData.KEY] = 0
    bus = Bus("a")
    messages = {"Wake": wake, "Ignition": MESSAGES["Ignition"], "Lamps": MESSAGES["Lamps"]}
    buses = {"a": {"interface": "embedded", "database": "x", "messages": messages}}
    settings = BenchSettings.model_validate({"name": "b", "vehicle": "v", "buses": buses})
    plan = FramePlan(settings, {"a": load_database(path)}, data, {"a": bus})
    plan.publish(0)
    assert [frame.can_id for _, frame in take(bus)] == [256, 16, 32]


def test_a_protected_frame_goes_on_change_of_its_content_alone(tmp_path: Path) -> None:
    """Its counter, which differs in every frame, is no change."""
    path = tmp_path / "car.dbc"
    path.write_text(CAR)
    data, bus = DataBus(), Bus("a")
    ignition = {"send": "on-change", "protection": MESSAGES["Ignition"]["protection"]}
    buses = {"a": {"interface": "embedded", "database": "x", "messages": {"Ignition": ignition}}}
    settings = BenchSettings.model_validate({"name": "b", "vehicle": "v", "buses": buses})
    plan = FramePlan(settings, {"a": load_database(path)}, data, {"a": bus})
    number: Counter[int] = Counter()
    for tick in range(100):
        data.input[InputData.KEY] = -1 if tick < 50 else 0
        plan.publish(tick * MILLISECOND)
        number[tick] = len(take(bus))
    assert {tick for tick in number if number[tick]} == {0, 50}


def raw_plan(keys: dict[str, Any], periods: list[int]) -> tuple[FramePlan, Bus]:
    """A bus without a database; raw frames of one byte."""
    raw = {f"Frame{i}": {"id": 0x200 + i, "data": "00", "period": period} for i, period in enumerate(periods)}
    buses = {"a": {"interface": "embedded", "raw": raw, **keys}}
    bus = Bus("a")
    settings = BenchSettings.model_validate({"name": "b", "vehicle": "v", "buses": buses})
    return FramePlan(settings, {}, DataBus(), {"a": bus}), bus


def test_raw_frames_are_planned_like_all_others() -> None:
    """Ten of 10 ms: one in each tick, without any database."""
    plan, bus = raw_plan({}, [10] * 10)
    for tick in range(10):
        plan.publish(tick * MILLISECOND)
        assert len(take(bus)) == 1
    (report,) = plan.describe()
    assert len(report.frames) == 10


def test_a_plan_beyond_the_budget_of_its_bus_is_refused() -> None:
    """Two frames of 65 bits every millisecond are 26 % of 500 kbit/s."""
    keys = {"interface": "socketcan", "channel": "can0", "bitrate": 500_000}
    (report,) = raw_plan({**keys, "load_budget": 27}, [1, 1])[0].describe()
    assert report.load == pytest.approx(26)
    with pytest.raises(ConfigurationError, match=r"26\.0 % of the bus, 25 % are allowed") as raised:
        raw_plan({**keys, "load_budget": 25}, [1, 1])
    assert raised.value.place == ("buses", "a", "load_budget")
