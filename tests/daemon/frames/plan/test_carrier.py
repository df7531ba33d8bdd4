"""Planned messages that no frame holds, with can-j1939 as the receiver; cantools says which bytes they have."""

import itertools
import queue
import time
from pathlib import Path
from typing import Any

import cantools
import j1939  # type: ignore[import-untyped]
import pytest
from cantools.database.can import Database as CanDatabase

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, Frame
from hilbridge.testing import VirtualBench

DBC = """VERSION ""
BU_: ENGINE TOOL

BO_ 2566834686 Long: 39 ENGINE
 SG_ EngineRpm : 0|16@1+ (0.125,0) [0|8031.875] "rpm" TOOL
 SG_ Middle : 152|8@1+ (1,0) [0|250] "" TOOL
 SG_ End : 304|8@1+ (1,0) [0|250] "" TOOL

BO_ 2565863934 Addressed: 20 ENGINE
 SG_ First : 0|8@1+ (1,0) [0|250] "" TOOL
 SG_ Last : 152|8@1+ (1,0) [0|250] "" TOOL

BO_ 2566834430 Large: 1786 ENGINE
 SG_ Only : 0|8@1+ (1,0) [0|250] "" TOOL

BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
BA_ "GenMsgCycleTime" BO_ 2566834686 1000;
BA_ "GenMsgCycleTime" BO_ 2565863934 500;
BA_ "GenMsgCycleTime" BO_ 2566834430 1000;
"""
"""18FEC9FE and 18FEC8FE go to all, 18EFF9FE to F9."""

BENCH = """
name: long
vehicle: truck
buses:
  truck:
    interface: embedded
    bitrate: 250000
    database: long.dbc
    source_address: 0
    transmit: [ENGINE]
    messages:
      Long: {signals: {Middle: {constant: 7}, End: {constant: 9}}}
      Addressed: {signals: {First: {constant: 1}, Last: {constant: 2}}}
"""

UNIT = """
diagnostics:
  j1939:
    bus: truck
    nodes: {ENGINE: {identity: 1, function: 0}}
"""
TOOL = 0xF9
GROUPS = {0xFEC9: "Long", 0xEF00: "Addressed"}


class Tool:
    """A control unit of can-j1939 at F9, as a node of the bench's wire; `heard` has group, source and bytes."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, int, bytes]] = []
        self._answers: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self.ecu = j1939.ElectronicControlUnit(send_message=self._send)
        application = self.ecu.add_ca(
            name=j1939.Name(arbitrary_address_capable=False, industry_group=1, identity_number=7), device_address=TOOL
        )
        application.subscribe(lambda _priority, pgn, source, _time, data: self.heard.append((pgn, source, bytes(data))))
        application.start()

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        self.ecu.notify(frame.can_id & EXTENDED_MASK, bytearray(frame.data), t)
        return []

    def tick(self, t: float) -> list[Frame]:
        found = []
        while not self._answers.empty():
            found.append(self._answers.get())
        return found

    def _send(self, identifier: int, _extended: bool, data: Any, fd_format: bool = False) -> None:
        self._answers.put(Frame(EXTENDED | identifier, bytes(data)))


def written(folder: Path, more: str = "") -> Path:
    (folder / "long.dbc").write_text(DBC)
    path = folder / "bench.yaml"
    path.write_text(BENCH + more)
    return path


def heard_by_the_tool(path: Path) -> list[tuple[str, int, Any]]:
    """What can-j1939 put together, as cantools reads it; it has threads of its own, so the bench goes on meanwhile."""
    database = cantools.database.load_file(path.parent / "long.dbc")
    assert isinstance(database, CanDatabase)
    found: list[tuple[str, int, Any]] = []
    with VirtualBench(path) as bench:
        bench.set("input.Key", 1)
        tool = Tool()
        try:
            bench.attach("truck", tool)
            for _ in range(400):
                bench.advance(0.02)
                time.sleep(0.005)
                found = [
                    (GROUPS[pgn], source, database.decode_message(GROUPS[pgn], data))
                    for pgn, source, data in list(tool.heard)
                    if pgn in GROUPS
                ]
                if {name for name, *_ in found} == set(GROUPS.values()):
                    return found
        finally:
            tool.ecu.stop()
    return found


@pytest.mark.parametrize("more", ["", UNIT], ids=["a node of the plan alone", "a control unit with an address"])
def test_another_implementation_reads_broadcasts_and_connections(tmp_path: Path, more: str) -> None:
    found = heard_by_the_tool(written(tmp_path, more))
    assert {name for name, *_ in found} == {"Long", "Addressed"}
    for name, source, values in found:
        assert source == 0
        wanted = {"Middle": 7, "End": 9} if name == "Long" else {"First": 1, "Last": 2}
        assert {key: values[key] for key in wanted} == wanted


def test_a_request_of_one_tool_is_answered_in_a_connection_to_it(tmp_path: Path) -> None:
    """SAE J1939-21, 5.10.1: a long answer to a request that is not global goes by RTS and CTS."""
    with VirtualBench(written(tmp_path, UNIT)) as bench:
        bench.set("input.Key", 1)
        bench.advance(0.5)
        bench.send("truck", Frame(EXTENDED | 0x18EA0021, bytes.fromhex("C9FE00")))
        bench.advance(0.02)
        asked = [one for one in bench.frames("truck") if one.frame.identifier == 0x1CEC2100]
        assert [one.data.hex() for one in asked] == ["1027000" + "6ffc9fe00"]
        bench.send("truck", Frame(EXTENDED | 0x1CEC0021, bytes.fromhex("11 06 01 FF FF C9 FE 00")))
        bench.advance(0.1)
        packets = [one for one in bench.frames("truck") if one.frame.identifier == 0x1CEB2100]
        assert [one.data[0] for one in packets] == [1, 2, 3, 4, 5, 6]


def test_a_broadcast_keeps_its_period_and_its_packets_their_distance(tmp_path: Path) -> None:
    with VirtualBench(written(tmp_path)) as bench:
        bench.advance(3.5)
        frames = [one for one in bench.frames("truck") if one.frame.identifier in (0x1CECFF00, 0x1CEBFF00)]
        begins = [one.t for one in frames if one.data[0] == 0x20 and one.frame.identifier == 0x1CECFF00]
        assert [round(later - before, 6) for before, later in itertools.pairwise(begins)] == [1.0] * (len(begins) - 1)
        assert len(begins) >= 3
        first = [one for one in frames if begins[0] <= one.t < begins[1]]
        assert [one.data[0] for one in first[1:]] == [1, 2, 3, 4, 5, 6]
        gaps = {round(later.t - before.t, 3) for before, later in itertools.pairwise(first)}
        assert gaps == {0.05}
        whole = bench.frames("truck", "Long")
        assert [len(one.data) for one in whole] == [39] * len(whole)
        assert whole[0]["End"] == 9
        assert bench.wait_for("truck", "Long", timeout=2)["Middle"] == 7


def test_no_frame_is_longer_than_a_frame(tmp_path: Path) -> None:
    with VirtualBench(written(tmp_path)) as bench:
        bench.advance(3)
        assert max(len(one.data) for one in bench.frames("truck")) == 8


def test_too_long_and_too_often_are_told(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text().replace("Long: {", "Long: {period: 200, "))
    with VirtualBench(path) as bench:
        report = bench._parts.wiring.plan.describe()[0]
        assert report.not_sent["Large"] == "1786 bytes are more than the 1785 of the transport protocol of J1939"
        warnings = [one.message for one in report.warnings]
        assert any("address 0x00 needs 150 % of the time of its broadcasts" in one for one in warnings)
        bench.advance(4)
        begins = [one for one in bench.frames("truck") if one.frame.identifier == 0x1CECFF00]
        row = next(one for one in bench._parts.wiring.plan.statistics() if one.message == "Long")
        assert row.sent == len(begins)
        assert row.withheld > 0
        assert 18 <= row.sent + row.withheld <= 21


def test_a_receiver_that_is_silent_is_given_up_after_its_time_and_the_message_goes_again(tmp_path: Path) -> None:
    with VirtualBench(written(tmp_path)) as bench:
        bench.advance(5)
        control = [one for one in bench.frames("truck") if one.frame.identifier == 0x1CECF900]
    kinds = [one.data[0] for one in control]
    assert kinds[:4] == [0x10, 0xFF, 0x10, 0xFF]
    assert control[1].t - control[0].t == pytest.approx(1.25, abs=0.01)


def test_a_fault_of_a_signal_acts_on_the_whole_message(tmp_path: Path) -> None:
    with VirtualBench(written(tmp_path)) as bench:
        bench.advance(1.5)
        bench.fault("signal truck.Long.End stuck value=66")
        bench.advance(2.2)
        assert bench.frames("truck", "Long")[-1]["End"] == 66


def test_an_input_is_read_from_packets(tmp_path: Path) -> None:
    """The frames are can-j1939's; the pedal is its byte 20."""
    path = written(tmp_path)
    text = path.read_text().replace("    transmit: [ENGINE]\n", "").partition("    messages:")[0]
    text += (
        "inputs:\n  - source: can\n    bus: truck\n    message: Long\n    timeout: 2000\n"
        "    signals: {Throttle: {field: Middle, minimum: 0, maximum: 250}}\n"
    )
    path.write_text(text)
    payload = bytes([0, 0, *[0] * 17, 125, *[0] * 19])
    packets = [bytes((number,)) + payload[7 * number - 7 : 7 * number].ljust(7, b"\xff") for number in range(1, 7)]
    with VirtualBench(path) as bench:
        bench.send("truck", Frame(EXTENDED | 0x1CECFF21, bytes((0x20, 39, 0, 6, 0xFF, 0xC9, 0xFE, 0))))
        for packet in packets:
            bench.advance(0.05)
            assert bench.get("input.Throttle") == 0
            bench.send("truck", Frame(EXTENDED | 0x1CEBFF21, packet))
        bench.advance(0.05)
        assert bench.get("input.Throttle") == pytest.approx(0.5, abs=0.01)
        bench.inject("truck", "Long", every=0.5, Middle=250)
        bench.advance(1)
        assert bench.get("input.Throttle") == pytest.approx(1.0, abs=0.01)


def test_a_step_of_a_scenario_hears_it_and_cannot_send_it(tmp_path: Path) -> None:
    path = written(tmp_path)

    def scenario(step: str) -> Path:
        (tmp_path / "scenario.yaml").write_text(f"steps:\n  - {step}\n")
        return tmp_path / "scenario.yaml"

    with VirtualBench(path) as bench:
        assert bench.scenario(scenario("{frame: {bus: truck, message: Long, signals: {End: 9}}, within: 2}")).passed
        with pytest.raises(ConfigurationError, match="no frame holds its 39 bytes"):
            bench.scenario(scenario("{send: {bus: truck, message: Long}}"))
