"""Faults of real interfaces: the link goes on, says what is wrong, and works again within two seconds of run time.

A cyclic frame with a counter shows what the others on the bus see: no frame twice, and no gap where the link knew
that nothing would go out.
"""

import socket
import subprocess
import sys
from pathlib import Path

import can
import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links import socketcan
from hilbridge.frames.codec.frame import ERROR, EXTENDED, Frame

from .bench import Bench, CyclicFrame, classic, counters, ip, load_module, raw_socket

TOKEN_BUCKET = "rate 8kbit burst 200 limit 400"
"""About 60 frames a second; what does not fit is answered with ENOBUFS."""


def tc(command: str) -> None:
    subprocess.run(["tc", "qdisc", *command.split()], check=True)


def test_an_interface_that_goes_down_and_up_again(vcan9: str) -> None:
    """Frames are refused while it is down, nothing old is sent afterwards, and the socket stays."""
    bench = Bench(vcan9)
    sender = CyclicFrame(bench)
    with raw_socket(vcan9) as raw:
        sender.tick(20)
        assert counters(raw) == list(range(20))
    ip(f"link set {vcan9} down")
    sender.tick(500)
    assert bench.link.trouble == "socketcan vcan9 is down"
    bench.send(Frame(1, b""))
    assert bench.link.statistics.refused == 1
    ip(f"link set {vcan9} up")
    back = bench.t
    with raw_socket(vcan9) as raw:
        bench.recovered(since=back)
        sender.tick(20)
        assert counters(raw) == list(range(20, 40))
        raw.send(classic(4))
        bench.until(lambda: Frame(4, b"") in bench.frames)
    assert sender.withheld == 500
    assert bench.link.statistics.reopened == 0
    bench.link.close()


def test_what_others_send_is_heard_as_soon_as_the_interface_is_up(vcan9: str) -> None:
    """However long it was down: a frame that arrives ends the standstill before the next look at the interface."""
    bench = Bench(vcan9)
    ip(f"link set {vcan9} down")
    bench.tick(1_000)
    ip(f"link set {vcan9} up")
    with raw_socket(vcan9) as raw:
        raw.send(classic(1))
        bench.until(lambda: bench.frames, ticks=10)
    assert bench.link.trouble == ""
    bench.link.close()


def test_an_interface_that_is_down_at_start_is_waited_for(vcan9: str) -> None:
    ip(f"link set {vcan9} down")
    bench = Bench(vcan9)
    bench.until(lambda: bench.link.trouble == "socketcan vcan9 is down")
    ip(f"link set {vcan9} up")
    bench.recovered(since=bench.t)
    bench.send(Frame(1, b""))
    bench.until(lambda: bench.link.statistics.confirmed == 1)
    bench.link.close()


def test_an_interface_that_is_deleted_and_created_again(vcan9: str) -> None:
    """The old socket is of no use any more; a new one is opened."""
    bench = Bench(vcan9)
    sender = CyclicFrame(bench)
    with raw_socket(vcan9) as raw:
        sender.tick(20)
        assert counters(raw) == list(range(20))
    ip(f"link del {vcan9}")
    sender.tick(500)
    assert vcan9 in bench.link.trouble
    ip(f"link add dev {vcan9} type vcan")
    ip(f"link set {vcan9} up mtu 72")
    back = bench.t
    with raw_socket(vcan9) as raw:
        bench.recovered(since=back)
        sender.tick(20)
        assert counters(raw) == list(range(20, 40))
        raw.send(classic(3))
        bench.until(lambda: Frame(3, b"") in bench.frames)
    assert bench.link.statistics.reopened == 1
    bench.link.close()


def test_a_cable_that_is_pulled_and_plugged_again() -> None:
    """vxcan joins two interfaces; python-can listens and speaks at the other end."""
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
    bench.recovered(since=bench.t)
    with raw_socket("vxcan1") as peer_socket:
        bench.send(Frame(0x7E8, b"\x01"))
        assert peer_socket.recv(72) == classic(0x7E8, b"\x01")
    bench.link.close()


def test_a_transmit_queue_with_little_room_delays_and_leaves_no_gap(vcan9: str) -> None:
    """ENOBUFS from a token bucket filter: cyclic frames become fewer, and each that is counted arrives, once."""
    load_module("sch_tbf")
    tc(f"add dev {vcan9} root tbf {TOKEN_BUCKET}")
    bench = Bench(vcan9)
    sender = CyclicFrame(bench)
    with raw_socket(vcan9) as raw:
        sender.tick(300, pause=0.005)
        assert sender.withheld > 50
        heard = counters(raw)
        tc(f"change dev {vcan9} root tbf rate 8mbit burst 20000 limit 40000")
        before = sender.withheld
        sender.tick(200, pause=0.002)
        assert sender.withheld - before < 100
        bench.until(lambda: bench.link.statistics.confirmed == sender.counter)
        assert heard + counters(raw) == list(range(sender.counter))
    statistics = bench.link.statistics
    assert (statistics.refused, statistics.dropped, statistics.sent) == (0, 0, sender.counter)
    bench.link.close()


def test_a_full_transmit_queue_refuses_what_does_not_ask_and_never_repeats(vcan9: str) -> None:
    """What arrives, arrives once and in order; the rest is counted."""
    load_module("sch_tbf")
    tc(f"add dev {vcan9} root tbf {TOKEN_BUCKET}")
    bench = Bench(vcan9)
    with raw_socket(vcan9) as raw:
        for number in range(400):
            bench.send(Frame(number, b""))
        statistics = bench.link.statistics
        assert statistics.refused > 0
        assert "transmit queue is full" in bench.link.trouble
        bench.until(lambda: statistics.sent + statistics.refused + statistics.dropped == 400)
        bench.until(lambda: statistics.confirmed == statistics.sent)
        raw.setblocking(False)
        arrived = [int.from_bytes(raw.recv(72)[:4], sys.byteorder) for _ in range(statistics.sent)]
    assert arrived == sorted(set(arrived))
    bench.link.close()


def test_a_bus_off_withholds_frames_until_the_controller_is_back(bench: Bench, raw: socket.socket) -> None:
    """The error frame of linux/can/error.h (class 0x40); vcan itself goes on, so the link soon finds it working."""
    sender = CyclicFrame(bench)
    sender.tick(10)
    raw.send(classic(ERROR | 0x40, bytes(8)))
    bench.until(lambda: bench.link.statistics.bus_off == 1)
    assert bench.link.trouble == "socketcan vcan0 is bus-off"
    sender.tick()
    assert sender.withheld == 1
    bench.recovered(since=bench.t)
    sender.tick(10)
    assert counters(raw) == list(range(sender.counter))
    assert bench.link.statistics.bus_off == 1


def test_a_controller_that_was_restarted_is_used_at_once(bench: Bench, raw: socket.socket) -> None:
    """Error frame of class 0x100; the kernel sends it after `restart-ms`, or `ip link set … type can restart`."""
    for _ in range(5):
        raw.send(classic(ERROR | 0x40, bytes(8)))
        raw.send(classic(ERROR | 0x100, bytes(8)))
        bench.tick()
        assert bench.link.trouble == ""
    bench.until(lambda: bench.link.statistics.errors == 10)
    assert (bench.link.statistics.bus_off, bench.link.trouble) == (5, "")


def test_error_frames_are_counted_by_what_they_say(bench: Bench, raw: socket.socket) -> None:
    """A warning (data[1] 0x08), error passive (0x20), and one that says neither."""
    for condition in (0x08, 0x20, 0x01):
        raw.send(classic(ERROR | 0x04, bytes([0, condition, 0, 0, 0, 0, 0, 0])))
    statistics = bench.link.statistics
    bench.until(lambda: statistics.errors == 3)
    assert (statistics.error_warning, statistics.error_passive, statistics.bus_off) == (1, 1, 0)
    assert (bench.frames, bench.link.trouble) == ([], "")


def test_a_flood_of_cangen_is_counted_to_the_last_frame(bench: Bench) -> None:
    """As fast as they come, while the daemon sends its own: each is received or counted as lost, none of ours is."""
    sender = CyclicFrame(bench)
    with raw_socket("vcan0") as raw:
        only_ours = (0x100).to_bytes(4, sys.byteorder) + (0xC00007FF).to_bytes(4, sys.byteorder)
        raw.setsockopt(socket.SOL_CAN_RAW, socket.CAN_RAW_FILTER, only_ours)
        with subprocess.Popen(["cangen", "vcan0", "-e", "-g", "0", "-n", "20000"], stderr=subprocess.DEVNULL) as flood:
            while flood.poll() is None:
                sender.tick()
            assert flood.returncode == 0
        statistics, before = bench.link.statistics, -1
        while statistics.received > before:  # until there is room for one more
            before = statistics.received
            sender.tick(10)
        subprocess.run(["cansend", "vcan0", "123#"], check=True)  # the counter of lost frames travels with it
        bench.until(lambda: statistics.received + statistics.overflowed == 20_001)
        sender.tick(10)
        assert counters(raw) == list(range(sender.counter))
    assert sender.withheld == 0
    assert bench.link.trouble == ""


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


def test_no_descriptor_is_left_behind(vcan9: str) -> None:
    """However often a link is opened, lost and opened again."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    bench = Bench(vcan9)
    for _ in range(3):
        ip(f"link del {vcan9}")
        bench.until(lambda: bench.link.trouble)
        ip(f"link add dev {vcan9} type vcan")
        ip(f"link set {vcan9} up")
        bench.recovered(since=bench.t)
        bench.t += 1_001 * MILLISECOND
    bench.link.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
