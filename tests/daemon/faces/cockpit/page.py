"""A cockpit process on rings and a control socket of the test's own, and a client that is no browser."""

import contextlib
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from hilbridge.boundary.observe.bench_archive import BenchArchive
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.faces.cockpit.page_info import NO_FILES, Files
from hilbridge.faces.cockpit.page_token import token_of
from hilbridge.faces.cockpit.process import CockpitProcess, listen
from hilbridge.faces.cockpit.setup_message import SetupMessage
from hilbridge.files.settings.bench import CockpitSettings
from vehiclesim.databus import DataBus

from ....control_door import ControlDoor

PATIENCE = 60.0
FACTS = {"bench": "test", "vehicle": "none", "codes": {}}
TOKEN = "a-token-of-the-tests"

Message = dict[str, Any]


class Daemon:
    """What a tick process is to its page: `commands` are those that it received, status aside; `parts` its status."""

    def __init__(self, folder: Path, settings: CockpitSettings, files: Files, buses: tuple[str, ...] = ()) -> None:
        self.commands: list[Message] = []
        self.parts: Message = {}
        self.data = DataBus()
        self.rings = Rings.create(
            About("test", "1", 1000, 0, buses, home=str(folder / "recordings")).encode(), SNAPSHOT_LAYOUT.size, 4096
        )
        self.reporter = Reporter(self.rings, self.data)
        self.control = ControlDoor(folder / "control.sock")
        self.bench_archive = BenchArchive.create({})
        self.cockpit = CockpitProcess(
            self.rings,
            self.bench_archive,
            SetupMessage(settings, self.control.path, FACTS, files, None, token_of(settings)),
            listen(settings),
        )
        self.cockpit.start()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    @property
    def host(self) -> str:
        return urlsplit(self.cockpit.url).netloc

    @property
    def own(self) -> dict[str, str]:
        """The header of a browser that came by the printed address; {} where that has no token."""
        token = urlsplit(self.cockpit.url).query.removeprefix("token=")
        return {"authorization": f"Bearer {token}"} if token else {}

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        self.cockpit.close()
        self.control.close()
        self.bench_archive.close()
        self.rings.close()

    def _run(self) -> None:
        while not self._ended.wait(0.005):
            self.control.turn(self._answer)

    def _answer(self, line: bytes) -> bytes:
        command = json.loads(line)
        if command["command"] == "status":
            return json.dumps({part: self.parts[part] for part in command["parts"] if part in self.parts}).encode()
        self.commands.append(command)
        return b'{"error": "no such entry"}' if command.get("entry") == "input.Nothing" else b"{}"


@contextmanager
def page(folder: Path, files: Files = NO_FILES, *, buses: tuple[str, ...] = (), **settings: Any) -> Iterator[Daemon]:
    """A page on a free port; its process is gone afterwards."""
    daemon = Daemon(folder, CockpitSettings(port=0, **settings), files, buses)
    try:
        yield daemon
    finally:
        daemon.close()


def get(daemon: Daemon, path: str = "/", **headers: str) -> http.client.HTTPResponse:
    """The answer to a request, with its body read; `host` is what the page is asked as."""
    return request(daemon, "GET", path, None, **headers)


def request(daemon: Daemon, method: str, path: str, body: bytes | None, **headers: str) -> http.client.HTTPResponse:
    """The same, of any kind."""
    address, _, port = daemon.host.rpartition(":")
    connection = http.client.HTTPConnection(address, int(port), timeout=PATIENCE)
    connection.putrequest(method, path, skip_host=True)
    length = {} if body is None else {"content-length": str(len(body))}
    for name, value in ({"host": daemon.host} | daemon.own | length | headers).items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]  # read before the connection is given up
    connection.close()
    return answer


@contextmanager
def viewer(daemon: Daemon, **headers: str) -> Iterator[ClientConnection]:
    """A WebSocket as the page opens it."""
    origin: Mapping[str, Any] = {"origin": headers.pop("origin", f"http://{daemon.host}")}
    with connect(
        f"ws://{daemon.host}/socket", additional_headers=daemon.own | headers, open_timeout=PATIENCE, **origin
    ) as socket:
        yield socket


def receive(socket: ClientConnection, kind: str) -> Message:
    """The next message of a kind."""
    while True:
        data = socket.recv(PATIENCE)
        if isinstance(data, str) and (message := json.loads(data))["kind"] == kind:
            assert isinstance(message, dict)
            return message


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def wait_for_end(socket: ClientConnection) -> None:
    """Receives until the server has closed the connection."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            socket.recv(PATIENCE)
