"""The TCP and the UDP port: who is let in, who is answered, and what becomes of a master that is gone or too slow."""

import errno
import os
import select
import socket
from collections.abc import Iterator

import pytest

from hilbridge.bench.xcp.event_channels import event_channels
from hilbridge.bench.xcp.layout import ETHERNET
from hilbridge.bench.xcp.memory_map import MemoryMap, encode_sample
from hilbridge.bench.xcp.sample_memory import SLOTS, SampleMemory
from hilbridge.boundary.links.doors import SEND_BUFFER
from hilbridge.faces.xcp.calibration import Calibration
from hilbridge.faces.xcp.daq import DaqLists
from hilbridge.faces.xcp.samples import Samples
from hilbridge.faces.xcp.session import Session
from hilbridge.faces.xcp.slave import Identity, Slave
from hilbridge.faces.xcp.tcp_port import BACKLOG, MOST_CONNECTIONS, TcpPort
from hilbridge.faces.xcp.udp_port import AT_ONCE, SILENCE, UdpPort
from hilbridge.faces.xcp.writing import Writing
from vehiclesim.databus import DataBus
from vehiclesim.entries import STANDARD

from .rig import Bench

CONNECT = bytes.fromhex("02000000 FF00")
THROTTLE = bytes.fromhex("0C000000 ED04000004000100 88130000")
STATUS = bytes.fromhex("01000000 FD")
ROUNDS = 200
CHANNELS = DataBus().channels
LIST = (
    "01000000 D6",
    "04000000 D5000100",
    "05000000 D400000001",
    "06000000 D30000000001",
    "06000000 E20000000000",
    "08000000 E1FF040000000200",
    "08000000 E010000000000100",
    "04000000 DE010000",
)
"""One DAQ list of one entry at each tick, started."""


class Port:
    """A port of either kind with its session, polled by hand."""

    def __init__(self, transport: str, masters: tuple[str, ...] = (), address: str = "127.0.0.1") -> None:
        self.bench = Bench()
        self.memory = SampleMemory.create()
        self.samples = Samples(self.memory)
        slave = Slave(
            MemoryMap(STANDARD),
            self.samples,
            DaqLists(MemoryMap(STANDARD), event_channels(1000), ETHERNET),
            Identity("port", lambda: b""),
            self.memory,
            writing=Writing(Calibration(self.bench)),
        )
        self.session = Session(slave, self.memory, self.samples)
        kind = socket.SOCK_STREAM if transport == "tcp" else socket.SOCK_DGRAM
        self.socket = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, kind)
        self.socket.bind((address, 0))
        if transport == "tcp":
            self.socket.listen()
        self.kind = kind
        self.port = (TcpPort if transport == "tcp" else UdpPort)(self.socket, masters, self.session, self.memory)
        self.clients: list[socket.socket] = []

    def client(self, address: str = "127.0.0.1") -> socket.socket:
        client = socket.socket(socket.AF_INET, self.kind)
        client.bind((address, 0))
        client.connect(("127.0.0.1", self.socket.getsockname()[1]))
        client.setblocking(False)
        self.clients.append(client)
        self.port.poll(0)
        return client

    def ask(self, client: socket.socket, data: bytes) -> bytes:
        """The packet that is answered; empty: none came, or the connection is closed."""
        client.send(data)
        for _ in range(ROUNDS):
            self.port.poll(0.001)
            try:
                return client.recv(2000)[4:]
            except BlockingIOError:
                continue
            except ConnectionError:
                return b""
        return b""

    def measure(self, client: socket.socket) -> None:
        assert self.ask(client, CONNECT)[:1] == b"\xff"
        for command in LIST:
            assert self.ask(client, bytes.fromhex(command))[:1] == b"\xff"

    def tick(self, t: int) -> None:
        self.memory.ring.put(encode_sample(t, CHANNELS))


@pytest.fixture(params=["tcp", "udp"])
def port(request: pytest.FixtureRequest) -> Iterator[Port]:
    yield from opened(Port(request.param))


@pytest.fixture
def udp() -> Iterator[Port]:
    yield from opened(Port("udp"))


@pytest.fixture
def tcp() -> Iterator[Port]:
    yield from opened(Port("tcp"))


def opened(one: Port) -> Iterator[Port]:
    yield one
    one.port.close()
    for client in (*one.clients, one.socket):
        client.close()
    one.memory.close()


def test_a_master_connects_and_is_answered(port: Port) -> None:
    client = port.client()
    assert port.ask(client, STATUS) == b""
    assert port.ask(client, CONNECT) == bytes.fromhex("FF0D80F878050101")
    assert port.ask(client, STATUS)[0] == 0xFF
    assert (port.memory.read("wanted"), port.memory.read("ignored")) == (1, 1)
    assert port.ask(client, bytes.fromhex("01000000 FE")) == b"\xff"
    assert not port.memory.is_wanted


def test_a_second_master_is_refused_and_disturbs_no_one(port: Port) -> None:
    first, second = port.client(), port.client()
    assert port.ask(first, CONNECT)[0] == 0xFF
    assert port.ask(second, CONNECT) == bytes.fromhex("FE33")
    assert port.ask(second, STATUS) == b""
    assert port.ask(first, STATUS)[0] == 0xFF
    assert port.memory.read("refused") == 1


def test_bytes_that_are_no_packets_end_their_connection(tcp: Port) -> None:
    client = tcp.client()
    assert tcp.ask(client, CONNECT)[0] == 0xFF
    assert tcp.ask(client, os.urandom(3) + b"\xff" * 3000) == b""
    assert tcp.session.master is None
    assert tcp.ask(tcp.client(), CONNECT)[0] == 0xFF


def test_connections_that_say_nothing_shut_no_one_out(tcp: Port) -> None:
    master = tcp.client()
    assert tcp.ask(master, CONNECT)[0] == 0xFF
    for _ in range(3 * MOST_CONNECTIONS):
        tcp.client()
    assert tcp.ask(tcp.client(), CONNECT) == bytes.fromhex("FE33")
    assert tcp.ask(master, STATUS)[0] == 0xFF


def test_a_stranger_is_not_let_in() -> None:
    for transport in ("tcp", "udp"):
        for port in opened(Port(transport, masters=("127.0.0.2",))):
            assert port.ask(port.client(), CONNECT) == b""
            assert port.memory.read("refused") == 1


def test_a_master_that_is_gone_gives_its_session_back(port: Port) -> None:
    """TCP says so; on UDP the network does, of what is sent to it."""
    first = port.client()
    port.measure(first)
    first.close()
    for number in range(5):
        port.tick(number * 1_000_000)
        port.session.serve()
        port.port.poll(0.001)
    assert port.session.master is None
    assert port.memory.read("lists") == 0
    assert port.ask(port.client(), CONNECT)[0] == 0xFF


def test_every_sample_is_sent_once_and_in_order(port: Port) -> None:
    client = port.client()
    port.measure(client)
    received = bytearray()
    for number in range(300):
        port.tick(number * 1_000_000)
        if number % 10 == 9:
            assert not port.session.serve()
            port.port.poll(0)
            for _ in range(10 if port.kind == socket.SOCK_DGRAM else 1):
                received += client.recv(4000)
    assert len(received) == 300 * 14
    stamps = [int.from_bytes(received[start + 6 : start + 10], "little") for start in range(0, len(received), 14)]
    assert stamps == [1000 * number for number in range(300)]
    assert (port.memory.read("sent"), port.memory.read("overruns")) == (300, 0)


def test_what_a_master_does_not_read_is_lost_counted_and_told(tcp: Port) -> None:
    client = tcp.client()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    tcp.measure(client)
    (connection,) = tcp.port._connections  # type: ignore[union-attr]
    connection.output.extend(bytes(BACKLOG))
    tcp.tick(0)
    tcp.session.serve()
    assert (tcp.memory.read("sent"), tcp.memory.read("overruns")) == (0, 1)
    connection.output.clear()
    tcp.tick(1_000_000)
    tcp.session.serve()
    assert connection.output[4:6] == bytes.fromhex("FD06")
    assert tcp.memory.read("sent") == 1


def test_samples_that_the_tick_has_overwritten_are_counted(tcp: Port) -> None:
    client = tcp.client()
    tcp.measure(client)
    count = SLOTS + 100
    for number in range(count):
        tcp.tick(number * 1_000_000)
    while tcp.session.serve():
        pass
    assert tcp.memory.read("sent") + tcp.memory.read("overruns") == count
    assert tcp.memory.read("overruns") >= 100


def test_a_sample_that_is_being_written_is_awaited_and_not_lost(tcp: Port) -> None:
    """Its number may be seen before its content."""
    client = tcp.client()
    tcp.measure(client)
    ring = tcp.memory.ring
    ring._announced[0] += 1
    assert not tcp.session.serve()
    assert (tcp.memory.read("sent"), tcp.memory.read("overruns")) == (0, 0)
    tcp.tick(0)
    tcp.session.serve()
    assert (tcp.memory.read("sent"), tcp.memory.read("overruns")) == (1, 0)


def test_a_master_that_vanished_is_noticed_in_time_and_has_a_small_buffer(tcp: Port) -> None:
    """Keep-alive does nothing while bytes wait for an answer of its machine; the kernel doubles a buffer."""
    tcp.client()
    (connection,) = tcp.port._connections  # type: ignore[union-attr]
    assert connection.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 25_000
    assert connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) == 2 * SEND_BUFFER


def fall_silent(udp: Port) -> None:
    """The master has sent nothing for longer than SILENCE."""
    master = udp.port._master  # type: ignore[union-attr]
    assert master is not None
    master.heard -= SILENCE + 1


def test_values_of_a_silent_master_are_given_back(udp: Port) -> None:
    client = udp.client()
    udp.measure(client)
    assert udp.ask(client, THROTTLE) == b"\xff"
    udp.port.poll(0)
    assert [one["command"] for one in udp.bench.commands] == ["set"]
    fall_silent(udp)
    udp.port.poll(0)
    udp.session.renew()
    assert [one["command"] for one in udp.bench.commands] == ["set", "give-back"]
    assert udp.memory.read("lists") == 1
    assert udp.ask(client, STATUS)[:2] == b"\xff\x40"


def test_a_silent_session_is_taken_over_from_its_own_machine(udp: Port) -> None:
    """Also while it measures: the tool was started again. The old one is told, if it is there after all."""
    first = udp.client()
    udp.measure(first)
    second = udp.client()
    assert udp.ask(second, CONNECT) == bytes.fromhex("FE33")
    fall_silent(udp)
    assert udp.ask(second, CONNECT)[0] == 0xFF
    assert first.recv(100)[4:] == bytes.fromhex("FD07")
    assert udp.memory.read("lists") == 0


def test_a_silent_session_is_taken_over_from_another_machine_unless_it_measures(udp: Port) -> None:
    first, second = udp.client(), udp.client("127.0.0.2")
    udp.measure(first)
    fall_silent(udp)
    assert udp.ask(second, CONNECT) == bytes.fromhex("FE33")
    assert udp.ask(first, bytes.fromhex("02000000 DD00")) == b"\xff"
    fall_silent(udp)
    assert udp.ask(second, CONNECT)[0] == 0xFF


def nowhere() -> tuple[str, int]:
    """An address at which no one is."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as gone:
        gone.bind(("127.0.0.1", 0))
        address: tuple[str, int] = gone.getsockname()
        return address


def test_an_error_about_another_address_ends_no_session(udp: Port) -> None:
    client = udp.client()
    udp.measure(client)
    udp.socket.sendto(b"answer", nowhere())
    udp.tick(0)
    udp.session.serve()
    udp.port.flush()
    assert udp.session.master is not None
    assert (udp.memory.read("sent"), udp.memory.read("overruns")) == (1, 0)
    assert client.recv(100)[4:6] == b"\0\0"


def test_errors_of_the_network_do_not_wake_the_process_again_and_again(udp: Port) -> None:
    client = udp.client()
    assert udp.ask(client, CONNECT)[0] == 0xFF
    for _ in range(AT_ONCE // 2):
        address = nowhere()
        while True:
            try:
                udp.socket.sendto(b"answer", address)
                break
            except ConnectionRefusedError:
                continue
    udp.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)  # told once, by a call; the queue is as full as before
    udp.port.poll(0)
    poll = select.poll()
    poll.register(udp.socket, select.POLLIN)
    assert not poll.poll(0)
    assert udp.ask(client, STATUS)[0] == 0xFF


class Refusing:
    """A socket whose kernel takes nothing."""

    def __init__(self, real: socket.socket, error: OSError) -> None:
        self._real = real
        self._error = error

    def sendto(self, _data: bytes, _address: object) -> int:
        raise self._error

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOBUFS, errno.EAGAIN])
def test_what_the_kernel_does_not_take_is_lost_counted_and_told(udp: Port, number: int) -> None:
    """A sample, whatever the number of its packets; the session goes on."""
    client = udp.client()
    udp.measure(client)
    udp.port._port = Refusing(udp.socket, OSError(number, ""))  # type: ignore[union-attr, misc]
    udp.tick(0)
    udp.session.serve()
    udp.port.flush()
    assert (udp.memory.read("sent"), udp.memory.read("overruns")) == (0, 1)
    udp.port._port = udp.socket  # type: ignore[union-attr, misc]
    udp.tick(1_000_000)
    udp.session.serve()
    assert client.recv(100)[4:] == bytes.fromhex("FD06")
    assert len(client.recv(100)) == 14
    assert (udp.memory.read("sent"), udp.memory.read("overruns")) == (1, 1)


@pytest.mark.parametrize("transport", ["tcp", "udp"])
@pytest.mark.parametrize(("address", "named"), [("127.0.0.1", "::FFFF:127.0.0.1"), ("::", "127.0.0.1")])
def test_masters_are_known_however_their_address_is_spelled(transport: str, address: str, named: str) -> None:
    """An IPv4 master at a port of IPv6 has an address like ::ffff:127.0.0.1."""
    for port in opened(Port(transport, masters=(named,), address=address)):
        assert port.ask(port.client(), CONNECT)[0] == 0xFF
