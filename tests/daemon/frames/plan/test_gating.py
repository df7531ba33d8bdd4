"""The gate as a plan requires it: odometer frames, budget, warnings."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError, Doubt
from hilbridge.base.resources import own_database
from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings import BusSettings
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.frames.plan.gating import build_gate, gate_warnings
from hilbridge.frames.plan.selection import Selection, select

from ....benches import KeepingLink

TICK = 1_000_000
HARDWARE = {"interface": "socketcan", "channel": "can0"}
PLACE = ("buses", "a")

DBC = """VERSION ""

BU_: CLUSTER

BO_ 256 Distance: 4 CLUSTER
 SG_ Odometer : 0|32@1+ (1,0) [0|0] "m" X

BO_ 257 Pulses: 2 CLUSTER
 SG_ Sawtooth : 0|16@1+ (1,0) [0|0] "" X

BO_ 258 Speed: 2 CLUSTER
 SG_ Speed : 0|16@1+ (0.01,0) [0|0] "km/h" X

BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ "Baudrate" INT 0 1000000;
BA_DEF_DEF_ "GenMsgCycleTime" 20;
BA_DEF_DEF_ "Baudrate" 500000;
BA_ "Baudrate" 500000;
"""


def planned(folder: Path, **settings: Any) -> tuple[BusSettings, Selection]:
    """A bus with the messages above; the pulses come from an expression."""
    (folder / "a.dbc").write_text(DBC)
    pulses = {"Pulses": {"signals": {"Sawtooth": {"expression": "auxiliary.DistancePulses % 65536"}}}}
    keys = {**HARDWARE, "database": "a.dbc", "transmit": ["CLUSTER"], "messages": pulses, "armed": True, **settings}
    bus = BusSettings.model_validate(keys)
    return bus, select("a", bus, load_database(folder / "a.dbc"), TICK)


def test_frames_that_make_an_odometer_count_need_a_yes_on_hardware(tmp_path: Path) -> None:
    """Whoever sends them; by name, mapped or in an expression."""
    cases: list[tuple[dict[str, Any], list[int]]] = [
        ({}, [0x102]),
        ({"odometer": True}, [0x100, 0x101, 0x102]),
        ({"hardware": False}, [0x100, 0x101, 0x102]),
    ]
    for settings, leave in cases:
        bus, selection = planned(tmp_path, **settings)
        link = KeepingLink()
        it = build_gate(link, bus, selection, TICK)
        for can_id in (0x100, 0x101, 0x102):
            it.receive(Frame(can_id, bytes(4)), 0)
        assert [frame.can_id for frame in link.frames] == leave
        assert it.statistics.odometer == 3 - len(leave)


def test_frames_beyond_the_budget_are_held_back(tmp_path: Path) -> None:
    """One per cent of 500 kbit/s is 5000 bits a second: 52 frames of 95 bits; on hardware 80 % is the rule."""
    bus, selection = planned(tmp_path, load_budget=1.0)
    link = KeepingLink()
    it = build_gate(link, bus, selection, TICK)
    for t in range(0, 200 * TICK, TICK):
        it.receive(Frame(0x102, bytes(4)), t)
    assert (len(link.frames), it.statistics.over_budget) == (52, 148)
    assert it.describe() == "armed, without odometer frames, at most 1 % of 500000 bit/s"
    assert "at most 80 % of 500000 bit/s" in build_gate(link, *planned(tmp_path), TICK).describe()
    assert "at most" not in build_gate(link, *planned(tmp_path, hardware=False), TICK).describe()


def messages(doubts: list[Doubt]) -> list[str]:
    return [doubt.message for doubt in doubts]


def test_the_plan_says_what_will_not_pass(tmp_path: Path) -> None:
    """Before the start, message by message."""
    assert messages(gate_warnings(*planned(tmp_path), 10.0, PLACE)) == [
        "Distance is not sent: it makes a real odometer count; 'odometer: true' allows it",
        "Pulses is not sent: it makes a real odometer count; 'odometer: true' allows it",
    ]
    chosen = planned(tmp_path, odometer=True, never_send=[0x100], allow=[0x101])
    assert messages(gate_warnings(*chosen, 10.0, PLACE)) == [
        "Distance is never sent: 0x100 is in 'never_send'",
        "Speed is not sent: 0x102 is not in 'allow'",
    ]


@pytest.mark.parametrize(
    ("settings", "load", "complaint"),
    [
        ({"load_budget": 30.0}, 30.1, "take 30.1 % of the bus, 30 % are allowed"),
        ({}, 80.2, "take 80.2 % of the bus, 80 % are allowed"),
        ({"load_budget": 30.0}, None, "needs the bit rate"),
    ],
)
def test_a_plan_that_needs_more_than_the_budget_does_not_start(
    tmp_path: Path, settings: dict[str, Any], load: float | None, complaint: str
) -> None:
    """Nor one whose need nobody knows."""
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        gate_warnings(*planned(tmp_path, **settings), load, PLACE)
    assert raised.value.place == ("buses", "a", "load_budget")


def test_a_j1939_node_that_has_moved_sends_no_odometer_either() -> None:
    """Its frames are known by their group, from whatever address they come."""
    settings = BusSettings.model_validate({
        **HARDWARE, "armed": True, "database": "j1939.dbc", "source_address": {"ENGINE": 0},
        "messages": {"VD": {"signals": {"TotalVehicleDistance": "auxiliary.Odometer"}}},
    })  # fmt: skip
    selection = select("can", settings, load_database(own_database("j1939.dbc")), TICK)
    link = KeepingLink()
    it = build_gate(link, settings, selection, TICK)
    for source in (0x00, 0x80):
        it.receive(Frame(EXTENDED | 0x18FEE000 | source, bytes(8)), 0)
    it.receive(Frame(EXTENDED | 0x18FEE100, bytes(8)), 0)
    assert it.statistics.odometer == 2
    assert len(link.frames) == 1


OWN_WAY = """
name: roundabout
vehicle: compact
custom:
  Way: {expression: auxiliary.Odometer % 100}
  Counted: {expression: custom.Way // 1}
  Other: {expression: vehicle.Speed * 2}
buses:
  a:
    interface: socketcan
    channel: can0
    raw:
      Way: {id: 1, data: "00", period: 100, signals: {A: {bit: 0, width: 8, from: custom.Counted}}}
      Other: {id: 2, data: "00", period: 100, signals: {A: {bit: 0, width: 8, from: custom.Other}}}
"""


def test_the_way_is_known_behind_computed_entries_of_the_bench(tmp_path: Path) -> None:
    """An entry of one's own, however many lie between, makes a real odometer count as the odometer itself does."""
    file = tmp_path / "bench.yaml"
    file.write_text(OWN_WAY, encoding="utf-8")
    reason = "Way is not sent: it makes a real odometer count; 'odometer: true' allows it"
    assert Bench(load_bench(str(file))).wiring.warnings() == [reason]
    file.write_text(OWN_WAY.replace("channel: can0", "channel: can0\n    odometer: true"), encoding="utf-8")
    assert Bench(load_bench(str(file))).wiring.warnings() == []
