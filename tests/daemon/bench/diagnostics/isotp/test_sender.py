"""The sender's table of states, line by line; ISO 15765-2:2016, 9.5 to 9.8."""

import pytest

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.diagnostics.isotp.frames import FlowControl, FrameEncoder
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.bench.diagnostics.isotp.sender import IsoTpSender, SenderState
from hilbridge.bench.diagnostics.isotp.statistics import IsoTpStatistics

from .wires import Wire

IDLE, WAITING, SENDING = SenderState.IDLE, SenderState.WAITING, SenderState.SENDING

VIN = bytes.fromhex("49 02 01") + b"1HGCM82633A004352"


def controls(block_size: int = 0, separation: int = 0) -> FlowControl:
    return FlowControl(0, block_size, separation)


HOLD = FlowControl(1, 0, 0)


class Bench:
    """A sender on a wire."""

    def __init__(self, parameters: IsoTpParameters | None = None) -> None:
        self.wire = Wire()
        self.statistics = IsoTpStatistics()
        parameters = parameters or IsoTpParameters(waits=2)
        self.sender = IsoTpSender(FrameEncoder(0x7E8, b"", parameters), self.wire, parameters, self.statistics)

    def started(self, length: int = 100) -> "Bench":
        """In WAITING, its first frame taken from the wire."""
        assert self.sender.start(bytes(length), 0)
        self.wire.take()
        return self


def counted(statistics: IsoTpStatistics) -> dict[str, int]:
    return {name: count for name in statistics.__slots__ if (count := getattr(statistics, name))}


def test_the_vin_goes_out_as_in_the_standards_example() -> None:
    """Twenty bytes: a first frame with six, then two consecutive frames with seven, after flow control."""
    bench = Bench()
    assert bench.sender.start(VIN, 0)
    assert bench.wire.hex() == ["10 14 49 02 01 31 48 47"]
    bench.sender.poll(MILLISECOND)
    assert bench.wire.hex() == []
    bench.sender.flow_control(controls(), MILLISECOND)
    assert bench.wire.hex() == ["21 43 4d 38 32 36 33 33", "22 41 30 30 34 33 35 32"]
    assert bench.sender.state is IDLE


def test_seven_bytes_are_a_single_frame_and_eight_are_not() -> None:
    bench = Bench()
    assert bench.sender.start(bytes(7), 0)
    assert bench.wire.hex() == ["07 00 00 00 00 00 00 00"]
    assert bench.sender.state is IDLE
    assert bench.sender.start(bytes(8), 0)
    assert bench.wire.hex() == ["10 08 00 00 00 00 00 00"]
    assert bench.sender.state is WAITING


def test_one_message_at_a_time_and_no_empty_one() -> None:
    bench = Bench().started()
    assert not bench.sender.start(b"\x01", 0)
    assert not Bench().sender.start(b"", 0)
    assert bench.wire.take() == []


@pytest.mark.parametrize(
    ("heard", "state", "counter"),
    [
        ([controls()], SENDING, {}),
        ([HOLD], WAITING, {}),
        ([HOLD, HOLD], WAITING, {}),
        ([HOLD, HOLD, HOLD], IDLE, {"too_many_waits": 1}),
        ([HOLD, HOLD, controls(1), HOLD, HOLD], WAITING, {}),
        ([FlowControl(2, 0, 0)], IDLE, {"overflow": 1}),
        ([FlowControl(3, 0, 0)], IDLE, {"invalid_flow_status": 1}),
        ([FlowControl(15, 0, 0)], IDLE, {"invalid_flow_status": 1}),
        ([controls(), FlowControl(2, 0, 0)], SENDING, {"unexpected": 1}),
        ([controls(), HOLD], SENDING, {"unexpected": 1}),
        ([controls(), controls(1, SECOND)], SENDING, {"unexpected": 1}),
    ],
)
def test_flow_control_leads_from_waiting(heard: list[FlowControl], state: SenderState, counter: dict[str, int]) -> None:
    """Two waits are allowed here; what comes while frames are sent is passed over."""
    bench = Bench().started()
    for control in heard:
        bench.sender.flow_control(control, MILLISECOND)
    assert bench.sender.state is state
    assert counted(bench.statistics) == counter


def test_flow_control_for_nothing_is_passed_over() -> None:
    bench = Bench()
    for status in (0, 1, 2, 3):
        bench.sender.flow_control(FlowControl(status, 0, 0), 0)
    assert bench.sender.state is IDLE
    assert counted(bench.statistics) == {"unexpected": 4}


@pytest.mark.parametrize("n_bs", [75 * MILLISECOND, SECOND])
def test_without_flow_control_within_n_bs_the_message_is_broken_off(n_bs: int) -> None:
    """To the nanosecond, by poll; a wait begins it again, and so does the end of a block."""
    for begin, heard in ((0, None), (50 * MILLISECOND, HOLD), (50 * MILLISECOND, controls(1))):
        bench = Bench(IsoTpParameters(n_bs=n_bs)).started()
        if heard is not None:
            bench.sender.flow_control(heard, begin)
        bench.sender.poll(begin + n_bs)
        assert bench.sender.state is WAITING
        bench.sender.poll(begin + n_bs + 1)
        assert bench.sender.state is IDLE
        assert counted(bench.statistics) == {"n_bs_timeout": 1}


def test_flow_control_after_n_bs_comes_too_late() -> None:
    """Also without a `poll` in between."""
    bench = Bench(IsoTpParameters(n_bs=75 * MILLISECOND)).started()
    bench.sender.flow_control(controls(), 76 * MILLISECOND)
    assert bench.wire.take() == []
    assert counted(bench.statistics) == {"n_bs_timeout": 1, "unexpected": 1}


def test_after_a_block_the_sender_waits_for_the_next_flow_control() -> None:
    """Which may ask for blocks of another size."""
    bench = Bench().started(6 + 7 * 7)
    for block_size, frames in ((2, 2), (1, 1), (3, 3), (5, 1)):
        bench.sender.flow_control(controls(block_size), MILLISECOND)
        bench.sender.poll(2 * MILLISECOND)
        assert len(bench.wire.take()) == frames
    assert bench.sender.state is IDLE
    assert counted(bench.statistics) == {}


@pytest.mark.parametrize("separation", [MILLISECOND * 3 // 10, MILLISECOND, MILLISECOND * 5 // 2, 20 * MILLISECOND])
@pytest.mark.parametrize("tick", [MILLISECOND, 10 * MILLISECOND])
def test_frames_leave_as_soon_as_they_are_due_and_never_earlier(separation: int, tick: int) -> None:
    """The first one at once, each other in the first tick that is at least STmin after the last."""
    bench = Bench().started(6 + 7 * 10)
    bench.sender.flow_control(controls(0, separation), 0)
    left = [0] * len(bench.wire.take())
    for t in range(tick, SECOND, tick):
        bench.sender.poll(t)
        left += [t] * len(bench.wire.take())
    gap = -(-separation // tick) * tick
    assert left == [n * gap for n in range(10)]
    assert bench.sender.state is IDLE


def test_without_stmin_a_tick_takes_as_many_frames_as_the_parameter_allows() -> None:
    """Flow control and poll of the same tick together."""
    bench = Bench(IsoTpParameters(burst=3)).started(6 + 7 * 8)
    bench.sender.flow_control(controls(), MILLISECOND)
    bench.sender.poll(MILLISECOND)
    assert len(bench.wire.take()) == 3
    for t, frames in ((2, 3), (3, 2), (4, 0)):
        bench.sender.poll(t * MILLISECOND)
        assert len(bench.wire.take()) == frames


def test_blocks_of_one_frame_are_bounded_by_the_tick_too() -> None:
    """However fast flow control comes."""
    bench = Bench(IsoTpParameters(burst=3)).started(6 + 7 * 8)
    for _ in range(8):
        bench.sender.flow_control(controls(1), MILLISECOND)
    assert len(bench.wire.take()) == 3


def test_sequence_numbers_go_round() -> None:
    """From 1 to 15, then 0, 1 and so on."""
    bench = Bench(IsoTpParameters(burst=100)).started(6 + 7 * 40)
    bench.sender.flow_control(controls(), 0)
    assert [frame.data[0] for frame in bench.wire.take()] == [0x20 | n % 16 for n in range(1, 41)]


def test_a_new_message_begins_anew() -> None:
    """After one that was broken off in the middle, and after waits."""
    bench = Bench().started()
    bench.sender.flow_control(HOLD, 0)
    bench.sender.flow_control(controls(1), 0)
    bench.sender.reset()
    assert bench.sender.state is IDLE
    bench.wire.take()
    assert bench.sender.start(VIN, SECOND)
    bench.sender.flow_control(HOLD, SECOND)
    bench.sender.flow_control(HOLD, SECOND)
    bench.sender.flow_control(controls(), SECOND)
    assert [frame.data[0] for frame in bench.wire.take()] == [0x10, 0x21, 0x22]
