"""SLCAN on a pseudo terminal: python-can as on a serial port, programs that leave, stall, or send garbage."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import can
import pytest
from can.interfaces.slcan import slcanBus

from hilbridge.base.common.errors import LinkError, NotNowError
from hilbridge.boundary.links import doors
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.links.slcan_server import QUEUE_LIMIT
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, REMOTE, Frame

from ....benches import Listener
from .bench import Bench

FRAME = Frame(0x123, b"\x11\x22\x33")
LINE = b"t1233112233\r"

FRAMES = [
    Frame(0x123, b"\x01\x02\xff"),
    Frame(0x18DB33F1 | EXTENDED, bytes(8)),
    Frame(0x7DF | REMOTE, bytes(8)),
    Frame(1, bytes(64), FD),
    Frame(2, bytes(range(12)), FD | BRS),
]


@pytest.fixture
def link(bus: Bus, bench: Bench) -> Iterator[EmbeddedLink]:
    embedded = EmbeddedLink(bus, ["pty"])
    bus.attach_link(embedded)
    bench.add(bus, embedded)
    yield embedded
    embedded.close()


def name_of(link: EmbeddedLink) -> str:
    return link.describe().rsplit(" ", 1)[1]


def open_end(link: EmbeddedLink, bench: Bench) -> int:
    """A program that has opened the pseudo terminal, and its channel."""
    descriptor = os.open(name_of(link), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    before = link.statistics.connected
    os.write(descriptor, b"O\r")
    bench.until(lambda: link.statistics.connected > before)
    bench.tick(5, pause=0.001)
    assert os.read(descriptor, 100) == b"\r"
    return descriptor


def read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 20)
    except BlockingIOError:
        return b""


def test_python_can_speaks_and_hears_as_on_a_serial_port(
    link: EmbeddedLink, bus: Bus, listener: Listener, bench: Bench
) -> None:
    """Every kind of frame, both ways; nothing comes back to its sender."""
    client = slcanBus(name_of(link), sleep_after_open=0, bitrate=500_000)
    bench.until(lambda: link.statistics.connected)
    bench.tick(20, pause=0.001)
    heard: list[can.Message] = []

    def listen() -> bool:
        if (message := client.recv(0)) is not None:
            heard.append(message)
        return len(heard) == len(FRAMES)

    for frame in FRAMES:
        client.send(message(frame))
    bench.until(lambda: len(listener.frames) == len(FRAMES))
    assert listener.frames == FRAMES
    for frame in FRAMES:
        bus.transmit(frame, None)
    bench.until(listen)
    for frame, received in zip(FRAMES, heard, strict=True):
        assert received.equals(message(frame), timestamp_delta=None, check_direction=False, check_channel=False)
    client.shutdown()
    assert link.statistics.errors == 0


def message(frame: Frame) -> can.Message:
    remote = bool(frame.can_id & REMOTE)
    return can.Message(
        arbitration_id=frame.identifier,
        is_extended_id=frame.is_extended,
        is_remote_frame=remote,
        dlc=len(frame.data),
        data=None if remote else frame.data,
        is_fd=bool(frame.flags & FD),
        bitrate_switch=bool(frame.flags & BRS),
    )


def test_nothing_happens_before_a_program_comes(link: EmbeddedLink, bus: Bus, bench: Bench) -> None:
    bus.transmit(FRAME, None)
    bench.tick(10)
    assert (link.statistics.connected, link.statistics.errors, link.statistics.sent, link.trouble) == (0, 0, 0, "")


def test_a_program_that_leaves_is_followed_by_the_next(
    link: EmbeddedLink, bus: Bus, listener: Listener, bench: Bench
) -> None:
    """The pseudo terminal is made anew: what the last program has not read is not there for the next one."""
    for visit in (1, 2, 3):
        program = open_end(link, bench)
        os.write(program, LINE)
        bench.until(lambda: listener.frames)
        bus.transmit(FRAME, None)
        bench.tick(2)
        assert listener.frames == [FRAME] * 2
        listener.frames.clear()
        os.close(program)
        bench.until(lambda: link.trouble)
        assert "has gone" in link.trouble
        bench.until(lambda: not link.trouble)
        assert link.statistics.disconnected == link.statistics.reopened == visit


def test_a_program_that_only_looks_changes_nothing(link: EmbeddedLink, bench: Bench) -> None:
    """stty opens the other end and closes it again."""
    name = name_of(link)
    os.close(os.open(name, os.O_RDWR | os.O_NOCTTY))
    bench.tick(5)
    assert name_of(link) == name
    assert (link.statistics.connected, link.trouble) == (0, "")
    os.close(open_end(link, bench))


def test_a_program_that_stops_reading_loses_frames_and_goes_on_when_it_reads(
    link: EmbeddedLink, bus: Bus, bench: Bench
) -> None:
    """What waits is bounded, what finds no room is counted; then every line is whole, in order, and the newest come."""
    program = open_end(link, bench)
    count = 0
    while link.statistics.dropped < 100:
        bus.transmit(Frame(count & 0x7FF, b""), None)
        bench.tick()
        count += 1
        assert count < 10 * QUEUE_LIMIT
    sent = link.statistics.sent
    heard = b""
    while len(heard) < len("t0000\r") * sent:
        heard += read(program)
        bench.tick()
    lines = heard.split(b"\r")
    assert [int(line[1:4], 16) for line in lines[:-1]] == [number & 0x7FF for number in range(sent)]
    bus.transmit(FRAME, None)
    bench.until(lambda: read(program) == LINE)
    os.write(program, b"F\r")
    bench.until(lambda: read(program) == b"F08\r")
    os.close(program)


def test_a_full_bus_is_received_without_loss(link: EmbeddedLink, listener: Listener, bench: Bench) -> None:
    """Eight frames of 8 bytes in every millisecond, as 1 Mbit/s allows."""
    program = open_end(link, bench)
    for start in range(0, 4_000, 8):
        os.write(program, b"".join(b"t1008%016X\r" % number for number in range(start, start + 8)))
        bench.tick()
        read(program)
    bench.until(lambda: len(listener.frames) == 4_000)
    assert [int.from_bytes(frame.data, "big") for frame in listener.frames] == list(range(4_000))
    os.close(program)


def test_a_tcp_port_and_a_pseudo_terminal_lead_to_the_same_bus(bus: Bus, listener: Listener, bench: Bench) -> None:
    """A client of one hears what a client of the other says."""
    link = EmbeddedLink(bus, [0, "pty"])
    bus.attach_link(link)
    bench.add(bus, link)
    link.poll(0)  # from now on the port listens
    _, _, address, _, _, name = link.describe().split()
    program = os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    os.write(program, b"O\r")
    with slcanBus(address, sleep_after_open=0) as client:
        bench.until(lambda: link.statistics.connected == 2)
        bench.tick(5, pause=0.001)
        os.write(program, LINE)
        bench.until(lambda: listener.frames)
        received = client.recv(5)
        assert received is not None
        assert bytes(received.data) == FRAME.data
    os.close(program)
    link.close()


def test_a_pseudo_terminal_that_cannot_be_made_again_is_tried_again(
    link: EmbeddedLink, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With back-off, within a second of its being possible again; the link says why it has none."""
    make = doors.make_terminal

    def refuse() -> tuple[int, int, str]:
        raise LinkError("a pseudo terminal cannot be made: No space left on device")

    monkeypatch.setattr(doors, "make_terminal", refuse)
    os.close(open_end(link, bench))
    bench.tick(3_000)
    assert "No space left on device" in link.trouble
    monkeypatch.setattr(doors, "make_terminal", make)
    bench.tick(1_000)
    assert link.trouble == ""
    os.close(open_end(link, bench))


def test_no_descriptor_is_left_behind(bus: Bus) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    bench = Bench()
    link = EmbeddedLink(bus, ["pty", 0])
    bench.add(bus, link)
    program = os.open(link.describe().split()[3], os.O_RDWR | os.O_NOCTTY)
    os.write(program, b"O\r")
    bench.tick(3)
    os.close(program)
    bench.tick(3)
    link.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_machine_without_a_terminal_left_has_one_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their number is bounded (kernel.pty.max); the file is not wrong."""

    def none_left() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "openpty", none_left)
    with pytest.raises(NotNowError, match="a pseudo terminal cannot be made: No space left on device"):
        doors.make_terminal()
