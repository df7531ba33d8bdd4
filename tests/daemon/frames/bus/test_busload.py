"""How long a frame takes at worst, against counts by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.bus.busload import Budget, classic_time, fd_time
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, Frame


@pytest.mark.parametrize(
    ("length", "extended", "bits"), [(8, False, 135), (0, False, 55), (8, True, 160), (0, True, 80), (1, False, 65)]
)
def test_classic_frames_have_the_published_worst_case(length: int, extended: bool, bits: int) -> None:
    """135 bits for 8 bytes and 11-bit identifiers, 160 for 29 bits (Davis, Burns, Bril, Lukkien 2007)."""
    assert classic_time(length, 500_000, extended=extended) * 500_000 == pytest.approx(bits)


def test_an_fd_frame_counted_by_hand() -> None:
    """11 bit, 64 bytes.

    Nominal: SOF 1, identifier 11, RRS, IDE, FDF, res, BRS: 17 with 4 stuff bits; CRC delimiter 1, acknowledge 2, end
    of frame 7, intermission 3. Data phase: ESI 1, DLC 4, data 512: 517 with 129 stuff bits; stuff count 4, CRC 21,
    fixed stuff bits 7.
    """
    nominal, data = 17 + 4 + 13, 517 + 129 + 4 + 21 + 7
    assert fd_time(64, 500_000, 2_000_000, extended=False) == pytest.approx(nominal / 500_000 + data / 2_000_000)


def test_a_short_fd_frame_has_the_short_crc() -> None:
    """Up to 16 bytes: 17 bits and 6 fixed stuff bits."""
    nominal, data = 36 + 8 + 13, 5 + 64 + 17 + 4 + 17 + 6
    assert fd_time(8, 1, 1, extended=True) == pytest.approx(nominal + data)


FRAME = Frame(0x100, bytes(8))
"""135 bits at worst: 1.35 ms at 100 kbit/s."""


def test_the_frames_of_a_second_take_no_more_than_their_share() -> None:
    """A tenth of 100 kbit/s is 10,000 bits: 74 frames of 135 bits; the next one has to wait for a second."""
    budget = Budget(10, 100_000, 100_000, MILLISECOND)
    times = [t for t in range(0, 1_500 * MILLISECOND, MILLISECOND) if budget.admit(FRAME, t)]
    assert times[:74] == [n * MILLISECOND for n in range(74)]
    assert times[74:] == [(1000 + n) * MILLISECOND for n in range(74)]


def test_the_kind_of_a_frame_counts() -> None:
    """A tenth of a second at 10 kbit/s is 1000 bits: frames of 55, 135 and 160 bits.

    CAN FD with 64 bytes: 34 bits, and 678 bits at the data rate, which is 1 Mbit/s if the frame switches.
    """
    for frame, fits in (
        (Frame(0x100, b""), 18),
        (FRAME, 7),
        (Frame(0x100 | EXTENDED, bytes(8)), 6),
        (Frame(0x100, bytes(64), FD | BRS), 24),
        (Frame(0x100, bytes(64), FD), 1),
    ):
        budget = Budget(10, 10_000, 1_000_000, MILLISECOND)
        assert sum(budget.admit(frame, 0) for _ in range(100)) == fits


def test_a_long_silence_frees_the_whole_window() -> None:
    """However long it lasted, and however long a tick is."""
    for tick in (MILLISECOND, 100 * MILLISECOND):
        budget = Budget(1, 10_000, 10_000, tick)
        assert [budget.admit(Frame(1, b""), t) for t in (0, 0, 999_999_999, 5_000 * MILLISECOND)] == [
            True, False, False, True,
        ]  # fmt: skip


@pytest.mark.parametrize("seconds", [1, 3])
def test_a_tick_of_a_second_or_more_is_a_window(seconds: int) -> None:
    """What was sent in the tick before is no longer in it."""
    budget = Budget(10, 100_000, 100_000, seconds * 1000 * MILLISECOND)
    for tick in range(3):
        assert sum(budget.admit(FRAME, tick * seconds * 1000 * MILLISECOND) for _ in range(100)) == 74


def test_time_that_has_gone_by_leaves_no_room_over() -> None:
    """Two frames are a nanosecond too long for the window, after ten thousand ticks as in the first one."""
    budget = Budget(100 * (2 * 135_000 - 1) / 1_000_000_000, 1_000_000, 1_000_000, 100 * MILLISECOND)
    for tick in range(0, 10_000, 10):
        assert [budget.admit(FRAME, tick * 100 * MILLISECOND) for _ in range(2)] == [True, False]


@given(st.lists(st.integers(0, 400), min_size=1, max_size=200), st.sampled_from([1, 10, 100]))
def test_no_second_has_more_than_the_budget(gaps: list[int], tick: int) -> None:
    """Whenever frames come: the sum over every window is within it."""
    budget = Budget(5, 10_000, 10_000, tick * MILLISECOND)
    now, taken = 0, []
    for gap in gaps:
        now += gap * tick
        if budget.admit(FRAME, now * MILLISECOND):
            taken.append(now)
    for end in taken:
        assert sum(end - 1000 < time <= end for time in taken) * 13.5 <= 50
