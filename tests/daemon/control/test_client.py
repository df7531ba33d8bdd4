"""One command, one answer; what the daemon would not take is refused before it is sent."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.common.control_line import LONGEST_LINE
from hilbridge.common.errors import ConfigurationError
from hilbridge.control import client
from hilbridge.control.client import ask, await_reload, execute
from hilbridge.links.control_socket import ControlSocket


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Path]:
    """Answers every line with its length."""
    path, ended = tmp_path / "bench.sock", threading.Event()
    server = ControlSocket(path, 0o600)

    def serve() -> None:
        while not ended.wait(0.001):
            server.poll(lambda line: b'{"length": %d}' % len(line))

    thread = threading.Thread(target=serve)
    thread.start()
    yield path
    ended.set()
    thread.join()
    server.close()


def command(length: int) -> dict[str, str]:
    """It takes so many bytes on its way, with the end of the line."""
    return {"command": "x" * (length - len('{"command": ""}\n'))}


def test_the_longest_line_arrives(daemon: Path) -> None:
    assert ask(daemon, command(LONGEST_LINE)) == {"length": LONGEST_LINE - 1}


def test_a_longer_one_is_refused_with_its_length(daemon: Path) -> None:
    with pytest.raises(ConfigurationError, match="64 KiB at once, this has 65"):
        ask(daemon, command(LONGEST_LINE + 1024))


def test_nobody_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"no daemon can be reached at .*No such file"):
        ask(tmp_path / "bench.sock", {"command": "status"})


def test_a_reload_without_an_outcome_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Older outcomes are those of other requests."""
    monkeypatch.setattr(client, "RELOAD_TIMEOUT", 0.01)
    monkeypatch.setattr(client, "ask", lambda *_: {"reload": {"last": {"request": 1, "outcome": "reloaded"}}})
    assert await_reload(tmp_path, 1)["outcome"] == "reloaded"
    with pytest.raises(ConfigurationError, match="the reload is not over after"):
        await_reload(tmp_path, 2)


def test_a_command_is_a_line_of_json_as_the_socket_has_it() -> None:
    lines: list[bytes] = []

    def handle(line: bytes) -> bytes:
        lines.append(line)
        return b'{"fault": 3}'

    assert execute(handle, "fault-clear", number=None) == {"fault": 3}
    assert [json.loads(line) for line in lines] == [{"command": "fault-clear", "number": None}]


def test_a_refusal_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="unknown bus"):
        execute(lambda _: b'{"error": "unknown bus"}', "arm", bus="x")
