"""Bus monitoring: every frame is shown unchanged, until the client sends a character."""

import pytest

from hilbridge.frames.codec.frame import ERROR, EXTENDED, FD, REMOTE, Frame

from .scan_tool import Car, ScanTool


def monitored(tool: ScanTool, command: str, *frames: Frame) -> list[str]:
    """The lines that frames give, up to the prompt after a character."""
    tool.type(f"{command}\r")
    for frame in frames:
        tool.car.bus.transmit(frame, None)
    tool.car.tick()
    tool.type(" ")
    *lines, stopped, empty, prompt = (line.rstrip(" ") for line in tool.read().split("\r"))
    assert (stopped, empty, prompt) == ("STOPPED", "", ">")
    return lines


FRAMES = [
    Frame(0x123, bytes.fromhex("1122")),
    Frame(0x4B0, bytes.fromhex("2710271027102710")),
    Frame(0x7E8, bytes.fromhex("0341057B00000000")),
    Frame(0x321 | REMOTE, bytes(4)),
]


def test_every_frame_is_shown_without_formatting(tool: ScanTool) -> None:
    """Raw CAN, with and without headers."""
    tool.ask("ATCAF0")
    assert monitored(tool, "ATMA", *FRAMES) == ["11 22", "27 10 27 10 27 10 27 10", "03 41 05 7B 00 00 00 00", "RTR"]
    tool.ask("ATH1")
    tool.ask("ATD1")
    assert monitored(tool, "ATMA", *FRAMES) == [
        "123 2 11 22",
        "4B0 8 27 10 27 10 27 10 27 10",
        "7E8 8 03 41 05 7B 00 00 00 00",
        "321 4 RTR",
    ]


def test_with_formatting_what_is_no_iso_tp_is_marked(tool: ScanTool) -> None:
    tool.ask("ATH1")
    assert monitored(tool, "ATMA", Frame(0x231, b"\x00"), *FRAMES[1:3]) == [
        "231 00 <DATA ERROR",
        "4B0 27 10 27 10 27 10 27 10",
        "7E8 03 41 05 7B 00 00 00 00",
    ]
    tool.ask("ATH0")
    assert monitored(tool, "ATMA", *FRAMES[1:3]) == ["7: 10 27 10 27 10 27 10", "41 05 7B"]


def test_monitoring_is_silent(tool: ScanTool) -> None:
    """First frames are not answered."""
    monitored(tool, "ATMA", Frame(0x7E8, bytes.fromhex("1014490201314434")))
    assert len(tool.car.frames) == 1


def test_the_clients_filter_holds_for_monitoring_too(tool: ScanTool) -> None:
    tool.ask("ATCAF0")
    tool.ask("ATCRA4XX")
    assert monitored(tool, "ATMA", *FRAMES) == ["27 10 27 10 27 10 27 10"]


@pytest.mark.parametrize(
    ("command", "shown"), [("ATMR04", ["4B0"]), ("ATMR07", ["7E8"]), ("ATMT23", ["123"]), ("ATMT99", [])]
)
def test_a_receiver_or_transmitter_is_part_of_the_identifier(tool: ScanTool, command: str, shown: list[str]) -> None:
    """AT MR: bits 8 to 10; AT MT: bits 0 to 7."""
    for setting in ("ATH1", "ATCAF0"):
        tool.ask(setting)
    assert [line[:3] for line in monitored(tool, command, *FRAMES)] == shown


def test_only_frames_of_the_protocols_kind_are_seen(tool: ScanTool) -> None:
    """An adapter set to 11 bits sees neither 29 bits nor CAN FD, nor errors of the controller."""
    other = [Frame(0x123 | EXTENDED, b"\x01"), Frame(0x123, bytes(12), FD), Frame(ERROR | 4, bytes(8))]
    assert monitored(tool, "ATMA", *other) == []
    tool.ask("ATSP7")
    tool.ask("ATCAF0")
    assert monitored(tool, "ATMA", *other) == ["01"]


def test_an_automatic_protocol_is_that_of_the_first_frame(car: Car) -> None:
    tool = ScanTool(car, "ATE0", "ATH1", "ATCAF0")
    assert monitored(tool, "ATMA", Frame(0x18FEF100 | EXTENDED, b"\x01"), Frame(0x123, b"\x02")) == ["18 FE F1 00 01"]
    assert tool.ask("ATDPN") == ["A7"]


def test_parameter_groups_of_j1939_and_how_many_of_them() -> None:
    """AT MP in protocol A: four or six digits of the number, and perhaps one for the count."""
    car = Car(extended=True, bitrate=250_000)
    tool = ScanTool(car, "ATE0", "ATSPA", "ATH1")
    frames = [Frame(can_id | EXTENDED, bytes(8)) for can_id in (0x18FEEE00, 0x18FEF100, 0x18EAFF00, 0x18FEEE21)]
    assert [line[:10] for line in monitored(tool, "ATMPFEEE", *frames)] == ["6 0FEEE 00", "6 0FEEE 21"]
    assert [line[:10] for line in monitored(tool, "ATMP00EA00", *frames)] == ["6 0EAFF 00"]
    tool.type("ATMPFEEE1\r")
    for frame in frames:
        car.bus.transmit(frame, None)
    car.tick()
    assert tool.read() == "6 0FEEE 00 00 00 00 00 00 00 00 00 \r\r>"
    assert ScanTool(car, "ATE0", "ATSP7").ask("ATMPFEEE") == ["?"]
