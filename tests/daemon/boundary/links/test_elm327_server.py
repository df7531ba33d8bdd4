"""The ways to an ELM327: scan tools on TCP and on a pseudo terminal, and ones that stall, flood, or vanish."""

import contextlib
import os
import random
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.doors import Elm327Terminal
from hilbridge.boundary.links.elm327_server import (
    BYTES_PER_MILLISECOND,
    MOST_CLIENTS,
    UNREAD_LIMIT,
    open_doors,
)

from .devices import ServerBench


class Bench(ServerBench):
    """A server on a free port and a pseudo terminal."""

    def __init__(self, period: int = 1) -> None:
        self.doors = open_doors([0, "pty"])
        super().__init__(self.doors, period)
        self.port, self.terminal = (door.describe() for door in self.doors)
        self.server.poll(0)  # from now on it listens

    def connect(self) -> socket.socket:
        client = socket.create_connection(("127.0.0.1", int(self.port.rsplit(":", 1)[1])), timeout=5)
        self.tick(2)
        return client

    def open_terminal(self) -> int:
        return os.open(self.terminal.removeprefix("pty "), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def read(self, read: Callable[[], bytes], count: int) -> bytes:
        """Bytes that come within 10,000 ticks."""
        data = b""
        for _ in range(10_000):
            with contextlib.suppress(BlockingIOError):
                data += read()
            if len(data) >= count:
                return data
            self.tick()
        raise AssertionError(data)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.server.close()


def test_a_client_on_tcp_talks_to_a_device_of_its_own(bench: Bench) -> None:
    with bench.connect() as first, bench.connect() as second:
        first.sendall(b"ab")
        second.sendall(b"c")
        bench.tick(5)
        assert (first.recv(9), second.recv(9)) == (b"abab", b"cc")
        assert [device.heard for device in bench.devices] == [b"ab", b"c"]
    bench.tick(3)
    assert bench.devices == []
    statistics = bench.server.statistics
    assert (statistics.received, statistics.sent, statistics.connected, statistics.disconnected) == (3, 6, 2, 2)


def test_programs_come_and_go_on_a_terminal_that_keeps_its_name(bench: Bench) -> None:
    """What one has not read is not there for the next, whose device is new."""
    for visit in range(1, 4):
        program = bench.open_terminal()
        os.write(program, b"xy")
        assert bench.read(partial(os.read, program, 99), 4) == b"xyxy"
        os.write(program, b"unread")
        bench.tick(5)
        os.close(program)
        bench.tick(5)
        assert bench.devices == []
        assert bench.server.statistics.disconnected == visit


def test_a_program_that_only_looks_at_the_terminal_is_no_client(bench: Bench) -> None:
    os.close(bench.open_terminal())
    bench.tick(5)
    assert bench.server.statistics.connected == 0


def test_a_flood_is_read_by_the_piece(bench: Bench) -> None:
    with bench.connect() as flooder:
        flooder.sendall(b"x" * 10_000)
        before = bench.server.statistics.received
        bench.tick()
        assert 0 < bench.server.statistics.received - before <= BYTES_PER_MILLISECOND


def test_whoever_has_sent_far_ahead_gives_up_the_place_that_another_needs(bench: Bench) -> None:
    """Whether it is still there or has gone; a scan tool, which waits for its prompt, keeps its own."""
    with bench.connect() as tool:
        for _ in range(MOST_CLIENTS):
            with bench.connect() as flooder:
                flooder.sendall(b"x" * 100_000)
        floods = len(bench.devices)
        with bench.connect() as other:
            for client in (other, tool):
                client.setblocking(False)
                client.sendall(b"?")
                assert bench.read(partial(client.recv, 9), 2) == b"??"
    assert floods == MOST_CLIENTS
    assert bench.server.statistics.turned_away == 0


def test_a_client_that_does_not_read_is_not_read_either_until_it_does() -> None:
    """What waits for it is bounded; nothing of what it sent is lost, and the others go on."""
    bench = Bench(period=100)
    noise = random.Random(1).randbytes(400_000)
    with bench.connect() as lazy, bench.connect() as good:
        lazy.setblocking(False)
        sent = lazy.send(noise)
        device, heard = bench.devices[0], -1
        while len(device.heard) > heard:
            heard = len(device.heard)
            bench.tick()
            assert len(device.output) <= UNREAD_LIMIT + 2 * bench.period * BYTES_PER_MILLISECOND
        assert heard < sent
        good.sendall(b"ab")
        bench.tick(2)
        assert good.recv(9) == b"abab"
        bench.read(partial(lazy.recv, 1 << 20), 2 * sent)
        assert device.heard == noise[:sent]
    bench.server.close()


def test_more_clients_than_there_is_room_for_are_sent_away(bench: Bench) -> None:
    clients = [bench.connect() for _ in range(MOST_CLIENTS)]
    with bench.connect() as late:
        assert late.recv(1) == b""
    clients.pop().close()
    bench.tick(3)
    with bench.connect() as next_one:
        next_one.sendall(b"a")
        bench.tick(3)
        assert next_one.recv(9) == b"aa"
    assert bench.server.statistics.turned_away == 1
    for client in clients:
        client.close()


def test_a_connection_that_breaks_is_forgotten(bench: Bench) -> None:
    client = bench.connect()
    client.sendall(b"a" * 100)
    bench.tick(20)
    client.close()  # with unread bytes: a reset
    bench.tick(5)
    assert bench.devices == []


def test_a_program_that_leaves_without_having_read_anything_is_forgotten(bench: Bench) -> None:
    """However much waits for it."""
    program = bench.open_terminal()
    while not bench.devices or len(bench.devices[0].output) < UNREAD_LIMIT:
        with contextlib.suppress(BlockingIOError):
            os.write(program, bytes(1_000))
        bench.tick()
    os.close(program)
    bench.tick(1_000)
    assert bench.devices == []
    program = bench.open_terminal()
    os.write(program, b"ab")
    assert bench.read(partial(os.read, program, 99), 4) == b"abab"
    os.close(program)


def test_a_port_in_use_says_so_and_leaves_nothing_behind() -> None:
    """The message names the port and the key."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        before = len(list(Path("/proc/self/fd").iterdir()))
        with pytest.raises(
            LinkError, match=r"ELM327 port 127\.0\.0\.1:\d+ cannot be opened: Address already in use"
        ) as error:
            open_doors(["pty", other.getsockname()[1]])
        assert error.value.place == ("ways",)
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_no_descriptor_is_left_behind() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    bench = Bench()
    client, program = bench.connect(), bench.open_terminal()
    os.write(program, b"x")
    bench.tick(3)
    bench.server.close()
    client.close()
    os.close(program)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_terminal_without_anybody_is_shut() -> None:
    terminal = Elm327Terminal()
    with pytest.raises(BlockingIOError):
        terminal.enter()
    assert terminal.trouble == ""
    terminal.close()
