"""What the control process hands on to the tick: commands that are well-formed and short, and nothing else."""

import json
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.boundary.control.server import Server
from hilbridge.boundary.links.control_socket import MOST_CLIENTS, SocketFile

from ....awkward_lines import AWKWARD, SET, STATUS


class Door:
    """A server between a socket file and a tick process of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.file = SocketFile(folder / "ctl.sock", 0o600)
        self.tick, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.tick.setblocking(False)
        self.server = Server(self.file.listener, theirs)
        self._theirs = theirs
        self.clients: list[socket.socket] = []

    def connect(self) -> socket.socket:
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(5.0)
        client.connect(str(self.file.path))
        self.clients.append(client)
        return client

    def turn(self, times: int = 4) -> None:
        for _ in range(times):
            assert self.server.serve(0.0)

    def handed_on(self) -> list[tuple[int, bytes]]:
        """Number and line of each datagram that has come to the tick."""
        found: list[tuple[int, bytes]] = []
        while True:
            try:
                datagram = self.tick.recv(LONGEST_LINE + 4)
            except BlockingIOError:
                return found
            found.append((struct.unpack_from("<I", datagram)[0], datagram[4:]))

    def answer(self, number: int, piece: bytes, *, last: bool) -> None:
        self.tick.send(struct.pack("<IB", number, last) + piece)

    def close(self) -> None:
        for one in (*self.clients, self.tick):
            one.close()
        self.server.run()
        self._theirs.close()
        self.file.close()


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    door = Door(tmp_path)
    yield door
    door.close()


def heard(client: socket.socket) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(client.makefile("rb").readline())
    return answer


def test_a_command_is_handed_on_in_its_shortest_form(door: Door) -> None:
    """However its line was written; the answer goes to who asked, whole, when its last piece has come."""
    client = door.connect()
    client.sendall(b'  {"value"  :  1.0, "entry":"input.\\u004bey"' + b" " * 30_000 + b',"command":"set"}\n')
    door.turn()
    assert door.handed_on() == [(1, b'{"value":1.0,"entry":"input.Key","command":"set"}')]
    client.setblocking(False)
    door.answer(1, b'{"a": ', last=False)
    door.turn()
    with pytest.raises(BlockingIOError):
        client.recv(100)
    door.answer(1, b"1}", last=True)
    door.turn()
    assert client.recv(100) == b'{"a": 1}\n'


@pytest.mark.parametrize("what", AWKWARD)
def test_no_line_that_is_no_command_reaches_the_tick(door: Door, what: str) -> None:
    """It is refused from here, with a reason on one line that is no longer than a screen."""
    client = door.connect()
    client.sendall(AWKWARD[what] + b"\n")
    door.turn(20)
    assert door.handed_on() == []
    assert len(json.dumps(heard(client)["error"])) < 1_500


def test_what_reaches_the_tick_is_short(door: Door) -> None:
    """A scenario is as long as a line, and of its lines each is short."""
    scenario: dict[str, Any] = {"command": "scenario-start", "name": "long"}
    scenario |= {"scenario": {"steps": [{"expect": "1"}] * 1_000}}
    client = door.connect()
    client.sendall(json.dumps(scenario).encode() + b"\n")
    door.turn(20)
    ((_, line),) = door.handed_on()
    head, *steps = map(json.loads, line.split(b"\n"))
    assert head == scenario | {"scenario": {"steps": [{"expect": "1"}]}}
    assert steps == [{"expect": "1"}] * 999


def test_clients_have_one_command_under_way_each(door: Door) -> None:
    one, other = door.connect(), door.connect()
    one.sendall((SET + b"\n") * 100)
    other.sendall(STATUS + b"\n")
    door.turn(10)
    first = door.handed_on()
    assert [number for number, _ in first] == [1, 2]
    (of_one,) = [number for number, line in first if b"set" in line]
    door.answer(of_one, b"{}", last=True)
    door.turn()
    assert [number for number, _ in door.handed_on()] == [3]


def test_nobody_waits_for_the_work_of_those_that_left(door: Door) -> None:
    """Of sixteen that sent 64 KiB of questions and left, the tick hears one each, and that it is not wanted any more.

    The next client is answered next.
    """
    for _ in range(16):
        client = door.connect()
        client.sendall((STATUS + b"\n") * ((LONGEST_LINE - 1) // (len(STATUS) + 1)))
    door.turn()
    asked = [number for number, line in door.handed_on() if line]
    assert len(asked) == 16
    for client in door.clients:
        client.close()
    door.turn()
    assert sorted(number for number, line in door.handed_on() if not line) == asked
    client = door.connect()
    client.sendall(SET + b"\n")
    door.turn()
    ((number, line),) = [each for each in door.handed_on() if each[1]]
    assert json.loads(line) == json.loads(SET)
    door.answer(number, b"{}", last=True)
    door.turn()
    assert heard(client) == {}


def test_a_tick_that_is_behind_does_not_hear_questions_of_those_that_left(door: Door) -> None:
    """Of a thousand clients that asked, and left before the tick took anything, it hears what it had room for."""
    for _ in range(1000):
        with door.connect() as client:
            client.sendall(STATUS + b"\n")
            door.turn(2)
        door.clients.pop()
        door.turn(2)
    found = []
    while some := door.handed_on():
        found += some
        door.turn(1)
    asked = {number for number, line in found if line}
    assert len(asked) < 500
    assert {number for number, line in found if not line} == asked


def test_commands_of_those_that_left_are_carried_out(door: Door) -> None:
    """One after the other, as those of a shell script that does not wait for answers."""
    with door.connect() as client:
        client.sendall((SET + b"\n") * 3 + STATUS + b"\n" + b'{"command": "release"}\n')
    done = []
    for _ in range(20):
        door.turn(1)
        for number, line in door.handed_on():
            done.append(json.loads(line)["command"])
            door.answer(number, b"{}", last=True)
    assert done == ["set", "set", "set", "release"]


def test_clients_that_are_turned_away_are_told_to_the_tick(door: Door) -> None:
    for _ in range(MOST_CLIENTS):
        door.connect().sendall(STATUS + b"\n")
        door.turn(2)
    late = [door.connect() for _ in range(3)]
    door.turn(10)
    assert [client.recv(10) for client in late] == [b""] * 3
    numbered = dict(door.handed_on())
    assert struct.unpack("<I", numbered[0])[0] >= 1


def test_a_tick_that_takes_nothing_loses_nothing(door: Door) -> None:
    """What it has no room for waits here."""
    fault = {"kind": "signal", "bus": "can", "message": "M", "signal": "x" * 7_000, "effect": "drop-out"}
    for _ in range(MOST_CLIENTS):
        door.connect().sendall(json.dumps({"command": "fault-add", "fault": fault}).encode() + b"\n")
        door.turn(2)
    found = []
    for _ in range(MOST_CLIENTS):
        found += door.handed_on()
        door.turn(1)
    assert [number for number, _ in found] == list(range(1, MOST_CLIENTS + 1))


def test_commands_that_take_long_are_handed_on_a_few_at_a_time(door: Door) -> None:
    """However many clients want them; nothing is refused, and others do not wait behind them."""
    for _ in range(MOST_CLIENTS - 1):
        door.connect().sendall(b'{"command": "tune-engine", "values": {}}\n')
    door.connect().sendall(SET + b"\n")
    door.turn(MOST_CLIENTS // 4)
    lines = [line for _, line in door.handed_on()]
    assert sum(b"tune" in line for line in lines) < MOST_CLIENTS // 2
    assert sum(b"set" in line for line in lines) == 1
    number = 0
    while not number:
        assert door.server.serve(None)
        number = next((number for number, _ in door.handed_on()), 0)
    assert number > 0


def test_what_was_meant_is_found_here(door: Door) -> None:
    """The tick says which name it sought among which."""
    client = door.connect()
    client.sendall(SET + b"\n")
    door.turn()
    ((number, _),) = door.handed_on()
    sought = json.dumps({"sought": ["input.Kex", ["input.Brake", "input.Key"]], "error": "unknown entry 'input.Kex'"})
    door.answer(number, sought.encode(), last=True)
    door.turn()
    assert heard(client) == {"error": "unknown entry 'input.Kex': did you mean input.Key?"}


def test_it_ends_with_the_tick(door: Door) -> None:
    door.tick.close()
    assert not door.server.serve(5.0)
