"""A log that is played beside the frames of the plan."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.traffic import RestBusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED, LOGGED, Frame
from hilbridge.frames.plan.rest_bus import RestBus, find_playlist

MS = 1_000_000
PLACE = ("buses", "a", "rest_bus")


def log(*rows: tuple[float, int, bytes]) -> bytes:
    """Rows of time [ms], identifier with flag bits, data."""
    return b"".join(LOGGED.pack(round(time * MS), can_id, 0, len(data)) + data for time, can_id, data in rows)


class Player:
    def __init__(self, content: bytes, own: frozenset[int] = frozenset(), **settings: Any) -> None:
        self.sent: list[tuple[int, int, bytes]] = []
        self._bus = Bus("a")
        self._bus.attach_observer(lambda t, _bus, _received, one: self.sent.append((t // MS, one.can_id, one.data)))
        told = RestBusSettings(file="x.log", **settings)
        self.rest = RestBus(self._bus, find_playlist(content, told, own, PLACE), told, PLACE)

    def play(self, *ticks: int) -> list[tuple[int, int]]:
        """The tick and the first byte of what is sent in these ticks [ms]."""
        first = len(self.sent)
        for tick in ticks:
            self.rest.publish(tick * MS)
            self._bus.exchange(tick * MS)
        return [(tick, data[0]) for tick, _, data in self.sent[first:]]


TEN = log(*((10.0 * n, 0x100, bytes([n])) for n in range(10)))


def test_frames_come_at_the_times_of_the_log() -> None:
    """In the first tick that is not before them; counted from the start, whenever that is."""
    player = Player(log((0, 1, b"a"), (2.5, 2, b"b"), (3.0, 3, b"c"), (3.5, 3, b"d")), loop=False)
    assert player.play(*range(5, 15)) == [(5, ord("a")), (8, ord("b")), (8, ord("c")), (9, ord("d"))]
    assert (player.rest.sent, player.rest.skipped) == (4, 0)
    assert player.play(*range(15, 3000, 7)) == []


def test_a_loop_goes_on_in_the_pace_of_the_log() -> None:
    """Ten frames, one every 10 ms: the eleventh comes 10 ms after the tenth."""
    player = Player(TEN)
    assert player.play(*range(250)) == [(10 * n, n % 10) for n in range(25)]
    assert player.rest.rounds == 2
    assert player.rest.describe() == "rest bus: 1 identifiers of x.log, 0.1 s, again and again"


def test_a_log_of_one_moment_is_played_once_a_second() -> None:
    """It has no pace of its own."""
    player = Player(log((0, 1, b"a")))
    assert player.play(*range(0, 2500, 10)) == [(0, 97), (1000, 97), (2000, 97)]


def test_a_late_tick_sends_the_newest_of_each_identifier() -> None:
    """Whatever was missed, at the end of the log too, and after hours; the others are counted."""
    player = Player(TEN)
    assert player.play(0, 35, 40, 125, 126, 3_600_000_000 + 31, 3_600_000_000 + 40) == [
        (0, 0), (35, 3), (40, 4), (125, 2), (3_600_000_031, 3), (3_600_000_040, 4),
    ]  # fmt: skip
    assert player.rest.skipped == 2 + 7 + 10


def test_two_identifiers_of_a_late_tick_both_go() -> None:
    """In the order of the log."""
    player = Player(log((0, 1, b"a"), (1, 2, b"b"), (2, 1, b"c"), (3, 3, b"d")), loop=False)
    assert player.play(0, 9) == [(0, ord("a")), (9, ord("b")), (9, ord("c")), (9, ord("d"))]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4)), min_size=1, max_size=60),
    st.lists(st.integers(1, 300), min_size=1, max_size=60),
    st.booleans(),
)
def test_no_tick_has_an_identifier_twice(rows: list[tuple[int, int]], gaps: list[int], loop: bool) -> None:
    """Whatever the log and the ticks are; and each frame of the log is sent or skipped in its time."""
    time, frames = 0, []
    for gap, can_id in rows:
        time += gap
        frames.append((float(time), can_id, b"x"))
    player = Player(log(*frames), loop=loop)
    now = 0
    for gap in [0, *gaps]:
        now += gap
        player.rest.publish(now * MS)
        before = len(player.sent)
        player._bus.exchange(now * MS)
        identifiers = [can_id for _, can_id, _ in player.sent[before:]]
        assert len(identifiers) == len(set(identifiers)) <= 4
    assert player.rest.sent == len(player.sent)
    if not loop:
        due = sum(frame[0] <= now for frame in frames)
        assert player.rest.sent + player.rest.skipped == due


def test_the_bench_s_own_frames_are_left_out() -> None:
    """And what is excluded, or not among the only ones; 11 and 29 bits are different identifiers."""
    content = log(*((n, can_id, bytes([n])) for n, can_id in enumerate([0x100, 0x200, 0x300, 0x100 | EXTENDED])))
    chosen = {
        (): [0, 1, 2, 3],
        ("own",): [1, 2, 3],
        ("own", "exclude"): [1, 3],
        ("own", "exclude", "only"): [1],
    }
    for keys, expected in chosen.items():
        lists = {"exclude": ["0x250-0x3FF"], "only": [0x200, 0x300]}
        own = frozenset([0x100] if "own" in keys else [])
        player = Player(content, own, loop=False, **{key: lists[key] for key in keys if key in lists})
        assert [byte for _, byte in player.play(*range(5))] == expected


def test_counters_can_be_made_anew() -> None:
    """So that they go on where the log starts again."""
    counter = {"counter": {"at": {"bit": 0, "width": 4}}}
    content = log(*((10 * n, 0x100, bytes([0xF0 | n, 7])) for n in range(3)))
    player = Player(content, protection=[{"id": 0x100, "protection": [counter]}])
    player.play(*range(80))
    assert [data for *_, data in player.sent] == [bytes([0xF0 | n, 7]) for n in range(8)]


@pytest.mark.parametrize(
    ("content", "settings", "complaint"),
    [
        (b"", {}, "x.log has no frame that is to be played"),
        (TEN, {"exclude": ["0-0x7FF"]}, "no frame that is to be played"),
        (TEN, {"protection": [{"id": 5, "protection": ["toyota"]}]}, "no frame 0x5 of the log is played"),
        (TEN, {"protection": [{"id": 0x100, "protection": ["toyota"]}] * 2}, "in the list twice"),
        (
            log((0, 1, b"a"), (1, 1, b"ab")), {"protection": [{"id": 1, "protection": ["toyota"]}]},
            "the frames 0x1 of the log have 1 and 2 bytes",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(content: bytes, settings: dict[str, Any], complaint: str) -> None:
    """At start, with its place."""
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        Player(content, **settings)
    assert raised.value.place[:3] == PLACE


def test_flags_of_a_frame_are_kept() -> None:
    """Of CAN FD."""
    frames: list[Frame] = []
    bus = Bus("a")
    bus.attach_observer(lambda _t, _bus, _received, frame: frames.append(frame))
    content = LOGGED.pack(0, 0x123 | EXTENDED, 5, 12) + bytes(12)
    told = RestBusSettings(file="x.log")
    RestBus(bus, find_playlist(content, told, (), PLACE), told, PLACE).publish(0)
    bus.exchange(0)
    assert frames == [Frame(0x123 | EXTENDED, bytes(12), 5)]
