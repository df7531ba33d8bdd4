"""The control process as the tick process sees it: commands come in, answers go back, and it may die."""

import json
import os
import signal
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.control.process import ControlProcess

PATIENCE = 60.0


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlProcess]:
    process = ControlProcess(tmp_path_factory.mktemp("control") / "ctl.sock", 0o600)
    process.start()
    yield process
    process.close()
    assert not process.path.exists()


def connect(process: ControlProcess) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(0.01)
    client.connect(str(process.path))
    return client


def echo(line: bytes) -> bytes:
    return line


def in_pieces(line: bytes) -> Iterator[bytes]:
    """An answer in as many pieces as the line has characters, and one that is longer than a datagram."""
    for letter in line:
        yield bytes([letter])
    yield b" " * 500_000


def ask(process: ControlProcess, client: socket.socket, line: bytes, execute: object = echo) -> bytes:
    """The answer to a line, while the tick goes on."""
    client.sendall(line + b"\n")
    answer = b""
    deadline = time.monotonic() + PATIENCE
    while not answer.endswith(b"\n"):
        assert time.monotonic() < deadline
        process.serve(execute, 4)  # type: ignore[arg-type]  # one of the two above
        try:
            piece = client.recv(1 << 20)
        except TimeoutError:
            continue
        assert piece, "closed"
        answer += piece
    return answer


def test_a_command_comes_to_the_tick_and_its_answer_back(process: ControlProcess) -> None:
    with connect(process) as client:
        line = b'{"command":"set","entry":"input.Key","value":1}'
        assert ask(process, client, line) == line + b"\n"
        assert not process.is_busy


def test_an_answer_may_be_made_in_pieces(process: ControlProcess) -> None:
    with connect(process) as client:
        line = b'{"command":"fault-list"}'
        assert ask(process, client, line, in_pieces).strip() == line


def test_a_turn_is_a_command_or_a_piece(process: ControlProcess) -> None:
    """And they take turns, so that neither keeps the other waiting."""
    done: list[str] = []

    def execute(line: bytes) -> bytes | Iterator[bytes]:
        if json.loads(line)["command"] == "status":
            return answer()
        done.append("command")
        return b"{}"

    def answer() -> Iterator[bytes]:
        for _ in range(3):
            done.append("piece")
            yield b""
        yield b"{}"

    with connect(process) as asking, connect(process) as other:
        asking.sendall(b'{"command":"status"}\n')
        other.sendall(b'{"command":"release"}\n' * 20)
        deadline = time.monotonic() + PATIENCE
        while done.count("command") < 20 or done.count("piece") < 3:
            assert time.monotonic() < deadline
            before = len(done)
            process.serve(execute)
            assert len(done) <= before + 1
            time.sleep(0.001)
        first = done.index("piece")
        assert done[first : first + 5].count("piece") >= 2
    ask_nothing(process)


def ask_nothing(process: ControlProcess) -> None:
    """All that earlier clients asked for is done."""
    with connect(process) as client:
        ask(process, client, b'{"command":"fault-list"}')


def test_it_is_started_again_and_clients_find_it_at_the_same_place(process: ControlProcess) -> None:
    """What the dead one was asked is forgotten; its clients see the end of their connection."""
    with connect(process) as client:
        ask(process, client, b'{"command":"fault-list"}')
        client.sendall(b'{"command":"status"}\n')
        pid = process.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        t, deadline = 0, time.monotonic() + PATIENCE
        while process.restarts == 0:
            assert time.monotonic() < deadline
            t += SECOND // 10
            process.poll(t)
            time.sleep(0.001)
        client.settimeout(PATIENCE)
        with suppress(ConnectionResetError):  # it died before it had read the line
            assert client.recv(10) == b""
    assert not process.is_busy
    with connect(process) as client:
        line = b'{"command":"release"}'
        assert ask(process, client, line) == line + b"\n"


def test_a_socket_that_is_served_is_left_alone(process: ControlProcess) -> None:
    with pytest.raises(LinkError, match="a running bench has it"):
        ControlProcess(process.path, 0o600)
    assert process.path.is_socket()


def news(process: ControlProcess) -> str:
    """The next line about the file of the socket, while the tick goes on."""
    deadline = time.monotonic() + PATIENCE
    while not process.news:
        assert time.monotonic() < deadline
        process.serve(echo, 4)
        time.sleep(0.01)
    return process.news.popleft()


@pytest.mark.parametrize("folder_too", [False, True])
def test_the_file_of_the_socket_is_made_again(tmp_path: Path, folder_too: bool) -> None:
    """Who was connected stays so, others find it; also after a second loss, and after the end of the process."""
    folder = tmp_path / "run"
    folder.mkdir()
    process = ControlProcess(folder / "ctl.sock", 0o640)
    process.start()
    line = b'{"command":"fault-list"}'
    try:
        with connect(process) as early:
            for _ in range(2):
                process.path.unlink()
                if folder_too:
                    folder.rmdir()
                    assert "cannot be made again" in news(process)
                    folder.mkdir()
                assert news(process) == "the file of the control socket was gone: it is made again"
                assert stat.S_IMODE(process.path.stat().st_mode) == 0o640
                with connect(process) as client:
                    assert ask(process, client, line).strip() == line
                    assert ask(process, early, line).strip() == line
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        deadline, t = time.monotonic() + PATIENCE, SECOND
        while process.restarts == 0:
            assert time.monotonic() < deadline
            process.poll(t)
            t += SECOND
        assert news(process) == "the file of the control socket was gone: it is made again"
        with connect(process) as client:
            assert ask(process, client, line).strip() == line
    finally:
        process.close()
    assert not process.path.exists()


def test_a_file_that_another_program_has_put_there_stays(tmp_path: Path) -> None:
    process = ControlProcess(tmp_path / "ctl.sock", 0o600)
    process.start()
    try:
        process.path.unlink()
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(process.path))
            other.listen()
            assert "a running bench has it" in news(process)
    finally:
        process.close()
    assert process.path.exists()
