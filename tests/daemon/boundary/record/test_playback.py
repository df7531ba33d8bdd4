"""What a boundary heard, played back: links, ports and clock do what the real ones did, in the same ticks."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.boundary.record.boundary_records import ANSWER, CAME, END, LEFT, LINK, PORT, SENT, ToolRecord
from hilbridge.boundary.record.playback import Playback
from hilbridge.boundary.record.recording import BoundaryRecord
from hilbridge.boundary.record.segments import GAP
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame

from ....benches import Listener


class World:
    """A link that answers as the test wants, and a boundary whose records are kept."""

    def __init__(self) -> None:
        self.statistics = LinkStatistics()
        self.trouble = ""
        self.descriptor = None
        self.refused: set[int] = set()
        self.heard: list[BoundaryRecord] = []
        self.boundary = Boundary()
        self.boundary.put = self.put
        self.recorded_link = self.boundary.record_link(0, self)

    def put(self, kind: int, t: int, payload: bytes) -> bool:
        self.heard.append(BoundaryRecord(t, kind, payload))
        return True

    def end(self, ticks: int) -> Playback:
        self.put(END, ticks * MILLISECOND, json.dumps({"ticks": ticks}).encode())
        return self.playback()

    def playback(self) -> Playback:
        return Playback(self.heard, MILLISECOND)

    def accepts(self, can_id: int) -> bool:
        return can_id not in self.refused

    def poll(self, t: int) -> None: ...
    def receive(self, frame: Frame, t: int) -> None: ...
    def flush(self, t: int) -> None: ...
    def close(self) -> None: ...
    def describe(self) -> str:
        return "a link"


@pytest.fixture
def world() -> World:
    return World()


def test_received_frames_come_in_their_tick_and_order(world: World) -> None:
    """From outside: those of the bench itself are only there to be compared."""
    one, two, own = Frame(1, b"a"), Frame(2, b"b", 4), Frame(3, b"c")
    world.boundary.frame(MILLISECOND, 0, True, one)
    world.boundary.frame(MILLISECOND, 0, False, own)
    world.boundary.frame(MILLISECOND, 0, True, two)
    playback = world.end(3)
    bus, listener = Bus("a"), Listener()
    link = playback.link(bus)
    bus.attach_link(link)
    bus.attach(listener)
    came = []
    while playback.wait():
        link.poll(playback.t)
        bus.exchange(playback.t)
        came.append((playback.t, listener.frames[:], [record.frame for record in playback.frames]))
        listener.frames.clear()
    assert came == [(0, [], []), (MILLISECOND, [one, two], [one, own, two]), (2 * MILLISECOND, [], [])]


@pytest.mark.parametrize("missed", [0, 3])
def test_what_was_answered_before_its_tick_is_heard_before_it(world: World, missed: int) -> None:
    """Round by round, in the frames of each; then comes the tick with the rest, however late it was."""
    one, two, own, rest = Frame(1, b"a"), Frame(2, b"b"), Frame(3, b"c"), Frame(4, b"d")
    world.boundary.early(MILLISECOND, 2)
    world.boundary.frame(MILLISECOND, 0, True, one)
    world.boundary.frame(MILLISECOND, 0, True, two)
    world.boundary.frame(MILLISECOND, 0, False, own)
    world.boundary.early(MILLISECOND, 1)
    world.boundary.frame(MILLISECOND, 0, True, two)
    world.boundary.missed((1 + missed) * MILLISECOND, missed)
    world.boundary.frame((1 + missed) * MILLISECOND, 0, True, rest)
    playback = world.end(3)
    bus, listener = Bus("a"), Listener()
    link = playback.link(bus)
    bus.attach_link(link)
    bus.attach(listener)
    came: list[tuple[str, int, list[Frame]]] = []

    def hear(kind: str, t: int) -> None:
        link.poll(t)
        bus.exchange(t)
        came.append((kind, t, listener.frames[:]))
        listener.frames.clear()

    playback.answer = lambda t: hear("early", t)
    for _ in range(2):
        assert playback.wait()
        hear("tick", playback.t)
    assert [record.frame for record in playback.frames] == [one, two, own, two, rest]
    assert came == [
        ("tick", 0, []),
        ("early", MILLISECOND, [one, two]),
        ("early", MILLISECOND, [two]),
        ("tick", (1 + missed) * MILLISECOND, [rest]),
    ]


def test_serial_bytes_and_troubles(world: World) -> None:
    """A port gives its bytes once, and is in trouble from the tick on in which the real one was."""
    world.boundary.serial(0, 0, b"thr=1\n", "")
    world.boundary.serial(MILLISECOND, 0, b"", "unplugged")
    world.boundary.serial(2 * MILLISECOND, 0, b"", "unplugged")
    world.boundary.serial(3 * MILLISECOND, 0, b"x", "")
    assert len(world.heard) == 4
    playback = world.end(4)
    port = playback.port(0)
    seen = []
    while playback.wait():
        seen.append((port.poll(playback.t), port.trouble))
    assert seen == [(b"thr=1\n", ""), (b"", "unplugged"), (b"", "unplugged"), (b"x", "")]


class Adapter:
    """An ELM327 that repeats what it hears."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.heard: list[tuple[bytes, int]] = []

    def feed(self, data: bytes, t: int) -> None:
        self.heard.append((data, t))
        self.output += data


class Sockets:
    """The adapters of the clients that came, and of those that left."""

    def __init__(self) -> None:
        self.came: list[Adapter] = []
        self.left: list[Adapter] = []

    def plug_in(self) -> Adapter:
        self.came.append(Adapter())
        return self.came[-1]

    def unplug(self, adapter: Adapter) -> None:
        self.left.append(adapter)


def test_scan_tools_come_send_and_leave_in_their_ticks(world: World) -> None:
    """Each has an adapter of its own, and reads at once what it says; a number is there again after it has left."""
    for tick, records in enumerate(
        [
            [ToolRecord(0, 4, CAME), ToolRecord(0, 4, SENT, b"ATZ\r"), ToolRecord(0, 5, CAME)],
            [ToolRecord(0, 5, SENT, b"010C\r")],
            [ToolRecord(0, 4, LEFT), ToolRecord(0, 4, CAME), ToolRecord(0, 4, SENT, b"ATI\r")],
        ]
    ):
        world.boundary.polled(tick * MILLISECOND)
        for record in records:
            world.boundary.tool(record)
    playback = world.end(3)
    sockets = Sockets()
    tools = playback.tools(0, sockets)
    while playback.wait():
        tools.poll(playback.t)
        tools.flush(playback.t)
        assert not any(adapter.output for adapter in sockets.came)
    assert [adapter.heard for adapter in sockets.came] == [
        [(b"ATZ\r", 0)],
        [(b"010C\r", MILLISECOND)],
        [(b"ATI\r", 2 * MILLISECOND)],
    ]
    assert sockets.left == sockets.came[:1]
    assert playback.ended


@pytest.mark.parametrize("before", [[], [CAME, LEFT]])
def test_a_scan_tool_that_is_not_there_does_nothing(world: World, before: list[int]) -> None:
    """A recording in which one does was falsified: the replay ends there, and says why."""
    for action in (*before, SENT):
        world.boundary.tool(ToolRecord(0, 4, action))
    playback = world.end(3)
    playback.tools(0, Sockets())
    assert playback.wait()
    assert (playback.wait(), playback.missing) == (False, True)
    assert playback.damage == "scan tool 4 did something before it was there"


def test_what_is_played_has_no_hardware_and_says_so(world: World) -> None:
    """It works until the recording says otherwise; nothing is there to be waited for."""
    playback = world.end(1)
    link, port, tools = playback.link(Bus("body")), playback.port(0), playback.tools(0, Sockets())
    assert (link.describe(), port.describe(), tools.describe()) == (
        "recorded body",
        "recorded port",
        "recorded scan tools",
    )
    assert (link.descriptor, port.descriptor, tools.descriptor) == (None, None, None)
    assert (link.trouble, port.trouble, tools.trouble) == ("", "", "")


def test_a_bench_is_adopted_with_its_last_part(world: World) -> None:
    """In the tick of that part, and once; parts of one that was given up are none of the next."""
    world.boundary.reload(0, 0, 3, b"old")
    for number, part in enumerate((b"new ", b"be", b"nch")):
        world.boundary.reload((1 + number) * MILLISECOND, number, 3, part)
    playback = world.end(5)
    seen = []
    while playback.wait():
        seen.append(playback.reload)
    assert seen == [b"", b"", b"", b"new bench", b""]


def test_writings_of_the_stored_state_end_in_their_ticks(world: World) -> None:
    """With their success; the answers that waited for them go out in the same ticks."""
    world.boundary.written(MILLISECOND, 1, written=False)
    world.boundary.written(MILLISECOND, 2, written=True)
    playback = world.end(3)
    seen = []
    while playback.wait():
        seen.append(list(playback.writings))
    assert seen == [[], [(1, False), (2, True)], []]


def test_a_recorder_that_comes_later_hears_the_state_of_links_and_ports(world: World) -> None:
    """What is as at the start of a run needs no record; one that leaves hears nothing more."""
    world.trouble = "down"
    world.boundary.polled(0)
    world.boundary.serial(0, 0, b"", "unplugged")
    heard: list[tuple[int, int, bytes]] = []

    def put(kind: int, t: int, payload: bytes) -> bool:
        heard.append((kind, t, payload))
        return True

    world.boundary.listen(put)
    world.boundary.polled(MILLISECOND)
    world.boundary.serial(MILLISECOND, 0, b"", "unplugged")
    world.boundary.listen(None)
    world.trouble = ""
    world.boundary.polled(2 * MILLISECOND)
    assert heard == [(LINK, MILLISECOND, bytes(9) + b"down"), (PORT, MILLISECOND, b"\0unplugged")]


def test_a_link_is_recorded_when_it_changes(world: World) -> None:
    """Trouble, clients that came and left; a link of which nothing changes costs nothing."""
    for t, trouble, connected in ((0, "", 0), (1, "", 1), (2, "down", 1), (3, "down", 1), (4, "", 1)):
        world.trouble, world.statistics.connected = trouble, connected
        world.boundary.polled(t * MILLISECOND)
    assert len(world.heard) == 3
    playback = world.end(5)
    link = playback.link(Bus("a"))
    seen = []
    while playback.wait():
        seen.append((link.trouble, link.statistics.connected))
    assert seen == [("", 0), ("", 1), ("down", 1), ("down", 1), ("", 1)]


@settings(max_examples=100)
@given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=6), max_size=6))
def test_the_same_questions_get_the_same_answers(ticks: list[list[tuple[int, bool]]]) -> None:
    """Whatever a link answered in whichever order, within one tick too; only changes are recorded."""
    world = World()
    changes, last = 0, dict.fromkeys(range(4), True)
    for tick, questions in enumerate(ticks):
        world.boundary.polled(tick * MILLISECOND)
        for can_id, accepted in questions:
            (world.refused.discard if accepted else world.refused.add)(can_id)
            assert world.recorded_link.accepts(can_id) is accepted
            changes += last[can_id] is not accepted
            last[can_id] = accepted
    assert sum(one.kind == ANSWER for one in world.heard) == changes
    playback = world.end(len(ticks))
    link = playback.link(Bus("a"))
    for questions in ticks:
        assert playback.wait()
        assert [link.accepts(can_id) for can_id, _ in questions] == [accepted for _, accepted in questions]


def test_missed_ticks(world: World) -> None:
    """The clock jumps where the real one did, and says how far."""
    for t, missed in ((0, 0), (1, 0), (5, 3), (6, 0), (8, 1)):
        world.boundary.missed(t * MILLISECOND, missed)
        world.boundary.command(t * MILLISECOND, b"%d" % t)
    playback = world.end(5)
    seen = []
    while playback.wait():
        seen.append((playback.t // MILLISECOND, playback.missed, *playback.commands))
    assert seen == [(0, 0, b"0"), (1, 0, b"1"), (5, 3, b"5"), (6, 0, b"6"), (8, 1, b"8")]
    assert playback.ended


def test_ticks_are_missed_where_they_were_and_not_before(world: World) -> None:
    """Nothing else is recorded around them: the clock goes on tick by tick to the jump, and after it."""
    world.boundary.missed(5 * MILLISECOND, 2)
    playback = world.end(6)
    seen = []
    while playback.wait():
        seen.append((playback.t // MILLISECOND, playback.missed))
    assert seen == [(0, 0), (1, 0), (2, 0), (5, 2), (6, 0), (7, 0)]


def test_a_recording_without_an_end(world: World) -> None:
    """It is played up to the tick of its last record, of which there may be more than was recorded."""
    world.boundary.command(2 * MILLISECOND, b"x")
    playback = world.playback()
    partial = []
    while playback.wait():
        partial.append(playback.is_partial)
    assert partial == [False, False, True]
    assert not playback.ended


def test_nothing_is_played_behind_a_gap(world: World) -> None:
    """What comes after records that are missing would be guesswork."""
    world.boundary.command(MILLISECOND, b"x")
    world.put(GAP, 2 * MILLISECOND, bytes(8))
    world.boundary.command(4 * MILLISECOND, b"y")
    playback = world.end(9)
    ticks = 0
    while playback.wait():
        ticks += 1
    assert (ticks, playback.missing, playback.ended) == (2, True, False)


@pytest.mark.parametrize(
    "act",
    [
        lambda boundary: boundary.frame(0, 0, True, Frame(1, b"")),
        lambda boundary: boundary.serial(0, 0, b"x", "trouble"),
        lambda boundary: boundary.missed(0, 3),
        lambda boundary: boundary.command(0, b"{}"),
        lambda boundary: boundary.polled(0),
    ],
)
def test_without_a_recorder_nothing_happens(act: Callable[[Boundary], None]) -> None:
    act(Boundary())
