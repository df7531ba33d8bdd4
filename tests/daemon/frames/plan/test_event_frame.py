"""Many events on one identifier: a receiver that knows the frames alone knows which events are on."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.rows import frame_row
from hilbridge.files.settings import BenchSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.plan.event_frame import EventFrame
from hilbridge.frames.plan.plan import FramePlan
from vehiclesim.channels import BodyData, InputData
from vehiclesim.databus import DataBus

TICK = 1_000_000
ENTRIES = (
    "DoorFrontLeft", "DoorFrontRight", "DoorRearLeft", "DoorRearRight", "Bonnet", "Boot", "HazardLights",
)  # fmt: skip
FIRST_CODE = 300
SLOT = 10
ON, OFF = 0x31, 0x30

Seen = tuple[int, int, int]
"""Tick, code and state of a frame."""


class Cluster:
    """A bench with one event for each of some entries, and what its frames say: [0x40, code, state, 0xFF]."""

    def __init__(self, count: int, repeat: int = 1000, **keys: Any) -> None:
        frame_keys = {key: keys.pop(key) for key in ("period", "terminals", "after_run") if key in keys}
        members = {
            name: {"code": FIRST_CODE + i, "when": f"body.{name} and input.Throttle < 2"}
            for i, name in enumerate(ENTRIES[:count])
        }
        events = {"code": "Code", "active": {"State": ON}, "inactive": {"State": OFF}, "slot": SLOT, "repeat": repeat}
        frame = {
            "id": 0x592, "data": "40 00 00 00 FF", "phase": 0,
            "signals": {
                "Code": {"bit": 8, "width": 16, "constant": 0},
                "State": {"bit": 24, "width": 8, "constant": 0},
            },
            "events": events | {"list": members} | keys,
        }  # fmt: skip
        bus = {"interface": "embedded", "raw": {"CheckControl": frame | frame_keys}}
        self.settings = BenchSettings.model_validate({"name": "a", "vehicle": "compact", "buses": {"a": bus}})
        self.data = DataBus()
        self.bus = Bus("a")
        self.bus.attach_observer(self._note)
        self.plan = FramePlan(self.settings, {}, self.data, {"a": self.bus})
        self.seen: list[Seen] = []
        self.t = 0

    def _note(self, t: int, _bus: int, _received: bool, frame: Any) -> None:
        head, low, high, state, tail = frame.data
        assert (frame.can_id, head, tail) == (0x592, 0x40, 0xFF)
        self.seen.append((t // TICK, low + 256 * high, state))

    def flip(self, number: int) -> None:
        """Turn the condition of an event the other way."""
        values, index = self.data.body, _index(number)
        values[index] = 1 - values[index]

    def run(self, ticks: int) -> None:
        for _ in range(ticks):
            self.plan.publish(self.t)
            self.bus.exchange(self.t)
            self.t += TICK

    def states(self) -> list[tuple[int, set[int]]]:
        """The codes that a receiver has as on, after each frame."""
        known: set[int] = set()
        result = []
        for tick, code, state in self.seen:
            assert state in (ON, OFF)
            known = known | {code} if state == ON else known - {code}
            result.append((tick, known))
        return result

    @property
    def on(self) -> set[int]:
        """The codes whose conditions hold."""
        return {FIRST_CODE + i for i in range(len(ENTRIES)) if self.data.body[_index(i)]}


def _index(number: int) -> int:
    name = "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in ENTRIES[number])
    return int(getattr(BodyData, name.lstrip("_")))


COUNT = 5
FLIPS = st.lists(st.tuples(st.integers(0, COUNT - 1), st.integers(0, 120)), max_size=25)


@given(FLIPS, st.integers(COUNT * SLOT, 400))
def test_every_event_is_known_and_seen_again(flips: list[tuple[int, int]], repeat: int) -> None:
    """One frame a slot at most; a change is known within a slot for each event; what is on comes again in `repeat`.

    Each of the others may go before it once.
    """
    cluster = Cluster(COUNT, repeat)
    changed = dict.fromkeys(range(COUNT), 0)
    for number, gap in flips:
        cluster.flip(number)
        changed[number] = cluster.t // TICK
        cluster.run(gap)
    cluster.run(3 * repeat)
    ticks = [tick for tick, _, _ in cluster.seen]
    assert all(later - earlier >= SLOT for earlier, later in pairwise(ticks))
    states = cluster.states()
    assert (states[-1][1] if states else set()) == cluster.on
    for code in range(FIRST_CODE, FIRST_CODE + COUNT):
        own = [tick for tick, sent, _ in cluster.seen if sent == code]
        since = changed[code - FIRST_CODE]
        if code in cluster.on:
            times = [since, *(tick for tick in own if tick >= since), cluster.t // TICK]
            assert all(later - earlier <= repeat + COUNT * SLOT for earlier, later in pairwise(times))
            known = next((on for tick, on in reversed(states) if tick < since), set())
            assert code in known or times[1] - since <= (COUNT + 1) * SLOT  # else it flickered, and was never off
        else:
            assert all(tick - since <= (COUNT + 1) * SLOT for tick in own)


def test_what_rests_comes_exactly_in_its_period() -> None:
    """Three doors open at once: in the order of the list, a slot apart, each every second."""
    cluster = Cluster(4)
    for number in (2, 0, 3):
        cluster.flip(number)
    cluster.run(2500)
    assert cluster.seen == [
        (cycle + slot * SLOT, FIRST_CODE + number, ON)
        for cycle in (0, 1000, 2000)
        for slot, number in enumerate((0, 2, 3))
    ]


def test_after_a_late_frame_the_next_keeps_its_distance() -> None:
    """The slot at 10 is missed until 17: a frame at 20 would come after 3 ms, so it goes at 30."""
    cluster = Cluster(3)
    for number in (0, 1, 2):
        cluster.flip(number)
    cluster.run(1)
    cluster.t = 17 * TICK
    cluster.run(30)
    assert [tick for tick, _, _ in cluster.seen] == [0, 17, 30]


def test_without_events_nothing_goes() -> None:
    """Nor is the end of an event sent again; a condition that is not available does not hold."""
    cluster = Cluster(2)
    cluster.run(500)
    cluster.flip(0)
    cluster.run(50)
    cluster.data.input[InputData.THROTTLE] = -2147483647
    cluster.run(3000)
    assert cluster.seen == [(500, FIRST_CODE, ON), (550, FIRST_CODE, OFF)]


def test_an_end_that_is_not_told_is_not_sent() -> None:
    """Without `inactive` the receiver forgets by itself."""
    cluster = Cluster(1, repeat=100, inactive=None)
    cluster.flip(0)
    cluster.run(150)
    cluster.flip(0)
    cluster.run(300)
    assert cluster.seen == [(0, FIRST_CODE, ON), (100, FIRST_CODE, ON)]


def test_with_a_period_the_frame_goes_in_cycles_too() -> None:
    """As it stands while no event is on (code and state 0), else with the event that came on last."""
    cluster = Cluster(2, repeat=1000, period=100)
    cluster.run(150)
    cluster.flip(1)
    cluster.run(250)
    cluster.flip(1)
    cluster.run(200)
    code = FIRST_CODE + 1
    assert cluster.seen == [
        (0, 0, 0), (100, 0, 0), (150, code, ON), (250, code, ON), (350, code, ON), (400, code, OFF), (500, 0, 0),
    ]  # fmt: skip


@given(FLIPS)
def test_one_at_a_time_is_one_at_a_time(flips: list[tuple[int, int]]) -> None:
    """Never two; and when all rests each that is on is shown again and again, for `repeat`."""
    repeat = 100
    cluster = Cluster(COUNT, repeat, one_at_a_time=True)
    for number, gap in flips:
        cluster.flip(number)
        cluster.run(gap)
    rested = cluster.t // TICK
    turns = COUNT + 2
    cluster.run(2 * turns * (repeat + 2 * SLOT))
    assert all(len(known) <= 1 for _, known in cluster.states())
    late = [code for tick, code, state in cluster.seen if state == ON and tick > rested + turns * (repeat + 2 * SLOT)]
    assert set(late) == cluster.on
    if len(cluster.on) == 1:
        assert cluster.states()[-1][1] == cluster.on


def test_a_new_event_does_not_wait_for_the_turn_of_another() -> None:
    """The first is shown from 0; the second comes at 40: the first goes off at once, and is back after `repeat`."""
    cluster = Cluster(2, repeat=500, one_at_a_time=True)
    cluster.flip(0)
    cluster.run(40)
    cluster.flip(1)
    cluster.run(600)
    one, other = FIRST_CODE, FIRST_CODE + 1
    assert cluster.seen == [(0, one, ON), (40, one, OFF), (50, other, ON), (550, other, OFF), (560, one, ON)]


def test_every_wake_up_tells_all_events_anew() -> None:
    """Ignition off and on: the cluster has slept, and what ended meanwhile it never knew."""
    cluster = Cluster(2, terminals=[15])
    cluster.flip(0)
    cluster.flip(1)
    cluster.run(100)
    cluster.data.input[InputData.KEY] = -1
    cluster.run(100)
    cluster.flip(1)
    cluster.data.input[InputData.KEY] = 0
    cluster.run(100)
    assert [(code, state) for tick, code, state in cluster.seen if tick >= 200] == [(FIRST_CODE, ON)]


def test_a_reload_does_not_tell_what_is_known() -> None:
    """Another repeat counts from the frame that was sent last; what ended in between is told."""
    cluster = Cluster(3, repeat=1000)
    cluster.flip(0)
    cluster.flip(1)
    cluster.run(400)
    after = Cluster(3, repeat=500)
    after.data.body[:], after.t = cluster.data.body, cluster.t
    after.flip(1)
    after.plan.take_over(cluster.plan, after.t)
    after.run(300)
    assert after.seen == [(400, FIRST_CODE + 1, OFF), (500, FIRST_CODE, ON)]
    frame = after.plan.frames[0]
    assert isinstance(frame, EventFrame)
    assert frame.shown == [ENTRIES[0]]
    status = frame_row(frame)
    assert (status.events, status.cycle_ms, status.period_ms) == ([ENTRIES[0]], None, None)


def test_the_load_counts_events_that_are_all_on() -> None:
    """Four in 1000 ms are as much as a frame every 250 ms; at most there is one in each slot."""
    ((events,), (cyclic,), (most,)) = (
        FramePlan(
            BenchSettings.model_validate(
                {"name": "a", "vehicle": "v", "buses": {"a": {"interface": "embedded", "bitrate": 500_000, "raw": raw}}}
            ),
            {},
            DataBus(),
            {"a": Bus("a")},
        ).describe()
        for raw in (
            Cluster(4).settings.model_dump(by_alias=True, exclude_none=True)["buses"]["a"]["raw"],
            {"A": {"id": 1, "data": "00 00 00 00 00", "period": 250}},
            {"A": {"id": 1, "data": "00 00 00 00 00", "period": SLOT}},
        )
    )
    assert events.load == pytest.approx(cyclic.load)
    assert events.highest_load == pytest.approx(most.load)
