"""The SLCAN port: real clients, and clients that stall, flood, send garbage or vanish."""

import random
import socket
import struct
from collections.abc import Callable, Iterator
from typing import Any

import can
import pytest
from can.interfaces.slcan import slcanBus

from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.links.slcan_server import BYTES_PER_MILLISECOND, MOST_CLIENTS, QUEUE_LIMIT, SlcanClient
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, FD, REMOTE, Frame

from ....benches import Listener, read_until
from .bench import Bench

Connect = Callable[..., socket.socket]
OpenClient = Callable[..., slcanBus]

FRAME = Frame(0x123, b"\x11\x22\x33")
LINE = b"t1233112233\r"


@pytest.fixture
def link(bus: Bus, bench: Bench) -> Iterator[EmbeddedLink]:
    embedded = EmbeddedLink(bus, [0])
    embedded.poll(0)  # from now on it listens
    bus.attach_link(embedded)
    bench.add(bus, embedded)
    yield embedded
    embedded.close()


@pytest.fixture
def connect(link: EmbeddedLink, bench: Bench) -> Iterator[Connect]:
    """Connects plain sockets, which have sent `first` and got their answers."""
    opened = []

    def new(first: bytes = b"O\r") -> socket.socket:
        client = socket.create_connection(("127.0.0.1", port_of(link)), timeout=5)
        opened.append(client)
        client.sendall(first + b"V\r")
        bench.tick(3)
        read_until(client, b"V1010\r")
        return client

    yield new
    for client in opened:
        client.close()


@pytest.fixture
def python_can(link: EmbeddedLink) -> Iterator[OpenClient]:
    opened = []

    def new(**parameters: Any) -> slcanBus:
        channel = f"socket://127.0.0.1:{port_of(link)}"
        client = slcanBus(channel, sleep_after_open=0, **parameters)
        opened.append(client)
        return client

    yield new
    for client in opened:
        client.shutdown()


def port_of(link: EmbeddedLink) -> int:
    return int(link.describe().rsplit(":", 1)[1])


def next_message(client: can.BusABC, bench: Bench) -> can.Message:
    found: list[can.Message] = []

    def look() -> bool:
        message = client.recv(0)
        if message is not None:
            found.append(message)
        return bool(found)

    bench.until(look)
    return found[0]


MESSAGES = [
    (can.Message(arbitration_id=0x123, is_extended_id=False, data=[1, 2, 255]), Frame(0x123, b"\x01\x02\xff")),
    (can.Message(arbitration_id=0x18DB33F1, data=bytes(8)), Frame(0x18DB33F1 | EXTENDED, bytes(8))),
    (
        can.Message(arbitration_id=0x7DF, is_extended_id=False, is_remote_frame=True, dlc=8),
        Frame(0x7DF | REMOTE, bytes(8)),
    ),
    (can.Message(arbitration_id=1, is_fd=True, data=bytes(64)), Frame(1 | EXTENDED, bytes(64), FD)),
    (
        can.Message(arbitration_id=2, is_extended_id=False, is_fd=True, bitrate_switch=True, data=bytes(range(12))),
        Frame(2, bytes(range(12)), FD | BRS),
    ),
]


def test_python_can_sends_every_kind_of_frame(
    listener: Listener, python_can: OpenClient, bench: Bench, link: EmbeddedLink
) -> None:
    client = python_can(bitrate=500_000)
    for message, _ in MESSAGES:
        client.send(message)
    bench.until(lambda: len(listener.frames) == len(MESSAGES))
    assert listener.frames == [frame for _, frame in MESSAGES]
    assert link.statistics.errors == 0


def test_python_can_receives_every_kind_of_frame(bus: Bus, python_can: OpenClient, bench: Bench) -> None:
    client = python_can()
    bench.tick(5)
    for message, frame in MESSAGES:
        bus.transmit(frame, None)
        received = next_message(client, bench)
        assert received.equals(message, timestamp_delta=None, check_direction=False, check_channel=False)


def test_python_can_asks_for_version_and_serial_number(
    python_can: OpenClient, link: EmbeddedLink, bench: Bench
) -> None:
    """Its question waits for the answer, so that the answer has to be there before: it asks twice."""
    client = python_can()
    for ask, answer in [(client.get_version, (10, 10)), (client.get_serial_number, "HILB")]:
        ask(0)
        bench.tick(5, pause=0.001)
        assert ask(5) == answer


def test_clients_hear_each_other_and_the_bus_hears_them_once(
    python_can: OpenClient, listener: Listener, bench: Bench
) -> None:
    """A hub: a client's frame reaches the bus and the other clients, and does not come back to its sender."""
    first, second = python_can(), python_can()
    bench.tick(5)
    first.send(MESSAGES[0][0])
    assert next_message(second, bench).arbitration_id == 0x123
    bench.tick(5)
    assert listener.frames == [MESSAGES[0][1]]
    assert first.recv(0.01) is None


def test_a_client_hears_nothing_until_it_opens_its_channel(
    connect: Connect, bus: Bus, bench: Bench, link: EmbeddedLink
) -> None:
    client = connect(first=b"")
    bus.transmit(FRAME, None)
    bench.tick(2)
    client.sendall(b"V\r")
    bench.tick(2)
    assert read_until(client, b"V1010\r") == b"V1010\r"
    assert link.statistics.sent == 0


def test_a_listen_only_client_hears_but_does_not_speak(
    connect: Connect, bus: Bus, listener: Listener, bench: Bench, link: EmbeddedLink
) -> None:
    client = connect(first=b"L\r")
    client.sendall(LINE)
    bus.transmit(FRAME, None)
    bench.tick(3)
    assert sorted(read_until(client, LINE)) == sorted(b"\a" + LINE)
    assert listener.frames == [FRAME]
    assert link.statistics.refused == 1


def test_a_client_that_asked_for_time_stamps_gets_them(connect: Connect, bus: Bus, bench: Bench) -> None:
    client = connect(first=b"Z1\rO\r")
    bench.tick(0x100 - bench.t // 1_000_000)
    bus.transmit(FRAME, None)
    bench.tick()
    assert read_until(client, b"\r") == b"t12331122330100\r"


def test_an_error_frame_is_not_shown_to_clients(connect: Connect, bus: Bus, bench: Bench, link: EmbeddedLink) -> None:
    client = connect()
    bus.transmit(Frame(ERROR | 0x40, bytes(8)), None)
    bus.transmit(FRAME, None)
    bench.tick()
    assert read_until(client, b"\r") == LINE
    assert link.statistics.sent == 1


def test_half_a_line_waits_for_the_other_half(connect: Connect, listener: Listener, bench: Bench) -> None:
    client = connect()
    client.sendall(LINE[:5])
    bench.tick(5, pause=0.001)
    assert listener.frames == []
    client.sendall(LINE[5:])
    bench.until(lambda: listener.frames)
    assert listener.frames == [FRAME]


def test_a_client_that_does_not_read_loses_frames_and_nobody_else_does(
    connect: Connect, bus: Bus, bench: Bench, link: EmbeddedLink
) -> None:
    """What waits for one client is bounded; what has no room is counted, and its status says overrun."""
    lazy, good = connect(), connect()
    good.setblocking(False)
    heard, count = 0, 0
    while not link.statistics.dropped:
        assert count < 1_000_000
        for _ in range(200):
            bus.transmit(FRAME, None)
        bench.tick()
        count += 200
        heard += len(good.recv(1 << 20))
    assert heard == count * len(LINE)

    lazy.sendall(b"F\r")
    left = b""
    while b"F" not in left:
        left += lazy.recv(1 << 20)
        bench.tick()
    assert left == LINE * (count - link.statistics.dropped) + b"F08\r"


def test_a_full_bus_is_received_without_loss(connect: Connect, listener: Listener, bench: Bench) -> None:
    """Eight frames of 8 bytes in every millisecond, 8,000 a second: a 1 Mbit/s bus has no room for more."""
    client = connect()
    sent = [Frame(number & 0x7FF, number.to_bytes(8, "big")) for number in range(8_000)]
    for start in range(0, len(sent), 8):
        client.sendall(
            b"".join(b"t%03X8%016X\r" % (frame.can_id, start + n) for n, frame in enumerate(sent[start:][:8]))
        )
        bench.tick()
        client.recv(4096)
    bench.tick(5)
    assert listener.frames == sent


def test_a_client_that_floods_is_read_by_the_piece(connect: Connect, bench: Bench, link: EmbeddedLink) -> None:
    """However much has arrived, one tick takes no more than its share."""
    flooder = connect()
    line = b"t0000\r"
    flooder.setblocking(False)
    assert flooder.send(line * 5_000) > 10 * BYTES_PER_MILLISECOND
    before = link.statistics.received
    bench.tick()
    assert 0 < link.statistics.received - before <= BYTES_PER_MILLISECOND // len(line)


def test_garbage_is_answered_counted_and_survived(
    connect: Connect, listener: Listener, bench: Bench, link: EmbeddedLink
) -> None:
    """100 kB of random bytes from one client; the other one's frames arrive."""
    noisy, good = connect(), connect()
    noise = random.Random(1).randbytes(100_000).replace(b"O\r", b"")
    noisy.setblocking(False)
    while noise:
        try:
            noise = noise[noisy.send(noise[:4096]) :]
        except BlockingIOError:
            pytest.fail("the server does not read")
        bench.tick()
        with_answers = noisy.recv(1 << 16) if link.statistics.errors else b""
        assert set(with_answers) <= set(b"\a\rzZ")
    good.sendall(LINE)
    bench.until(lambda: FRAME in listener.frames)
    assert link.statistics.errors > 100


def test_a_client_may_vanish_at_any_time(connect: Connect, bus: Bus, bench: Bench, link: EmbeddedLink) -> None:
    """Closed, or reset in the middle of a line: it is forgotten, and the others go on."""
    leaves, breaks, stays = connect(), connect(), connect()
    leaves.close()
    breaks.sendall(LINE[:3])
    breaks.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    breaks.close()
    bus.transmit(FRAME, None)
    bench.tick(5)
    assert (link.statistics.connected, link.statistics.disconnected) == (3, 2)
    assert read_until(stays, b"\r") == LINE


def test_more_clients_than_there_is_room_for_are_sent_away(
    connect: Connect, bus: Bus, bench: Bench, link: EmbeddedLink
) -> None:
    clients = [connect() for _ in range(MOST_CLIENTS)]
    with socket.create_connection(("127.0.0.1", port_of(link)), timeout=5) as late:
        bench.tick(3)
        assert late.recv(1) == b""
    clients[0].close()
    bench.tick(3)
    connect()
    assert link.statistics.connected == MOST_CLIENTS + 1


def test_a_line_is_queued_whole_or_not_at_all() -> None:
    client = SlcanClient(lambda *_: None)
    while client.offer(LINE):
        pass
    assert len(client.output) == QUEUE_LIMIT // len(LINE) * len(LINE)


def test_the_queue_has_room_for_half_a_second_of_a_busy_bus() -> None:
    """2,000 frames of 8 bytes, of 27 characters each."""
    assert QUEUE_LIMIT > 2_000 * 27
