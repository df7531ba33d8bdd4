"""The SocketCAN link on real interfaces of the kernel, against can-utils and python-can."""

import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import can
import pytest

from hilbridge.errors import LinkError
from hilbridge.frames.bus import Bus
from hilbridge.frames.frame import BRS, ERROR, EXTENDED, FD, REMOTE, Frame
from hilbridge.links import socketcan
from hilbridge.links.socketcan import SocketcanLink
from hilbridge.settings import BusSettings

MILLISECOND = 1_000_000
PERIOD = 10 * MILLISECOND
"""A system call costs 55 µs here; ticks are slow to match."""


class Bench:
    """A bus on vcan0 with somebody listening, and its ticks."""

    def __init__(self, channel: str = "vcan0", fd: bool = True) -> None:
        self.t = 0
        self.frames: list[Frame] = []
        self.bus = Bus("powertrain")
        self.link = SocketcanLink(self.bus, BusSettings(interface="socketcan", channel=channel, fd=fd))
        self.bus.attach(self)
        self.bus.attach(self.link, external=True)

    def receive(self, frame: Frame, t: int) -> None:
        self.frames.append(frame)

    def tick(self, count: int = 1) -> None:
        for _ in range(count):
            self.link.poll(self.t)
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


@pytest.fixture
def bench() -> Iterator[Bench]:
    ticking = Bench()
    yield ticking
    ticking.link.close()


@pytest.fixture
def raw() -> Iterator[socket.socket]:
    """A socket of the test's own on vcan0, for classic, FD and error frames."""
    with raw_socket("vcan0") as opened:
        yield opened


@pytest.fixture
def vcan9() -> Iterator[str]:
    """An interface that the test may do anything with."""
    ip("link add dev vcan9 type vcan")
    ip("link set vcan9 mtu 72 up")
    yield "vcan9"
    subprocess.run(["ip", "link", "del", "vcan9"], check=False, capture_output=True)


def raw_socket(channel: str) -> socket.socket:
    opened = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
    opened.setsockopt(socket.SOL_CAN_RAW, socket.CAN_RAW_FD_FRAMES, 1)
    opened.bind((channel,))
    opened.settimeout(5)
    return opened


def classic(can_id: int, data: bytes = b"") -> bytes:
    """struct can_frame."""
    return struct.pack("=IB3x8s", can_id, len(data), data)


def ip(command: str) -> None:
    subprocess.run(["ip", *command.split()], check=True)


def test_cansend_is_heard(bench: Bench) -> None:
    """Classic, 29-bit, remote and FD frames of can-utils, with their data."""
    for line in ("123#0102FF", "18DB33F1#02010C", "7DF#R8", "124##1" + "AB" * 12):
        subprocess.run(["cansend", "vcan0", line], check=True)
    bench.until(lambda: len(bench.frames) >= 4)
    assert bench.frames == [
        Frame(0x123, b"\x01\x02\xff"),
        Frame(0x18DB33F1 | EXTENDED, b"\x02\x01\x0c"),
        Frame(0x7DF | REMOTE, bytes(8)),
        Frame(0x124, b"\xab" * 12, FD | BRS),
    ]
    assert bench.bus.received == bench.link.statistics.received == 4


def test_candump_hears_what_is_sent(bench: Bench) -> None:
    with subprocess.Popen(["candump", "-L", "-n", "4", "vcan0"], stdout=subprocess.PIPE, text=True) as candump:
        receivers = Path("/proc/net/can/rcvlist_all")
        own = receivers.read_text().count("vcan0")
        bench.until(lambda: receivers.read_text().count("vcan0") > own)
        bench.send(
            Frame(0x123, b"\x01\x02\xff"),
            Frame(0x18DAF110 | EXTENDED, bytes(8)),
            Frame(0x7DF | REMOTE, bytes(3)),
            Frame(0x124, b"\xab" * 9, FD | BRS),
        )
        lines, _ = candump.communicate(timeout=10)
    assert [line.split()[2] for line in lines.splitlines()] == [
        "123#0102FF",
        "18DAF110#0000000000000000",
        "7DF#R3",
        "124##5" + "AB" * 9 + "000000",
    ]


def test_own_echoes_confirm_transmission_and_are_no_input(bench: Bench, raw: socket.socket) -> None:
    """Other programs of the same machine are heard; what the link has sent itself is only counted."""
    bench.send(Frame(1, b"\x01"), Frame(2, b"\x02"))
    raw.send(classic(3))
    bench.frames.clear()
    statistics = bench.link.statistics
    bench.until(lambda: statistics.confirmed + statistics.received >= 3)
    assert bench.frames == [Frame(3, b"")]
    assert (statistics.sent, statistics.confirmed, statistics.received) == (2, 2, 1)


def test_two_daemons_hear_each_other(bench: Bench) -> None:
    other = Bench()
    bench.send(Frame(0x111, b"\x01"))
    other.until(lambda: other.frames)
    assert other.frames == [Frame(0x111, b"\x01")]
    other.link.close()


def test_python_can_is_a_peer_on_the_other_end_of_a_cable() -> None:
    """vxcan joins two interfaces; a cable that is pulled and plugged again is a link that is opened again."""
    bench = Bench("vxcan0", fd=False)
    with can.Bus(interface="socketcan", channel="vxcan1", ignore_config=True) as peer:
        peer.send(can.Message(arbitration_id=0x18DB33F1, data=[2, 1, 12]))
        bench.until(lambda: bench.frames)
        assert bench.frames == [Frame(0x18DB33F1 | EXTENDED, b"\x02\x01\x0c")]
        bench.send(Frame(0x7E8, b"\x03\x41\x0c"))
        message = peer.recv(5)
        assert message is not None
        assert (message.arbitration_id, bytes(message.data)) == (0x7E8, b"\x03\x41\x0c")
    ip("link del vxcan1")
    bench.until(lambda: bench.link.trouble)
    ip("link add vxcan0 type vxcan peer name vxcan1")
    ip("link set vxcan0 up")
    ip("link set vxcan1 up")
    bench.until(lambda: bench.link.trouble == "")
    with raw_socket("vxcan1") as peer_socket:
        bench.send(Frame(0x7E8, b"\x01"))
        assert peer_socket.recv(72) == classic(0x7E8, b"\x01")
    bench.link.close()


def test_an_interface_that_goes_down_and_up_again(vcan9: str) -> None:
    """Frames are refused while it is down, nothing old is sent afterwards, and the socket stays."""
    bench = Bench(vcan9)
    ip(f"link set {vcan9} down")
    bench.send(Frame(1, b""), Frame(2, b""))
    bench.until(lambda: bench.link.trouble == "socketcan vcan9 is down")
    assert bench.link.statistics.refused == 2
    ip(f"link set {vcan9} up")
    with raw_socket(vcan9) as raw:
        bench.send(Frame(3, b""))
        assert raw.recv(72) == classic(3)
        raw.send(classic(4))
    bench.until(lambda: Frame(4, b"") in bench.frames)
    assert bench.link.trouble == ""
    assert bench.link.statistics.reopened == 0
    bench.link.close()


def test_an_interface_that_is_down_at_start_is_waited_for(vcan9: str) -> None:
    ip(f"link set {vcan9} down")
    bench = Bench(vcan9)
    bench.until(lambda: bench.link.trouble == "socketcan vcan9 is down")
    ip(f"link set {vcan9} up")
    bench.send(Frame(1, b""))
    bench.until(lambda: bench.link.trouble == "")
    bench.link.close()


@pytest.mark.parametrize("sending", [True, False], ids=["while sending", "while listening"])
def test_an_interface_that_is_deleted_and_created_again(vcan9: str, sending: bool) -> None:
    """The old socket is of no use any more; a new one is opened within two seconds of ticks."""
    bench = Bench(vcan9)
    ip(f"link del {vcan9}")
    for _ in range(30):
        if sending:
            bench.send(Frame(1, b""))
        bench.tick()
    assert vcan9 in bench.link.trouble
    assert bench.link.statistics.sent == 0
    ip(f"link add dev {vcan9} type vcan")
    ip(f"link set {vcan9} up mtu 72")
    start = bench.t
    bench.until(lambda: bench.link.statistics.reopened)
    assert bench.t - start <= 2_000 * MILLISECOND
    with raw_socket(vcan9) as raw:
        bench.send(Frame(2, b"\x02"))
        assert raw.recv(72) == classic(2, b"\x02")
        raw.send(classic(3))
    bench.until(lambda: Frame(3, b"") in bench.frames)
    assert bench.link.trouble == ""
    bench.link.close()


def test_a_full_transmit_queue_delays_and_refuses_and_never_repeats(vcan9: str) -> None:
    """ENOBUFS from a token bucket filter: what arrives, arrives once and in order; the rest is counted."""
    for module in Path("/usr/lib/uml/modules").glob("*/kernel/net/sched/sch_tbf.ko"):
        subprocess.run(["insmod", str(module)], check=False, capture_output=True)
    subprocess.run(
        ["tc", "qdisc", "add", "dev", vcan9, "root", "tbf", "rate", "8kbit", "burst", "200", "limit", "400"], check=True
    )
    bench = Bench(vcan9)
    with raw_socket(vcan9) as raw:
        for number in range(200):
            bench.send(Frame(number, b""))
        statistics = bench.link.statistics
        assert statistics.refused > 0
        assert "transmit queue is full" in bench.link.trouble
        bench.until(lambda: statistics.sent + statistics.refused == 200)
        bench.until(lambda: statistics.confirmed == statistics.sent)
        raw.setblocking(False)
        arrived = [int.from_bytes(raw.recv(72)[:4], sys.byteorder) for _ in range(statistics.sent)]
    assert arrived == sorted(set(arrived))
    bench.link.close()


def test_error_frames_are_counted_and_bus_off_is_said(bench: Bench, raw: socket.socket) -> None:
    """Classes of linux/can/error.h: controller problem 0x04, bus-off 0x40, restarted 0x100."""
    statistics = bench.link.statistics
    for error, trouble in [(0x04, ""), (0x40, "socketcan vcan0 is bus-off"), (0x100, "")]:
        statistics.errors = 0
        raw.send(classic(ERROR | error, bytes(8)))
        bench.until(lambda: statistics.errors == 1)
        assert bench.link.trouble == trouble
    assert bench.frames == []


def test_bus_off_is_over_when_a_frame_gets_through(bench: Bench, raw: socket.socket) -> None:
    raw.send(classic(ERROR | 0x40, bytes(8)))
    bench.until(lambda: bench.link.trouble)
    bench.send(Frame(1, b""))
    bench.until(lambda: bench.link.trouble == "")


def test_frames_of_a_third_of_a_second_of_a_full_bus_wait_without_loss(bench: Bench, raw: socket.socket) -> None:
    """The kernel's default would hold 278 frames; 2,700 are a third of a second at 1 Mbit/s."""
    for number in range(2_700):
        raw.send(classic(number & 0x7FF, number.to_bytes(2, "big")))
    bench.until(lambda: len(bench.frames) >= 2_700)
    assert [int.from_bytes(frame.data, "big") for frame in bench.frames] == list(range(2_700))
    assert bench.link.statistics.overflowed == 0


def test_frames_that_the_kernel_discards_are_counted(raw: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that were sent are either received or counted as lost."""
    monkeypatch.setattr(socketcan, "RECEIVE_BUFFER", 4096)
    bench = Bench()
    for _ in range(500):
        raw.send(classic(1))
    bench.tick(3)
    raw.send(classic(2))  # the counter travels with the next frame that is received
    statistics = bench.link.statistics
    bench.until(lambda: statistics.overflowed)
    assert statistics.received + statistics.overflowed == 501
    bench.link.close()


def test_a_flood_of_cangen_is_survived(bench: Bench) -> None:
    """5,000 random frames of all kinds as fast as they come: each is received or counted."""
    subprocess.run(["cangen", "vcan0", "-g", "0", "-n", "5000", "-m", "-i"], check=True, stderr=subprocess.DEVNULL)
    bench.tick(40)
    statistics = bench.link.statistics
    assert statistics.received + statistics.overflowed <= 5_000
    assert statistics.received > 0
    bench.send(Frame(1, b""))
    bench.until(lambda: statistics.confirmed == 1)


def test_a_missing_interface_is_an_error_that_says_how_to_make_one() -> None:
    with pytest.raises(LinkError, match=r"there is no such interface: .*`ip link add dev vcan7 type vcan`"):
        Bench("vcan7")


def test_an_interface_that_is_not_can_is_an_error() -> None:
    with pytest.raises(LinkError, match=r"socketcan lo: this is not a CAN interface"):
        Bench("lo")


def test_fd_on_an_interface_for_classic_frames_is_an_error(vcan9: str) -> None:
    ip(f"link set {vcan9} down")
    ip(f"link set {vcan9} mtu 16 up")
    with pytest.raises(LinkError, match=r"ip link set vcan9 mtu 72"):
        Bench(vcan9)
    Bench(vcan9, fd=False).link.close()


def test_a_frame_that_the_interface_does_not_carry_holds_up_no_other(vcan9: str) -> None:
    ip(f"link set {vcan9} down")
    ip(f"link set {vcan9} mtu 16 up")
    bench = Bench(vcan9, fd=False)
    bench.send(Frame(1, b""), Frame(2, bytes(64), FD), Frame(3, b""))
    bench.until(lambda: bench.link.statistics.confirmed == 2)
    assert bench.link.statistics.refused == 1
    bench.link.close()


def test_no_descriptor_is_left_behind(vcan9: str) -> None:
    """However often a link is opened, lost and opened again."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    bench = Bench(vcan9)
    for _ in range(3):
        ip(f"link del {vcan9}")
        bench.until(lambda: bench.link.trouble)
        ip(f"link add dev {vcan9} type vcan")
        ip(f"link set {vcan9} up")
        bench.until(lambda: not bench.link.trouble)
    bench.link.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
