"""Requests and answers: several frames, several ECUs, counts, time-outs and errors."""

from hilbridge.frames.codec.frame import Frame
from vehiclesim.channels import InputData

from .scan_tool import Car, ScanTool


def ticks_until_prompt(tool: ScanTool, line: str) -> int:
    before = tool.car.t
    tool.ask(line)
    return (tool.car.t - before) // 1_000_000


def test_an_answer_of_several_frames_as_in_the_data_sheet(tool: ScanTool) -> None:
    """The length in hex, then the frames by their number; a space follows the last byte too."""
    assert tool.transcript("0902") == (
        "014\r0: 49 02 01 31 44 34 \r1: 47 50 30 30 52 35 35 \r2: 42 31 32 33 34 35 36 \r\r>"
    )


def test_two_ecus_answer_in_several_frames_as_in_the_data_sheet(tool: ScanTool) -> None:
    """Each frame as it comes, with its header, by which a client can distinguish them."""
    tool.ask("ATH1")
    answer = tool.ask("0904")
    assert [line for line in answer if line.startswith("7E8")] == [
        "7E8 10 13 49 04 01 35 36 30",
        "7E8 21 32 38 39 34 39 41 43",
        "7E8 22 00 00 00 00 00 00 00",
    ]
    assert [line for line in answer if line.startswith("7E9")] == [
        "7E9 10 13 49 04 01 35 36 30",
        "7E9 21 32 38 39 35 34 41 43",
        "7E9 22 00 00 00 00 00 00 00",
    ]
    assert len(answer) == 6


def test_a_count_ends_the_waiting(tool: ScanTool) -> None:
    """In the tick of the last answer asked for, without it after the time-out of 200 ms."""
    assert ticks_until_prompt(tool, "01051") <= 2
    tool.ask("ATAT0")
    assert ticks_until_prompt(tool, "0105") in range(200, 203)
    assert tool.ask("0100 1") == ["41 00 BE 3F A8 13"]
    assert len(tool.ask("0100 2")) == 2


def test_a_count_may_mean_frames_or_messages(tool: ScanTool) -> None:
    """Clients count either; no message is cut."""
    whole = tool.ask("0902")
    assert tool.ask("09021") == tool.ask("09023") == whole
    assert ticks_until_prompt(tool, "09023") <= 5
    assert ticks_until_prompt(tool, "09021") <= 5


def test_the_timeout_is_counted_in_units_of_4_ms(tool: ScanTool) -> None:
    """AT ST and CTM; 00 is the default of 200 ms."""
    for command, ticks in (("ATST05", 20), ("ATSTFF", 1020), ("ATST00", 200)):
        tool.ask(command)
        assert ticks_until_prompt(tool, "0199") in range(ticks, ticks + 3)
    tool.ask("ATST05")
    tool.ask("ATCTM5")
    assert ticks_until_prompt(tool, "0199") in range(100, 103)


def test_adaptive_timing_waits_less_for_an_ecu_that_is_quick(tool: ScanTool) -> None:
    """AT AT: 2 is closer than 1, 0 waits for the whole time. An ECU may take 50 ms at any time all the same."""
    tool.ask("0105")
    waits = []
    for mode in (0, 1, 2):
        tool.ask(f"ATAT{mode}")
        waits.append(ticks_until_prompt(tool, "0105"))
    assert waits[0] > 199
    assert waits[1] < 30
    assert waits[2] < 15
    tool.car.engine.delay = 50
    assert tool.ask("0105") == ["41 05 7B"]


def test_silence_is_no_data(tool: ScanTool) -> None:
    """No such PID, or the ignition is off."""
    assert tool.ask("0199") == ["NO DATA"]
    tool.car.data.input[InputData.KEY] = -1
    assert tool.ask("0100") == ["NO DATA"]


def test_an_ecu_that_asks_for_time_gets_it(tool: ScanTool) -> None:
    """7F xx 78 holds for five seconds; both answers are shown."""
    tool.type("22F190\r")
    tool.car.tick()
    tool.car.bus.transmit(Frame(0x7E8, bytes.fromhex("037F2278")), None)
    for _ in range(4_900):
        tool.car.tick()
    tool.car.bus.transmit(Frame(0x7E8, bytes.fromhex("037F2231")), None)
    for _ in range(300):
        tool.car.tick()
    assert tool.read() == "7F 22 78 \r7F 22 31 \r\r>"


def test_a_message_that_stays_incomplete_ends_with_the_timeout(tool: ScanTool) -> None:
    """The count does not help: there is nothing more to come."""
    tool.type("09021\r")
    tool.car.engine.requests.clear()
    tool.car.bus.transmit(Frame(0x7EB, bytes.fromhex("1014490201314434")), None)
    for _ in range(250):
        tool.car.tick()
    assert tool.read().endswith("\r\r>")


def test_a_bus_of_another_rate_or_out_of_order_is_a_can_error(tool: ScanTool) -> None:
    tool.ask("ATSP8")
    assert tool.transcript("0100") == "CAN ERROR\r\r>"
    assert tool.transcript("ATMA") == "CAN ERROR\r\r>"
    tool.ask("ATSP6")
    tool.car.usable = False
    assert tool.transcript("0100") == "CAN ERROR\r\r>"
    assert tool.car.frames == []


def test_protocols_without_can_find_nobody(tool: ScanTool) -> None:
    tool.ask("ATSP1")
    assert tool.ask("0100") == ["NO DATA"]
    tool.ask("ATSP3")
    assert tool.ask("0100") == ["BUS INIT: ...ERROR"]


def test_what_is_no_iso_tp_is_no_answer_unless_formatting_is_off(tool: ScanTool) -> None:
    tool.type("0199\r")
    tool.car.tick()
    tool.car.bus.transmit(Frame(0x7E8, bytes.fromhex("F1020304")), None)
    tool.car.tick()
    assert tool.read() == ""
    tool.type("x")
    tool.read()
    tool.ask("ATCAF0")
    tool.type("0199\r")
    tool.car.bus.transmit(Frame(0x7E8, bytes.fromhex("F1020304")), None)
    tool.car.tick()
    assert tool.read() == "F1 02 03 04 \r"


def test_segmented_by_hand_without_formatting(tool: ScanTool) -> None:
    """First and consecutive frames typed by the client, who sees the ECU's flow control."""
    tool.ask("ATCAF0")
    tool.ask("ATSH7E0")
    assert tool.ask("10 17 2E 12 34 AA AA AA") == ["30 00 00 00 00 00 00 00"]
    tool.ask("ATR0")
    for number in (1, 2):
        tool.ask(f"2{number}" + "AA" * 7)
    tool.ask("ATR1")
    assert tool.ask("23" + "AA" * 3) == ["03 6E 12 34 00 00 00 00"]
    assert tool.car.engine.requests == ["2E1234" + "AA" * 20]


def test_what_the_client_sees_is_what_is_on_the_bus(car: Car) -> None:
    """Every line with headers is a frame of the bus."""
    tool = ScanTool(car, "ATE0", "ATSP6", "ATH1", "ATS0")
    lines = [line for request in ("0100", "0902", "0904") for line in tool.ask(request)]
    answers = [f"{frame.can_id:03X}{frame.data.hex().upper()}" for frame in car.frames if frame.can_id & 0x7F8 == 0x7E8]
    assert lines == answers
