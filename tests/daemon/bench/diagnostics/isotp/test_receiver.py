"""The receiver's table of states, line by line; ISO 15765-2:2016, 9.5 to 9.8."""

import pytest

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.diagnostics.isotp.frames import ConsecutiveFrame, FirstFrame, FrameEncoder, SingleFrame
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.bench.diagnostics.isotp.receiver import IsoTpReceiver
from hilbridge.bench.diagnostics.isotp.statistics import IsoTpStatistics

from .test_sender import counted
from .wires import Wire

MESSAGE = bytes(range(1, 28))  # six bytes and three times seven


def consecutive(n: int) -> ConsecutiveFrame:
    """The n-th consecutive frame of MESSAGE; beyond it there is padding."""
    return ConsecutiveFrame(n % 16, MESSAGE[7 * n - 1 : 7 * n + 6].ljust(7, b"\xcc"))


class Bench:
    """A receiver on a wire."""

    def __init__(self, parameters: IsoTpParameters | None = None) -> None:
        self.wire = Wire()
        self.statistics = IsoTpStatistics()
        parameters = parameters or IsoTpParameters()
        self.receiver = IsoTpReceiver(FrameEncoder(0x7E8, b"", parameters), self.wire, parameters, self.statistics)

    def begun(self, t: int = 0) -> "Bench":
        """In RECEIVING, its flow control taken from the wire."""
        self.receiver.first(FirstFrame(len(MESSAGE), MESSAGE[:6]), 7, t)
        self.wire.take()
        return self


def test_a_single_frame_is_a_message() -> None:
    bench = Bench()
    assert bench.receiver.single(SingleFrame(b"\x01\x0c"), 0) == b"\x01\x0c"
    assert bench.wire.take() == []


def test_a_message_is_put_together_from_its_frames() -> None:
    """Flow control after the first frame, with the block size and STmin of this side; nothing else."""
    bench = Bench(IsoTpParameters(st_min=MILLISECOND * 3 // 10))
    bench.receiver.first(FirstFrame(27, MESSAGE[:6]), 7, 0)
    assert bench.wire.hex() == ["30 00 f3 cc cc cc cc cc"]
    assert [bench.receiver.consecutive(consecutive(n), n) for n in (1, 2, 3)] == [None, None, MESSAGE]
    assert not bench.receiver.receiving
    assert bench.wire.take() == []
    assert counted(bench.statistics) == {}


def test_the_last_frame_may_be_shorter_or_padded() -> None:
    """Twenty-five bytes: the last frame has five."""
    for last in (MESSAGE[20:25], MESSAGE[20:25] + b"\xcc\xcc"):
        bench = Bench()
        bench.receiver.first(FirstFrame(25, MESSAGE[:6]), 7, 0)
        bench.receiver.consecutive(consecutive(1), 0)
        bench.receiver.consecutive(consecutive(2), 0)
        assert bench.receiver.consecutive(ConsecutiveFrame(3, last), 0) == MESSAGE[:25]


def test_every_full_block_gets_flow_control() -> None:
    """Not the last one, which completes the message."""
    bench = Bench(IsoTpParameters(block_size=1))
    bench.receiver.first(FirstFrame(27, MESSAGE[:6]), 7, 0)
    for n, controls in ((1, 1), (2, 1), (3, 0)):
        bench.wire.take()
        bench.receiver.consecutive(consecutive(n), 0)
        assert len(bench.wire.take()) == controls


@pytest.mark.parametrize("longest", [26, 27])
def test_a_message_for_which_there_is_no_room_is_told_overflow(longest: int) -> None:
    """The longest that there is room for is not."""
    bench = Bench(IsoTpParameters(longest=longest))
    bench.receiver.first(FirstFrame(27, MESSAGE[:6]), 7, 0)
    fits = longest == 27
    assert bench.wire.hex() == ["30 00 00 cc cc cc cc cc" if fits else "32 00 00 cc cc cc cc cc"]
    assert bench.receiver.receiving == fits
    assert counted(bench.statistics) == ({} if fits else {"too_long": 1})


@pytest.mark.parametrize(
    ("sequence", "counter"), [(0, "wrong_sequence"), (2, "wrong_sequence"), (15, "wrong_sequence"), (1, None)]
)
def test_another_frame_than_the_next_one_breaks_the_message_off(sequence: int, counter: str | None) -> None:
    """Silently: the sender finds out by N_Bs, or by having no answer."""
    bench = Bench().begun()
    bench.receiver.consecutive(ConsecutiveFrame(sequence, bytes(7)), 0)
    assert bench.receiver.receiving == (counter is None)
    assert counted(bench.statistics) == ({counter: 1} if counter else {})
    assert bench.wire.take() == []


def test_a_repeated_frame_breaks_the_message_off() -> None:
    bench = Bench().begun()
    bench.receiver.consecutive(consecutive(1), 0)
    bench.receiver.consecutive(consecutive(1), 0)
    assert counted(bench.statistics) == {"wrong_sequence": 1}


def test_consecutive_frames_for_nothing_are_passed_over() -> None:
    bench = Bench()
    assert bench.receiver.consecutive(consecutive(1), 0) is None
    assert counted(bench.statistics) == {"unexpected": 1}
    assert bench.wire.take() == []


def test_a_frame_of_another_size_that_does_not_hold_the_rest_is_passed_over() -> None:
    """The message continues with the right one."""
    bench = Bench().begun()
    for size in (1, 6, 8, 15):
        bench.receiver.consecutive(ConsecutiveFrame(1, bytes(size)), 0)
    assert counted(bench.statistics) == {"malformed": 4}
    assert [bench.receiver.consecutive(consecutive(n), n) for n in (1, 2, 3)] == [None, None, MESSAGE]


def test_a_single_frame_breaks_off_and_is_a_message() -> None:
    bench = Bench().begun()
    assert bench.receiver.single(SingleFrame(b"\x3e\x00"), 0) == b"\x3e\x00"
    assert not bench.receiver.receiving
    assert counted(bench.statistics) == {"interrupted": 1}


def test_a_first_frame_breaks_off_and_begins_anew() -> None:
    """Nothing of the old message gets into the new one."""
    bench = Bench().begun()
    bench.receiver.consecutive(consecutive(1), 0)
    bench.begun()
    assert [bench.receiver.consecutive(consecutive(n), n) for n in (1, 2, 3)] == [None, None, MESSAGE]
    assert counted(bench.statistics) == {"interrupted": 1}


def test_a_first_frame_that_is_too_long_breaks_off_too() -> None:
    bench = Bench().begun()
    bench.receiver.first(FirstFrame(5000, bytes(6)), 7, 0)
    assert not bench.receiver.receiving
    assert counted(bench.statistics) == {"interrupted": 1, "too_long": 1}


@pytest.mark.parametrize("n_cr", [150 * MILLISECOND, SECOND])
@pytest.mark.parametrize("block_size", [0, 1])
def test_without_a_frame_within_n_cr_the_message_is_broken_off(n_cr: int, block_size: int) -> None:
    """To the nanosecond; every consecutive frame begins it again."""
    bench = Bench(IsoTpParameters(n_cr=n_cr, block_size=block_size)).begun()
    bench.receiver.poll(n_cr)
    bench.receiver.consecutive(consecutive(1), n_cr)
    bench.receiver.poll(2 * n_cr)
    assert bench.receiver.receiving
    bench.receiver.poll(2 * n_cr + 1)
    assert not bench.receiver.receiving
    assert counted(bench.statistics) == {"n_cr_timeout": 1}


def test_after_n_cr_a_frame_comes_too_late() -> None:
    """Also without a `poll` in between; a new message is received all the same, and interrupts none."""
    bench = Bench().begun()
    assert bench.receiver.consecutive(consecutive(1), SECOND + 1) is None
    assert counted(bench.statistics) == {"n_cr_timeout": 1, "unexpected": 1}
    bench.begun(2 * SECOND).begun(4 * SECOND)
    assert counted(bench.statistics) == {"n_cr_timeout": 2, "unexpected": 1}


def test_memory_grows_with_what_was_received() -> None:
    """A first frame that announces four gigabytes costs its own bytes."""
    bench = Bench(IsoTpParameters(longest=0xFFFFFFFF))
    bench.receiver.first(FirstFrame(0xFFFFFFFF, b"\x01\x02"), 7, 0)
    assert bench.receiver.receiving
    assert len(bench.receiver._message) == 2
