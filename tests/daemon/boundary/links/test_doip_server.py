"""The port of a DoIP entity, between sockets of loopback."""

import select
import socket
from collections.abc import Callable, Iterator

import pytest

from hilbridge.base.common.errors import NotNowError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.doip_server import DATAGRAMS_PER_TICK, WAITING_ROOM, DoipServer
from hilbridge.files.settings.doip import DoipSettings

PATIENCE = 10.0
"""[s]"""


class Peer:
    """What was sent on one connection; it echoes."""

    def __init__(self) -> None:
        self.output = bytearray()
        self.said = b""
        self.room, self.is_finished, self.gives_way = 1 << 16, False, True

    def feed(self, data: bytes, t: int) -> None:
        self.said += data
        self.output += data


class Entity:
    """Knows its testers, and answers each datagram with itself."""

    def __init__(self) -> None:
        self.testers: list[Peer] = []
        self.datagrams: list[bytes] = []

    def plug_in(self) -> Peer:
        self.testers.append(Peer())
        return self.testers[-1]

    def unplug(self, tester: Peer) -> None:
        self.testers.remove(tester)

    def datagram(self, data: bytes) -> bytes:
        self.datagrams.append(data)
        return data

    def announcement(self) -> bytes:
        return b"here"


class World:
    """An entity behind a port, in ticks of a millisecond."""

    def __init__(self, **settings: object) -> None:
        self.entity = Entity()
        given = {"port": 0, "logical_address": 0x1000, "units": {"body": 0x1010}} | settings
        self.server: DoipServer[Peer] = DoipServer(DoipSettings.model_validate(given), self.entity)
        self.port = int(self.server.describe().split(",")[0].rsplit(":", 1)[1])
        self.server.poll(0)  # from now on it listens
        self.t = 0

    def tick(self) -> None:
        self.server.poll(self.t)
        self.server.flush(self.t)
        self.t += MILLISECOND

    def until(self, condition: Callable[[], object]) -> None:
        """Ticks while there is something to do; an endless wait ends the test."""
        for _ in range(1000):
            if condition():
                return
            select.select([self.server.descriptor], [], [], PATIENCE / 1000)
            self.tick()
        raise AssertionError("nothing came")

    def connect(self) -> socket.socket:
        came = self.server.statistics.connected
        client = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self.until(lambda: self.server.statistics.connected > came)
        return client


@pytest.fixture
def world() -> Iterator[World]:
    opened = World(announce=None)
    yield opened
    opened.server.close()


@pytest.fixture
def datagrams() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        one.settimeout(PATIENCE)
        yield one


def test_bytes_come_and_go(world: World) -> None:
    with world.connect() as client:
        client.sendall(b"12345678")
        world.until(lambda: world.entity.testers[0].said == b"12345678")
        world.tick()
        assert client.recv(100) == b"12345678"
    world.until(lambda: not world.entity.testers)


def test_a_finished_connection_is_closed_after_its_last_word(world: World) -> None:
    with world.connect() as client:
        world.entity.testers[0].output += b"no"
        world.entity.testers[0].is_finished = True
        world.tick()
        assert client.recv(100) == b"no"
        assert client.recv(100) == b""
    assert not world.entity.testers


def test_a_tester_without_room_is_not_read(world: World) -> None:
    with world.connect() as client:
        world.entity.testers[0].room = 0
        client.sendall(b"12345678")
        for _ in range(5):
            world.tick()
        assert world.entity.testers[0].said == b""


def test_connections_that_say_nothing_shut_nobody_out(world: World) -> None:
    """The one that has waited longest without routing makes room, and none that has it."""
    active = world.connect()
    keeps = world.entity.testers[0]
    keeps.gives_way = False
    silent = [world.connect() for _ in range(60)]
    assert keeps in world.entity.testers
    assert len(world.entity.testers) == 8 + WAITING_ROOM
    assert silent[0].recv(1) == b""
    for client in (active, *silent):
        client.close()


def test_without_anyone_who_gives_way_a_newcomer_is_turned_away() -> None:
    world = World(announce=None, sockets=1)
    clients = [world.connect() for _ in range(1 + WAITING_ROOM)]
    for peer in world.entity.testers:
        peer.gives_way = False
    with socket.create_connection(("127.0.0.1", world.port), timeout=PATIENCE) as late:
        world.until(lambda: world.server.statistics.turned_away)
        assert late.recv(1) == b""
    for one in clients:
        one.close()
    world.server.close()


def test_a_datagram_is_answered_to_its_sender(world: World, datagrams: socket.socket) -> None:
    """Some in a tick; one that is longer than any request is cut off."""
    for _ in range(3 * DATAGRAMS_PER_TICK):
        datagrams.sendto(b"who", ("127.0.0.1", world.port))
    select.select([world.server.descriptor], [], [], PATIENCE)
    world.tick()
    assert len(world.entity.datagrams) <= DATAGRAMS_PER_TICK
    world.until(lambda: len(world.entity.datagrams) == 3 * DATAGRAMS_PER_TICK)
    assert datagrams.recv(100) == b"who"
    datagrams.sendto(bytes(1000), ("127.0.0.1", world.port))
    world.until(lambda: len(world.entity.datagrams) > 3 * DATAGRAMS_PER_TICK)
    assert len(world.entity.datagrams[-1]) == 64


def test_nobody_is_answered_before_the_port_is_open(datagrams: socket.socket) -> None:
    """A connection is refused, a datagram is dropped and counted, and no vehicle announces itself."""
    port = datagrams.getsockname()[1]
    given = {"port": 0, "logical_address": 0x1000, "units": {"body": 0x1010}, "announce_port": port}
    entity = Entity()
    server: DoipServer[Peer] = DoipServer(DoipSettings.model_validate(given), entity)
    server.flush(0)
    assert server.statistics.announced == 0
    own = ("127.0.0.1", int(server.describe().rsplit(":", 1)[1]))
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(own, timeout=PATIENCE)
    for _ in range(3 * DATAGRAMS_PER_TICK):
        datagrams.sendto(b"who", own)
    server.poll(0)
    assert server.statistics.early == 3 * DATAGRAMS_PER_TICK
    datagrams.sendto(b"now", own)
    server.poll(MILLISECOND)
    assert entity.datagrams == [b"now"]
    assert datagrams.recv(10) == b"now"
    server.flush(MILLISECOND)
    assert datagrams.recv(10) == b"here"
    assert server.trouble == ""
    server.close()


def test_a_stranger_is_neither_let_in_nor_answered(datagrams: socket.socket) -> None:
    """Senders are named by their IP addresses."""
    world = World(announce=None, senders=["127.0.0.2"])
    with socket.create_connection(("127.0.0.1", world.port), timeout=PATIENCE) as stranger:
        datagrams.sendto(b"who", ("127.0.0.1", world.port))
        world.until(lambda: world.server.statistics.foreign == 2)
        assert stranger.recv(1) == b""
    known = socket.create_connection(("127.0.0.1", world.port), PATIENCE, source_address=("127.0.0.2", 0))
    world.until(lambda: world.entity.testers)
    known.close()
    assert world.entity.datagrams == []
    world.server.close()


def test_the_vehicle_announces_itself_three_times(datagrams: socket.socket) -> None:
    """Every half a second from the start on; to loopback unless the file says otherwise."""
    world = World(announce_port=datagrams.getsockname()[1])
    counts = []
    for _ in range(1600):
        world.server.flush(world.t)
        counts.append(world.server.statistics.announced)
        world.t += MILLISECOND
    assert [counts.index(number) for number in (1, 2, 3)] == [0, 500, 1000]
    assert counts[-1] == 3
    assert [datagrams.recv(10) for _ in range(3)] == [b"here"] * 3
    world.server.close()


def test_tcp_and_udp_have_one_port_and_it_is_on_the_loopback_address_only(world: World) -> None:
    assert world.server.describe() == f"doip://127.0.0.1:{world.port}"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken, pytest.raises(OSError, match="in use"):
        taken.bind(("127.0.0.1", world.port))


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(NotNowError, match=f"UDP port {port} of 127.0.0.1 cannot be opened"):
            World(port=port)


def test_loopback_of_ipv6() -> None:
    world = World(address="::1")
    with socket.create_connection(("::1", world.port), timeout=PATIENCE):
        world.until(lambda: world.entity.testers)
    world.server.close()
