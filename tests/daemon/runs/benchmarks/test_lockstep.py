"""The turn that is measured is a whole one."""

import socket

from hilbridge.boundary.lockstep.client import SocketClient
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs.benchmarks import lockstep


def test_the_bytes_that_are_compared_are_those_of_a_turn() -> None:
    """What the client sends to its program, and what it takes for an answer."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        client = SocketClient("one", ours, 10)
        client.hear(0, Frame(0x100, bytes(8)))
        client.begin(1_000_000)
        assert theirs.recv(4096) == lockstep._TURN
        theirs.sendall(lockstep._ANSWER)
        assert client.finish() == [Frame(0x5A0, bytes(1))]


def test_every_quantity_has_its_durations() -> None:
    durations = lockstep.sample(2)
    assert set(durations) == {"class", "program", "bare"}
    assert all(len(each) == 2 and min(each) > 0 for each in durations.values())
