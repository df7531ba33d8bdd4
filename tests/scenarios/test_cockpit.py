"""The page of the real program, without a browser: several viewers, and what becomes of a page that dies."""

import json
import os
import signal
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from hilbridge.client import Client
from hilbridge.commands.ctl_status import print_status

from ..program import CHECKOUT, PATIENCE, Program, demo_bench, running

PAGE = "hilbridge.faces.cockpit.server"


class Scene(NamedTuple):
    """A running bench with its page."""

    program: Program
    socket: Path
    url: str

    @contextmanager
    def viewer(self) -> Iterator[ClientConnection]:
        address = urlsplit(self.url)
        own = {"Authorization": f"Bearer {address.query.removeprefix('token=')}"}
        socket, origin = f"ws://{address.netloc}/socket", Origin(f"http://{address.netloc}")
        with connect(socket, origin=origin, additional_headers=own, max_size=None, open_timeout=PATIENCE) as page:
            yield page

    def throttle(self) -> dict[str, Any]:
        """Who holds the pedal, and where."""
        with Client(self.socket) as client:
            inputs = client.status("inputs")["inputs"]
        return next(one for one in inputs if one["control"] == "Throttle")


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with scene_of(demo_bench(tmp_path, ("name: demo", "name: page-test"))) as scene:
        yield scene


@contextmanager
def scene_of(bench: Path) -> Iterator[Scene]:
    socket = bench.parent / "control.sock"
    own = f"\ncockpit: {{port: 0}}\nstate: none\ncontrol: {{socket: {socket}}}\n"
    bench.write_text(bench.read_text(encoding="utf-8") + own, encoding="utf-8")
    with running(bench, page=True) as program:
        url = program.wait_for("cockpit")["url"]
        program.wait_for("ready")
        yield Scene(program, socket, url)


def unit(page: ClientConnection) -> str:
    """Of the engine speed, as the table of frames shows it; empty while it shows none."""
    for row in receive(page, "frames")["rows"]:
        for name, _, its, _ in row["signals"]:
            if (row["message"], name) == ("EngineData1", "EngineRpm"):
                return str(its)
    return ""


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def press(page: ClientConnection, value: float) -> None:
    """Puts a foot on the pedal."""
    page.send(json.dumps({"id": 1, "command": {"command": "set", "entry": "input.Throttle", "value": value}}))
    receive(page, "answer")


def receive(page: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        data = page.recv(PATIENCE)
        if isinstance(data, str) and (message := json.loads(data))["kind"] == kind:
            assert isinstance(message, dict)
            return message


def times(page: ClientConnection, count: int) -> list[int]:
    """The times [ns] of the next snapshots."""
    snapshots: list[int] = []
    while len(snapshots) < count:
        data = page.recv(PATIENCE)
        if isinstance(data, bytes):
            snapshots.append(struct.unpack_from("<q", data)[0])
    return snapshots


@pytest.mark.nightly
def test_three_viewers_see_the_run_go_on(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    """Each gets snapshots that follow one another, and the frames; one that does not read keeps nobody waiting.

    Whoever may use the control socket is told the address, with its token.
    """
    with Client(scene.socket) as client:
        print_status(client.status("usual", "layouts"))
    assert f"page {scene.url}\n" in capsys.readouterr().out
    assert "?token=" in scene.url
    with scene.viewer() as one, scene.viewer() as other, scene.viewer():
        for page in (one, other):
            seen = times(page, 30)
            assert seen == sorted(set(seen))
        wait_for(lambda: {"0x100", "0x140"} <= {row["id"] for row in receive(one, "frames")["rows"]})
    assert scene.program.stop()["ticks"] > 0


@pytest.mark.way_out("page")
def test_the_pedal_comes_up_when_the_page_is_killed(scene: Scene) -> None:
    """It holds as long as the page is there, however long; SIGKILL leaves no time to say goodbye."""
    with scene.viewer() as page:
        press(page, 0.25)
        begin = times(page, 1)[0]
        while times(page, 1)[0] < begin + 4_000_000_000:  # longer than a hold that nobody renews
            assert scene.throttle() == {"control": "Throttle", "source": "viewer 1 (127.0.0.1)", "value": 0.25}
        killed = scene.program.child(PAGE)
        os.kill(killed, signal.SIGKILL)
        wait_for(lambda: "viewer" not in scene.throttle()["source"])
    wait_for(lambda: scene.program.children(PAGE) not in ([], [killed]))
    with scene.viewer() as page:
        press(page, 0.5)
        assert scene.throttle()["value"] == 0.5


@pytest.mark.nightly
def test_the_pedal_comes_up_when_the_browser_is_gone_without_a_word(scene: Scene) -> None:
    """Its machine sleeps or its network is lost: the connection stands, but nobody reads, nor answers a ping."""
    with scene.viewer() as page:
        press(page, 0.25)
        wait_for(lambda: "viewer" not in scene.throttle()["source"])


@pytest.mark.nightly
def test_after_a_reload_frames_are_decoded_by_the_new_database(tmp_path: Path) -> None:
    """In the page that is open; what was changed in the file and not adopted yet is not believed."""
    text = (CHECKOUT / "dbc/powertrain.dbc").read_text(encoding="utf-8")
    database = tmp_path / "own.dbc"
    database.write_text(text, encoding="utf-8")
    own = ("database: powertrain.dbc", "database: own.dbc")
    with scene_of(demo_bench(tmp_path, ("name: demo", "name: page-test"), own)) as scene, scene.viewer() as page:
        wait_for(lambda: unit(page) == "rpm")
        line = next(line for line in text.splitlines() if line.strip().startswith("SG_ EngineRpm "))
        database.write_text(text.replace(line, line.replace('"rpm"', '"1/min"')), encoding="utf-8")
        first = scene.program.child(PAGE)
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: scene.program.children(PAGE) not in ([], [first]))
        with scene.viewer() as other:
            wait_for(lambda: unit(other) == "rpm")
            os.kill(scene.program.process.pid, signal.SIGHUP)
            wait_for(lambda: unit(other) == "1/min")
