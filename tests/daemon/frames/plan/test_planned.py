"""A cyclic frame is due at absolute times, whatever happens to ticks and terminals."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.bus.bus import Bus, Node
from hilbridge.frames.bus.disturbance import Way
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.mapping import Assignment
from hilbridge.frames.codec.sources import EntrySource
from hilbridge.frames.plan.plan import kind_of_frame
from hilbridge.frames.plan.planned import WatchedFrame
from hilbridge.frames.plan.selection import Outgoing
from hilbridge.frames.plan.send_type import Sending
from hilbridge.frames.plan.terminals import IGNITION

from .planning import ON, Solo


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


def test_frames_with_a_value_at_its_limit_are_counted() -> None:
    """Those that go, by signal, not the looks at a frame that goes on change."""
    for solo in (Solo("cyclic", period=10), Solo("on-change", minimum_delay=10)):
        held, plain = solo.frame.outgoing.held, solo.frame.encode

        def encode(channels: Any, solo: Solo = solo, held: Any = held, plain: Any = plain) -> bytes:
            if solo.content > 100:
                held["A"] = 1
            return bytes(plain(channels))

        solo.frame.encode = encode
        solo.play(range(60), contents={0: 1, 15: 120, 35: 130, 45: 1})
        assert solo.frame.limited == {"A": 3 if solo.frame.period < 1e9 else 2}


def test_a_frame_on_change_is_made_anew_only_of_new_values() -> None:
    """Of those that it reads, and in a bulb check by another encoder; one at its limit each time, as it is counted."""
    channels = [[0, 1]]
    made: list[int] = []

    def encode(_channels: Any) -> bytes:
        made.append(channels[0][1])
        if channels[0][1] > 100:
            outgoing.held["A"] = 1
        return bytes([channels[0][1]])

    outgoing = Outgoing(
        message="M", can_id=1, flags=0, length=1, sending=Sending("on-change", None), terminals=IGNITION, wake_up=False,
        after_run=0, encode=encode, place=(), assignments=(Assignment("A", "mapped", EntrySource(0, 1, 1), "", None),),
    )  # fmt: skip
    frame = kind_of_frame(outgoing)(outgoing, Bus("a"), channels, 0, MILLISECOND)
    assert isinstance(frame, WatchedFrame)
    frame.switch(ON, 0)
    for t, values in enumerate([(0, 1), (5, 1), (5, 2), (5, 2), (5, 101), (5, 101)]):
        channels[0][:] = values
        frame.poll(t)
    assert made == [1, 2, 101, 101]
    frame.encode = lambda channels: b"other"
    frame.poll(10)
    assert (frame.content, frame.sent) == (b"other", 4)


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
    solo.frame.set_address(None)
    solo.play(range(15, 35), key={})
    solo.frame.set_address(0x2A)
    solo.play(range(35, 45), key={})
    assert identifiers == [0x98F00400, 0x98F00400, 0x98F0042A]
    assert (solo.frame.skipped, solo.frame.withheld) == (0, 0)


def test_a_frame_is_silent_while_there_is_a_reason() -> None:
    """An address ends no other silence, the end of another silence gives no address."""
    solo = Solo("cyclic", period=10)
    solo.play(range(5))
    solo.frame.silenced.add("service 28")
    solo.frame.set_address(None)
    solo.play(range(5, 15), key={})
    solo.frame.set_address(0x2A)
    solo.play(range(15, 25), key={})
    solo.frame.set_address(None)
    solo.frame.silenced.discard("service 28")
    solo.play(range(25, 35), key={})
    solo.frame.set_address(0x2A)
    solo.play(range(35, 45), key={})
    assert solo.times == [0, 40]


def test_a_frame_that_is_asked_for_goes_besides_its_cycle_while_it_is_sent_at_all() -> None:
    solo = Solo("cyclic", period=10)
    assert not solo.frame.send_on_request(0)
    solo.play(range(5))
    assert solo.frame.send_on_request(5_000_000)
    solo.play(range(5, 20), key={})
    assert solo.times == [0, 5, 10]
    solo.frame.set_address(None)
    assert not solo.frame.send_on_request(20_000_000)


class Postman:
    """A disturbance that writes its own content, and keeps every other frame."""

    def __init__(self) -> None:
        self.got: list[tuple[int, bytes]] = []

    def falsified(self, data: bytes) -> bytes:
        return bytes([data[0] + 1])

    def transmit(self, frame: Frame, t: int, way: Way, origin: Node | None) -> None:
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


Row = tuple[dict[str, Any], dict[int, int], list[tuple[int, int]]]

TABLE: dict[str, Row] = {
    "the first content is told, then changes alone": (
        {"kind": "on-change"},
        {0: 5, 10: 6, 11: 7, 20: 7},
        [(0, 5), (10, 6), (11, 7)],
    ),
    "what an event message holds at first is no event": ({"kind": "event"}, {0: 5, 10: 6}, [(10, 6)]),
    "a change within the minimum delay waits": (
        {"kind": "on-change", "minimum_delay": 10},
        {0: 1, 4: 2, 12: 3, 15: 4},
        [(0, 1), (10, 2), (20, 4)],
    ),
    "what went back before it could go is no change any more": (
        {"kind": "on-change", "minimum_delay": 10},
        {0: 1, 4: 2, 7: 1},
        [(0, 1)],
    ),
    "an event is repeated": (
        {"kind": "event", "repetitions": 3, "repetition_period": 5},
        {10: 1},
        [(10, 1), (15, 1), (20, 1), (25, 1)],
    ),
    "a further event starts the repetitions anew": (
        {"kind": "event", "repetitions": 2, "repetition_period": 5},
        {10: 1, 17: 2},
        [(10, 1), (15, 1), (17, 2), (22, 2), (27, 2)],
    ),
    "repetitions keep the minimum delay too": (
        {"kind": "event", "repetitions": 2, "repetition_period": 5, "minimum_delay": 8},
        {10: 1},
        [(10, 1), (18, 1), (26, 1)],
    ),
    "a change does not move the cycle": (
        {"kind": "cyclic-and-on-change", "period": 20, "phase": 5},
        {0: 1, 8: 2},
        [(5, 1), (8, 2), (25, 2), (45, 2)],
    ),
    "a cycle within the minimum delay waits for it": (
        {"kind": "cyclic-and-on-change", "period": 20, "phase": 5, "minimum_delay": 10},
        {18: 2},
        [(5, 0), (18, 2), (28, 2), (45, 2)],
    ),
    "one frame serves cycle, change and repetition": (
        {"kind": "cyclic-and-on-change", "period": 20, "repetitions": 1, "repetition_period": 10},
        {10: 1, 40: 2},
        [(0, 0), (10, 1), (20, 1), (40, 2), (50, 2)],
    ),
    "a wake-up goes at once, cycle or not": (
        {"kind": "cyclic-and-on-change", "period": 20, "phase": 5, "wake_up": True},
        {},
        [(0, 0), (5, 0), (25, 0), (45, 0)],
    ),
}


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE.keys())
def test_moments_and_contents(row: Row) -> None:
    """Settings, contents by tick, and what goes in 55 ticks."""
    settings, contents, expected = row
    solo = Solo(**settings)
    solo.play(range(55), contents)
    assert solo.sent == expected


@given(
    changes=st.dictionaries(st.integers(0, 199), st.integers(0, 3), max_size=40),
    missed=st.sets(st.integers(1, 199), max_size=60),
    delay=st.integers(1, 20),
    repetitions=st.integers(0, 3),
    kind=st.sampled_from(["on-change", "event", "cyclic-and-on-change"]),
)
def test_no_change_that_stays_is_lost(
    changes: dict[int, int], missed: set[int], delay: int, repetitions: int, kind: str
) -> None:
    """Whatever changes when, and whatever ticks are missed: frames keep their distance, and the end is sent."""
    times: dict[str, Any] = {"period": 20, "phase": 3} if kind == "cyclic-and-on-change" else {}
    solo = Solo(kind, minimum_delay=delay, repetitions=repetitions, repetition_period=4, **times)
    solo.play([tick for tick in range(300) if tick not in missed], changes)
    assert all(later - earlier >= delay for earlier, later in zip(solo.times, solo.times[1:], strict=False))
    if solo.sent:
        assert solo.sent[-1][1] == solo.content
    elif kind == "event":
        assert solo.content == changes.get(0, 0)
    if kind == "cyclic-and-on-change":
        for due in range(203, 300 - delay, 20):
            assert any(due <= tick < due + delay for tick in solo.times)


@given(gaps=st.lists(st.integers(1, 30), min_size=60, max_size=60), repetitions=st.integers(1, 5))
def test_repetitions_are_counted_not_timed_away(gaps: list[int], repetitions: int) -> None:
    """Missed ticks delay them; none is lost, none comes in a burst."""
    ticks = [0]
    for gap in gaps:
        ticks.append(ticks[-1] + gap)
    solo = Solo("event", repetitions=repetitions, repetition_period=5)
    solo.play(ticks, {ticks[3]: 1})
    assert len(solo.sent) == 1 + repetitions
    assert len(set(solo.times)) == 1 + repetitions


@pytest.mark.parametrize(
    ("settings", "contents", "expected"),
    [
        ({"kind": "on-change"}, {0: 1, 26: 0, 40: 3}, [(0, 1), (26, 0)]),
        ({"kind": "on-change", "after_run": 20}, {0: 1, 26: 0, 40: 3, 50: 4}, [(0, 1), (26, 0), (40, 3)]),
        ({"kind": "on-change", "minimum_delay": 30}, {0: 1, 26: 0, 40: 3}, [(0, 1), (30, 0)]),
        ({"kind": "event", "repetitions": 2, "repetition_period": 5}, {26: 1}, [(26, 1), (31, 1), (36, 1)]),
        ({"kind": "cyclic-and-on-change", "period": 20}, {26: 1, 45: 2}, [(0, 0), (20, 0), (26, 1), (40, 1)]),
    ],
)
def test_after_the_terminals_went_off(
    settings: dict[str, Any], contents: dict[int, int], expected: list[tuple[int, int]]
) -> None:
    """Off at 26: what still has to be sent is sent, a cycle ends with its next frame, and then there is silence."""
    solo = Solo(**settings)
    solo.play(range(80), contents, key={0: True, 26: False})
    assert solo.sent == expected


def test_on_waking_up_the_content_is_told_again() -> None:
    """Receivers may have slept too."""
    solo = Solo("on-change")
    solo.play(range(60), {0: 1}, key={0: True, 20: False, 40: True})
    assert solo.sent == [(0, 1), (40, 1)]


def test_a_change_waits_for_a_lost_link() -> None:
    """It is sent as soon as the link is back, with the content of then."""
    solo = Solo("on-change")
    solo.play(range(10), contents={0: 1})
    solo.line.works = False
    solo.play(range(10, 30), contents={12: 2, 20: 3}, key={})
    solo.line.works = True
    solo.play(range(30, 40), key={})
    assert solo.sent == [(0, 1), (30, 3)]
