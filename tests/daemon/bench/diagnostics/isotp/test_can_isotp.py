"""Against python-can-isotp in both roles: messages of any length, with any parameters, arrive whole and in time."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import isotp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.client import IsoTpClient
from hilbridge.bench.diagnostics.isotp.connection import IsoTpConnection
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.bench.diagnostics.isotp.server import IsoTpServer
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import FD, Frame

from .test_sender import counted
from .wires import FRAME_SIZES, PAIRS, Peer, Time, Wire, time_of_the_test

Pair = tuple[Address, isotp.Address]
NORMAL = PAIRS["normal 11"]

pairs = st.sampled_from(list(PAIRS.values()))
lengths = st.integers(1, 80) | st.sampled_from([7, 8, 62, 63, 255, 256, 1000, 4095, 4096, 5000])
st_mins = st.sampled_from([0, 0x01, 0x02, 0x05, 0xF1, 0xF5, 0xF9])
block_sizes = st.sampled_from([0, 1, 2, 8, 255])
ticks = st.sampled_from([MILLISECOND, 5 * MILLISECOND])


@pytest.fixture(scope="module")
def time() -> Iterator[Time]:
    with time_of_the_test() as time:
        yield time


class Meeting:
    """An ECU of ours and a tester of python-can-isotp, in ticks."""

    def __init__(self, time: Time, pair: Pair, ours: IsoTpParameters, parameters: dict[str, Any]) -> None:
        address, theirs = pair
        self._time = time
        self.wire = Wire()
        self.ecu = IsoTpConnection(address, self._transmit, ours)
        self.tester = Peer(theirs, **parameters)
        self.received: list[bytes] = []
        self.times: list[int] = []  # [ns] of the ECU's frames

    def run(self, tick: int, most: int = 20_000) -> bytes | None:
        """What the tester received when both have finished."""
        for _ in range(most):
            self._time.now += tick
            t = self._time.now
            self.ecu.poll(t)
            for _ in range(4):
                self._exchange(t)
            if not (self.tester.logic.transmitting() or self.ecu.busy or self.wire.frames):
                answer = self.tester.logic.recv()
                return None if answer is None else bytes(answer)
        raise AssertionError("does not come to an end")

    def _transmit(self, frame: Frame) -> None:
        self.times.append(self._time.now)
        self.wire(frame)

    def _exchange(self, t: int) -> None:
        for frame in self.wire.take():
            self.tester.hear(frame)
        self.tester.logic.process()
        while self.tester.sent:
            payload = self.ecu.receive(self.tester.sent.popleft(), t)
            if payload is not None:
                self.received.append(payload)


def parameters(size: int, padding: int | None, st_min: int, block_size: int) -> dict[str, Any]:
    return {
        "stmin": st_min,
        "blocksize": block_size,
        "tx_padding": padding,
        "tx_data_length": size,
        "can_fd": size > 8,
        "max_frame_size": 10_000,
        "rx_flowcontrol_timeout": 1000,
        "rx_consecutive_frame_timeout": 1000,
    }


@settings(max_examples=60)
@given(
    pair=pairs,
    length=lengths,
    our_size=st.sampled_from(FRAME_SIZES),
    their_size=st.sampled_from(FRAME_SIZES),
    paddings=st.tuples(st.none() | st.integers(0, 255), st.none() | st.integers(0, 255)),
    our_st_min=st.sampled_from([0, MILLISECOND * 3 // 10, 2 * MILLISECOND]),
    their_st_min=st_mins,
    block_sizes=st.tuples(block_sizes, block_sizes),
    burst=st.integers(1, 8),
    tick=ticks,
)
def test_messages_arrive_whole_in_both_directions(
    time: Time,
    pair: Pair,
    length: int,
    our_size: int,
    their_size: int,
    paddings: tuple[int | None, int | None],
    our_st_min: int,
    their_st_min: int,
    block_sizes: tuple[int, int],
    burst: int,
    tick: int,
) -> None:
    """A request of any length, then an answer of that length; no error on either side."""
    ours = IsoTpParameters(
        block_size=block_sizes[0],
        st_min=our_st_min,
        padding=paddings[0],
        frame_size=our_size,
        flags=FD if our_size > 8 else 0,
        longest=10_000,
        burst=burst,
    )
    meeting = Meeting(time, pair, ours, parameters(their_size, paddings[1], their_st_min, block_sizes[1]))
    message = bytes((7 * n + length) & 0xFF for n in range(length))
    meeting.tester.logic.send(message)
    assert meeting.run(tick) is None
    assert meeting.received == [message]
    assert meeting.ecu.send(message, time.now)
    assert meeting.run(tick) == message
    assert (meeting.tester.errors, counted(meeting.ecu.statistics)) == ([], {})


@settings(max_examples=30)
@given(st_min=st_mins, block_size=block_sizes, tick=ticks, burst=st.integers(1, 8))
def test_the_separation_that_the_tester_asks_for_is_kept(
    time: Time, st_min: int, block_size: int, tick: int, burst: int
) -> None:
    """Between consecutive frames of a block; without one, no tick has more than the burst."""
    meeting = Meeting(time, NORMAL, IsoTpParameters(burst=burst), parameters(8, 0, st_min, block_size))
    meeting.ecu.send(bytes(6 + 7 * 30), time.now)
    meeting.run(tick)
    times = meeting.times[1:]
    assert len(times) == 30
    wanted = st_min * MILLISECOND if st_min < 0x80 else (st_min - 0xF0) * MILLISECOND // 10
    gaps = [later - earlier for n, (earlier, later) in enumerate(pairwise(times), 1) if n % (block_size or 99)]
    assert all(gap >= wanted for gap in gaps)
    assert max(times.count(t) for t in times) <= burst


def hold(peer: Peer, count: int) -> list[Frame]:
    """Flow control "wait", as python-can-isotp makes it."""
    message = peer.logic._make_flow_control(flow_status=1)
    return [Frame(message.arbitration_id, bytes(message.data))] * count


@pytest.mark.parametrize(("waits", "arrives"), [(0, False), (2, False), (3, True)])
def test_the_sender_waits_as_often_as_its_parameter_says(time: Time, waits: int, arrives: bool) -> None:
    """Three times here, just under N_Bs each."""
    meeting = Meeting(time, NORMAL, IsoTpParameters(waits=waits), parameters(8, 0, 0, 0))
    meeting.ecu.send(bytes(20), time.now)
    first = meeting.wire.take()[0]
    for control in hold(meeting.tester, 3):
        time.now += 900 * MILLISECOND
        meeting.ecu.poll(time.now)
        meeting.ecu.receive(control, time.now)
    meeting.tester.hear(first)
    assert meeting.ecu.busy == arrives
    if arrives:
        assert meeting.run(MILLISECOND) == bytes(20)
    else:
        assert counted(meeting.ecu.statistics)["too_many_waits"] == 1


def test_python_can_isotp_gives_up_when_we_have_no_room(time: Time) -> None:
    """It reads our overflow."""
    meeting = Meeting(time, NORMAL, IsoTpParameters(longest=100), parameters(8, 0, 0, 0))
    meeting.tester.logic.send(bytes(101))
    assert meeting.run(MILLISECOND) is None
    assert [type(error) for error in meeting.tester.errors] == [isotp.OverflowError]
    assert (meeting.received, counted(meeting.ecu.statistics)) == ([], {"too_long": 1})


def test_we_give_up_when_python_can_isotp_has_no_room(time: Time) -> None:
    """It says overflow to our first frame."""
    meeting = Meeting(time, NORMAL, IsoTpParameters(), parameters(8, 0, 0, 0) | {"max_frame_size": 100})
    meeting.ecu.send(bytes(101), time.now)
    assert meeting.run(MILLISECOND) is None
    assert [type(error) for error in meeting.tester.errors] == [isotp.FrameTooLongError]
    assert counted(meeting.ecu.statistics) == {"overflow": 1}


class Echo:
    """An ECU that answers with the request."""

    answering = False

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        return payload

    def poll(self, t: int) -> bytes | None:
        return None

    def keep_alive(self, t: int) -> None:
        pass

    @property
    def idle(self) -> bool:
        return True


class Listener:
    """Takes a peer's place on the bus."""

    def __init__(self, bus: Bus, peer: Peer) -> None:
        self.bus, self.peer = bus, peer
        bus.attach(self)

    def receive(self, frame: Frame, t: int) -> None:
        self.peer.hear(frame)

    def poll(self) -> None:
        self.peer.logic.process()
        while self.peer.sent:
            self.bus.transmit(self.peer.sent.popleft(), self)


@settings(max_examples=25)
@given(length=lengths, st_min=st_mins, block_size=block_sizes)
def test_a_tester_of_python_can_isotp_is_served(time: Time, length: int, st_min: int, block_size: int) -> None:
    """Over a bus, by the server; nothing is left under way."""
    ours, theirs = PAIRS["normal fixed 29"]
    bus = Bus("powertrain")
    server = IsoTpServer(bus, [(ours, Echo())], IsoTpParameters(longest=10_000))
    tester = Peer(theirs, **parameters(8, 0xAA, st_min, block_size))
    listener = Listener(bus, tester)
    message = bytes(n & 0xFF for n in range(length))
    tester.logic.send(message)
    answer: bytes | bytearray | None = None
    for _ in range(20_000):
        time.now += MILLISECOND
        listener.poll()
        bus.exchange(time.now)
        server.poll(time.now)
        bus.exchange(time.now)
        answer = tester.logic.recv()
        if answer is not None:
            break
    assert answer == message
    assert (tester.errors, server.answered_after[0]) == ([], 1)
    assert counted(server.statistics) == {"requests": 1, "answers": 1}


@settings(max_examples=25)
@given(length=lengths, st_min=st_mins, block_size=block_sizes)
def test_an_ecu_of_python_can_isotp_is_asked(time: Time, length: int, st_min: int, block_size: int) -> None:
    """Over a bus, by the client."""
    bus = Bus("powertrain")
    ours = Address.normal_fixed_29bit(0xF1, 0x10)
    client = IsoTpClient(bus, [ours], IsoTpParameters(longest=10_000, block_size=block_size))
    theirs = isotp.Address(isotp.AddressingMode.NormalFixed_29bits, source_address=0x10, target_address=0xF1)
    ecu = Peer(theirs, **parameters(8, 0, st_min, block_size))
    listener = Listener(bus, ecu)
    message = bytes(n & 0xFF for n in range(length))
    assert client.request(message, ours, time.now)
    answers: list[bytes] = []
    for _ in range(20_000):
        time.now += MILLISECOND
        client.poll(time.now)
        bus.exchange(time.now)
        listener.poll()
        bus.exchange(time.now)
        asked = ecu.logic.recv()
        if asked is not None:
            ecu.logic.send(asked)
        answers += [answer.payload for answer in client.take()]
        if answers:
            break
    assert answers == [message]
    assert (ecu.errors, counted(client.statistics)) == ([], {})


def test_n_bs_of_python_can_isotp_sees_that_our_flow_control_is_prompt(time: Time) -> None:
    """One millisecond is enough for a request of a hundred blocks: flow control leaves in the tick of its cause."""
    hurried = parameters(8, 0, 0, 0) | {"rx_flowcontrol_timeout": 1}
    meeting = Meeting(time, NORMAL, IsoTpParameters(block_size=1), hurried)
    meeting.tester.logic.send(bytes(6 + 7 * 100))
    meeting.run(MILLISECOND)
    assert meeting.received == [bytes(6 + 7 * 100)]
    assert meeting.tester.errors == []


def test_the_longest_message_without_escape_is_received_by_default(time: Time) -> None:
    """4095 bytes, in less than a second at the tester's pace."""
    meeting = Meeting(time, NORMAL, IsoTpParameters(), parameters(8, 0, 0, 0))
    begin = time.now
    meeting.tester.logic.send(bytes(4095))
    meeting.run(MILLISECOND)
    assert meeting.received == [bytes(4095)]
    assert time.now - begin < SECOND
