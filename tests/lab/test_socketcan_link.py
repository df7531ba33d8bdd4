"""The SocketCAN link on real interfaces of the kernel, against can-utils and python-can."""

import socket
import subprocess
from pathlib import Path

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.adapter import is_virtual
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, REMOTE, Frame

from .bench import Bench, classic, ip


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


@pytest.mark.parametrize(("kind", "virtual"), [("vcan", True), ("vxcan", True), ("dummy", False)])
def test_the_kernel_knows_what_an_interface_is_whatever_its_name(kind: str, virtual: bool) -> None:
    """An interface of each kind, renamed to what the other kind is called."""
    name = "slcan8" if virtual else "vcan8"
    added = subprocess.run(["ip", "link", "add", "dev", "hbx0", "type", kind], check=False, capture_output=True)
    if added.returncode:
        pytest.skip(f"this kernel has no {kind}")
    ip(f"link set hbx0 name {name}")
    try:
        assert is_virtual(name) is virtual
    finally:
        ip(f"link del {name}")
    assert not is_virtual(name)
