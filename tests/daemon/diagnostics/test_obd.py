"""Which requests are answered, by what, and which are met with silence."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.diagnostics.obd import MAXIMUM_REQUESTS, ObdServer
from hilbridge.frames.bus import Bus
from hilbridge.frames.frame import EXTENDED, FD, Frame
from vehiclesim.channels import InputData
from vehiclesim.databus import DataBus

FUNCTIONAL, PHYSICAL = 0x7DF, 0x7E0

VALUES = {0x0C: b"\x1a\xf8", 0x0D: b"\x32", 0x11: b"\x80", 0xA4: b"\x03\x10\x0f\x00"}


class Ecu:
    """Knows four PIDs."""

    def __init__(self) -> None:
        self.times: list[int] = []

    def advance(self, t: int) -> None:
        self.times.append(t)

    def read(self, pid: int) -> bytes | None:
        return VALUES.get(pid)


class ScanTool:
    """A scan tool on the same bus as the server; the ignition is on."""

    def __init__(self) -> None:
        self.bus = Bus("powertrain")
        self.bus.attach(self)
        self.data = DataBus()
        self.ecu = Ecu()
        self.server = ObdServer(self.bus, self.data, self.ecu)
        self.heard: list[Frame] = []
        self.t = 0

    def receive(self, frame: Frame, t: int) -> None:
        self.heard.append(frame)

    def send(self, *frames: Frame) -> list[Frame]:
        """The answers of the tick that delivers the frames."""
        self.t += 1_000_000
        self.heard = []
        for frame in frames:
            self.bus.transmit(frame, self)
        self.bus.exchange(self.t)
        self.server.serve(self.t)
        self.bus.exchange(self.t)
        return self.heard

    def ask(self, can_id: int, *request: int) -> list[str]:
        """Answers to one padded request, as text."""
        data = bytes((len(request), *request)).ljust(8, b"\x55")
        return [f"{answer.can_id:03X} {answer.data.hex(' ')}" for answer in self.send(Frame(can_id, data))]


@pytest.fixture
def tool() -> ScanTool:
    return ScanTool()


@pytest.mark.parametrize("can_id", [FUNCTIONAL, PHYSICAL])
def test_a_request_is_answered_in_its_tick_with_eight_bytes_padded_with_cc(tool: ScanTool, can_id: int) -> None:
    assert tool.ask(can_id, 0x01, 0x0C) == ["7E8 04 41 0c 1a f8 cc cc cc"]


def test_up_to_six_pids_are_answered_in_the_order_of_the_request_without_the_unsupported(tool: ScanTool) -> None:
    assert tool.ask(FUNCTIONAL, 0x01, 0x0D, 0x05, 0x0C, 0x2F, 0x0D) == ["7E8 06 41 0d 32 0c 1a f8 cc"]


def test_an_answer_longer_than_a_single_frame_is_not_given(tool: ScanTool) -> None:
    assert tool.ask(PHYSICAL, 0x01, 0x0C, 0x0D, 0x11) == []
    assert tool.ask(PHYSICAL, 0x01, 0xA4, 0x0D) == []
    assert tool.server.statistics.too_long == 2


def test_an_unsupported_pid_is_met_with_silence_or_physically_with_7f_01_12(tool: ScanTool) -> None:
    assert tool.ask(FUNCTIONAL, 0x01, 0x05) == []
    assert tool.ask(PHYSICAL, 0x01, 0x05) == ["7E8 03 7f 01 12 cc cc cc cc"]


@pytest.mark.parametrize("service", [0x02, 0x03, 0x09, 0x10, 0x22, 0x3E, 0x85])
def test_another_service_is_met_with_silence_or_physically_with_7f_sid_11(tool: ScanTool, service: int) -> None:
    assert tool.ask(FUNCTIONAL, service, 0x00) == []
    assert tool.ask(PHYSICAL, service, 0x00) == [f"7E8 03 7f {service:02x} 11 cc cc cc cc"]


@pytest.mark.parametrize("data", [b"\x02\x01\x0c", b"\x02\x01\x0c\x00", b"\x02\x01\x0c\xff\xff\xff\xff\xff"])
def test_padding_is_not_looked_at_and_may_be_left_away(tool: ScanTool, data: bytes) -> None:
    assert [frame.data[:5] for frame in tool.send(Frame(FUNCTIONAL, data))] == [b"\x04\x41\x0c\x1a\xf8"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\x02\x01",  # promises more than it holds
        b"\x01\x01\x0c\0\0\0\0\0",  # no PID
        b"\x08\x01\x0c\0\0\0\0\0",  # no length of a single frame
        b"\x10\x14\x01\x0c\x0d\x11\x04\x05",  # first frame
        b"\x21\x01\x0c\0\0\0\0\0",  # consecutive frame
        b"\x30\x00\x00\0\0\0\0\0",  # flow control
        b"\x02\x41\x0c\0\0\0\0\0",  # an answer
        b"\x03\x7f\x01\x12\0\0\0\0",  # a negative one
    ],
)
def test_what_is_no_request_in_a_single_frame_is_ignored_and_counted(tool: ScanTool, data: bytes) -> None:
    assert tool.send(Frame(PHYSICAL, data)) == []
    assert tool.server.statistics.malformed == 1


def test_a_can_fd_frame_is_no_request(tool: ScanTool) -> None:
    assert tool.send(Frame(FUNCTIONAL, b"\x02\x01\x0c\0\0\0\0\0", FD)) == []
    assert tool.server.statistics.malformed == 1


@pytest.mark.parametrize("can_id", [0x7E1, 0x7E8, 0x7D0, 0x7DF | EXTENDED, 0x18DB33F1 | EXTENDED])
def test_other_identifiers_are_none_of_its_business(tool: ScanTool, can_id: int) -> None:
    assert tool.ask(can_id, 0x01, 0x0C) == []
    assert tool.server.statistics.malformed == 0


def test_with_the_ignition_off_the_ecu_sleeps_and_does_not_answer_later(tool: ScanTool) -> None:
    tool.data.input[InputData.KEY] = -1
    assert tool.ask(FUNCTIONAL, 0x01, 0x0C) == []
    tool.data.input[InputData.KEY] = 0
    assert tool.send() == []
    assert tool.ask(FUNCTIONAL, 0x01, 0x0D) == ["7E8 03 41 0d 32 cc cc cc cc"]


def test_two_testers_in_one_tick_both_get_their_answer(tool: ScanTool) -> None:
    one, two = b"\x02\x01\x0c\0\0\0\0\0", b"\x02\x01\x0d\0\0\0\0\0"
    answers = tool.send(Frame(FUNCTIONAL, one), Frame(PHYSICAL, two))
    assert [answer.data[2] for answer in answers] == [0x0C, 0x0D]


def test_a_flood_of_requests_costs_a_bounded_number_of_answers_a_tick(tool: ScanTool) -> None:
    request = Frame(FUNCTIONAL, b"\x02\x01\x0c\0\0\0\0\0")
    assert len(tool.send(*[request] * 200)) == MAXIMUM_REQUESTS
    assert tool.server.statistics.dropped == 200 - MAXIMUM_REQUESTS
    assert tool.send() == []


def test_the_ecu_is_told_the_time_in_every_tick(tool: ScanTool) -> None:
    tool.send()
    tool.ask(FUNCTIONAL, 0x01, 0x0C)
    assert tool.ecu.times == [1_000_000, 2_000_000]


def test_ten_thousand_random_frames_are_survived_and_the_next_request_is_answered(tool: ScanTool) -> None:
    randomness = random.Random(15765)
    for _ in range(10_000):
        can_id = randomness.choice((FUNCTIONAL, PHYSICAL, randomness.getrandbits(32)))
        length = randomness.choice((0, 1, 2, 3, 7, 8, 8, 8, 64))
        for answer in tool.send(Frame(can_id, randomness.randbytes(length))):
            assert (answer.can_id, len(answer.data)) == (0x7E8, 8)
    assert tool.ask(FUNCTIONAL, 0x01, 0x0D) == ["7E8 03 41 0d 32 cc cc cc cc"]


@given(st.lists(st.integers(0, 255), min_size=1, max_size=6))
def test_of_any_request_exactly_the_supported_pids_come_back(pids: list[int]) -> None:
    """Each once; nothing but silence where they do not fit."""
    wanted = [pid for pid in dict.fromkeys(pids) if pid in VALUES]
    expected = b"".join(bytes((pid,)) + VALUES[pid] for pid in wanted)
    answers = ScanTool().ask(FUNCTIONAL, 0x01, *pids)
    if wanted and len(expected) <= 6:
        payload = bytes((1 + len(expected), 0x41)) + expected
        assert answers == [f"7E8 {payload.ljust(8, bytes((0xCC,))).hex(' ')}"]
    else:
        assert answers == []
