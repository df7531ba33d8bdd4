"""A line to the daemon, a line back, and nothing that a client does stops it."""

import contextlib
import os
import select
import socket
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.common.control_line import LONGEST_LINE
from hilbridge.common.errors import LinkError
from hilbridge.links.control_socket import MOST_CLIENTS, QUEUE_LIMIT, ControlSocket


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bench.sock"


@pytest.fixture
def server(path: Path) -> Iterator[ControlSocket]:
    control = ControlSocket(path, 0o600)
    yield control
    control.close()


def connect(path: Path) -> socket.socket:
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.settimeout(5.0)
    client.connect(str(path))
    return client


def shout(line: bytes) -> bytes:
    return line.upper()


def poll(server: ControlSocket, times: int = 3) -> None:
    for _ in range(times):
        server.poll(shout, turns=4)


def spell(line: bytes) -> Iterator[bytes]:
    """An answer in as many pieces as the line has letters."""
    for letter in line.decode():
        yield letter.upper().encode()


def test_a_line_is_answered_by_a_line(server: ControlSocket, path: Path) -> None:
    with connect(path) as client:
        client.sendall(b"status\n")
        poll(server)
        assert client.recv(100) == b"STATUS\n"


def test_lines_may_come_in_pieces_and_in_heaps(server: ControlSocket, path: Path) -> None:
    """Each is answered once, in order."""
    with connect(path) as client:
        client.sendall(b"on")
        poll(server)
        client.sendall(b"e\ntwo\nthr")
        poll(server)
        client.sendall(b"ee\n" + b"x\n" * 20)
        poll(server, 10)
        assert client.recv(1000) == b"ONE\nTWO\nTHREE\n" + b"X\n" * 20


def test_it_says_when_there_is_something_to_do(server: ControlSocket, path: Path) -> None:
    """The descriptor while somebody comes, speaks or leaves; `is_busy` while answers are made or wait to be taken."""

    def due() -> bool:
        return bool(select.select([server.descriptor], [], [], 0)[0])

    assert not due()
    with connect(path) as client:
        assert due()
        server.poll(spell)
        assert not due()
        client.sendall(b"yes\n")
        assert due()
        states = []
        for _ in range(6):
            server.poll(spell)
            states.append((due(), server.is_busy))
        assert states == [(False, True)] * 4 + [(False, False)] * 2
        assert client.recv(100) == b"YES\n"
    assert due()
    poll(server)
    assert (due(), server.is_busy) == (False, False)


def test_an_answer_in_pieces_comes_whole(server: ControlSocket, path: Path) -> None:
    """The line takes a turn, each piece one, and its end one; the next line has to wait for it."""
    with connect(path) as client:
        server.poll(spell)
        client.sendall(b"abc\nd\n")
        client.setblocking(False)
        for _ in range(4):
            server.poll(spell)
            with pytest.raises(BlockingIOError):
                client.recv(100)
        server.poll(spell)
        assert client.recv(100) == b"ABC\n"
        server.poll(spell, turns=3)
        assert client.recv(100) == b"D\n"


def test_clients_take_turns(server: ControlSocket, path: Path) -> None:
    """However much one of them asks for, and in however many pieces it is sent."""
    with connect(path) as greedy, connect(path) as other:
        for _ in range(2):
            server.poll(spell)
        greedy.sendall(b"a long answer\n" * 100)
        for _ in range(5):
            server.poll(spell)
        other.sendall(b"b\n")
        for _ in range(2 * 3):
            server.poll(spell)
        assert other.recv(10) == b"B\n"


def test_who_says_no_more_is_answered_all_the_same(server: ControlSocket, path: Path) -> None:
    """As `nc -N` does it; then the connection is closed."""
    with connect(path) as client:
        client.sendall(b"one\ntwo\n")
        client.shutdown(socket.SHUT_WR)
        for _ in range(20):
            server.poll(spell)
        assert client.makefile("rb").read() == b"ONE\nTWO\n"


def test_who_does_not_wait_for_the_answer_is_obeyed_all_the_same(server: ControlSocket, path: Path) -> None:
    """A command that was sent is carried out; there is just nobody to hear what came of it."""
    heard = []

    def handle(line: bytes) -> bytes:
        heard.append(line)
        return b"ok"

    with connect(path) as client:
        server.poll(handle)
        client.sendall(b"one\ntwo\n")
    for _ in range(5):
        server.poll(handle)
    assert heard == [b"one", b"two"]


def test_clients_do_not_hear_each_other(server: ControlSocket, path: Path) -> None:
    with connect(path) as one, connect(path) as two:
        one.sendall(b"a\n")
        two.sendall(b"b\n")
        poll(server)
        assert (one.recv(10), two.recv(10)) == (b"A\n", b"B\n")


def test_the_permissions_of_the_file_say_who_may_connect(server: ControlSocket, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_goes_with_the_daemon(path: Path) -> None:
    ControlSocket(path, 0o600).close()
    assert not path.exists()


def test_the_file_of_another_daemon_stays(path: Path) -> None:
    """Somebody has replaced it meanwhile."""
    control = ControlSocket(path, 0o600)
    path.unlink()
    path.touch()
    control.close()
    assert path.exists()


def test_what_a_dead_daemon_left_is_replaced(path: Path) -> None:
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(path))
    left.close()
    control = ControlSocket(path, 0o600)
    with connect(path) as client:
        client.sendall(b"here\n")
        poll(control)
        assert client.recv(10) == b"HERE\n"
    control.close()


def test_a_socket_that_is_served_is_left_alone(server: ControlSocket, path: Path) -> None:
    with pytest.raises(LinkError, match="a running bench has it"):
        ControlSocket(path, 0o600)
    assert path.is_socket()


def test_a_file_that_is_no_socket_is_left_alone(path: Path) -> None:
    path.write_text("mine")
    with pytest.raises(LinkError, match="no socket"):
        ControlSocket(path, 0o600)
    assert path.read_text() == "mine"


def test_a_folder_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match="No such file"):
        ControlSocket(tmp_path / "none/x.sock", 0o600)


def test_a_line_without_end_ends_its_client_only(server: ControlSocket, path: Path) -> None:
    with connect(path) as endless, connect(path) as other:
        endless.setblocking(False)
        for _ in range(20):
            with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
                endless.send(b"x" * LONGEST_LINE)
            poll(server)
        other.sendall(b"fine\n")
        poll(server)
        assert other.recv(10) == b"FINE\n"
        with pytest.raises(OSError):  # noqa: PT011 - broken pipe or reset, as the kernel likes
            endless.send(b"x")


def test_who_does_not_read_answers_is_disconnected(server: ControlSocket, path: Path) -> None:
    """Answers pile up to a limit, not for ever."""
    answer = b"a" * (QUEUE_LIMIT // 4)
    with connect(path) as client:
        for _ in range(20):
            try:
                client.send(b"more\n")
            except (BrokenPipeError, ConnectionResetError):
                break
            server.poll(lambda _: answer)
        else:
            pytest.fail("still connected")


def test_one_client_too_many_is_turned_away(server: ControlSocket, path: Path) -> None:
    clients = []
    for _ in range(MOST_CLIENTS + 1):
        clients.append(connect(path))
        poll(server, 1)
    assert clients[-1].recv(1) == b""
    assert server.statistics.turned_away == 1
    clients[0].sendall(b"x\n")
    poll(server)
    assert clients[0].recv(10) == b"X\n"
    for client in clients:
        client.close()


def test_a_client_that_hangs_up_in_the_middle_is_forgotten(server: ControlSocket, path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(50):
        client = connect(path)
        client.sendall(b"half a li")
        poll(server, 1)
        client.close()
        poll(server)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=200), max_size=8))
def test_any_bytes_are_survived(pieces: list[bytes]) -> None:
    """As many answers as line ends."""
    folder = Path(os.environ.get("TMPDIR", "/tmp"))
    path = folder / f"hilbridge-any-{os.getpid()}.sock"
    control = ControlSocket(path, 0o600)
    try:
        with connect(path) as client:
            for piece in pieces:
                client.sendall(piece)
                control.poll(lambda _: b"ok", turns=4)
            wanted = b"".join(pieces).count(b"\n")
            for _ in range(wanted + 2):
                control.poll(lambda _: b"ok")
            got = client.recv(1 << 16) if wanted else b""
            assert got == b"ok\n" * wanted
    finally:
        control.close()


def _may_connect(path: Path, user: int, group: int) -> bool:
    """Whether a process of this user and group, and no other group, can; only root can become one."""
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)
        with socket.socket(socket.AF_UNIX) as connection:
            os._exit(connection.connect_ex(str(path)) != 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_mode_says_who_may_connect() -> None:
    """Owner, group, others, as of any file; whom it shuts out is shut out by the kernel."""
    if os.geteuid() != 0:
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder, "ctl.sock")
        for mode, of_group, stranger in ((0o600, False, False), (0o660, True, False), (0o666, True, True)):
            control = ControlSocket(path, mode)
            os.chown(path, 0, 65533)
            assert _may_connect(path, 65532, 65533) is of_group
            assert _may_connect(path, 65532, 65532) is stranger
            control.close()
