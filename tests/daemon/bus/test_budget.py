"""How much of a bus's time frames may take."""

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bus.budget import Budget
from hilbridge.codec.frame import BRS, EXTENDED, FD, Frame

MILLISECOND = 1_000_000
FRAME = Frame(0x100, bytes(8))
"""135 bits at worst: 1.35 ms at 100 kbit/s."""


def test_the_frames_of_a_second_take_no_more_than_their_share() -> None:
    """A tenth of 100 kbit/s is 10,000 bits: 74 frames of 135 bits; the next one has to wait for a second."""
    budget = Budget(10, 100_000, 100_000, MILLISECOND)
    times = [t for t in range(0, 1_500 * MILLISECOND, MILLISECOND) if budget.takes(FRAME, t)]
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
        assert sum(budget.takes(frame, 0) for _ in range(100)) == fits


def test_a_long_silence_frees_the_whole_window() -> None:
    """However long it lasted, and however long a tick is."""
    for tick in (MILLISECOND, 100 * MILLISECOND):
        budget = Budget(1, 10_000, 10_000, tick)
        assert [budget.takes(Frame(1, b""), t) for t in (0, 0, 999_999_999, 5_000 * MILLISECOND)] == [
            True, False, False, True,
        ]  # fmt: skip


@given(st.lists(st.integers(0, 400), min_size=1, max_size=200), st.sampled_from([1, 10, 100]))
def test_no_second_has_more_than_the_budget(gaps: list[int], tick: int) -> None:
    """Whenever frames come: the sum over every window is within it."""
    budget = Budget(5, 10_000, 10_000, tick * MILLISECOND)
    now, taken = 0, []
    for gap in gaps:
        now += gap * tick
        if budget.takes(FRAME, now * MILLISECOND):
            taken.append(now)
    for end in taken:
        assert sum(end - 1000 < time <= end for time in taken) * 13.5 <= 50
