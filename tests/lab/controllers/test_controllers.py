"""The SocketCAN link on two SJA1000 controllers of one bus: a real driver, no virtual interface."""

import subprocess
from pathlib import Path

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.frames.codec.frame import EXTENDED, Frame

from ..bench import Bench, CyclicFrame, counters, ip, raw_socket


def test_two_controllers_exchange_frames() -> None:
    """Each hears the other, and its own frames come back as confirmations, when the controller has sent them."""
    one, other = Bench("can0", fd=False), Bench("can1", fd=False)
    frames = [Frame(0x123, b"\x01\x02\xff"), Frame(0x18DB33F1 | EXTENDED, bytes(8)), Frame(0, b"")]
    one.send(*frames)
    other.until(lambda: len(other.frames) == len(frames))
    one.until(lambda: one.link.statistics.confirmed == len(frames))
    assert other.frames == frames
    assert one.link.statistics.received == other.link.statistics.confirmed == 0
    one.link.close()
    other.link.close()


def test_a_controller_that_is_stopped_and_started_is_used_again() -> None:
    """As an operator does who changes its settings: no gap in what the other controller hears."""
    bench = Bench("can0", fd=False)
    sender = CyclicFrame(bench)
    with raw_socket("can1") as raw:
        sender.tick(10)
        bench.until(lambda: bench.link.statistics.confirmed == 10)
        ip("link set can0 down")
        sender.tick(10)
        assert bench.link.trouble == "socketcan can0 is down"
        ip("link set can0 up type can bitrate 500000 restart-ms 200")
        bench.recovered(since=bench.t)
        sender.tick(10)
        bench.until(lambda: bench.link.statistics.confirmed == sender.counter)
        assert counters(raw) == list(range(20))
    bench.link.close()


def test_a_controller_for_classic_frames_is_no_can_fd_bus() -> None:
    with pytest.raises(LinkError, match="carries classic frames only") as refusal:
        Bench("can0", fd=True)
    assert refusal.value.place == ("fd",)


def test_cansend_is_heard() -> None:
    bench = Bench("can0", fd=False)
    subprocess.run(["cansend", "can1", "7DF#02010C"], check=True)
    bench.until(lambda: bench.frames)
    assert bench.frames == [Frame(0x7DF, b"\x02\x01\x0c")]
    bench.link.close()


def test_an_adapter_is_found_by_its_path_when_its_interface_has_another_name() -> None:
    """As at a boot at which another adapter was quicker; its place on the PCI bus is what /sys says."""
    path = Path("/sys/class/net/can0/device").resolve()
    ip("link set can0 down")
    ip("link set can0 name body")
    try:
        bench = Bench(f"adapter:{path.name}", fd=False)
        ip("link set body up type can bitrate 500000 restart-ms 200")
        bench.recovered(since=bench.t)
        assert bench.link.describe() == f"socketcan adapter:{path.name} (body)"
        subprocess.run(["cansend", "can1", "7DF#02010C"], check=True)
        bench.until(lambda: bench.frames)
        bench.link.close()
    finally:
        ip("link set body down")
        ip("link set body name can0")
        ip("link set can0 up type can bitrate 500000 restart-ms 200")
