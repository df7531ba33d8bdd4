"""A SocketCAN link with somebody listening on its bus, its ticks, and what the tests do to interfaces."""

import socket
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.link import Link
from hilbridge.boundary.links.socketcan import SocketcanLink
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame

SO_RCVBUFFORCE = 33
"""socket(7): beyond net.core.rmem_max, for root."""
PERIOD = 10 * MILLISECOND
"""A system call costs 55 µs here; ticks are slow to match."""
RECOVERY = 2_000 * MILLISECOND
"""Of ticks, from the end of a fault to the first frame."""


class Bench:
    """A bus on an interface, or with another link, with somebody listening, and its ticks."""

    def __init__(
        self, channel: str = "vcan0", fd: bool = True, *, bus: Bus | None = None, link: Link | None = None
    ) -> None:
        self.t = 0
        self.frames: list[Frame] = []
        self.bus = bus or Bus("powertrain")
        self.link: Link = link or SocketcanLink(self.bus, BusSettings(interface="socketcan", channel=channel, fd=fd))
        self.bus.attach(self)
        self.bus.attach_link(self.link)

    def receive(self, frame: Frame, t: int) -> None:
        self.frames.append(frame)

    def tick(self, count: int = 1) -> None:
        for _ in range(count):
            self.sample()
            self.publish()

    def sample(self) -> None:
        self.link.poll(self.t)
        self.bus.exchange(self.t)

    def publish(self) -> None:
        self.bus.exchange(self.t)
        self.link.flush(self.t)
        self.t += PERIOD

    def send(self, *frames: Frame) -> None:
        for frame in frames:
            self.bus.transmit(frame, None)
        self.tick()

    def until(self, condition: Callable[[], object], ticks: int = 1_000) -> None:
        for _ in range(ticks):
            if condition():
                return
            self.tick()
            time.sleep(0.001)
        pytest.fail("it did not happen")

    def recovered(self, since: int) -> None:
        """Waits until the link works again; no later than RECOVERY after the tick `since`."""
        self.until(lambda: not self.link.trouble, ticks=(RECOVERY - (self.t - since)) // PERIOD)


class CyclicFrame:
    """A frame every tick with a counter, as the plan sends it: built, and counted, only if the link accepts it.

    The counter has 16 bits here, so that a repetition or a gap cannot hide.
    """

    def __init__(self, bench: Bench, identifier: int = 0x100) -> None:
        self.counter = 0
        self.withheld = 0
        self._bench = bench
        self._identifier = identifier

    def tick(self, count: int = 1, pause: float = 0.0) -> None:
        for _ in range(count):
            self._bench.sample()
            if self._bench.link.accepts(self._identifier):
                self._bench.bus.transmit(Frame(self._identifier, self.counter.to_bytes(2, "big")), None)
                self.counter += 1
            else:
                self.withheld += 1
            self._bench.publish()
            time.sleep(pause)


def raw_socket(channel: str) -> socket.socket:
    """A socket of the test, with room for all that a test sends: the default holds 278 frames."""
    opened = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
    opened.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 22)
    opened.setsockopt(socket.SOL_CAN_RAW, socket.CAN_RAW_FD_FRAMES, 1)
    opened.bind((channel,))
    opened.settimeout(5)
    return opened


def classic(can_id: int, data: bytes = b"") -> bytes:
    """struct can_frame."""
    return struct.pack("=IB3x8s", can_id, len(data), data)


def counters(raw: socket.socket, identifier: int = 0x100) -> list[int]:
    """The counters of the cyclic frames that a socket has heard."""
    raw.setblocking(False)
    heard: list[int] = []
    while True:
        try:
            can_id, length, data = struct.unpack("=IB3x8s", raw.recv(16))
        except BlockingIOError:
            return heard
        if can_id == identifier:
            heard.append(int.from_bytes(data[:length], "big"))


def ip(command: str) -> None:
    subprocess.run(["ip", *command.split()], check=True)


def load_module(name: str) -> None:
    """Loads a module of the lab's kernel; one that is there already is no error."""
    for module in Path("/usr/lib/uml/modules").glob(f"*/kernel/**/{name}.ko"):
        subprocess.run(["insmod", str(module)], check=False, capture_output=True)
