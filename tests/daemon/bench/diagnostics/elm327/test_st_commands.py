"""The commands of an STN11xx, as its manual describes them, and what they do to requests and answers."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.codec.frame import EXTENDED, Frame

from .scan_tool import Car, ScanTool

STN = {"firmware": "STN1170 v5.0.0", "device": "OBDLink MX r1.0", "serial": "115012345678"}


@pytest.fixture
def car() -> Car:
    return Car(stn=STN)


def test_a_plain_elm327_does_not_know_them() -> None:
    tool = ScanTool(Car(), "ATE0")
    assert tool.ask("STI") == ["?"]
    assert tool.ask("STDI") == ["?"]


def test_identity_and_voltage(tool: ScanTool) -> None:
    assert tool.ask("STI") == ["STN1170 v5.0.0"]
    assert tool.ask("STDI") == ["OBDLink MX r1.0"]
    assert tool.ask("STMFR") == ["OBD Solutions LLC"]
    assert tool.ask("STSN") == ["115012345678"]
    assert tool.ask("STVR") == ["12.64"]


@pytest.mark.parametrize(
    "command", ["STBR115200", "STSBR115200", "STP99", "STPX", "STPXD:1", "STPXH:7E0", "STFPA7,FF07"]
)
def test_what_it_cannot_do_is_refused(tool: ScanTool, command: str) -> None:
    """Also bit rates of the serial line, which is that of the bench file."""
    assert tool.ask(command) == ["?"]


@pytest.mark.parametrize(
    ("number", "described", "elm327"),
    [
        ("33", "ISO 15765-4 (CAN 11/500)", "6"),
        ("36", "ISO 15765-4 (CAN 29/250)", "9"),
        ("42", "SAE J1939 (CAN 29/250)", "A"),
        ("31", "ISO 11898 (CAN 11/500)", "31"),
        ("54", "ISO 15765-4 (CAN 29/125)", "54"),
        ("12", "SAE J1850 VPW", "2"),
    ],
)
def test_protocols_by_their_numbers(tool: ScanTool, number: str, described: str, elm327: str) -> None:
    assert tool.ask(f"STP{number}") == ["OK"]
    assert tool.ask("STPR") == [number]
    assert tool.ask("STPRS") == [described]
    assert tool.ask("ATDPN") == [elm327]


def test_a_bit_rate_of_its_own_reaches_a_bus_of_that_rate() -> None:
    tool = ScanTool(Car(bitrate=125_000, stn=STN), "ATE0", "STP33")
    assert tool.ask("0105") == ["CAN ERROR"]
    assert tool.ask("STPBR125000") == ["OK"]
    assert tool.ask("STPBRR") == ["125000"]
    assert tool.ask("0105") == ["41 05 7B"]
    assert ScanTool(tool.car, "ATE0", "STP53").ask("0105") == ["41 05 7B"]


def test_a_message_with_a_header_of_its_own(tool: ScanTool) -> None:
    """ST PX: header, data, time-out and number of answers hold for this message alone; 0 answers are not waited for."""
    tool.ask("ATH1")
    assert tool.ask("STPX H:7E0, D:01 05, R:1") == ["7E8 03 41 05 7B 00 00 00 00"]
    assert tool.ask("STPXD:0100,R:2") == ["7E8 06 41 00 BE 3F A8 13 00", "7E9 06 41 00 80 00 00 00 00"]
    assert tool.ask("STPXH:7E1,D:0105,T:20") == ["NO DATA"]
    begun = tool.car.t
    assert tool.ask("STPXH:7E0,D:0105,R:0") == []
    assert tool.car.t - begun <= MILLISECOND
    tool.car.tick()
    assert tool.ask("01051") == ["7E8 03 41 05 7B 00 00 00 00"]


def test_the_header_of_29_bits_has_three_or_four_bytes() -> None:
    tool = ScanTool(Car(extended=True, stn=STN), "ATE0", "STP34")
    assert tool.ask("STPXH:18DA10F1,D:0105,R:1") == ["41 05 7B"]
    assert tool.ask("STPXH:DA10F1,D:0105,R:1") == ["41 05 7B"]


def test_the_time_out_is_in_decimal_milliseconds(tool: ScanTool) -> None:
    tool.ask("STPTO25")
    tool.type("0199\r")
    begun = tool.car.t
    while not tool.elm.output:
        tool.car.tick()
    assert (tool.car.t - begun) // MILLISECOND - 1 == 25


def test_segments_are_assembled_and_long_requests_are_sent(tool: ScanTool) -> None:
    """ST CSEGR: one line without PCI bytes and padding; ST CSEGT: as AT AL."""
    vin = "49 02 01 " + " ".join(f"{byte:02X}" for byte in b"1D4GP00R55B123456")
    assert tool.ask("STCSEGR1") == ["OK"]
    assert tool.ask("0902") == [vin]
    assert tool.ask("0105") == ["41 05 7B"]
    tool.ask("ATH1")
    assert tool.ask("0902") == [f"7E8 {vin}"]
    assert tool.ask("2E1234" + "AA" * 20) == ["?"]
    tool.ask("STCSEGT1")
    tool.ask("ATSH7E0")
    assert tool.ask("2E1234" + "AA" * 20) == ["7E8 6E 12 34"]


def test_frames_of_a_long_request_keep_a_distance(tool: ScanTool) -> None:
    for command in ("STCSEGT1", "STCSTM20", "ATSH7E0"):
        assert tool.ask(command) == ["OK"]
    tool.type("2E1234" + "AA" * 20 + "\r")
    times = []
    for _ in range(100):
        before = len(tool.car.frames)
        tool.car.tick()
        times += [tool.car.t] * sum(frame.data[0] >> 4 == 2 for frame in tool.car.frames[before:])
    assert [(later - earlier) // MILLISECOND for earlier, later in pairwise(times)] == [20, 20]


def test_a_protocol_is_opened_and_closed(tool: ScanTool) -> None:
    """Open, it is known to work: the automatic one is not searched for any more. An unknown one cannot be opened."""
    tool.ask("ATSPA6")
    assert tool.ask("STPO") == ["OK"]
    assert tool.ask("0105") == ["41 05 7B"]
    assert tool.ask("STPC") == ["OK"]
    assert tool.ask("0105") == ["SEARCHING...", "41 05 7B"]
    tool.ask("ATSP0")
    for command in ("STPO", "STPBR250000", "STPBRR"):
        assert tool.ask(command) == ["?"]


def test_a_bus_of_another_rate_cannot_be_monitored(tool: ScanTool) -> None:
    tool.ask("STP35")
    assert tool.ask("STM") == tool.ask("STMA") == ["CAN ERROR"]


def test_filters_choose_the_answers(tool: ScanTool) -> None:
    """A pass filter takes the place of the default, a block filter wins; the identifier of 11 bits has two bytes."""
    tool.ask("ATH1")
    assert tool.ask("STFAP7E9,7FF") == ["OK"]
    assert tool.ask("0100") == ["7E9 06 41 00 80 00 00 00 00"]
    assert tool.ask("STFBA07E90641,FFFFFFFF") == ["OK"]
    assert tool.ask("0100") == ["NO DATA"]
    tool.ask("STFAC")
    assert len(tool.ask("0100")) == 2
    for _ in range(64):
        tool.ask("STFPA7E8,7FF")
    assert tool.ask("STFPA7E8,7FF") == ["OUT OF MEMORY"]


def test_filters_choose_what_is_answered_by_flow_control(tool: ScanTool) -> None:
    """ST FFCA names the answers, ST CFCPA the identifier that flow control is sent with."""
    tool.ask("STFFCA7E9,7FF")
    assert len(tool.ask("0902")) == 2
    tool.ask("STFFCC")
    let_the_unit_give_up(tool)
    tool.ask("STCFCPA7A0,7E8")
    tool.car.frames.clear()
    tool.ask("0902")
    assert [frame.can_id for frame in tool.car.frames if frame.data[0] == 0x30] == [0x7A0]
    tool.ask("STCFCPC")
    let_the_unit_give_up(tool)
    assert len(tool.ask("0902")) == 4


def let_the_unit_give_up(tool: ScanTool) -> None:
    """It waits for flow control for a second."""
    for _ in range(1100):
        tool.car.tick()


def test_monitoring_with_filters_and_without(tool: ScanTool) -> None:
    frames = [Frame(0x123, b"\x11"), Frame(0x456, b"\x22"), Frame(0x456 | EXTENDED, b"\x33")]
    tool.ask("ATCAF0")
    tool.ask("STFPA0456,07FF")
    for command, shown in (("STM", "22 \r"), ("STMA", "11 \r22 \r")):
        tool.type(f"{command}\r")
        for frame in frames:
            tool.car.bus.transmit(frame, None)
        tool.car.tick()
        tool.type(" ")
        assert tool.read() == f"{shown}STOPPED\r\r>"


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="PXFABCMSTRH:D,0123456789ABCDEF", max_size=24))
def test_no_command_raises(text: str) -> None:
    tool = ScanTool(Car(stn=STN), "ATE0", "ATSP6")
    tool.type(f"ST{text}\r")
    for _ in range(3):
        tool.car.bus.transmit(Frame(0x7E8, bytes.fromhex("1014490201314434")), None)
        tool.car.tick()
