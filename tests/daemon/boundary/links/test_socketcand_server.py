"""The socketcand port: python-can's interface both ways, beside SLCAN clients; clients that stall or flood."""

import socket
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import can
import pytest
from pydantic import ValidationError

from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.links.socketcand_client import QUEUE_LIMIT
from hilbridge.boundary.links.socketcand_server import BYTES_PER_MILLISECOND, MOST_CLIENTS
from hilbridge.files.settings.buses import BusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED, Frame

from ....benches import Listener, read_until
from .bench import Bench

Connect = Callable[..., socket.socket]
PARSE: Any = import_module("can.interfaces.socketcand.socketcand").convert_ascii_message_to_can_message
COMMAND: Any = import_module("can.interfaces.socketcand.socketcand").convert_can_message_to_ascii_message

MESSAGES = [
    (can.Message(arbitration_id=0x123, is_extended_id=False, data=[1, 2, 255]), Frame(0x123, b"\x01\x02\xff")),
    (can.Message(arbitration_id=0x18DB33F1, data=bytes(8)), Frame(0x18DB33F1 | EXTENDED, bytes(8))),
    (can.Message(arbitration_id=0x12, data=[7]), Frame(0x12 | EXTENDED, b"\x07")),
]


@pytest.fixture
def link(bus: Bus, bench: Bench) -> Iterator[EmbeddedLink]:
    embedded = EmbeddedLink(bus, [0], socketcand=0)
    embedded.poll(0)  # from now on it listens
    bus.attach_link(embedded)
    bench.add(bus, embedded)
    yield embedded
    embedded.close()


def port_of(link: EmbeddedLink) -> int:
    """The socketcand port stands behind the SLCAN port."""
    return int(link.describe().rsplit(":", 1)[1])


@pytest.fixture
def connect(link: EmbeddedLink, bus: Bus, bench: Bench) -> Iterator[Connect]:
    """Connects plain sockets, which open the bus in raw mode as python-can does."""
    opened = []

    def new() -> socket.socket:
        client = socket.create_connection(("127.0.0.1", port_of(link)), timeout=5)
        opened.append(client)
        for command, answer in (("", "< hi >"), (f"< open {bus.name} >", "< ok >"), ("< rawmode >", "< ok >")):
            client.sendall(command.encode())
            bench.tick(3)
            assert read_until(client, answer.encode()) == answer.encode()
        client.sendall(b"< echo >")
        bench.tick(3)
        assert read_until(client, b"< echo >") == b"< echo >"
        return client

    yield new
    for client in opened:
        client.close()


@pytest.mark.parametrize(("message", "frame"), MESSAGES)
def test_what_python_can_writes_is_a_frame_on_the_bus(
    connect: Connect, listener: Listener, bench: Bench, message: can.Message, frame: Frame
) -> None:
    connect().sendall(COMMAND(message).encode())
    bench.until(lambda: listener.frames)
    assert listener.frames == [frame]


@pytest.mark.parametrize(("message", "frame"), MESSAGES)
def test_what_is_on_the_bus_python_can_reads(
    connect: Connect, bus: Bus, bench: Bench, message: can.Message, frame: Frame
) -> None:
    client = connect()
    bus.transmit(frame, None)
    bench.tick(3)
    found = PARSE(read_until(client, b">").decode())
    assert found.equals(message, timestamp_delta=None, check_direction=False, check_channel=False)


def test_clients_of_both_ports_hear_each_other(connect: Connect, link: EmbeddedLink, bench: Bench) -> None:
    slcan_port = int(link.describe().partition(";")[0].rsplit(":", 1)[1])
    client, other = connect(), connect()
    with socket.create_connection(("127.0.0.1", slcan_port), timeout=5) as slcan:
        slcan.sendall(b"O\r")
        bench.tick(3)
        assert read_until(slcan, b"\r") == b"\r"
        client.sendall(b"< send 123 1 5 >")
        bench.tick(3)
        assert read_until(slcan, b"\r") == b"t123105\r"
        slcan.sendall(b"t124106\r")
        bench.tick(3)
        assert read_until(client, b">").startswith(b"< frame 124 ")
        assert b"< frame 123 " in read_until(other, b"06 >")


def test_a_job_is_polled_in_every_tick(connect: Connect, link: EmbeddedLink, listener: Listener, bench: Bench) -> None:
    client = connect()
    assert link.descriptor is not None
    client.sendall(b"< bcmmode >< add 0 10000 123 0 >")
    bench.until(lambda: listener.frames)
    assert link.descriptor is None
    bench.tick(100)
    assert len(listener.frames) == 11
    client.close()
    bench.until(lambda: link.statistics.disconnected)
    bench.tick(50)
    assert len(listener.frames) == 11
    assert link.descriptor is not None


def test_a_client_that_does_not_read_loses_frames(connect: Connect, bus: Bus, bench: Bench, link: EmbeddedLink) -> None:
    connect()
    for _ in range(400):
        for _ in range(1000):
            bus.transmit(Frame(0x123, bytes(8)), None)
        bench.tick(1)
        if link.statistics.dropped:
            break
    (client,) = link._socketcand.clients.values()  # type: ignore[union-attr]
    assert len(client.output) <= QUEUE_LIMIT
    assert link.statistics.dropped


def test_a_flood_is_read_by_the_piece(connect: Connect, listener: Listener, bench: Bench) -> None:
    connect().sendall(b"< send 123 0 >" * 4000)
    bench.tick(1)
    before = len(listener.frames)
    bench.tick(1)
    assert len(listener.frames) - before <= 4 * BYTES_PER_MILLISECOND // len("< send 123 0 >") + 1


def test_no_more_clients_than_places(connect: Connect, link: EmbeddedLink, bench: Bench) -> None:
    for _ in range(MOST_CLIENTS):
        connect()
    with socket.create_connection(("127.0.0.1", port_of(link)), timeout=5) as late:
        bench.until(lambda: link.statistics.turned_away)
        assert late.recv(10) == b""


def test_a_port_that_is_taken_leaves_no_other_open(bus: Bus) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(LinkError, match=f"socketcand port 127.0.0.1:{port}"):
            EmbeddedLink(bus, [0], socketcand=port)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"interface": "socketcan", "channel": "can0", "bitrate": 500_000}, "only an embedded bus"),
        ({"interface": "embedded", "fd": True}, "has no CAN FD"),
    ],
)
def test_where_there_is_no_such_port(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        BusSettings.model_validate(settings | {"socketcand": 0})
