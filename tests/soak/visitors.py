"""Who comes to a running bench and leaves again, in turns and at random: programs, people, plugs.

A visit gets the places of the bench and a source of chance, and takes some seconds at most. What goes wrong in it for
the visitor (it was refused, or sent away) is counted; nothing that a visitor does may disturb the tick.
"""

import http.client
import json
import os
import random
import re
import socket
import struct
import threading
import time
import tty
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from websockets.sync.client import connect
from websockets.typing import Origin

from hilbridge.runs.benchmarks.daemon import Daemon

from ..awkward_lines import AWKWARD, STATUS
from ..bench.attacks import Attack, Door, endless, junk, resetting, saying
from ..bench.load import BUS, driver_frame
from ..bench.ports import page_address, slcan_port

PATIENCE = 5.0
"""[s] for an answer."""
TURN_AT_THE_ADAPTER = 20.0
"""[s] for an answer of the ELM327, which serves one tool at a time and ends an answer when the bus falls silent."""
TURN = 0.01
ABORT = struct.pack("ii", 1, 0)
"""SO_LINGER that resets a connection instead of closing it."""

FRAMES_LOST = {"kind": "frame", "bus": BUS, "message": "EngineData1", "effect": "drop", "for": 0.5}
"""A fault of half a second."""


@dataclass
class Places:
    """Where a bench is reached."""

    slcan: int
    scan_tools: int
    page: str
    control: Path
    board: Path
    """Name of a serial port."""
    adapter: Path
    """Name of the serial port of an SLCAN adapter."""

    @classmethod
    def of(cls, daemon: Daemon, control: Path, board: Path, adapter: Path) -> "Places":
        """As the daemon said at its start."""
        (tools,) = daemon.records("scan tool port open")
        page = page_address(daemon)
        port = re.search(r"127\.0\.0\.1:(\d+)", tools["port"])
        assert port
        return cls(slcan_port(daemon, BUS), int(port[1]), page, control, board, adapter)


Visit = Callable[[Places, random.Random, threading.Event], None]


def guest(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """An SLCAN program that drives, asks and listens; it closes its connection, or resets it."""
    with socket.create_connection(("127.0.0.1", places.slcan), timeout=PATIENCE) as client:
        client.sendall(b"O\r")
        for _ in range(chance.randrange(100, 400)):
            client.sendall(driver_frame(chance.randrange(100), key=0) + b"t7DF802010C0000000000\r")
            assert client.recv(1 << 16)
            if ended.wait(TURN):
                break
        if chance.random() < 0.5:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)


def tester(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """Asks for the vehicle identification number, which takes three frames, and lets the second and third come."""
    with socket.create_connection(("127.0.0.1", places.slcan), timeout=PATIENCE) as client:
        client.sendall(b"O\r")
        for _ in range(chance.randrange(5, 20)):
            client.sendall(b"t7E080209020000000000\r")
            heard = b""
            while b"t7E8810" not in heard:
                heard += client.recv(1 << 16)
            client.sendall(b"t7E083000000000000000\r")
            while b"t7E8822" not in heard:
                heard += client.recv(1 << 16)
            if ended.wait(chance.uniform(TURN, 10 * TURN)):
                break


def deaf_guest(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """An SLCAN program that opens its channel and never reads."""
    with socket.create_connection(("127.0.0.1", places.slcan), timeout=PATIENCE) as client:
        client.sendall(b"O\r")
        ended.wait(chance.uniform(2.0, 8.0))


def scan_tool(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """Resets the ELM327, asks for some PIDs, and may leave before the last answer."""
    with socket.create_connection(("127.0.0.1", places.scan_tools), timeout=TURN_AT_THE_ADAPTER) as tool:
        for request in (b"ATZ\r", b"ATE0\r", b"0100\r", b"010C\r", b"0902\r", b"03\r"):
            tool.sendall(request)
            if ended.is_set() or chance.random() < 0.1:
                return
            answer = b""
            while not answer.endswith(b">"):
                data = tool.recv(1 << 12)
                assert data
                answer += data


def deaf_tool(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """Wants to hear every frame of the bus (ATMA), and reads none."""
    with socket.create_connection(("127.0.0.1", places.scan_tools), timeout=PATIENCE) as tool:
        tool.sendall(b"ATMA\r")
        ended.wait(chance.uniform(2.0, 8.0))


def commander(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """Gives some commands through the control socket; may leave in the middle of a line."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(str(places.control))
        for command in (
            {"command": "set", "entry": "input.Brake", "value": chance.random(), "seconds": 0.5},
            {"command": "fault-add", "fault": FRAMES_LOST},
            {"command": "status", "parts": ["statistics"]},
            {"command": "release"},
        ):
            line = json.dumps(command).encode() + b"\n"
            if chance.random() < 0.1:
                client.sendall(line[: len(line) // 2])
                return
            client.sendall(line)
            answer = b""
            while not answer.endswith(b"\n"):
                data = client.recv(1 << 16)
                assert data
                answer += data
            assert "error" not in json.loads(answer)
            ended.wait(chance.random())


def vandal(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """Writes to the control socket what is no command, hears that it is none, asks much and leaves, says nothing."""

    def connected() -> socket.socket:
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(PATIENCE)
        client.connect(str(places.control))
        return client

    with connected() as client:
        for line in chance.sample(list(AWKWARD.values()), 8):
            client.sendall(line + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                data = client.recv(1 << 16)
                assert data
                answer += data
            assert "error" in json.loads(answer)
    with connected() as client:
        client.sendall((STATUS + b"\n") * 2_000)
    silent = [connected() for _ in range(chance.randrange(60))]
    ended.wait(chance.random())
    for client in silent:
        client.close()


FLOODS: dict[str, dict[str, Attack]] = {
    "slcan": {"junk": saying(junk, hello=b"O\r"), "no end": endless(b"O\rt"), "reset": resetting(b"O\rt1000\r")},
    "scan_tools": {"reset": resetting(b"ATZ\r")},
    "page": {"junk": saying(junk), "no end": endless(b"GET / HTTP/1.1\r\nX: ")},
    "control": {"junk": saying(junk), "no end": endless(b'{"command": "')},
}
"""What leaves a way in for others, and nothing to do for minutes: an ELM327 reads a flood at 16 bytes a millisecond.
Everything else is for `python -m tests.bench.floods`."""


def flooder(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """Does one thing at one door as fast as it goes, for a second at most."""
    name = chance.choice(list(FLOODS))
    if name == "control":
        door = Door.of_socket(name, socket.AF_UNIX, str(places.control))
    else:
        number = urlsplit(places.page).port if name == "page" else getattr(places, name)
        door = Door.of_socket(name, socket.AF_INET, ("127.0.0.1", number))
    attack = chance.choice(list(FLOODS[name].values()))
    enough = threading.Event()
    timer = threading.Timer(chance.uniform(0.2, 1.0), enough.set)
    timer.start()
    attack(door, chance, enough)
    timer.cancel()


def viewer(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """A browser that loads the page and looks at it for a while."""
    address = urlsplit(places.page)
    own = {"Authorization": f"Bearer {address.query.removeprefix('token=')}"}
    page = http.client.HTTPConnection(address.netloc, timeout=PATIENCE)
    page.request("GET", "/", headers=own)
    assert page.getresponse().read()
    page.close()
    origin = Origin(f"http://{address.netloc}")
    socket = f"ws://{address.netloc}/socket"
    with connect(socket, origin=origin, additional_headers=own, open_timeout=PATIENCE) as browser:
        until = time.monotonic() + chance.uniform(1.0, 6.0)
        while time.monotonic() < until and not ended.is_set():
            browser.recv(PATIENCE)


def board(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """A pedal board: plugged in, it says where the pedals are, floods for a moment, falls silent, is unplugged."""
    with plugged_in(places.board) as own:
        for number in range(chance.randrange(100, 600)):
            with suppress(BlockingIOError):
                os.write(own, b"throttle=%d clutch=0 key=0\n" % (number % 1024))
            if ended.wait(TURN):
                return
        for _ in range(200):
            with suppress(BlockingIOError):
                os.write(own, b"throttle=1 clutch=0 key=0\n" * 40)
        ended.wait(1.0)


def adapter(places: Places, chance: random.Random, ended: threading.Event) -> None:
    """An SLCAN adapter: plugged in, it takes what is sent and says what it hears, stops to, and is unplugged."""
    with plugged_in(places.adapter) as own:
        for _ in range(chance.randrange(300, 1000)):
            with suppress(BlockingIOError):
                os.read(own, 1 << 16)
            with suppress(BlockingIOError):
                os.write(own, b"t12320102\r")
            if ended.wait(TURN):
                return
        ended.wait(chance.uniform(0.0, 3.0))


@dataclass
class plugged_in:  # noqa: N801 - a context manager that is named as it reads
    """A serial port of this name, as long as the `with` statement lasts; gives the other end of its line."""

    name: Path
    ends: list[int] = field(default_factory=list)

    def __enter__(self) -> int:
        own, other = os.openpty()
        self.ends = [own, other]
        tty.setraw(other)
        os.set_blocking(own, False)
        self.name.symlink_to(os.ttyname(other))
        return own

    def __exit__(self, *_: object) -> None:
        self.name.unlink()
        for end in self.ends:
            os.close(end)


VISITS: tuple[Visit, ...] = (
    guest,
    guest,
    tester,
    deaf_guest,
    scan_tool,
    deaf_tool,
    commander,
    vandal,
    flooder,
    viewer,
    board,
    adapter,
)


class Visitors:
    """All at the same time, each in a thread: visit, pause, visit again. `counts` and `troubles` by name."""

    def __init__(self, places: Places, seed: int, visits: Sequence[Visit] = VISITS) -> None:
        self.counts: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()
        self._places = places
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._come_and_go, args=(visit, random.Random(seed + number)), daemon=True)
            for number, visit in enumerate(visits)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join(PATIENCE + TURN_AT_THE_ADAPTER)

    def _come_and_go(self, visit: Visit, chance: random.Random) -> None:
        while not self._ended.wait(chance.uniform(0.2, 2.0)):
            self.counts[visit.__name__] += 1
            try:
                visit(self._places, chance, self._ended)
            except Exception as error:  # noqa: BLE001 - whatever a visitor stumbles over is judged at the end
                self.troubles[f"{visit.__name__}: {type(error).__name__}"] += 1
