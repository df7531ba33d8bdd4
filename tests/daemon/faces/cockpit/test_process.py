"""The page as a process of its own, as a browser meets it."""

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from hilbridge.base.common.errors import LinkError
from hilbridge.base.process.child_process import DAEMON_SIGNALS
from hilbridge.boundary.observe.bench_archive import archive_of
from hilbridge.boundary.observe.carried_frames import CarriedFrame, encode
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT
from hilbridge.faces.cockpit.overrides import LIFE
from hilbridge.faces.cockpit.page_info import NO_FILES
from hilbridge.faces.cockpit.page_token import token_of
from hilbridge.faces.cockpit.process import CockpitProcess, listen
from hilbridge.faces.cockpit.setup_message import SetupMessage
from hilbridge.files.configuration.bundle import BENCH
from hilbridge.files.settings.bench import CockpitSettings

from .page import FACTS, TOKEN, Daemon, get, page, receive, request, viewer, wait_for, wait_for_end


def test_page_and_viewer(tmp_path: Path) -> None:
    """The page comes with headers that allow nothing from outside; the viewer is greeted, then shown the snapshots."""
    with page(tmp_path) as daemon:
        answer = get(daemon)
        assert answer.status == 200
        assert "default-src 'none'" in (answer.getheader("Content-Security-Policy") or "")
        assert answer.getheader("X-Content-Type-Options") == "nosniff"
        assert get(daemon, "/static/js/main.js").status == 200
        assert get(daemon, "/static/../server.py").status == 404
        daemon.data.channels[1][1] = 3_000_000
        daemon.reporter.snapshot(5_000_000, 0, 0)
        with viewer(daemon) as socket:
            hello = receive(socket, "hello")
            assert hello["facts"] == FACTS
            assert receive(socket, "viewers")["you"] == 1
            assert socket.recv(5) == daemon.rings.snapshots.get()
            daemon.reporter.snapshot(6_000_000, 0, 0)
            assert socket.recv(5) == daemon.rings.snapshots.get()
            assert receive(socket, "frames")["rows"] == []
            assert sum(receive(socket, "lateness")["counts"]) == 0


def test_the_history_is_snapshots_as_they_stand(tmp_path: Path) -> None:
    """Also of the time before any viewer; behind the same access rules as the page."""
    with page(tmp_path) as daemon:
        daemon.reporter.snapshot(5_000_000, 0, 0)
        wait_for(lambda: get(daemon, "/history").body)  # type: ignore[attr-defined]
        answer = get(daemon, "/history")
        assert daemon.rings.snapshots.get() == answer.body[: SNAPSHOT_LAYOUT.size]  # type: ignore[attr-defined]
        assert get(daemon, "/history", host="evil.example").status == 421


def test_viewers_get_the_newest_lines_of_the_log(tmp_path: Path) -> None:
    """From the ring that the observer reads too; a later viewer gets those that were before it."""
    with page(tmp_path) as daemon, viewer(daemon) as socket:
        assert receive(socket, "log")["lines"] == []
        daemon.reporter.warning(2_500_000_000, "link lost", bus="can0")
        assert receive(socket, "log")["lines"] == [[2.5, "warning", "link lost", {"bus": "can0"}]]
        with viewer(daemon) as later:
            assert [line[2] for line in receive(later, "log")["lines"]] == ["link lost"]


@pytest.fixture(scope="module")
def unmoved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A page that each of several strangers tries, and that no stranger gets to do anything."""
    with page(tmp_path_factory.mktemp("page")) as daemon:
        yield daemon
        assert daemon.commands == []


@pytest.mark.parametrize("host", ["evil.example", "192.0.2.1"])
def test_a_wrong_host_is_refused(unmoved: Daemon, host: str) -> None:
    """421, misdirected request, for the page, its files and its WebSocket."""
    assert get(unmoved, host=host).status == 421
    assert get(unmoved, "/static/js/main.js", host=host).status == 421
    upgrade = {"connection": "Upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
    key = {"sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==", "origin": f"http://{host}"}
    assert get(unmoved, "/socket", host=host, **upgrade, **key).status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null"])
def test_a_wrong_origin_is_refused(unmoved: Daemon, origin: str) -> None:
    with pytest.raises(InvalidStatus, match="403"), viewer(unmoved, origin=origin):
        pass


def test_on_loopback_the_token_of_the_run_is_needed(tmp_path: Path) -> None:
    """Other users of the machine are there too: they see nothing and command nothing. Each run has another one."""
    with page(tmp_path) as daemon:
        stranger = {"authorization": ""}
        for path in ("/", "/static/js/main.js", "/history", "/workshop", "/recordings", "/?token=", "/?token=wrong"):
            answer = get(daemon, path, **stranger)
            assert (answer.status, answer.body[:20]) == (401, b"the token is missing")  # type: ignore[attr-defined]
        own = {"origin": f"http://{daemon.host}"}
        assert request(daemon, "POST", "/workshop/drive", b"{}", **own, **stranger).status == 401
        with pytest.raises(InvalidStatus, match="403"), viewer(daemon, **stranger):
            pass
        address = urlsplit(daemon.cockpit.url)
        answer = get(daemon, f"/workshop?{address.query}", **stranger)
        assert (answer.status, answer.getheader("Location")) == (303, "/workshop")
        cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        assert cookie.startswith(f"hilbridge-cockpit-{address.port}=")
        with viewer(daemon, cookie=cookie, **stranger) as socket:
            socket.send(json.dumps({"id": 1, "command": {"command": "set", "entry": "input.Throttle", "value": 0.5}}))
            assert receive(socket, "answer") == {"kind": "answer", "id": 1}
        assert len(address.query) >= len("token=") + 32
        assert token_of(CockpitSettings()) not in {token_of(CockpitSettings()), address.query.removeprefix("token=")}


@pytest.mark.parametrize("path", ["//evil.example/", "/%2F/evil.example"])
def test_the_token_leads_to_no_other_site(unmoved: Daemon, path: str) -> None:
    answer = get(unmoved, f"{path}?{urlsplit(unmoved.cockpit.url).query}")
    assert (answer.getheader("Location") or "")[:2] != "//"


def test_elsewhere_a_token_is_needed(tmp_path: Path) -> None:
    """The address with the token leaves a cookie and is forgotten; without one there is nothing to see."""
    with page(tmp_path, address="0.0.0.0", token=TOKEN) as daemon:
        assert get(daemon).status == 401
        assert get(daemon, "/?token=wrong").status == 401
        assert get(daemon, "/static/js/main.js").status == 401
        with pytest.raises(InvalidStatus, match="403"), viewer(daemon):
            pass
        answer = get(daemon, f"/?token={TOKEN}")
        assert (answer.status, answer.getheader("Location")) == (303, "/")
        cookie = (answer.getheader("Set-Cookie") or "").lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        held = {"cookie": cookie.partition(";")[0]}
        assert get(daemon, **held).status == 200
        with viewer(daemon, **held) as socket:
            assert receive(socket, "hello")["read_only"] is False


def test_commands_reach_the_daemon_and_are_answered(tmp_path: Path) -> None:
    with page(tmp_path) as daemon, viewer(daemon) as socket:
        command = {"command": "set", "entry": "input.Throttle", "value": 0.5}
        socket.send(json.dumps({"id": 3, "command": command}))
        assert receive(socket, "answer") == {"kind": "answer", "id": 3}
        socket.send(json.dumps({"id": 4, "command": command | {"entry": "input.Nothing"}}))
        assert receive(socket, "answer") == {"kind": "answer", "id": 4, "error": "no such entry"}
        assert daemon.commands[0] == command | {"seconds": LIFE, "by": "viewer 1 (127.0.0.1)"}


def test_a_page_that_goes_lets_go(tmp_path: Path) -> None:
    """Of what it holds, and of nothing else."""
    with page(tmp_path) as daemon:
        with viewer(daemon) as socket:
            for number, entry in enumerate(["input.Throttle", "input.Brake", "input.Nothing"]):
                socket.send(json.dumps({"id": number, "command": {"command": "set", "entry": entry, "value": 1}}))
                receive(socket, "answer")
            socket.send(json.dumps({"id": 9, "command": {"command": "release", "entry": "input.Brake"}}))
            receive(socket, "answer")
        last = {"command": "give-back", "by": "viewer 1 (127.0.0.1)"}
        wait_for(lambda: daemon.commands[-1] == last)
        assert [command["entry"] for command in daemon.commands if command["command"] == "release"] == ["input.Brake"]


def ask(socket: ClientConnection, **command: object) -> dict[str, object]:
    """The answer to a command."""
    socket.send(json.dumps({"id": 1, "command": command}))
    return receive(socket, "answer")


def test_one_page_drives_at_a_time(tmp_path: Path) -> None:
    """All are told who does; a control that another page moves is refused; who takes the wheel has what it held."""
    throttle = {"command": "set", "entry": "input.Throttle", "value": 0.5}
    with page(tmp_path) as daemon, viewer(daemon) as one:
        assert receive(one, "viewers") == {
            "kind": "viewers", "you": 1, "driver": None, "viewers": [{"number": 1, "name": "viewer 1 (127.0.0.1)"}],
        }  # fmt: skip
        with viewer(daemon) as two:
            assert len(receive(two, "viewers")["viewers"]) == len(receive(one, "viewers")["viewers"]) == 2
            assert "error" not in ask(one, **throttle)
            assert receive(two, "viewers")["driver"] == receive(one, "viewers")["driver"] == 1
            assert ask(two, **throttle)["error"] == "viewer 1 (127.0.0.1) drives; take the wheel first"
            assert "error" not in ask(two, command="introduce", name="Ann")
            assert "error" not in ask(two, command="take-wheel")
            assert daemon.commands[-1] == throttle | {"seconds": LIFE, "by": "Ann (viewer 2)"}
            assert ask(one, **throttle)["error"] == "Ann (viewer 2) drives; take the wheel first"
        wait_for(lambda: daemon.commands[-1] == {"command": "give-back", "by": "Ann (viewer 2)"})
        while receive(one, "viewers")["driver"] is not None:
            pass
        assert "error" not in ask(one, **throttle)


def test_a_read_only_page_changes_nothing(tmp_path: Path) -> None:
    with page(tmp_path, read_only=True) as daemon, viewer(daemon) as socket:
        assert receive(socket, "hello")["read_only"] is True
        socket.send(json.dumps({"id": 1, "command": {"command": "stop"}}))
        assert receive(socket, "answer")["error"] == "this page is read-only"
        assert daemon.commands == []


@pytest.mark.parametrize("text", ["nonsense", '{"id": 1, "command": {"command": "status"}}', "x" * 10_000])
def test_a_client_that_is_no_page_is_cut_off(unmoved: Daemon, text: str) -> None:
    with viewer(unmoved) as socket:
        socket.send(text)
        wait_for_end(socket)
    assert unmoved.commands == []


def test_too_many_commands_end_the_connection(tmp_path: Path) -> None:
    """Ten thousand at once; of a page that may change nothing, so that no daemon's answers slow it down."""
    with page(tmp_path, read_only=True) as daemon, viewer(daemon) as socket:
        with contextlib.suppress(ConnectionClosed):
            for number in range(10_000):
                socket.send(json.dumps({"id": number, "command": {"command": "release"}}))
        wait_for_end(socket)


def test_a_process_that_dies_is_started_again_at_the_same_address(tmp_path: Path) -> None:
    with page(tmp_path) as daemon:
        assert get(daemon).status == 200
        url, pid = daemon.cockpit.url, daemon.cockpit.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: daemon.cockpit.poll(time.monotonic_ns()) and daemon.cockpit.restarts == 1)
        assert daemon.cockpit.url == url
        assert get(daemon).status == 200


def test_it_is_an_ordinary_process_that_signals_for_the_daemon_do_not_reach(tmp_path: Path) -> None:
    with page(tmp_path) as daemon:
        get(daemon)
        pid = daemon.cockpit.pid
        assert pid is not None
        assert os.sched_getscheduler(pid) == os.SCHED_OTHER
        for number in DAEMON_SIGNALS:
            os.kill(pid, number)
        assert get(daemon).status == 200
        assert daemon.cockpit.poll(time.monotonic_ns())
        assert daemon.cockpit.restarts == 0


def test_it_ends_with_the_daemon(tmp_path: Path) -> None:
    """In good order, viewers or not; the port is free at once."""
    with page(tmp_path) as daemon:
        with viewer(daemon) as client:
            receive(client, "hello")
            pid, port = daemon.cockpit.pid, int(daemon.host.rpartition(":")[2])
            daemon.cockpit.close()
            wait_for_end(client)
        assert daemon.cockpit.pid is None
        assert not Path(f"/proc/{pid}").exists()
        socket.create_server(("127.0.0.1", port)).close()


def test_a_port_that_somebody_has_is_told(tmp_path: Path) -> None:
    with page(tmp_path) as daemon:
        port = int(daemon.host.rpartition(":")[2])
        with pytest.raises(LinkError, match=f"port {port}: Address already in use"):
            listen(CockpitSettings(port=port))


def test_benches_side_by_side_have_a_page_each(tmp_path: Path) -> None:
    """Where the bench names no port, the next free one is taken, and told."""
    with page(tmp_path) as daemon:
        port = int(daemon.host.rpartition(":")[2])
        settings = CockpitSettings.model_construct(_fields_set=set(), port=port)
        setup = SetupMessage(settings, None, {}, NO_FILES, None, TOKEN)
        second = CockpitProcess(daemon.rings, daemon.bench_archive, setup, listen(settings))
        assert port < (urlsplit(second.url).port or 0) <= port + 19
        second.close()


def bench(message: str) -> bytes:
    """The archive of one whose bus has 0x100 as a message of this name."""
    database = f'BU_: A\nBO_ 256 {message}: 8 A\n SG_ Value : 0|8@1+ (1,0) [0|255] "" A\n'
    return archive_of({BENCH: b"buses: {one: {database: [one.dbc]}, two: {}}\n", "one.dbc": database.encode()})


def shown(socket: ClientConnection, names: set[str]) -> None:
    """Waits until 0x100 is shown by one of these names."""
    rows = receive(socket, "frames")["rows"]
    while not rows or rows[0]["message"] not in names:
        rows = receive(socket, "frames")["rows"]


def test_frames_are_decoded_by_what_runs(tmp_path: Path) -> None:
    """A page that is open follows a reload, and so does a process that is started again after one."""
    with page(tmp_path) as daemon:
        daemon.parts = {"traffic": {"buses": {"one": [[0x100, True, 1, 0.0, "2A00000000000000"]]}, "inputs": []}}
        with viewer(daemon) as socket:
            shown(socket, {""})
            for name in ("Before", "After"):
                daemon.bench_archive.put(bench(name))
                daemon.cockpit.update(FACTS | {"vehicle": name}, daemon.bench_archive.newest)
                shown(socket, {name})
        assert daemon.cockpit.pid is not None
        os.kill(daemon.cockpit.pid, signal.SIGKILL)
        wait_for(lambda: daemon.cockpit.poll(time.monotonic_ns()) and daemon.cockpit.restarts == 1)
        with viewer(daemon) as socket:
            assert receive(socket, "hello")["facts"]["vehicle"] == "After"
            shown(socket, {"After"})


def test_needles_come_with_the_frames_that_move_them(tmp_path: Path) -> None:
    """Each with the frame's time and value, by hand (42 - 2) / 4; after a reload those of its gauges."""
    gauge = {
        "entry": "vehicle.Speed",
        "bus": "one",
        "message": "Before",
        "signal": "Value",
        "factor": 4.0,
        "offset": 2.0,
    }
    with page(tmp_path, buses=("one", "two")) as daemon:
        daemon.parts = {"traffic": {"buses": {"one": [[0x100, True, 1, 0.0, "00"]]}, "inputs": []}}
        daemon.bench_archive.put(bench("Before"))
        daemon.cockpit.update(FACTS | {"gauges": [gauge]}, daemon.bench_archive.newest)
        with viewer(daemon) as socket:
            shown(socket, {"Before"})
            for t, value in ((7, 42), (9, 10)):
                frame = CarriedFrame(t * 1_000_000, 0x100, 0, bytes([value, *7 * [0]]))
                daemon.rings.carried.put(encode([frame]))
                while (readings := receive(socket, "needles")["readings"]) != [[float(t), (value - 2) / 4]]:
                    assert readings in ([None], [[7.0, 10.0]])
            daemon.cockpit.update(FACTS | {"gauges": []}, daemon.bench_archive.newest)
            while receive(socket, "needles")["readings"]:
                pass


def test_no_more_wait_to_be_let_in_than_are_served_at_a_time(tmp_path: Path) -> None:
    """So that a flood takes no memory of the page: 128 of 300 that come while it stands still; the rest tries again."""
    with page(tmp_path) as daemon, contextlib.ExitStack() as clients:
        assert get(daemon).status == 200
        pid = daemon.cockpit.pid
        assert pid is not None
        host, _, port = daemon.host.rpartition(":")
        os.kill(pid, signal.SIGSTOP)
        waiting = 0
        for _ in range(300):
            client = clients.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex((host, int(port)))
            with contextlib.suppress(OSError):
                client.getpeername()  # only of a connection that stands
                waiting += 1
        os.kill(pid, signal.SIGCONT)
    assert 128 <= waiting <= 130


def test_a_process_that_does_not_listen_is_ended(tmp_path: Path) -> None:
    """Nobody waits for it: the pipe takes 64 KiB."""
    with page(tmp_path) as daemon:
        get(daemon)
        pid = daemon.cockpit.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        daemon.bench_archive.put(bench("One"))
        for _ in range(3):
            daemon.cockpit.update(FACTS | {"codes": "x" * 40_000}, daemon.bench_archive.newest)
        wait_for(lambda: daemon.cockpit.poll(time.monotonic_ns()) and daemon.cockpit.restarts == 1)
        daemon.cockpit.update(FACTS, daemon.bench_archive.newest)
        assert get(daemon).status == 200


def test_without_a_control_socket_the_page_only_shows(tmp_path: Path) -> None:
    with page(tmp_path) as daemon:
        told = SetupMessage(CockpitSettings(port=0), None, FACTS, NO_FILES, None, TOKEN)
        bare = CockpitProcess(daemon.rings, daemon.bench_archive, told, listen(told.settings))
        bare.start()
        daemon.cockpit, other = bare, daemon.cockpit
        other.close()
        with viewer(daemon) as client:
            assert receive(client, "hello")["read_only"] is True
