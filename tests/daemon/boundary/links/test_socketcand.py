"""The protocol of socketcand: the examples of its documentation, and whatever else may come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.boundary.links.link import LinkStatistics
from hilbridge.boundary.links.socketcand import LONGEST_COMMAND, Mode, elements
from hilbridge.boundary.links.socketcand_client import MOST_FILTERS, MOST_JOBS, SocketcandClient
from hilbridge.boundary.links.socketcand_server import SocketcandServer
from hilbridge.frames.codec.frame import ERROR, EXTENDED, FD, REMOTE, Frame

MUX = "< muxfilter 0 0 123 2 FF 00 00 00 00 00 00 00 33 FF FF FF FF FF FF FF >"
"""The example of the documentation: changes on page 33."""


class World:
    """One client of a port without doors, on the bus `can0`."""

    def __init__(self) -> None:
        self.sent: list[Frame] = []
        self.statistics = LinkStatistics()
        self.server = SocketcandServer([], "can0", self.sent.append, self.statistics)
        self.client = SocketcandClient("can0", self.server._take, self.statistics)
        self.server.clients[-1] = self.client
        self.t = 0

    def say(self, text: str) -> str:
        self.client.receive(text.encode(), self.t)
        return self.said()

    def said(self) -> str:
        text = self.client.output.decode()
        self.client.output.clear()
        return text

    def opened(self, mode: str = "") -> "World":
        self.said()
        assert self.say(f"< open can0 >{mode}") == "< ok >" * (2 if mode else 1)
        return self

    def hears(self, *data: str, can_id: int = 0x123) -> list[str]:
        """What the client is told of frames of the bus, a millisecond after each other."""
        told = []
        for one in data:
            self.server.send(Frame(can_id, bytes.fromhex(one)), self.t)
            told.append(self.said())
            self.t += MILLISECOND
        return told

    def tick(self, milliseconds: int) -> None:
        for _ in range(milliseconds):
            self.t += MILLISECOND
            self.client.poll(self.t, 8)
            for frame in self.client.held(self.t):
                self.server._offer(self.client, frame, self.t)


@pytest.fixture
def world() -> World:
    return World()


def test_the_greeting_and_the_way_to_a_bus(world: World) -> None:
    assert world.said() == "< hi >"
    assert world.say("< send 123 0 >") == "< error unknown command >"
    assert world.say("< open can0 >") == "< ok >"
    assert world.client.mode is Mode.BCM
    assert [world.say(f"< {one} >") for one in ("rawmode", "echo", "bcmmode", "echo")] == ["< ok >", "< echo >"] * 2


def test_another_bus_ends_the_connection(world: World) -> None:
    world.said()
    assert world.say("< open can1 >< open can0 >") == "< error could not open bus >"
    assert world.client.is_finished


@pytest.mark.parametrize("mode", ["", "< rawmode >"])
@pytest.mark.parametrize(
    ("command", "frame"),
    [
        ("< send 123 0 > ", Frame(0x123, b"")),
        ("< send 1AAAAAAA 2 1 F1 >", Frame(0x1AAAAAAA | EXTENDED, b"\x01\xf1")),
        ("< send 00000123 1 0 >", Frame(0x123 | EXTENDED, b"\0")),
        ("<send 7ff 1 aB>", Frame(0x7FF, b"\xab")),
        ("< sendrtr 123 0 >", Frame(0x123 | REMOTE, b"")),
        ("< sendrtr 1AAAAAAA 2 >", Frame(0x1AAAAAAA | EXTENDED | REMOTE, b"\0\0")),
    ],
)
def test_a_frame_is_sent(world: World, mode: str, command: str, frame: Frame) -> None:
    """The examples of the documentation, and what its syntax allows; nothing is answered."""
    assert world.opened(mode).say(command) == ""
    assert world.sent == [frame]


WRONG = """
send | send 123 | send 123 9 1 1 1 1 1 1 1 1 1 | send 123 2 1 | send 123 1 1 1 | send 800 0 | send 123456789 0
send 2AAAAAAA 0 | send 123 1 123 | send 12G 0 | send 123 -1 | sendrtr 123 | sendrtr 123 9 | add 1 0 | add
add 1 x 123 0 | update | delete | delete 123 4 | subscribe 0 0 | subscribe 0 0 x | filter 0 0 123 1
muxfilter 0 0 123 1 00 00 00 00 00 00 00 00 | muxfilter 0 0 123 2 FF | muxfilter 0 0 123 258 | unsubscribe
"""


@pytest.mark.parametrize("command", [one.strip() for line in WRONG.split("\n") for one in line.split("|") if one])
def test_wrong_arguments_do_nothing_and_are_counted(world: World, command: str) -> None:
    assert world.opened().say(f"< {command} >") == ""
    assert world.sent == []
    assert (world.client.jobs, world.client.subscriptions) == ({}, {})
    assert world.statistics.errors == 1


@pytest.mark.parametrize("command", ["", "frame 123 1.0 00", "isotpmode", "can0 B 500000", "rawmode 1", "\xff"])
def test_what_is_no_command_is_told(world: World, command: str) -> None:
    assert world.opened().say(f"< {command} >") == "< error unknown command >"


def test_raw_mode_gives_each_frame_of_others(world: World) -> None:
    """The bytes without blanks, as socketcand sends and python-can reads them; neither CAN FD nor errors."""
    world.opened("< rawmode >").t = 23 * SECOND + 424_242_000
    assert world.hears("11 22 33 44") == ["< frame 123 23.424242 11223344 >"]
    assert world.hears("", can_id=0x1AAAAAAA | EXTENDED) == ["< frame 1AAAAAAA 23.425242  >"]
    assert world.hears("00 00 00 00", can_id=0x123 | REMOTE) == ["< rtr 123 23.426242 4 >"]
    assert world.hears("00", can_id=ERROR) == [""]
    world.server.send(Frame(0x123, bytes(64), FD), world.t)
    assert world.say("< send 123 0 >") == ""


def test_the_answer_to_rawmode_comes_alone(world: World) -> None:
    """python-can reads it with whatever has come behind it; its next command, or a quarter of a second, is the sign."""
    assert not any(world.opened("< rawmode >").hears("01", "02"))
    world.t += 250 * MILLISECOND
    assert world.hears("03") != [""]
    other = World().opened("< rawmode >")
    assert other.say("< echo >") == "< echo >"
    assert other.hears("01") != [""]


def test_a_subscription_gives_the_frames_of_its_identifier(world: World) -> None:
    """In BCM mode, with blanks, as the documentation has it; one's own frames too."""
    world.opened().say("< subscribe 0 0 123 >")
    world.t = 23 * SECOND + 424_242_000
    assert world.hears("11 22 33 44") == ["< frame 123 23.424242 11 22 33 44 >"]
    assert world.hears("00", can_id=0x124) == world.hears("00", can_id=0x123 | EXTENDED) == [""]
    assert world.say("< send 123 1 5 >") == "< frame 123 23.427242 05 >"
    world.say("< unsubscribe 123 >")
    assert world.hears("00") == [""]


def test_an_interval_lets_the_newest_through(world: World) -> None:
    """At most one frame in 20 ms; what comes in between is told at its end, once."""
    world.opened().say("< subscribe 0 20000 123 >")
    first, *others = world.hears("01", "02", "03")
    assert "01 >" in first
    assert others == ["", ""]
    world.tick(16)
    assert world.said() == ""
    world.tick(1)
    assert world.said() == "< frame 123 0.020000 03 >"
    world.tick(50)
    assert world.said() == ""


def test_a_filter_gives_what_has_changed(world: World) -> None:
    """The first frame, and those that differ in a bit of the mask from the last one that did."""
    world.opened().say("< filter 0 0 123 8 FF 00 F8 00 00 00 00 00 >")
    told = world.hears("01 00 00", "01 FF 07", "01 00 08", "02 00 08", "02", "02 00 01")
    assert [bool(one) for one in told] == [True, False, True, True, True, False]
    world.say("< filter 0 0 123 1 FF >")
    assert [bool(one) for one in world.hears("02 00", "02 01", "03 01")] == [True, False, True]


def test_a_mux_filter_gives_the_changes_of_its_pages(world: World) -> None:
    world.opened().say(MUX)
    told = world.hears("33 01", "44 01", "33 01", "33 02", "44 02", "33 02")
    assert [bool(one) for one in told] == [True, False, False, True, False, False]


def test_a_job_sends_until_it_is_deleted(world: World) -> None:
    """At once, and each interval; `update` changes the content and not the times."""
    world.opened().say("< add 0 20000 123 4 42 42 42 42 >")
    assert world.sent == [Frame(0x123, b"BBBB")]
    world.tick(39)
    assert len(world.sent) == 2
    world.say("< update 123 3 11 22 33 >")
    assert len(world.sent) == 2
    world.tick(1)
    assert world.sent[2:] == [Frame(0x123, b"\x11\x22\x33")]
    world.say("< delete 123 >")
    world.tick(50)
    assert len(world.sent) == 3
    world.say("< update 123 0 >< add 0 0 124 0 >")
    world.tick(50)
    assert [frame.can_id for frame in world.sent[3:]] == [0x124]


def test_a_job_shorter_than_a_tick_is_sent_once_in_a_tick(world: World) -> None:
    """As the documentation's "every 10 usecs"."""
    world.opened().say("< add 0 10 123 8 11 22 33 44 55 66 77 88 >")
    world.tick(100)
    assert len(world.sent) == 101


def test_many_jobs_take_turns(world: World) -> None:
    """So many frames in a millisecond, whatever the clients have ordered; none waits for ever."""
    world.opened()
    for number in range(40):
        world.say(f"< add 0 1 {number:03X} 0 >")
    world.sent.clear()
    world.tick(10)
    counts = [sum(frame.can_id == number for frame in world.sent) for number in range(40)]
    assert set(counts) == {2}


def test_another_mode_ends_jobs_and_subscriptions(world: World) -> None:
    world.opened().say("< add 0 20000 123 0 >< subscribe 0 0 124 >< rawmode >< bcmmode >")
    world.tick(100)
    assert len(world.sent) == 1
    assert world.hears("00", can_id=0x124) == [""]
    assert not world.client.waits_for_time


def test_statistics_come_in_control_mode(world: World) -> None:
    """Bytes and frames to the clients, then of them."""
    world.opened().say("< send 123 3 1 2 3 >< controlmode >")
    world.hears("01 02")
    assert world.say("< statistics 1000 >") == ""
    assert not world.client.statistics_due(world.t + 999 * MILLISECOND)
    assert world.client.statistics_due(world.t + SECOND)
    assert world.server._counts == [5, 2, 3, 1]
    world.say("< statistics 0 >")
    assert not world.client.waits_for_time


def test_jobs_and_subscriptions_are_bounded(world: World) -> None:
    world.opened()
    for number in range(0x700):
        world.say(f"< add 1 0 {number:03X} 0 >< subscribe 0 0 {number:03X} >")
    assert (len(world.client.jobs), len(world.client.subscriptions)) == (MOST_JOBS, MOST_FILTERS)
    assert world.statistics.refused == 0x700 * 2 - MOST_JOBS - MOST_FILTERS


@given(
    st.lists(st.one_of(st.binary(max_size=30), st.sampled_from([b"<", b">", b"< open can0 >", b"< rawmode >", b" "])))
)
def test_any_bytes_are_survived(pieces: list[bytes]) -> None:
    """Whatever comes, in pieces of any size, is read in bounds."""
    world = World()
    for piece in pieces:
        world.client.receive(piece * 40, world.t)
        assert len(world.client._input) <= LONGEST_COMMAND + 1
        world.tick(1)


@given(st.lists(st.text(alphabet="abc 019", max_size=8), max_size=8), st.integers(1, 20))
def test_commands_are_found_wherever_they_are_cut(words: list[str], size: int) -> None:
    stream = "".join(f"noise< {one} >" for one in words).encode()
    buffer, found = bytearray(), list[str]()
    for start in range(0, len(stream), size):
        buffer.extend(stream[start : start + size])
        found += elements(buffer)
    assert found == [one.strip() for one in words]
