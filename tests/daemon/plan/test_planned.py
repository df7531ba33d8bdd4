"""A cyclic frame is due at absolute times, whatever happens to ticks and terminals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.codec.frame import Frame

from .planning import Solo


@given(
    period=st.integers(1, 20),
    phase=st.integers(0, 19),
    gaps=st.lists(st.integers(1, 60), min_size=1, max_size=40),
)
def test_no_cycle_is_lost_uncounted_and_none_is_doubled(period: int, phase: int, gaps: list[int]) -> None:
    """Whatever ticks are missed: in every tick that follows a due time one frame, and sent + skipped = cycles."""
    phase %= period
    ticks = [0]
    for gap in gaps:
        ticks.append(ticks[-1] + gap)
    solo = Solo("cyclic", period=period, phase=phase)
    solo.play(ticks)
    expected = [
        tick
        for before, tick in zip([-1, *ticks], ticks, strict=False)
        if any(due % period == phase for due in range(before + 1, tick + 1))
    ]
    assert solo.times == expected
    assert solo.frame.sent + solo.frame.skipped == len(range(phase, ticks[-1] + 1, period))


@pytest.mark.parametrize(
    ("after_run", "times"),
    [(0, [3, 13, 23, 33]), (7, [3, 13, 23, 33]), (8, [3, 13, 23, 33, 43]), (18, [3, 13, 23, 33, 43, 53])],
)
def test_the_last_frame_comes_at_the_end_of_the_after_run_or_later(after_run: int, times: list[int]) -> None:
    """Off at 26, every 10 ms: without after-run one frame is left, at 33, and it shows the terminals off."""
    solo = Solo("cyclic", period=10, phase=3, after_run=after_run)
    solo.play(range(100), contents={0: 1, 26: 0}, key={0: True, 26: False})
    assert solo.times == times
    assert solo.sent[-1][1] == 0


def test_a_frame_that_sleeps_keeps_its_times() -> None:
    """On from 0 to 15, and again from 34: it is due at 3, 13, 23, 33, ... whether anybody hears it or not."""
    solo = Solo("cyclic", period=10, phase=3)
    solo.play(range(60), key={0: True, 15: False, 34: True})
    assert solo.times == [3, 13, 23, 43, 53]
    assert solo.frame.skipped == 0


def test_ignition_that_comes_back_within_the_after_run_changes_nothing() -> None:
    """The frame never slept."""
    solo = Solo("cyclic", period=10, after_run=25)
    solo.play(range(60), key={0: True, 11: False, 34: True})
    assert solo.times == [0, 10, 20, 30, 40, 50]


def test_a_frame_that_wakes_others_up_goes_at_once() -> None:
    """Then in its own times."""
    solo = Solo("cyclic", period=10, phase=3, wake_up=True)
    solo.play(range(30), key={0: False, 7: True})
    assert solo.times == [7, 13, 23]


def test_nothing_goes_before_its_terminal_comes_on() -> None:
    """Nor a last frame of what never began."""
    solo = Solo("cyclic", period=10)
    solo.play(range(50), key={0: False})
    assert solo.times == []


def test_a_lost_link_gets_no_frame_and_no_burst_afterwards() -> None:
    """Lost from 15 to 44: the cycles are counted as withheld, and the next frame comes at its own time."""
    solo = Solo("cyclic", period=10)
    solo.play(range(15))
    solo.line.works = False
    solo.play(range(15, 45), key={})
    solo.line.works = True
    solo.play(range(45, 70), key={})
    assert solo.times == [0, 10, 50, 60]
    assert (solo.frame.sent, solo.frame.skipped, solo.frame.withheld) == (4, 0, 3)


def test_without_an_address_a_frame_is_silent_and_goes_on_under_the_next_one() -> None:
    """A cycle in which its J1939 sender has no address passes; nobody has withheld anything."""
    solo = Solo("cyclic", period=10)
    identifiers: list[int] = []
    solo.frame.bus.attach_observer(lambda t, _bus, _received, frame: identifiers.append(frame.can_id))
    solo.frame.can_id = 0x98F00400
    solo.play(range(15))
    solo.frame.move(None)
    solo.play(range(15, 35), key={})
    solo.frame.move(0x2A)
    solo.play(range(35, 45), key={})
    assert identifiers == [0x98F00400, 0x98F00400, 0x98F0042A]
    assert (solo.frame.skipped, solo.frame.withheld) == (0, 0)


def test_a_frame_is_silent_while_there_is_a_reason() -> None:
    """An address ends no other silence, the end of another silence gives no address."""
    solo = Solo("cyclic", period=10)
    solo.play(range(5))
    solo.frame.silenced.add("service 28")
    solo.frame.move(None)
    solo.play(range(5, 15), key={})
    solo.frame.move(0x2A)
    solo.play(range(15, 25), key={})
    solo.frame.move(None)
    solo.frame.silenced.discard("service 28")
    solo.play(range(25, 35), key={})
    solo.frame.move(0x2A)
    solo.play(range(35, 45), key={})
    assert solo.times == [0, 40]


def test_a_frame_that_is_asked_for_goes_besides_its_cycle_while_it_is_sent_at_all() -> None:
    solo = Solo("cyclic", period=10)
    assert not solo.frame.show(0)
    solo.play(range(5))
    assert solo.frame.show(5_000_000)
    solo.play(range(5, 20), key={})
    assert solo.times == [0, 5, 10]
    solo.frame.move(None)
    assert not solo.frame.show(20_000_000)


class Postman:
    """A disturbance that writes its own content, and keeps every other frame."""

    def __init__(self) -> None:
        self.got: list[tuple[int, bytes]] = []

    def falsified(self, data: bytes) -> bytes:
        return bytes([data[0] + 1])

    def transmit(self, frame: Frame, t: int) -> None:
        self.got.append((t // 1_000_000, frame.data))


def test_a_disturbed_frame_keeps_its_times() -> None:
    """What becomes of it is the disturbance's business; to the plan it was sent."""
    solo, postman = Solo("cyclic", period=10), Postman()
    solo.play(range(25))
    solo.frame.disturbance = postman
    solo.play(range(25, 45), key={})
    solo.frame.disturbance = None
    solo.play(range(45, 60), key={})
    assert solo.times == [0, 10, 20, 50]
    assert postman.got == [(30, b"\x01"), (40, b"\x01")]
    assert (solo.frame.sent, solo.frame.skipped) == (6, 0)
