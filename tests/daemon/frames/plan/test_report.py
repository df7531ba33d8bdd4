"""The plan in rows, its load and its warnings."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings import BenchSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.plan.plan import FramePlan
from hilbridge.frames.plan.report import BusReport
from vehiclesim.databus import DataBus

DBC = """VERSION ""

BU_: ECU

BO_ 256 Engine: 2 ECU
 SG_ EngineRpm : 0|16@1+ (1,0) [0|0] "rpm" ECU

BO_ 257 Trip: 2 ECU
 SG_ EngineRpm : 0|16@1+ (1,0) [0|0] "rpm" ECU

BO_ 258 Lamp: 2 ECU
 SG_ Oil : 0|1@1+ (1,0) [0|1] "" ECU
 SG_ COUNTER : 8|4@1+ (1,0) [0|15] "" ECU
 SG_ CHECKSUM : 12|4@1+ (1,0) [0|15] "" ECU
 SG_ A : 1|1@1+ (1,0) [0|1] "" ECU
 SG_ B : 2|1@1+ (1,0) [0|1] "" ECU
 SG_ C : 3|1@1+ (1,0) [0|1] "" ECU
 SG_ D : 4|1@1+ (1,0) [0|1] "" ECU
 SG_ E : 5|1@1+ (1,0) [0|1] "" ECU

BA_DEF_ "Baudrate" INT 0 1000000;
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 256 10;
BA_ "GenMsgCycleTime" BO_ 257 20;
"""


WIDE = DBC.replace("Lamp: 2", "Lamp: 8").replace("A : 1|1", "A : 16|8").replace("B : 2|1", "B : 24|8")
"""A and B have 8 bits, and still go from 0 to 1."""


def planned(folder: Path, messages: dict[str, Any], bitrate: int | None = 500_000, content: str = DBC) -> FramePlan:
    path = folder / "a.dbc"
    path.write_text(content + (f'BA_ "Baudrate" {bitrate};\n' if bitrate else ""))
    bus = {"interface": "embedded", "database": "x", "messages": messages}
    settings = BenchSettings.model_validate({"name": "b", "vehicle": "v", "buses": {"a": bus}})
    return FramePlan(settings, {"a": load_database(path)}, DataBus(), {"a": Bus("a")})


def reported(folder: Path, messages: dict[str, Any], bitrate: int | None = 500_000, content: str = DBC) -> BusReport:
    (report,) = planned(folder, messages, bitrate, content).describe()
    return report


def test_a_frame_s_row_tells_all_its_times(tmp_path: Path) -> None:
    """In milliseconds; None for what it has not."""
    keys = {"send": "cyclic-and-on-change", "phase": 7, "minimum_delay": 5, "repetitions": 2, "repetition_period": 3}
    report = reported(tmp_path, {"Engine": {}, "Trip": {**keys, "terminals": [15, "run"], "after_run": 500}})
    engine, trip = report.frames
    assert (engine.send, engine.period, engine.minimum_delay, engine.repetitions) == ("cyclic", 10, None, 0)
    assert (engine.terminals, engine.wake_up, engine.after_run, engine.bulb_check) == (("30",), False, 0, None)
    assert [signal.text for signal in engine.signals] == ["vehicle.EngineRpm"]
    assert (trip.send, trip.period, trip.phase) == ("cyclic-and-on-change", 20, 7)
    assert (trip.minimum_delay, trip.repetitions, trip.repetition_period) == (5, 2, 3)
    assert (trip.terminals, trip.after_run) == (("15", "run"), 500)


def test_counters_and_checksums_are_told_from_other_signals(tmp_path: Path) -> None:
    """They have a source of their own."""
    protection = [{"counter": {"at": "COUNTER"}, "checksum": {"at": "CHECKSUM", "algorithm": "nibble-sum"}}]
    keys = {"period": 10, "protection": protection, "signals": {"Oil": {"constant": 0, "bulb_check": 3000}}}
    (lamp,) = reported(tmp_path, {"Lamp": keys}).frames
    assert {signal.signal: signal.origin for signal in lamp.signals} == {
        "Oil": "constant",
        "COUNTER": "counter",
        "CHECKSUM": "checksum",
        **dict.fromkeys("ABCDE", "default"),
    }
    assert lamp.bulb_check == 3000


def test_the_load_is_that_of_the_frames_at_their_periods(tmp_path: Path) -> None:
    """2 bytes take at worst 75 bits (34 + 16 + 13 + 49 // 4); 100 + 50 of them a second at 500 kbit/s are 2.25 %."""
    report = reported(tmp_path, {"Engine": {}, "Trip": {}})
    assert report.load == report.highest_load == pytest.approx(100 * 150 * 75 / 500_000)
    unknown = reported(tmp_path, {"Engine": {}}, bitrate=None)
    assert (unknown.bitrate, unknown.load, unknown.highest_load) == (None, None, None)


@pytest.mark.parametrize(("delay", "rate"), [(None, 1000), (4, 250)])
def test_what_goes_on_change_has_a_highest_load(tmp_path: Path, delay: float | None, rate: int) -> None:
    """Once in every tick of 1 ms, or once in every minimum delay; its cycle alone counts as load."""
    trip = {"send": "cyclic-and-on-change"} | ({"minimum_delay": delay} if delay else {})
    report = reported(tmp_path, {"Engine": {}, "Trip": trip})
    assert report.load == pytest.approx(100 * 150 * 75 / 500_000)
    assert report.highest_load == pytest.approx(100 * (100 + rate) * 75 / 500_000)


@pytest.mark.usefixtures("own_code")
def test_checksums_that_a_function_of_the_user_failed_to_make_are_told(tmp_path: Path) -> None:
    """Of ten frames with the counts 0 to 9 the second: the function divides by one less than the count."""
    (tmp_path / "brittle.py").write_text("def checksum(data, identifier, count):\n    return 1 // (1 - count)\n")
    checksum = {"at": "CHECKSUM", "algorithm": "hook", "function": f"{tmp_path}/brittle.py:checksum"}
    lamp = {"send": "cyclic", "period": 10, "protection": [{"counter": {"at": "COUNTER"}, "checksum": checksum}]}
    plan = planned(tmp_path, {"Engine": {}, "Lamp": lamp})
    for tick in range(100):
        plan.publish(tick * MILLISECOND)
    assert {row.message: (row.sent, row.checksum_failures) for row in plan.statistics()} == {
        "Engine": (10, 0),
        "Lamp": (10, 1),
    }


def test_what_may_not_be_meant_is_told(tmp_path: Path) -> None:
    """Another period than the database's, changes that never come, signals without a source: checksums first."""
    protection = [{"counter": {"at": "COUNTER"}}]
    messages = {"Engine": {"period": 5}, "Lamp": {"send": "on-change", "protection": protection}}
    assert tuple(doubt.message for doubt in reported(tmp_path, messages).warnings) == (
        "Engine: goes every 5 ms, the database says 10 ms",
        "Lamp: goes on change, but nothing in it ever changes",
        "Lamp: no source for CHECKSUM, Oil, A, B, C, and 2 more; the start value is sent",
    )


def test_ranges_that_nobody_can_have_meant_are_told_in_one_line(tmp_path: Path) -> None:
    """Where a value is mapped that moves; `range: raw` ends the doubt."""
    rpm = {"from": "vehicle.EngineRpm"}
    lamp: dict[str, Any] = {"period": 10, "signals": {"A": rpm, "B": rpm, "Oil": {"constant": 1}}}
    told = [doubt.message for doubt in reported(tmp_path, {"Lamp": lamp}, content=WIDE).warnings]
    (doubt,) = [one for one in told if "hardly" in one]
    assert doubt.startswith(
        "A [0|1] on 8 bits, B [0|1] on 8 bits hold values in ranges of the database that can hardly"
    )
    assert doubt.endswith("'range: raw' sends them as they are")
    lifted = reported(tmp_path, {"Lamp": lamp | {"range": "raw"}}, content=WIDE).warnings
    assert not [doubt for doubt in lifted if "hardly" in doubt.message]


def test_a_mapped_signal_where_the_counter_lies_is_told(tmp_path: Path) -> None:
    """The counter is what goes out: the value that the file names for these bits is lost."""
    lamp = {"send": "cyclic", "period": 10, "protection": [{"counter": {"at": "COUNTER"}}]}
    messages = {"Engine": {}, "Lamp": lamp | {"signals": {"COUNTER": {"constant": 3}}}}
    (doubt, *_) = reported(tmp_path, messages).warnings
    assert doubt.message == "COUNTER is mapped, but the counter lies there and is sent in its place"
    assert doubt.place[-4:] == ("messages", "Lamp", "signals", "COUNTER")


def test_a_bus_that_cannot_carry_its_frames_is_told(tmp_path: Path) -> None:
    """1000 frames of 75 bits at 50 kbit/s."""
    assert reported(tmp_path, {"Engine": {"period": 1}}, bitrate=50_000).warnings[0].message == (
        "the frames need up to 150.0 % of what the bus can carry"
    )


def test_a_start_value_that_is_labelled_as_not_valid_is_told(tmp_path: Path) -> None:
    """Where it is sent: not of a signal that has a value."""
    labels = (
        'VAL_ 258 A 0 "Faulty" 1 "OK" ;\nVAL_ 258 B 0 "No Fault" 1 "Fault" ;\nVAL_ 258 C 0 "NotAvailable" 1 "On" ;\n'
    )
    warnings = reported(
        tmp_path, {"Lamp": {"period": 10, "signals": {"C": {"constant": 0}}}}, content=DBC + labels
    ).warnings
    told = [doubt.message for doubt in warnings if "may refuse" in doubt.message]
    assert told == [
        "Lamp: A 'Faulty' at the start value: a receiver may refuse the frame, and 'constant' sends another number"
    ]
