"""What each AT command does to requests and answers (ELM327 data sheet, "AT Command Descriptions")."""

import pytest

from hilbridge.frames.codec.frame import EXTENDED, REMOTE, Frame
from vehiclesim.channels import AuxiliaryData, InputData

from .scan_tool import Car, ScanTool


def sent(tool: ScanTool, line: str) -> list[Frame]:
    """The first frame on the bus after a request, and flow control."""
    tool.car.frames.clear()
    tool.ask(line)
    return [frame for frame in tool.car.frames if frame.can_id & 0x7F8 != 0x7E8]


def test_identity_voltage_and_ignition(tool: ScanTool) -> None:
    """The battery is there with the ignition off too: python-OBD refuses a car below 6 V."""
    assert tool.ask("ATI") == ["ELM327 v1.4b"]
    assert tool.ask("AT@1") == ["OBDII to RS232 Interpreter"]
    assert tool.ask("ATIGN") == ["ON"]
    tool.car.data.input[InputData.KEY] = -1
    assert tool.ask("ATIGN") == ["OFF"]
    assert tool.ask("ATRV") == ["12.6V"]
    tool.car.data.auxiliary[AuxiliaryData.BATTERY_VOLTAGE] = 9_460
    assert tool.ask("ATRV") == ["9.5V"]


@pytest.mark.parametrize("command", ["ATZ", "ATWS", "ATD"])
def test_a_reset_sets_all_options_back_and_keeps_the_stored_protocol(tool: ScanTool, command: str) -> None:
    for setting in ("ATH1", "ATS0", "ATSH7E1", "ATCAF0", "ATST10", "ATAT0", "ATCRA7E9", "ATSP6"):
        tool.ask(setting)
    tool.ask(command)
    tool.ask("ATE0")
    assert tool.ask("0105") == ["41 05 7B"]
    assert tool.ask("ATDPN") == ["6"]


def test_a_protocol_tried_or_set_without_memory_is_forgotten_at_a_reset(tool: ScanTool) -> None:
    tool.ask("ATTP7")
    assert tool.ask("ATDPN") == ["7"]
    tool.ask("ATD")
    assert tool.transcript("ATDPN").endswith("6\r\r>")
    tool.ask("ATM0")
    tool.ask("ATSP8")
    tool.ask("ATWS")
    assert tool.transcript("ATDPN").endswith("6\r\r>")


@pytest.mark.parametrize(
    ("command", "described", "number"),
    [
        ("ATSP0", "AUTO", "A0"),
        ("ATSP00", "AUTO", "A0"),
        ("ATSP1", "SAE J1850 PWM", "1"),
        ("ATTP2", "SAE J1850 VPW", "2"),
        ("ATSP3", "ISO 9141-2", "3"),
        ("ATSP4", "ISO 14230-4 (KWP 5BAUD)", "4"),
        ("ATSP5", "ISO 14230-4 (KWP FAST)", "5"),
        ("ATSP6", "ISO 15765-4 (CAN 11/500)", "6"),
        ("ATTP7", "ISO 15765-4 (CAN 29/500)", "7"),
        ("ATSPA8", "AUTO, ISO 15765-4 (CAN 11/250)", "A8"),
        ("ATTPA9", "AUTO, ISO 15765-4 (CAN 29/250)", "A9"),
        ("ATSPA", "SAE J1939 (CAN 29/250)", "A"),
        ("ATSPB", "USER1 (CAN 11/125)", "B"),
        ("ATSPC", "USER2 (CAN 11/50)", "C"),
    ],
)
def test_protocols_are_described_in_words_and_by_number(
    tool: ScanTool, command: str, described: str, number: str
) -> None:
    assert tool.ask(command) == ["OK"]
    assert tool.ask("ATDP") == [described]
    assert tool.ask("ATDPN") == [number]


def test_spaces_headers_and_lengths_are_shown_as_asked_for(tool: ScanTool) -> None:
    """AT S, H and D."""
    assert tool.ask("0105") == ["41 05 7B"]
    tool.ask("ATH1")
    assert tool.ask("0105") == ["7E8 03 41 05 7B 00 00 00 00"]
    tool.ask("ATD1")
    assert tool.ask("0105") == ["7E8 8 03 41 05 7B 00 00 00 00"]
    tool.ask("ATS0")
    assert tool.ask("0105") == ["7E880341057B00000000"]
    tool.ask("ATH0")
    assert tool.ask("0105") == ["41057B"]


def test_headers_of_29_bits_are_four_bytes() -> None:
    tool = ScanTool(Car(extended=True), "ATE0", "ATSP7", "ATH1")
    assert tool.ask("0105") == ["18 DA F1 10 03 41 05 7B 00 00 00 00"]
    tool.ask("ATS0")
    assert tool.ask("0105") == ["18DAF1100341057B00000000"]


@pytest.mark.parametrize(
    ("protocol", "settings", "can_id"),
    [
        ("6", [], 0x7DF),
        ("6", ["ATSH7E1"], 0x7E1),
        ("6", ["AT SH 00 07 E2"], 0x7E2),
        ("7", [], 0x18DB33F1 | EXTENDED),
        ("7", ["ATTA F9"], 0x18DB33F9 | EXTENDED),
        ("7", ["AT SH DA 10 F1"], 0x18DA10F1 | EXTENDED),
        ("7", ["ATCP10", "AT SH DA 10 F1"], 0x10DA10F1 | EXTENDED),
        ("7", ["AT SH 1C DA 10 F1"], 0x1CDA10F1 | EXTENDED),
    ],
)
def test_the_header_is_the_identifier_of_requests(
    tool: ScanTool, protocol: str, settings: list[str], can_id: int
) -> None:
    """AT SH, CP and TA; a header of 11 bits has three digits."""
    for command in (f"ATSP{protocol}", *settings):
        assert tool.ask(command) == ["OK"]
    assert sent(tool, "0199") == [Frame(can_id, bytes.fromhex("0201990000000000"))]


def test_formatting_and_padding_of_requests(tool: ScanTool) -> None:
    """AT CAF and V: without formatting the bytes are the frame; a variable length ends with the data."""
    assert sent(tool, "0199") == [Frame(0x7DF, bytes.fromhex("0201990000000000"))]
    tool.ask("ATV1")
    assert sent(tool, "0199") == [Frame(0x7DF, bytes.fromhex("020199"))]
    tool.ask("ATCAF0")
    assert sent(tool, "0199") == [Frame(0x7DF, bytes.fromhex("0199"))]
    assert sent(tool, "0102030405060708") == [Frame(0x7DF, bytes(range(1, 9)))]
    assert tool.ask("010203040506070809") == ["?"]
    assert tool.ask("02010C") == ["04 41 0C 1A F8 00 00 00"]


def test_a_remote_request_goes_out_without_data(tool: ScanTool) -> None:
    tool.ask("ATSH123")
    assert sent(tool, "ATRTR") == [Frame(0x123 | REMOTE, bytes(8))]


def test_a_request_longer_than_a_frame_needs_long_messages(tool: ScanTool) -> None:
    """AT AL: it is sent in several frames as the ECU's flow control asks for."""
    request = "2E1234" + "AA" * 20
    tool.ask("ATSH7E0")
    assert tool.ask(request) == ["?"]
    tool.ask("ATAL")
    assert tool.ask(request) == ["6E 12 34"]
    assert tool.car.engine.requests == [request]
    tool.ask("ATNL")
    assert tool.ask(request) == ["?"]


def test_without_waiting_for_answers_the_prompt_comes_at_once(tool: ScanTool) -> None:
    """AT R0."""
    tool.ask("ATR0")
    tool.type("0105\r")
    assert tool.read() == "\r>"
    tool.car.tick()
    assert tool.car.engine.requests == ["0105"]


def test_a_long_request_is_sent_to_its_end_before_the_prompt_comes(tool: ScanTool) -> None:
    """AT R0 with AT AL."""
    request = "2E1234" + "AA" * 20
    for command in ("ATAL", "ATSH7E0", "ATR0"):
        tool.ask(command)
    assert tool.ask(request) == []
    tool.car.tick()
    assert tool.car.engine.requests == [request]


def test_an_extended_address_stands_before_the_data(tool: ScanTool) -> None:
    """AT CEA and CER: sent before the PCI byte, looked for in answers and not shown with them."""
    tool.ask("ATCEA29")
    tool.ask("ATCRA629")
    tool.ask("ATSH6F1")
    tool.type("22F190\r")
    tool.car.tick()
    assert tool.car.frames == [Frame(0x6F1, bytes.fromhex("290322F190000000"))]
    tool.car.bus.transmit(Frame(0x629, bytes.fromhex("F1037F2231000000")), None)
    tool.car.bus.transmit(Frame(0x629, bytes.fromhex("EE037F2231000000")), None)
    tool.car.tick()
    assert tool.read() == "7F 22 31 \r"
    tool.type("\r")
    tool.read()
    tool.ask("ATCERED")
    tool.type("22F190\r")
    tool.car.bus.transmit(Frame(0x629, bytes.fromhex("ED037F2231000000")), None)
    tool.car.tick()
    assert tool.read() == "7F 22 31 \r"


@pytest.mark.parametrize(
    ("settings", "heard"),
    [
        ([], ["7E8", "7E9", "7EF"]),
        (["ATCRA7E9"], ["7E9"]),
        (["ATCRA7EX"], ["7E0", "7E8", "7E9", "7EF"]),
        (["ATCF7E0", "ATCM7F8"], ["7E0"]),
        (["ATCF 00 00 07 E0", "ATCM 1F FF FF FF"], ["7E0"]),
        (["ATCM000"], ["123", "7E0", "7E8", "7E9", "7EF"]),
        (["ATCRA7E9", "ATCRA"], ["7E8", "7E9", "7EF"]),
        (["ATCRA7E9", "ATAR"], ["7E8", "7E9", "7EF"]),
    ],
)
def test_filters_say_which_identifiers_are_answers(tool: ScanTool, settings: list[str], heard: list[str]) -> None:
    """AT CRA, CF, CM and AR; a digit X takes any. The default is that of OBD."""
    for command in ("ATH1", "ATS0", *settings):
        assert tool.ask(command) == ["OK"]
    tool.type("0199\r")
    tool.car.tick()
    for identifier in (0x123, 0x7E0, 0x7E8, 0x7E9, 0x7EF):
        tool.car.bus.transmit(Frame(identifier, bytes.fromhex("0141")), None)
    tool.car.tick()
    assert [line[:3] for line in tool.read().split("\r") if line] == heard


def test_filters_of_29_bits() -> None:
    car = Car(extended=True)
    tool = ScanTool(car, "ATE0", "ATSP7", "ATCRA 18 DA F1 1X")
    assert tool.ask("0100") == ["41 00 BE 3F A8 13", "41 00 80 00 00 00"]
    tool.ask("ATCRA18DAF118")
    assert tool.ask("0100") == ["41 00 80 00 00 00"]
    tool.ask("ATRA10")
    assert tool.ask("0100") == ["NO DATA"]


def test_flow_control_modes(tool: ScanTool) -> None:
    """AT FC: 0 automatic, 1 the user's header and data, 2 the user's data. A mode needs its parts first."""
    assert sent(tool, "09023")[1:] == [Frame(0x7E0, bytes.fromhex("3000000000000000"))]
    assert tool.ask("ATFCSM1") == tool.ask("ATFCSM2") == ["?"]
    assert tool.ask("AT FC SH 7E0") == tool.ask("AT FC SD 30 04 0A") == tool.ask("AT FC SM 1") == ["OK"]
    assert sent(tool, "09023")[1:] == [Frame(0x7E0, bytes.fromhex("30040A0000000000"))]
    tool.ask("ATFCSH7E5")
    tool.type("0902\r")
    for _ in range(5):
        tool.car.tick()
    assert tool.car.frames[-1] == Frame(0x7E5, bytes.fromhex("30040A0000000000"))
    tool.type("x")
    tool.read()
    tool.ask("ATFCSM2")
    for _ in range(1100):  # the ECU gives its answer up
        tool.car.tick()
    assert sent(tool, "09023")[1:] == [Frame(0x7E0, bytes.fromhex("30040A0000000000"))]


def test_without_flow_control_a_long_answer_ends_with_its_first_frame(tool: ScanTool) -> None:
    """AT CFC0."""
    tool.ask("ATCFC0")
    assert tool.ask("0902") == ["014", "0: 49 02 01 31 44 34"]
    assert len(tool.car.frames) == 2


def test_flow_control_of_29_bits_goes_back_to_the_sender() -> None:
    car = Car(extended=True)
    tool = ScanTool(car, "ATE0", "ATSP7")
    tool.ask("09023")
    assert Frame(0x18DA10F1 | EXTENDED, bytes.fromhex("3000000000000000")) in car.frames


def test_a_byte_is_saved_and_the_protocol_tells_whether_it_is_active(tool: ScanTool) -> None:
    assert tool.ask("ATSD3F") == ["OK"]
    assert tool.ask("ATRD") == ["3F"]
    assert tool.ask("ATIA") == ["N"]
    tool.ask("0100")
    assert tool.ask("ATIA") == ["Y"]
    tool.ask("ATPC")
    assert tool.ask("ATIA") == ["N"]
    assert tool.ask("ATBI") == ["OK"]
    assert tool.ask("ATIA") == ["Y"]


@pytest.mark.parametrize("command", ["ATKW0", "ATSS", "ATSW00", "ATWM8113F13E", "ATIB10", "ATIFR0", "ATFE", "ATCSM0"])
def test_settings_of_other_buses_are_taken_as_the_chip_takes_them(tool: ScanTool, command: str) -> None:
    assert tool.ask(command) == ["OK"]


def test_the_user_protocol_has_any_rate_and_length(tool: ScanTool) -> None:
    """AT PB: E1 is 11 bits with ISO 15765-4 frames, the second byte divides 500 kbit/s."""
    assert tool.ask("ATSPB") == ["OK"]
    assert tool.ask("0100") == ["CAN ERROR"]
    assert tool.ask("ATPBE101") == ["OK"]
    assert tool.ask("ATDP") == ["USER1 (CAN 11/500)"]
    assert tool.ask("0105") == ["41 05 7B"]
    assert tool.ask("ATPB0100") == ["?"]
    assert tool.ask("ATPB6101") == ["OK"]
    assert tool.ask("ATDP") == ["USER1 (CAN 29/500)"]


def test_identity_is_that_of_the_bench_file() -> None:
    tool = ScanTool(Car(identity="ELM327 v2.3", description="My adapter"), "ATE0")
    assert tool.ask("ATI") == ["ELM327 v2.3"]
    assert tool.ask("AT@1") == ["My adapter"]
    assert tool.ask("ATZ") == ["ELM327 v2.3"]


def test_the_buffer_has_the_identifier_and_data_of_the_latest_frame(tool: ScanTool) -> None:
    """AT BD: the number of valid bytes, then twelve."""
    assert tool.ask("ATBD") == ["00" + " 00" * 12]
    tool.ask("0105")
    assert tool.ask("ATBD") == ["0C 00 00 07 E8 03 41 05 7B 00 00 00 00"]


def test_the_activity_monitor_counts_from_the_latest_frame(tool: ScanTool) -> None:
    """AT AMC: in units of 655 ms, FF at most."""
    tool.car.bus.transmit(Frame(0x123, b""), None)
    tool.car.tick()
    for seconds, count in ((1, "01"), (3, "06"), (400, "FF")):
        tool.car.t += seconds * 1_000_000_000
        tool.car.tick()
        assert tool.ask("ATAMC") == [count]
    assert tool.ask("ATAMT20") == ["OK"]


@pytest.mark.parametrize(
    ("protocol", "fast", "slow"),
    [
        ("5", "BUS INIT: ...ERROR", "?"),
        ("3", "?", "BUS INIT: ...ERROR"),
        ("4", "?", "BUS INIT: ...ERROR"),
        ("6", "?", "?"),
    ],
)
def test_initiations_belong_to_protocols_without_can(tool: ScanTool, protocol: str, fast: str, slow: str) -> None:
    """AT FI and SI."""
    tool.ask(f"ATSP{protocol}")
    assert tool.ask("ATFI") == [fast]
    assert tool.ask("ATSI") == [slow]


def test_an_address_of_the_receiver_changes_nothing_where_identifiers_have_none(tool: ScanTool) -> None:
    """AT RA and SR with 11 bits; an extended address of answers is forgotten by AT CER alone."""
    for command in ("ATRA10", "ATSR10", "ATCERED", "ATCER"):
        assert tool.ask(command) == ["OK"]
    assert tool.ask("0105") == ["41 05 7B"]


@pytest.mark.parametrize("command", ["ATBRD23", "ATBR", "ATCV12", "AT@3SHORT"])
def test_what_cannot_be_done_is_refused(tool: ScanTool, command: str) -> None:
    """The bit rate of the serial line is that of the bench file."""
    assert tool.ask(command) == ["?"]


@pytest.mark.parametrize(("waiting", "milliseconds"), [("chip", 20), ("answer", 0)])
def test_how_long_further_answers_are_waited_for(waiting: str, milliseconds: int) -> None:
    """Like the chip, adapted to the answers; or until the end of the tick that all of them came in."""
    tool = ScanTool(Car(waiting=waiting), "ATE0", "ATSP6")
    for line, count in (("0100", 2), ("0904", 8)):
        assert len(tool.ask(line)) == count
    begun = tool.car.t
    assert len(tool.ask("0100")) == 2
    assert (tool.car.t - begun) // 1_000_000 - 1 == milliseconds
    assert tool.ask("0199") == ["NO DATA"]
