"""A bus behind a helper process: python-can's slcan as its interface, an SLCAN port as the adapter."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.links.helper import HelperLink
from hilbridge.boundary.links.socket_link import QUEUE_LIMIT
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED, FD, REMOTE, Frame

from ....benches import Listener
from .bench import Bench

FRAMES = [
    Frame(0x123, b"\x01\x02\xff"),
    Frame(0x18DB33F1 | EXTENDED, bytes(8)),
    Frame(0x7DF | REMOTE, bytes(8)),
    Frame(0x124, bytes(range(64)), FD),
]


class Adapter:
    """The bus at the other end, with an SLCAN port; keeps what it hears."""

    def __init__(self, bench: Bench, port: int = 0) -> None:
        self.bus = Bus("adapter")
        self.frames: list[Frame] = []
        self.link = EmbeddedLink(self.bus, [port])
        self.link.poll(0)  # from now on it listens
        self.bus.attach(self)
        self.bus.attach_link(self.link)
        self.port = int(self.link.describe().rsplit(":", 1)[1])
        self._bench = bench
        bench.add(self.bus, self.link)

    def receive(self, frame: Frame, t: int) -> None:
        self.frames.append(frame)

    def leave(self) -> None:
        self._bench.remove(self.link)
        self.link.close()


def settings(port: int, bitrate: int | None = None) -> BusSettings:
    channel = f"socket://127.0.0.1:{port}"
    return BusSettings(interface="slcan", channel=channel, options={"sleep_after_open": 0}, bitrate=bitrate)


def children(pid: int | None = None) -> list[int]:
    """The helpers that a process has started."""
    task = f"/proc/{pid or os.getpid()}/task/{pid or os.getpid()}/children"
    return [int(child) for child in Path(task).read_text().split() if is_helper(child)]


def is_helper(pid: str) -> bool:
    """Tell by its command line, which one that only waits to be buried has no more."""
    try:
        return b"hilbridge.boundary.links.helper_process" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def is_running(pid: int) -> bool:
    """False for a process that has gone, and for one that only waits to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def adapter(bench: Bench) -> Iterator[Adapter]:
    far = Adapter(bench)
    yield far
    far.link.close()


@pytest.fixture
def link(bus: Bus, bench: Bench, adapter: Adapter) -> Iterator[HelperLink]:
    helper = HelperLink(bus, settings(adapter.port, bitrate=500_000))
    bus.attach_link(helper)
    bench.add(bus, helper)
    bench.until(lambda: adapter.link.statistics.connected)
    bench.tick(20, pause=0.001)  # the channel is open
    yield helper
    helper.close()


def test_every_kind_of_frame_travels_both_ways(
    link: HelperLink, bus: Bus, listener: Listener, adapter: Adapter, bench: Bench
) -> None:
    """What one side sends the other hears, once, and nothing comes back to its sender."""
    for frame in FRAMES:
        bus.transmit(frame, None)
        adapter.bus.transmit(frame, None)
    bench.until(lambda: len(adapter.frames) >= 2 * len(FRAMES) and len(listener.frames) >= 2 * len(FRAMES))
    bench.tick(20, pause=0.001)
    assert sorted(listener.frames) == sorted(FRAMES * 2)
    assert sorted(adapter.frames) == sorted(FRAMES * 2)
    assert (link.statistics.sent, link.statistics.received) == (len(FRAMES), len(FRAMES))
    assert link.trouble == ""


def test_a_helper_loads_python_can_without_what_reads_mf4(link: HelperLink) -> None:
    """pandas, which comes with it, would take a second of processor at each start."""
    (helper,) = children()
    assert "pandas" not in Path(f"/proc/{helper}/maps").read_text()


def test_a_helper_that_dies_is_counted_and_replaced(
    link: HelperLink, bus: Bus, listener: Listener, adapter: Adapter, bench: Bench
) -> None:
    (victim,) = children()
    os.kill(victim, signal.SIGKILL)
    bench.until(lambda: link.trouble)
    assert "the helper process died" in link.trouble
    assert link.statistics.errors == 1
    bus.transmit(FRAMES[0], None)
    bench.tick()
    assert link.statistics.refused == 1
    bench.until(lambda: link.statistics.reopened)
    assert link.trouble == ""
    assert victim not in children()
    bench.until(lambda: adapter.link.statistics.connected == 2)
    bus.transmit(FRAMES[1], None)
    bench.until(lambda: adapter.frames)
    assert adapter.frames == [FRAMES[1]]


def test_an_adapter_that_vanishes_and_comes_back_is_opened_again(
    link: HelperLink, bus: Bus, adapter: Adapter, bench: Bench
) -> None:
    """The helper ends and says why; new ones are started, with back-off, until the interface opens."""
    adapter.leave()
    bench.until(lambda: link.trouble)
    assert "is lost" in link.trouble
    bench.until(lambda: link.statistics.errors > 1)
    assert "Connection refused" in link.trouble
    back = Adapter(bench, adapter.port)
    bench.until(lambda: link.statistics.reopened and back.link.statistics.connected)
    bus.transmit(FRAMES[0], None)
    bench.until(lambda: back.frames)
    back.leave()


def test_a_helper_that_hangs_does_not_hold_up_the_tick(link: HelperLink, bus: Bus, bench: Bench) -> None:
    """Frames it does not take wait, then are refused; nothing blocks, and it goes on when the helper does."""
    (helper,) = children()
    os.kill(helper, signal.SIGSTOP)
    try:
        for _ in range(2_000):
            for _ in range(5):
                bus.transmit(FRAMES[0], None)
            bench.tick()
        assert link.statistics.refused > 0
        assert link.statistics.sent + link.statistics.refused + link.statistics.dropped >= 10_000 - QUEUE_LIMIT
        assert "queue is full" in link.trouble
    finally:
        os.kill(helper, signal.SIGCONT)
    before = link.statistics.sent
    bus.transmit(FRAMES[0], None)
    bench.until(lambda: link.statistics.sent > before)


def test_a_helper_leaves_interrupts_to_the_daemon(link: HelperLink, bus: Bus, adapter: Adapter, bench: Bench) -> None:
    """Ctrl-C reaches all processes of a terminal; only the main one decides."""
    (helper,) = children()
    os.kill(helper, signal.SIGINT)
    bus.transmit(FRAMES[0], None)
    bench.until(lambda: adapter.frames)
    assert children() == [helper]


def test_closing_ends_the_helper(link: HelperLink, adapter: Adapter, bench: Bench) -> None:
    (helper,) = children()
    link.close()
    assert not is_running(helper)
    bench.until(lambda: adapter.link.statistics.disconnected)


def test_a_helper_does_not_run_at_the_priority_of_the_tick(bus: Bus, adapter: Adapter) -> None:
    """Whatever scheduling class its parent has, its own is the ordinary one."""
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        link = HelperLink(bus, settings(adapter.port))
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    (helper,) = children()
    assert os.sched_getscheduler(helper) == os.SCHED_OTHER
    link.close()


def test_a_helper_dies_with_its_parent(adapter: Adapter) -> None:
    """Even one that is stopped, and could not see that its parent has gone."""
    program = (
        "import sys, time; from hilbridge.frames.bus.bus import Bus;"
        "from hilbridge.boundary.links.helper import HelperLink;"
        "from hilbridge.files.settings import BusSettings;"
        "link = HelperLink(Bus('b'), BusSettings.model_validate_json(sys.argv[1])); print('open', flush=True);"
        "time.sleep(60)"
    )
    command = [sys.executable, "-c", program, settings(adapter.port).model_dump_json()]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"open\n"
        (helper,) = children(parent.pid)
        os.kill(helper, signal.SIGSTOP)
        parent.kill()
    for _ in range(5_000):
        if not is_running(helper):
            return
        time.sleep(0.001)
    pytest.fail("the helper is still there")


def test_any_interface_of_python_can_is_opened_by_its_name(bus: Bus) -> None:
    """For example `virtual`, which lives inside one process: nobody else is on it."""
    link = HelperLink(bus, BusSettings(interface="virtual", channel="x"))
    assert link.trouble == ""
    assert link.describe() == "virtual x (helper process)"
    link.receive(FRAMES[0], 0)
    link.flush(0)
    assert link.statistics.sent == 1
    link.close()


@pytest.mark.parametrize(
    ("interface", "channel", "reason"),
    [
        ("no-such-thing", "can0", "CAN interface 'no-such-thing' not supported"),
        ("slcan", "/dev/no-such-port", "No such file or directory"),
        ("seeedstudio", "/dev/no-such-port", "could not open port"),
    ],
)
def test_an_interface_that_does_not_open_is_an_error_in_python_cans_words(
    bus: Bus, interface: str, channel: str, reason: str
) -> None:
    with pytest.raises(LinkError, match=rf"^{interface} {channel}: .*{reason}"):
        HelperLink(bus, BusSettings(interface=interface, channel=channel))
    assert children() == []
