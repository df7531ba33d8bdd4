"""The kernel as an SLCAN client: slcand joins the embedded bus through its pseudo terminal, and can-utils hear it."""

import subprocess
import time
from collections.abc import Iterator

import pytest

from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED, REMOTE, Frame

from .bench import Bench, load_module

INTERFACE = "slcan7"


@pytest.fixture
def bench() -> Iterator[Bench]:
    load_module("slcan")
    bus = Bus("powertrain")
    ticking = Bench(bus=bus, link=EmbeddedLink(bus, ["pty"]))
    yield ticking
    ticking.link.close()


@pytest.fixture
def slcand(bench: Bench) -> Iterator["subprocess.Popen[bytes]"]:
    """slcand on the pseudo terminal, in the foreground, and its interface up."""
    process = start_slcand(bench)
    yield process
    process.terminate()
    process.wait(timeout=10)


def start_slcand(bench: Bench) -> "subprocess.Popen[bytes]":
    name = bench.link.describe().split()[-1]
    process = subprocess.Popen(["slcand", "-F", "-o", "-c", "-s6", name, INTERFACE], stderr=subprocess.DEVNULL)
    connected = bench.link.statistics.connected
    bench.until(lambda: bench.link.statistics.connected > connected)
    bench.until(is_up)
    return process


def is_up() -> bool:
    """Brings the interface up, if it is there."""
    up = subprocess.run(["ip", "link", "set", INTERFACE, "up"], stderr=subprocess.DEVNULL, check=False)
    return up.returncode == 0


FRAMES = {
    "123#0102FF": Frame(0x123, b"\x01\x02\xff"),
    "18DB33F1#02010C0000000000": Frame(0x18DB33F1 | EXTENDED, b"\x02\x01\x0c\x00\x00\x00\x00\x00"),
    "7DF#R8": Frame(0x7DF | REMOTE, bytes(8)),
    "000#": Frame(0, b""),
}


def test_candump_sees_the_frames_of_the_bench(bench: Bench, slcand: "subprocess.Popen[bytes]") -> None:
    with subprocess.Popen(
        ["candump", "-L", "-n", str(len(FRAMES)), INTERFACE], stdout=subprocess.PIPE, text=True
    ) as candump:
        time.sleep(0.2)
        bench.send(*FRAMES.values())
        for _ in range(20):
            bench.tick()
            time.sleep(0.005)
        lines, _ = candump.communicate(timeout=10)
    assert [line.split()[2] for line in lines.splitlines()] == list(FRAMES)


def test_cansend_is_heard_by_the_bench(bench: Bench, slcand: "subprocess.Popen[bytes]") -> None:
    for line in FRAMES:
        subprocess.run(["cansend", INTERFACE, line], check=True)
    bench.until(lambda: len(bench.frames) == len(FRAMES))
    assert bench.frames == list(FRAMES.values())
    assert bench.link.statistics.errors == 0


def test_an_slcand_that_was_killed_is_followed_by_another(bench: Bench) -> None:
    """Its line discipline goes with the pseudo terminal: the next one finds a new one, and takes the same interface."""
    for _ in range(2):
        process = start_slcand(bench)
        subprocess.run(["cansend", INTERFACE, "123#01"], check=True)
        bench.until(lambda: bench.frames)
        bench.frames.clear()
        process.kill()
        process.wait(timeout=10)
        bench.until(lambda: bench.link.trouble)
        bench.until(lambda: not bench.link.trouble)
        assert not is_up()
    assert (bench.link.statistics.connected, bench.link.statistics.disconnected) == (2, 2)
