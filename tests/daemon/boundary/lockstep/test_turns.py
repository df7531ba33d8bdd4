"""Turns of several lockstep clients: all work at the same time, and are heard in the order of their names."""

import socket

from hilbridge.boundary.lockstep.client import ClientError, SocketClient
from hilbridge.boundary.lockstep.lockstep import Lockstep, LockstepLink, _Place
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, Frame


class Client:
    """Sends one frame in each turn; `calls` is the diary of all."""

    def __init__(self, name: str, identifier: int, calls: list[str]) -> None:
        self.name = name
        self._frame = Frame(identifier, b"")
        self._calls = calls

    def hear(self, t: int, frame: Frame) -> None:
        """Take nothing."""

    def begin(self, t: int) -> None:
        self._calls.append(f"begin {self.name}")

    def finish(self) -> list[Frame]:
        self._calls.append(f"finish {self.name}")
        return [self._frame]

    def close(self) -> ClientError | None:
        return None


class Observer:
    def __init__(self) -> None:
        self.heard: list[int] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.heard.append(frame.can_id)


def test_every_client_has_its_frames_before_the_first_is_waited_for() -> None:
    """So that programs of a turn run beside each other; what they send lies on the bus in the order of their names."""
    calls: list[str] = []
    clients = [Client("gauge", 3, calls), Client("abs", 7, calls), Client("dash", 1, calls)]
    bus, observer = Bus("powertrain"), Observer()
    bus.attach(observer)
    lockstep = Lockstep([_Place(client, "powertrain", 1) for client in clients])
    link = lockstep.link(bus)
    link.poll(10)
    bus.exchange(10)
    assert calls == [*(f"begin {name}" for name in ("abs", "dash", "gauge")),
                     *(f"finish {name}" for name in ("abs", "dash", "gauge"))]  # fmt: skip
    assert observer.heard == [7, 1, 3]
    assert isinstance(link, LockstepLink)


def test_a_long_frame_of_can_fd_goes_both_ways_whole() -> None:
    """64 bytes, a 29-bit identifier and the higher bit rate, between frames of classic CAN."""
    ours, theirs = socket.socketpair()
    client = SocketClient("radar", ours, 5.0)
    long = Frame(EXTENDED | 0x18FF1234, bytes(range(64)), FD | BRS)
    with theirs:
        client.hear(3, Frame(0x100, b"\x01"))
        client.hear(3, long)
        client.begin(5)
        lines = theirs.recv(1000).split(b"\n")
        assert lines[0] == b"3 t100101"
        theirs.sendall(lines[1].removeprefix(b"3 ") + b"\nt2000\ndone\n")
        assert client.finish() == [long, Frame(0x200, b"")]
        client.close()
