"""What every port with clients has in common: accepting, reading and writing in bounds, and closing."""

import select
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from hilbridge.boundary.links.client_server import Client, ClientServer, ClientStatistics
from hilbridge.boundary.links.doors import ListeningSocket, listen

MOST = 3


class Echo(Client):
    """Sends back what it received, and counts what happens to it."""

    def __init__(self) -> None:
        super().__init__()
        self.received = b""
        self.limit = 1 << 20
        self.finished = self.ended = self.closed = False

    @property
    def room(self) -> int:
        return max(0, self.limit - len(self.received))

    @property
    def is_finished(self) -> bool:
        return self.finished

    def receive(self, data: bytes, t: int) -> None:
        self.received += data
        self.output.extend(data)

    def end_input(self) -> None:
        self.ended = True

    def close(self) -> None:
        self.closed = True


class Lingering(Echo):
    lingers: ClassVar = True


class Bench:
    """A server on a TCP port, whose clients are kept in the order of their arrival."""

    def __init__(self, kind: type[Echo] = Echo, *, accepts: int = 1, turns_away: bool = True) -> None:
        self.kind = kind
        self.clients: list[Echo] = []
        self.statistics = ClientStatistics()
        self.door: ListeningSocket = listen(0)
        self.server = ClientServer(
            [self.door], self._new, self.statistics, most=MOST, accepts=accepts, turns_away=turns_away
        )
        self.programs: list[socket.socket] = []

    def _new(self) -> Echo:
        self.clients.append(self.kind())
        return self.clients[-1]

    def connect(self) -> socket.socket:
        port = int(self.door.describe().rsplit(":", 1)[1])
        self.programs.append(socket.create_connection(("127.0.0.1", port), timeout=5))
        return self.programs[-1]

    def joined(self) -> tuple[socket.socket, Echo]:
        program = self.connect()
        self.turn(2)
        return program, self.clients[-1]

    def turn(self, count: int = 1, most: int | None = None) -> None:
        for _ in range(count):
            self.server.poll(0, most)
            self.server.flush()

    def close(self) -> None:
        self.server.close()
        for program in self.programs:
            program.close()


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.close()


def test_what_has_been_written_is_not_written_again(bench: Bench) -> None:
    """However little of it the other end takes at a time."""
    program, client = bench.joined()
    content = b"".join(b"%07d\r" % number for number in range(500_000))
    client.output.extend(content)
    sent, received = 0, bytearray()
    while len(received) < len(content):
        sent += bench.server.flush()
        received += program.recv(9_973)
    assert received == content
    assert sent == len(content)


def test_silence_is_not_the_end(bench: Bench) -> None:
    program, client = bench.joined()
    bench.turn(5)
    assert not client.closed
    program.close()
    bench.turn(2)
    assert client.closed
    assert (bench.statistics.connected, bench.statistics.disconnected) == (1, 1)


def test_clients_share_what_may_be_read(bench: Bench) -> None:
    """The same for each of those that sent something; one byte at least."""
    pairs = [bench.joined() for _ in range(MOST)]
    for program, _ in pairs:
        program.sendall(b"x" * 1000)
    for most, each in ((300, 100), (1, 1), (None, 899)):
        before = [len(client.received) for _, client in pairs]
        bench.turn(most=most)
        assert [len(client.received) for _, client in pairs] == [size + each for size in before]


def test_a_client_without_room_is_not_read_and_loses_nothing(bench: Bench) -> None:
    program, client = bench.joined()
    client.limit = 10
    program.sendall(b"0123456789abcdef")
    bench.turn(5)
    assert client.received == b"0123456789"
    client.limit = 20
    bench.turn(2)
    assert client.received == b"0123456789abcdef"


def test_one_client_is_accepted_in_a_poll_and_one_too_many_is_turned_away(bench: Bench) -> None:
    programs = [bench.connect() for _ in range(MOST + 1)]
    for joined in range(1, MOST + 1):
        bench.turn()
        assert bench.statistics.connected == joined
    assert bench.statistics.turned_away == 0
    bench.turn()
    assert bench.statistics.turned_away == 1
    assert programs[-1].recv(1) == b""


def test_a_server_that_turns_no_client_away_lets_it_wait() -> None:
    bench = Bench(accepts=10, turns_away=False)
    programs = [bench.connect() for _ in range(MOST + 1)]
    programs[-1].sendall(b"later")
    bench.turn(3)
    assert (bench.statistics.connected, bench.statistics.turned_away) == (MOST, 0)
    programs[0].close()
    bench.turn(3)
    assert bench.clients[-1].received == b"later"
    bench.close()


def test_a_finished_connection_is_closed_when_its_output_was_sent(bench: Bench) -> None:
    program, client = bench.joined()
    client.output.extend(b"last words")
    client.finished = True
    bench.turn()
    assert client.closed
    assert program.recv(100) == b"last words"
    assert program.recv(100) == b""


def test_a_client_that_lingers_is_served_after_its_last_byte() -> None:
    """Until it is finished; what cannot be written any more is dropped."""
    bench = Bench(Lingering)
    program, client = bench.joined()
    program.sendall(b"x")
    bench.turn(2)
    program.close()  # with an unread byte: a reset
    bench.turn(3)
    assert client.ended
    assert not client.closed
    client.output.extend(b"y" * 100)
    bench.turn(3)
    assert not client.output
    client.finished = True
    bench.turn()
    assert client.closed
    bench.close()


def test_a_dismissed_client_leaves_the_others_alone(bench: Bench) -> None:
    (first, gone), (second, _) = bench.joined(), bench.joined()
    bench.server.dismiss(next(each for each, client in bench.server.clients.items() if client is gone))
    assert first.recv(1) == b""
    second.sendall(b"still here")
    bench.turn(2)
    assert second.recv(100) == b"still here"


def test_the_descriptor_is_readable_while_there_is_something_to_do(bench: Bench) -> None:
    def is_due() -> bool:
        return bool(select.select([bench.server.descriptor], [], [], 0)[0])

    assert not is_due()
    program = bench.connect()
    assert is_due()
    bench.turn()
    assert not is_due()
    program.sendall(b"x")
    assert is_due()
    bench.turn()
    assert not is_due()


def test_no_descriptor_is_left_behind() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    bench = Bench()
    bench.joined()
    bench.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_what_a_client_sent_before_it_left_is_received(bench: Bench) -> None:
    """It goes with output unread, so that nothing can be written to it any more, before its last bytes were read."""
    program, client = bench.joined()
    client.output.extend(b"unread")
    bench.turn()
    program.sendall(b"last")
    program.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    program.close()
    client.output.extend(b"in vain")
    bench.server.flush()
    bench.server.flush()
    assert not client.closed
    bench.turn(2)
    assert (client.received, client.closed) == (b"last", True)
