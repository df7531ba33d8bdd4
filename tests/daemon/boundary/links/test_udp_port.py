"""The UDP port of an input, between sockets of loopback."""

import select
import socket
from collections.abc import Iterator

import pytest

from hilbridge.base.common.datagrams import unpack
from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.udp_port import DATAGRAMS_PER_TICK, UdpPort

PATIENCE = 10.0
"""[s]"""


@pytest.fixture
def number() -> int:
    """A UDP port that is free."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def port(number: int) -> Iterator[UdpPort]:
    opened = UdpPort("127.0.0.1", number, ["127.0.0.1"], 100)
    yield opened
    opened.close()


@pytest.fixture
def game(number: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as game:
        game.connect(("127.0.0.1", number))
        yield game


def hear(port: UdpPort) -> list[bytes]:
    assert port.descriptor is not None
    ready, _, _ = select.select([port.descriptor], [], [], PATIENCE)
    assert ready
    return list(unpack(port.poll(0)))


def test_datagrams_keep_their_borders(port: UdpPort, game: socket.socket) -> None:
    sent = [b"one", b"", b"\0" * 100]
    for datagram in sent:
        game.send(datagram)
    found: list[bytes] = []
    while len(found) < len(sent):
        found += hear(port)
    assert found == sent
    assert (port.statistics.datagrams, port.statistics.received) == (3, 103)
    assert port.poll(1) == b""


def test_a_flood_is_read_by_the_piece(port: UdpPort, game: socket.socket) -> None:
    for number in range(3 * DATAGRAMS_PER_TICK):
        game.send(bytes([number]))
    assert len(hear(port)) <= DATAGRAMS_PER_TICK


def test_what_is_too_long_is_counted(port: UdpPort, game: socket.socket) -> None:
    game.send(bytes(101))
    assert hear(port) == []
    assert (port.statistics.oversized, port.statistics.datagrams) == (1, 0)


def test_a_stranger_is_counted_and_not_heard(number: int, game: socket.socket) -> None:
    port = UdpPort("127.0.0.1", number, ["192.0.2.7"], 100)
    game.send(b"throttle=1")
    assert hear(port) == []
    assert port.statistics.foreign == 1
    port.close()


def test_a_port_that_is_taken_says_so(port: UdpPort, number: int) -> None:
    with pytest.raises(LinkError, match=f"UDP port {number} of 127.0.0.1 is taken") as error:
        UdpPort("127.0.0.1", number, [], 100)
    assert error.value.place == ("port",)


def test_an_address_that_this_machine_gets_later_is_awaited(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    port = UdpPort("192.0.2.1", number, ["192.0.2.7"], 100)
    assert "this machine has no address 192.0.2.1" in port.trouble
    assert (port.poll(0), port.descriptor, port.statistics.opened) == (b"", None, 0)
    bind = socket.socket.bind
    monkeypatch.setattr(socket.socket, "bind", lambda one, _: bind(one, ("127.0.0.1", number)))  # as if it had come
    port.poll(50_000_000)
    assert (port.trouble, port.statistics.opened) == ("", 1)
    port.close()


def test_no_more_than_8_kib_are_read_in_a_tick(number: int) -> None:
    """Of ten datagrams the first three are read, which have 9000 bytes; the rest waits."""
    port = UdpPort("127.0.0.1", number, [], 3000)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as game:
            game.connect(("127.0.0.1", number))
            for size in (3000, 3000, 3000, 4096, 4096, 10, 4095, 4096, 1, 7):
                game.send(bytes(size))
            found = hear(port)
            assert [len(one) for one in found] == [3000, 3000, 3000]
            assert [len(one) for one in hear(port)] == [10]  # of one that is too long 3001 are read
            assert port.statistics.oversized == 3
            assert [len(one) for one in hear(port)] == [1, 7]
            assert port.statistics.oversized == 4
    finally:
        port.close()
