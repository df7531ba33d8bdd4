"""Protocol A: requests of parameter groups and their answers (SAE J1939-21, ELM327 data sheet)."""

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.codec.frame import EXTENDED, Frame

from .scan_tool import Car, ScanTool

ENGINE_TEMPERATURE = Frame(0x18FEEE00 | EXTENDED, bytes.fromhex("7DA2FFFFFFFFFFFF"))
NACK = Frame(0x18E8FF00 | EXTENDED, bytes.fromhex("01FFFFFFF9CAFE00"))


@pytest.fixture
def car() -> Car:
    return Car(extended=True, bitrate=250_000)


@pytest.fixture
def tool(car: Car) -> ScanTool:
    return ScanTool(car, "ATE0", "ATSPA")


def wait(tool: ScanTool, milliseconds: int) -> str:
    for _ in range(milliseconds):
        tool.car.tick()
    return tool.read()


def ask(tool: ScanTool, line: str, *answers: Frame, wait_for: int = 250) -> list[str]:
    """The lines that answers give, sent a tick after the request."""
    tool.car.frames.clear()
    tool.type(f"{line}\r")
    tool.car.tick()
    for answer in answers:
        tool.car.bus.transmit(answer, None)
        tool.car.tick()
    text = wait(tool, wait_for)
    assert text.endswith("\r\r>")
    return [each.rstrip(" ") for each in text.removesuffix("\r\r>").split("\r")]


def test_a_request_is_sent_to_all_with_the_number_of_the_group_reversed(tool: ScanTool) -> None:
    """Priority 6, from F9; three bytes without padding. AT JS sends them as they are, AT TA changes the source."""
    for setting, line, sent in (
        ("ATJE", "00FEEE", Frame(0x18EAFFF9 | EXTENDED, bytes.fromhex("EEFE00"))),
        ("ATJS", "EEFE00", Frame(0x18EAFFF9 | EXTENDED, bytes.fromhex("EEFE00"))),
        ("ATTAFA", "EEFE00", Frame(0x18EAFFFA | EXTENDED, bytes.fromhex("EEFE00"))),
        ("ATSHEA00F9", "EEFE00", Frame(0x18EA00F9 | EXTENDED, bytes.fromhex("EEFE00"))),
        ("ATSHFEF1F9", "0102030405060708", Frame(0x18FEF1F9 | EXTENDED, bytes(range(1, 9)))),
    ):
        assert tool.ask(setting) == ["OK"]
        assert ask(tool, line) == ["NO DATA"]
        assert tool.car.frames == [sent]


def test_answers_are_the_messages_of_the_group(tool: ScanTool) -> None:
    """What else the bus carries is not shown; an acknowledgement of the group is."""
    other = Frame(0x18FEF100 | EXTENDED, bytes(8))
    assert ask(tool, "00FEEE", other, ENGINE_TEMPERATURE) == ["7D A2 FF FF FF FF FF FF"]
    tool.ask("ATH1")
    assert ask(tool, "00FEEE", ENGINE_TEMPERATURE) == ["6 0FEEE 00 7D A2 FF FF FF FF FF FF"]
    tool.ask("ATSHEA00F9")
    assert ask(tool, "00FECA", NACK, wait_for=1) == ["6 0E8FF 00 01 FF FF FF F9 CA FE 00"]
    assert ask(tool, "00FECB", NACK) == ["NO DATA"]


def test_one_unit_that_was_asked_answers_once(tool: ScanTool) -> None:
    """The prompt follows its answer at once; a request to all waits for the time of AT ST, five times after AT JTM5."""
    tool.ask("ATSHEA00F9")
    assert ask(tool, "00FEEE", ENGINE_TEMPERATURE, wait_for=1) == ["7D A2 FF FF FF FF FF FF"]
    tool.ask("ATSHEAFFF9")
    tool.ask("ATST0A")
    for setting, milliseconds in (("ATJTM1", 40), ("ATJTM5", 200)):
        tool.ask(setting)
        tool.type("00FEEE\r")
        begun = tool.car.t
        while not tool.elm.output:
            tool.car.tick()
        assert (tool.car.t - begun) // MILLISECOND - 1 == milliseconds
        assert tool.read() == "NO DATA\r\r>"


def test_the_number_of_messages_ends_the_wait(tool: ScanTool) -> None:
    second = ENGINE_TEMPERATURE._replace(can_id=0x18FEEE21 | EXTENDED)
    assert len(ask(tool, "00FEEE2", ENGINE_TEMPERATURE, second, wait_for=1)) == 2


def packets(message: bytes, destination: int) -> list[Frame]:
    parts = [message[start : start + 7].ljust(7, b"\xff") for start in range(0, len(message), 7)]
    can_id = 0x1CEB0000 | destination << 8 | EXTENDED
    return [Frame(can_id, bytes((number,)) + part) for number, part in enumerate(parts, 1)]


VIN = b"WHB00000000000001*"
VIN_LINES = ["012", "01: 57 48 42 30 30 30 30", "02: 30 30 30 30 30 30 30", "03: 30 30 31 2A FF FF FF"]


def test_a_long_message_to_all_is_shown_by_packets(tool: ScanTool) -> None:
    """Each may pause for up to 200 ms, and longer."""
    announcement = Frame(0x1CECFF00 | EXTENDED, bytes.fromhex("20120003FFECFE00"))
    tool.car.frames.clear()
    tool.type("00FEEC\r")
    for frame in (announcement, *packets(VIN, 0xFF)):
        tool.car.bus.transmit(frame, None)
        for _ in range(400):
            tool.car.tick()
    lines = wait(tool, 250).removesuffix("\r\r>").split("\r")
    assert [line.rstrip(" ") for line in lines] == VIN_LINES
    assert [frame.can_id for frame in tool.car.frames if frame.can_id & 0xFF == 0xF9] == [0x18EAFFF9 | EXTENDED]


def test_a_long_message_to_the_tester_is_asked_for_and_acknowledged(tool: ScanTool) -> None:
    """RTS allows two packets for a CTS; foreign connections are left alone."""
    request = Frame(0x1CECF900 | EXTENDED, bytes.fromhex("1012000302ECFE00"))
    foreign = Frame(0x1CECFA00 | EXTENDED, bytes.fromhex("1012000302ECFE00"))
    tool.ask("ATSHEA00F9")
    assert ask(tool, "00FEEC", foreign, request, *packets(VIN, 0xF9), wait_for=1) == VIN_LINES
    control = [frame.data.hex() for frame in tool.car.frames if frame.can_id == 0x1CEC00F9 | EXTENDED]
    assert control == ["110201ffffecfe00", "110103ffffecfe00", "13120003ffecfe00"]


def test_an_adapter_that_does_not_wait_ends_with_the_tick_of_the_answer() -> None:
    """Within a long message it waits for the rest."""
    tool = ScanTool(Car(extended=True, bitrate=250_000, waiting="answer"), "ATE0", "ATSPA")
    assert ask(tool, "00FEEE", ENGINE_TEMPERATURE, wait_for=1) == ["7D A2 FF FF FF FF FF FF"]
    announcement = Frame(0x1CECFF00 | EXTENDED, bytes.fromhex("20120003FFECFE00"))
    assert ask(tool, "00FEEC", announcement, *packets(VIN, 0xFF), wait_for=1) == VIN_LINES


@pytest.mark.parametrize(
    "announcement", ["20120003FFECFE", "20080002FFECFE00", "20FFFFFFFFECFE00", "11120003FFECFE00", "20120003FFCAFE00"]
)
def test_what_announces_no_long_message_of_the_group_is_not_shown(tool: ScanTool, announcement: str) -> None:
    """Too short, of eight bytes, too long, no announcement, of another group; and packets without one."""
    frame = Frame(0x1CECFF00 | EXTENDED, bytes.fromhex(announcement))
    assert ask(tool, "00FEEC", frame, *packets(VIN, 0xFF)) == ["NO DATA"]


def test_an_answer_to_the_tester_follows_any_other_message(tool: ScanTool) -> None:
    """DM14 to the engine is answered by DM15 to F9; what is for others is not shown. Blocked frames are not."""
    tool.ask("ATSHD900F9")
    told = Frame(0x18D8F900 | EXTENDED, bytes.fromhex("0211000000FFFFFF"))
    foreign = told._replace(can_id=0x18D8FA00 | EXTENDED)
    assert ask(tool, "021300100000FFFF", foreign, told, wait_for=1) == ["02 11 00 00 00 FF FF FF"]


def test_a_filter_of_the_client_takes_the_place_of_the_group(tool: ScanTool) -> None:
    tool.ask("ATCRA18FEF100")
    other = Frame(0x18FEF100 | EXTENDED, bytes(8))
    assert ask(tool, "00FEEE", other, ENGINE_TEMPERATURE) == ["00 00 00 00 00 00 00 00"]


def test_a_bus_of_another_rate_is_an_error() -> None:
    assert ScanTool(Car(extended=True), "ATE0", "ATSPA").ask("00FEEE") == ["CAN ERROR"]


def test_a_message_of_more_than_eight_bytes_is_refused(tool: ScanTool) -> None:
    assert tool.ask("010203040506070809") == ["?"]


def test_dm1_and_groups_are_monitored_with_long_messages(tool: ScanTool) -> None:
    """AT DM1, AT MP with a count of messages; they listen, and answer nobody. Only in a protocol of J1939."""
    announcement = Frame(0x1CECFF00 | EXTENDED, bytes.fromhex("20120003FFCAFE00"))
    for command in ("ATDM1", "ATMPFECA2", "ATMP00FECA2"):
        tool.car.frames.clear()
        tool.type(f"{command}\r")
        short = Frame(0x18FECA03 | EXTENDED, bytes.fromhex("0000FF00000000FF"))
        for frame in (short, ENGINE_TEMPERATURE, announcement, *packets(VIN, 0xFF)):
            tool.car.bus.transmit(frame, None)
        tool.car.tick()
        shown = tool.read()
        assert shown.startswith("00 00 FF 00 00 00 00 FF \r" + " \r".join(VIN_LINES).replace("012 ", "012") + " \r")
        assert shown.endswith("\r\r>") == (command != "ATDM1")
        assert not [frame for frame in tool.car.frames if frame.can_id & 0xFF == 0xF9]
        if command == "ATDM1":
            tool.type(" ")
            assert tool.read() == "STOPPED\r\r>"
    tool.ask("ATSP7")
    assert tool.ask("ATDM1") == ["?"]
    assert tool.ask("ATMPFECA") == ["?"]
