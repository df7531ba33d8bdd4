"""What leaves through a link, and what does not."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.bus.bus import Bus
from hilbridge.bus.gate import Gate, gate_warnings
from hilbridge.codec.database import load_database
from hilbridge.codec.frame import EXTENDED, Frame
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.incremental import finished
from hilbridge.plan.selection import Selection, select
from hilbridge.resources import own_database
from hilbridge.settings import BusSettings

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

NOTHING = Selection((), {}, (), None, None)


class Out:
    """A link that keeps what it gets."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.works = True

    def accepts(self, can_id: int) -> bool:
        return self.works

    def receive(self, frame: Frame, t: int) -> None:
        self.frames.append(frame)


def gate(selection: Selection = NOTHING, **settings: Any) -> tuple[Gate, Out]:
    link = Out()
    return Gate(link, BusSettings.model_validate({**HARDWARE, "armed": True, **settings}), selection, TICK), link


def planned(folder: Path, **settings: Any) -> tuple[BusSettings, Selection]:
    """A bus with the messages above; the pulses come from an expression."""
    (folder / "a.dbc").write_text(DBC)
    pulses = {"Pulses": {"signals": {"Sawtooth": {"expression": "auxiliary.DistancePulses % 65536"}}}}
    keys = {**HARDWARE, "database": "a.dbc", "transmit": ["CLUSTER"], "messages": pulses, "armed": True, **settings}
    bus = BusSettings.model_validate(keys)
    return bus, finished(select("a", bus, load_database(folder / "a.dbc"), TICK))


@pytest.mark.parametrize(
    ("bus", "armed"),
    [
        ({"interface": "embedded"}, True),
        ({"interface": "virtual", "channel": "x"}, True),
        ({"interface": "socketcan", "channel": "vcan0"}, True),
        ({"interface": "socketcan", "channel": "vxcan1"}, True),
        (HARDWARE, False),
        ({**HARDWARE, "armed": True}, True),
        ({"interface": "pcan", "channel": "PCAN_USBBUS1"}, False),
        ({"interface": "slcan", "channel": "/dev/ttyACM0"}, False),
    ],
)
def test_hardware_is_listen_only_until_it_is_armed(bus: dict[str, Any], armed: bool) -> None:
    """What stays on this machine is armed."""
    link = Out()
    it = Gate(link, BusSettings.model_validate(bus), NOTHING, TICK)
    it.receive(Frame(1, b""), 0)
    assert (len(link.frames), it.statistics.unarmed) == ((1, 0) if armed else (0, 1))
    it.armed = True
    it.receive(Frame(1, b""), 0)
    assert link.frames[-1] == Frame(1, b"")


def test_what_is_never_sent_does_not_leave() -> None:
    """Not with 29 bits either, and whether it is allowed or not."""
    it, link = gate(never_send=["0x100-0x1FF", 0x18DAF110], allow=[0x150, 0x200])
    for can_id in (0x100, 0x150, 0x1FF, 0x150 | EXTENDED, 0x18DAF110 | EXTENDED, 0x200, 0x201):
        it.receive(Frame(can_id, b""), 0)
    assert [frame.can_id for frame in link.frames] == [0x200]
    assert (it.statistics.never_send, it.statistics.not_allowed, it.statistics.passed) == (5, 1, 1)
    assert it.describe() == "armed, never sends 0x100-0x1FF, 0x18DAF110, sends only 0x150, 0x200"


def test_a_preset_brings_the_identifiers_that_do_harm_in_its_cars() -> None:
    """0x6B4 with vw-mqb, wherever on the bus it is used, unless the bench file has a list of its own."""
    raw = [{"id": 0x0FD, "data": "00 00 00 00 00 00 00 00", "period": 20, "protection": ["vw-mqb"]}]
    cases: list[tuple[dict[str, Any], int]] = [({"raw": raw}, 0), ({"raw": raw, "never_send": []}, 1), ({}, 1)]
    for settings, leaves in cases:
        it, link = gate(**settings)
        it.receive(Frame(0x6B4, bytes(8)), 0)
        assert len(link.frames) == leaves


def test_frames_that_make_an_odometer_count_need_a_yes_on_hardware(tmp_path: Path) -> None:
    """Whoever sends them; by name, mapped or in an expression."""
    cases: list[tuple[dict[str, Any], list[int]]] = [
        ({}, [0x102]),
        ({"odometer": True}, [0x100, 0x101, 0x102]),
        ({"channel": "vcan0"}, [0x100, 0x101, 0x102]),
    ]
    for settings, leave in cases:
        bus, selection = planned(tmp_path, **settings)
        link = Out()
        it = Gate(link, bus, selection, TICK)
        for can_id in (0x100, 0x101, 0x102):
            it.receive(Frame(can_id, bytes(4)), 0)
        assert [frame.can_id for frame in link.frames] == leave
        assert it.statistics.odometer == 3 - len(leave)


def test_frames_beyond_the_budget_are_held_back(tmp_path: Path) -> None:
    """One per cent of 500 kbit/s is 5000 bits a second: 52 frames of 95 bits; on hardware 80 % is the rule."""
    bus, selection = planned(tmp_path, load_budget=1.0)
    link = Out()
    it = Gate(link, bus, selection, TICK)
    for t in range(0, 200 * TICK, TICK):
        it.receive(Frame(0x102, bytes(4)), t)
    assert (len(link.frames), it.statistics.over_budget) == (52, 148)
    assert it.describe() == "armed, without odometer frames, at most 1 % of 500000 bit/s"
    assert "at most 80 % of 500000 bit/s" in Gate(link, *planned(tmp_path), TICK).describe()
    assert "at most" not in Gate(link, *planned(tmp_path, channel="vcan0"), TICK).describe()


def test_the_plan_says_what_will_not_pass(tmp_path: Path) -> None:
    """Before the start, message by message."""
    assert gate_warnings(*planned(tmp_path), 10.0, PLACE) == [
        "Distance is not sent: it makes a real odometer count; 'odometer: true' allows it",
        "Pulses is not sent: it makes a real odometer count; 'odometer: true' allows it",
    ]
    assert gate_warnings(*planned(tmp_path, odometer=True, never_send=[0x100], allow=[0x101]), 10.0, PLACE) == [
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


def test_a_gate_stands_before_its_link_on_the_bus() -> None:
    """The link gets what passes, and never its own frames back; they still count as received."""
    bus = Bus("a")
    it, link = gate(never_send=[2])
    bus.attach_link(link, it)
    bus.transmit(Frame(1, b"out"), None)
    bus.transmit(Frame(2, b"never"), None)
    bus.transmit(Frame(3, b"in"), link)
    bus.exchange(0)
    assert link.frames == [Frame(1, b"out")]
    assert (bus.received, bus.transmitted) == (1, 2)


def test_an_armed_gate_takes_what_its_link_takes() -> None:
    """An unarmed one takes all: inside, the bus is as it will be."""
    it, link = gate(armed=False)
    link.works = False
    assert it.accepts(0x100)
    it.armed = True
    assert not it.accepts(0x100)
    link.works = True
    assert it.accepts(0x100)


def test_a_j1939_node_that_has_moved_sends_no_odometer_either() -> None:
    """Its frames are known by their group, from whatever address they come."""
    settings = BusSettings.model_validate({
        **HARDWARE, "armed": True, "database": "j1939.dbc", "source_address": {"ENGINE": 0},
        "messages": {"VD": {"signals": {"TotalVehicleDistance": "auxiliary.Odometer"}}},
    })  # fmt: skip
    selection = finished(select("can", settings, load_database(own_database("j1939.dbc")), TICK))
    link = Out()
    it = Gate(link, settings, selection, TICK)
    for source in (0x00, 0x80):
        it.receive(Frame(EXTENDED | 0x18FEE000 | source, bytes(8)), 0)
    it.receive(Frame(EXTENDED | 0x18FEE100, bytes(8)), 0)
    assert it.statistics.odometer == 2
    assert len(link.frames) == 1
