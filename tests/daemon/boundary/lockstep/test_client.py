"""Lockstep clients: their turns, and what the bench says of one that is lost."""

import socket
from collections.abc import Iterator

import pytest

from hilbridge.boundary.lockstep.client import ClientError, PythonClient, SocketClient
from hilbridge.frames.codec.frame import Frame

Ends = tuple[SocketClient, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """A client of the bench, and the program's end of its socket."""
    ours, theirs = socket.socketpair()
    client = SocketClient("lamp", ours, 0.02)
    with theirs:
        yield client, theirs
        client.close()


def test_a_program_hears_everything_up_to_its_turn(ends: Ends) -> None:
    client, program = ends
    client.greet("powertrain", 5)
    client.hear(3, Frame(0x100, b"\x01"))
    client.hear(4, Frame(0x101, b""))
    program.sendall(b"t2000\ndone\n")
    client.begin(5)
    assert client.finish() == [Frame(0x200, b"")]
    assert program.recv(1000) == b"lockstep 1 lamp powertrain 5\n3 t100101\n4 t1010\ndone 5\n"
    client.hear(9, Frame(0x102, b""))
    client.close()
    assert program.recv(1000) == b"9 t1020\nend\n"


def test_a_program_that_says_nothing_hangs(ends: Ends) -> None:
    """Nothing waits for it longer than its time, not even the end of the run."""
    client, program = ends
    client.begin(0)
    with pytest.raises(ClientError, match=r"client lamp has not said 'done' within 0\.02 s") as caught:
        client.finish()
    assert caught.value.verdict == "hung"
    program.recv(1000)
    client.close()
    assert program.recv(1000) == b""


def test_a_program_that_does_not_read_hangs(ends: Ends) -> None:
    client, _ = ends
    for _ in range(100_000):
        client.hear(0, Frame(0x100, bytes(8)))
    with pytest.raises(ClientError, match="has not said 'done'"):
        client.begin(0)


def test_a_program_that_trickles_hangs(ends: Ends) -> None:
    """A turn has one time, however many pieces come in it."""
    client, program = ends
    client.begin(0)
    client._deadline = 0.0  # its time is over
    program.sendall(b"t")
    with pytest.raises(ClientError, match="has not said 'done'"):
        client.finish()


@pytest.mark.parametrize("before", [b"", b"t100"])
def test_a_program_that_leaves_is_gone(ends: Ends, before: bytes) -> None:
    client, program = ends
    client.begin(0)
    program.recv(1000)
    program.sendall(before)
    program.close()
    with pytest.raises(ClientError, match="client lamp has gone in mid-run") as caught:
        client.finish()
    assert caught.value.verdict == "died"
    with pytest.raises(ClientError, match="has gone"):
        client.begin(1)


def test_a_wrong_line_ends_it(ends: Ends) -> None:
    client, program = ends
    client.begin(0)
    program.sendall(b"what?\n")
    with pytest.raises(ClientError, match="client lamp has sent 'what\\?'"):
        client.finish()


class Echo:
    """A unit that answers with what it heard, and with the time."""

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        return [Frame(frame.can_id + 1, bytes([round(t * 1000)]))]

    def tick(self, t: float) -> list[Frame]:
        return [Frame(1, bytes([round(t * 1000)]))]


def test_a_unit_in_python_hears_frames_then_the_time() -> None:
    client = PythonClient("echo", Echo())
    client.hear(3_000_000, Frame(0x100, b""))
    client.begin(5_000_000)
    assert client.finish() == [Frame(0x101, b"\x03"), Frame(1, b"\x05")]
    client.begin(6_000_000)
    assert client.finish() == [Frame(1, b"\x06")]


@pytest.mark.parametrize("answer", [None, [b"t100"], 7])
def test_a_unit_that_sends_no_frames_is_told(answer: object) -> None:
    class Wrong(Echo):
        def tick(self, t: float) -> list[Frame]:
            return answer  # type: ignore[return-value]

    client = PythonClient("wrong", Wrong())
    client.begin(0)
    with pytest.raises(ClientError, match=r"client wrong has failed: .*TypeError"):
        client.finish()
