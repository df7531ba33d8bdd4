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

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.control_socket import MOST_CLIENTS, QUEUE_LIMIT, Reply, SocketFile

from ....control_door import ControlDoor


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bench.sock"


@pytest.fixture
def server(path: Path) -> Iterator[ControlDoor]:
    control = ControlDoor(path)
    yield control
    control.close()


def connect(path: Path) -> socket.socket:
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.settimeout(5.0)
    client.connect(str(path))
    return client


def shout(line: bytes) -> bytes:
    return line.upper()


def poll(server: ControlDoor, times: int = 3) -> None:
    for _ in range(times):
        server.turn(shout)


class Slow:
    """An answerer that takes its time. `asked`: lines, whether somebody hears, and the answers to come."""

    def __init__(self) -> None:
        self.asked: list[tuple[bytes, bool, Reply]] = []

    def __call__(self, line: bytes, heard: bool) -> Reply:
        self.asked.append((line, heard, Reply()))
        return self.asked[-1][2]

    def answer(self) -> None:
        """All lines that are not answered yet."""
        for line, _, reply in self.asked:
            if not reply.is_whole:
                reply.pieces.extend(line.upper())
                reply.is_whole = True


def test_a_line_is_answered_by_a_line(server: ControlDoor, path: Path) -> None:
    with connect(path) as client:
        client.sendall(b"status\n")
        poll(server)
        assert client.recv(100) == b"STATUS\n"


def test_lines_may_come_in_pieces_and_in_heaps(server: ControlDoor, path: Path) -> None:
    """Each is answered once, in order."""
    with connect(path) as client:
        client.sendall(b"on")
        poll(server)
        client.sendall(b"e\ntwo\nthr")
        poll(server)
        client.sendall(b"ee\n" + b"x\n" * 20)
        poll(server, 25)
        assert client.recv(1000) == b"ONE\nTWO\nTHREE\n" + b"X\n" * 20


def test_it_says_when_there_is_something_to_do(server: ControlDoor, path: Path) -> None:
    """The descriptor while somebody comes, speaks or leaves; `has_line` while a line waits for the one before it."""

    def due() -> bool:
        return bool(select.select([server.descriptor], [], [], 0)[0])

    slow = Slow()
    assert not due()
    with connect(path) as client:
        assert due()
        server.poll(slow)
        assert not due()
        client.sendall(b"yes\nno\n")
        assert due()
        server.poll(slow)
        assert (due(), server.has_line) == (False, False)
        slow.answer()
        server.poll(slow)
        assert server.has_line
        server.poll(slow)
        assert (due(), server.has_line) == (False, False)
        assert client.recv(100) == b"YES\n"
    assert due()
    poll(server)
    assert not due()


def test_a_line_waits_for_the_answer_to_the_one_before_it(server: ControlDoor, path: Path) -> None:
    """Of the same client; others do not wait."""
    slow = Slow()
    with connect(path) as client, connect(path) as other:
        server.poll(slow)
        client.sendall(b"abc\nd\n")
        other.sendall(b"x\n")
        for _ in range(3):
            server.poll(slow)
        assert [line for line, _, _ in slow.asked] == [b"abc", b"x"]
        slow.answer()
        server.poll(slow)
        assert other.recv(100) == b"X\n"


def test_who_says_no_more_is_answered_all_the_same(server: ControlDoor, path: Path) -> None:
    """As `nc -N` does it; then the connection is closed."""
    slow = Slow()
    with connect(path) as client:
        client.sendall(b"one\ntwo\n")
        client.shutdown(socket.SHUT_WR)
        for _ in range(5):
            server.poll(slow)
            slow.answer()
        assert client.makefile("rb").read() == b"ONE\nTWO\n"


def test_who_does_not_wait_for_the_answer_is_obeyed_all_the_same(server: ControlDoor, path: Path) -> None:
    """What was sent is handed on, with the word that nobody hears the answer; the one under way is abandoned."""
    slow = Slow()
    with connect(path) as client:
        client.sendall(b"one\ntwo\nthree\nhalf")
        server.poll(slow)
    for _ in range(5):
        server.poll(slow)
        slow.answer()
    assert [(line, heard) for line, heard, _ in slow.asked] == [(b"one", True), (b"two", False), (b"three", False)]


def test_who_has_gone_keeps_nobody_waiting(server: ControlDoor, path: Path) -> None:
    """A thousand lines of each of sixty that left, unanswered: the next client has its place, and its line is heard."""
    slow = Slow()
    for _ in range(MOST_CLIENTS - 4):
        with connect(path) as client:
            client.sendall(b"x\n" * 1000)
            server.poll(slow)
        server.poll(slow)
    with connect(path) as client:
        client.sendall(b"here\n")
        for _ in range(2):
            server.poll(slow)
        assert (b"here", True) in [one[:2] for one in slow.asked]
        slow.answer()
        server.poll(slow)
        assert client.recv(100) == b"HERE\n"
    assert server.statistics.turned_away == 0


def test_clients_do_not_hear_each_other(server: ControlDoor, path: Path) -> None:
    with connect(path) as one, connect(path) as two:
        one.sendall(b"a\n")
        two.sendall(b"b\n")
        poll(server)
        assert (one.recv(10), two.recv(10)) == (b"A\n", b"B\n")


def test_the_permissions_of_the_file_say_who_may_connect(server: ControlDoor, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_goes_with_the_daemon(path: Path) -> None:
    ControlDoor(path).close()
    assert not path.exists()


def test_the_file_of_another_daemon_stays(path: Path) -> None:
    """Somebody has replaced it meanwhile."""
    control = ControlDoor(path)
    path.unlink()
    path.touch()
    control.close()
    assert path.exists()


def test_what_a_dead_daemon_left_is_replaced(path: Path) -> None:
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(path))
    left.close()
    control = ControlDoor(path)
    with connect(path) as client:
        client.sendall(b"here\n")
        poll(control)
        assert client.recv(10) == b"HERE\n"
    control.close()


def test_a_socket_that_is_served_is_left_alone(server: ControlDoor, path: Path) -> None:
    with pytest.raises(LinkError, match="a running bench has it"):
        ControlDoor(path)
    assert path.is_socket()


def test_a_file_that_is_no_socket_is_left_alone(path: Path) -> None:
    path.write_text("mine")
    with pytest.raises(LinkError, match="no socket"):
        ControlDoor(path)
    assert path.read_text() == "mine"


def test_a_folder_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match="No such file"):
        ControlDoor(tmp_path / "none/x.sock")


def test_a_line_without_end_ends_its_client_only(server: ControlDoor, path: Path) -> None:
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


def test_who_does_not_read_answers_is_disconnected(server: ControlDoor, path: Path) -> None:
    """Answers pile up to a limit, not for ever."""
    answer = b"a" * (QUEUE_LIMIT // 4)
    with connect(path) as client:
        for _ in range(20):
            try:
                client.send(b"more\n")
            except (BrokenPipeError, ConnectionResetError):
                break
            server.turn(lambda _: answer)
        else:
            pytest.fail("still connected")


def to_the_end(client: socket.socket) -> bytes:
    """Everything until the server has closed the connection."""
    said = b""
    while piece := client.recv(1000):
        said += piece
    return said


def full(server: ControlDoor, path: Path) -> list[socket.socket]:
    """All places taken, and nobody has said anything."""
    clients = [connect(path) for _ in range(MOST_CLIENTS)]
    poll(server, 1 + MOST_CLIENTS // 8)
    return clients


def test_idle_clients_make_room(server: ControlDoor, path: Path) -> None:
    """First those that never said a line, then the one that has been silent longest; it is told why."""
    clients = full(server, path)
    for client in clients[:2]:
        client.sendall(b"x\n")
        poll(server)
        assert client.recv(10) == b"X\n"
    news = []
    for _ in range(MOST_CLIENTS - 2):
        news.append(connect(path))
        news[-1].sendall(b"n\n")
        poll(server)
        assert news[-1].recv(10) == b"N\n"
    for client in clients[2:]:
        assert b"another client needs its place" in to_the_end(client)
    for client in clients[:2]:
        news.append(connect(path))
        news[-1].sendall(b"n\n")
        poll(server)
        assert b"another client" in to_the_end(client)
    assert server.statistics.turned_away == 0
    for client in (*clients, *news):
        client.close()


def test_half_a_line_holds_no_place(server: ControlDoor, path: Path) -> None:
    clients = full(server, path)
    for client in clients:
        client.sendall(b"half")
    poll(server)
    with connect(path) as client:
        client.sendall(b"whole\n")
        poll(server)
        assert client.recv(10) == b"WHOLE\n"
    for client in clients:
        client.close()


def test_one_client_too_many_is_turned_away(server: ControlDoor, path: Path) -> None:
    """Where all others wait for answers."""
    clients, slow = full(server, path), Slow()
    for client in clients:
        client.sendall(b"x\n")
    server.poll(slow)
    with connect(path) as late:
        server.poll(slow)
        assert late.recv(1) == b""
    assert server.statistics.turned_away == 1
    for client in clients:
        client.close()


def test_a_client_that_hangs_up_in_the_middle_is_forgotten(server: ControlDoor, path: Path) -> None:
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
    control = ControlDoor(path)
    try:
        with connect(path) as client:
            for piece in pieces:
                client.sendall(piece)
                control.turn(lambda _: b"ok")
            wanted = b"".join(pieces).count(b"\n")
            for _ in range(wanted + 2):
                control.turn(lambda _: b"ok")
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
            control = SocketFile(path, mode)
            os.chown(path, 0, 65533)
            assert _may_connect(path, 65532, 65533) is of_group
            assert _may_connect(path, 65532, 65532) is stranger
            control.close()
