"""Frames over a socket: what is sent, what waits, what is refused, and what happens when the socket fails."""

import errno
import random
import socket
import sys
from collections import deque
from typing import Any, cast

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.can_frame import pack_frame, unpack_frame
from hilbridge.boundary.links.socket_link import FRAMES_PER_MILLISECOND, PATIENCE, QUEUE_LIMIT, SocketLink
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import ERROR, EXTENDED, FD, Frame

from ....benches import Listener
from .bench import Bench


class ScriptedSocket:
    """Fails when asked to; otherwise keeps what is sent, and hands out what was put into `inbox`."""

    def __init__(self) -> None:
        self.inbox: deque[tuple[bytes, list[Any], int]] = deque()
        self.sent: list[Frame] = []
        self.send_errors: deque[int] = deque()  # one for each send; 0 is success
        self.receive_error = 0  # reported once
        self.closed = False

    def recvmsg(self, size: int, ancillary_size: int) -> tuple[bytes, list[Any], int, None]:
        error, self.receive_error = self.receive_error, 0
        if error:
            raise OSError(error, "scripted")
        if not self.inbox:
            raise BlockingIOError(errno.EAGAIN, "scripted")
        return *self.inbox.popleft(), None

    def send(self, datagram: bytes) -> int:
        if self.send_errors and (error := self.send_errors.popleft()):
            raise OSError(error, "scripted")
        self.sent.append(unpack_frame(datagram))
        return len(datagram)

    def close(self) -> None:
        self.closed = True


class ScriptedLink(SocketLink):
    """A link on scripted sockets, of which there may be none."""

    def __init__(self, bus: Bus) -> None:
        super().__init__(bus, MILLISECOND)
        self.available = True
        self.on_the_bus = True
        self.wire = ScriptedSocket()
        self._socket = self._open()
        self._working = True

    def _open(self) -> socket.socket:
        if not self.available:
            raise LinkError("there is none")
        self.wire = ScriptedSocket()
        return cast(socket.socket, self.wire)

    def _carries(self, opened: socket.socket) -> bool:
        return self.on_the_bus

    def describe(self) -> str:
        return "scripted"


@pytest.fixture
def link(bus: Bus, bench: Bench) -> ScriptedLink:
    scripted = ScriptedLink(bus)
    bus.attach_link(scripted)
    bench.add(bus, scripted)
    return scripted


def frame(number: int) -> Frame:
    return Frame(0x100 + number, bytes([number]))


def send(bus: Bus, *numbers: int) -> None:
    for number in numbers:
        bus.transmit(frame(number), None)


def test_frames_go_out_in_order_at_the_end_of_the_tick(link: ScriptedLink, bus: Bus, bench: Bench) -> None:
    send(bus, 1, 2, 3)
    bench.tick()
    assert link.wire.sent == [frame(1), frame(2), frame(3)]
    assert link.statistics.sent == 3


def test_frames_come_in_in_order_and_do_not_go_out_again(link: ScriptedLink, listener: Listener, bench: Bench) -> None:
    frames = [Frame(1, b"\x01"), Frame(2 | EXTENDED, bytes(8)), Frame(3, bytes(64), FD)]
    link.wire.inbox.extend((pack_frame(each), [], 0) for each in frames)
    bench.tick()
    assert listener.frames == frames
    assert link.wire.sent == []
    assert link.statistics.received == 3


def test_an_own_echo_confirms_transmission_and_is_no_input(
    link: ScriptedLink, listener: Listener, bench: Bench
) -> None:
    """MSG_CONFIRM marks a frame that this socket has sent; MSG_DONTROUTE one of another program on this machine."""
    link.wire.inbox.append((pack_frame(frame(1)), [], socket.MSG_DONTROUTE | socket.MSG_CONFIRM))
    link.wire.inbox.append((pack_frame(frame(2)), [], socket.MSG_DONTROUTE))
    bench.tick()
    assert listener.frames == [frame(2)]
    assert (link.statistics.confirmed, link.statistics.received) == (1, 1)


def test_an_error_frame_is_counted_and_no_input(link: ScriptedLink, listener: Listener, bench: Bench) -> None:
    link.wire.inbox.append((pack_frame(Frame(ERROR | 0x4, bytes(8))), [], 0))
    bench.tick()
    assert listener.frames == []
    assert (link.statistics.errors, link.statistics.received) == (1, 0)


def test_one_tick_reads_a_bounded_number_of_frames(link: ScriptedLink, listener: Listener, bench: Bench) -> None:
    link.wire.inbox.extend([(pack_frame(frame(1)), [], 0)] * (FRAMES_PER_MILLISECOND + 1))
    bench.tick()
    assert len(listener.frames) == FRAMES_PER_MILLISECOND
    bench.tick()
    assert len(listener.frames) == FRAMES_PER_MILLISECOND + 1


def test_frames_the_kernel_discarded_are_counted(link: ScriptedLink, bench: Bench) -> None:
    """SO_RXQ_OVFL is the number since the socket exists, in 32 bits, and wraps."""
    for total in (5, 5, 7, 0xFFFFFFFF, 1):
        counter = (socket.SOL_SOCKET, 40, total.to_bytes(4, sys.byteorder))
        link.wire.inbox.append((pack_frame(frame(1)), [counter], 0))
    bench.tick()
    assert link.statistics.overflowed == 0xFFFFFFFF + 2


@pytest.mark.parametrize("error", [errno.ENOBUFS, errno.EAGAIN])
def test_a_frame_that_finds_the_queue_full_waits_in_order(
    error: int, link: ScriptedLink, bus: Bus, bench: Bench
) -> None:
    """Nothing is sent twice and nothing overtakes."""
    send(bus, 1, 2, 3)
    link.wire.send_errors.extend([0, error])
    bench.tick()
    assert link.wire.sent == [frame(1)]
    send(bus, 4)
    bench.tick()
    assert link.wire.sent == [frame(1), frame(2), frame(3), frame(4)]
    assert (link.statistics.refused, link.trouble) == (0, "")


def test_a_frame_that_waited_too_long_is_not_sent_any_more(link: ScriptedLink, bus: Bus, bench: Bench) -> None:
    """After a second it is refused, and the link says why until the interface has taken frames again for a second."""
    link.wire.send_errors.extend([errno.ENOBUFS] * 1001)
    send(bus, 1)
    bench.tick(PATIENCE // MILLISECOND)
    assert link.statistics.refused == 0
    send(bus, 2)
    bench.tick()
    assert link.statistics.refused == 1
    assert "queue is full" in link.trouble
    bench.tick()
    assert link.wire.sent == [frame(2)]
    bench.tick(997)
    send(bus, 3)
    bench.tick()
    assert "queue is full" in link.trouble
    send(bus, 4)
    bench.tick()
    assert link.trouble == ""


def test_a_full_interface_costs_one_attempt_a_tick(link: ScriptedLink, bus: Bus, bench: Bench) -> None:
    link.wire.send_errors.extend([errno.ENOBUFS] * 10)
    send(bus, *range(100))
    bench.tick(10)
    assert not link.wire.send_errors
    assert link.wire.sent == []


def test_what_waits_is_bounded(link: ScriptedLink, bus: Bus, bench: Bench) -> None:
    link.wire.send_errors.append(errno.ENOBUFS)
    for _ in range(QUEUE_LIMIT + 10):
        send(bus, 1)
    bench.tick()
    bench.tick()
    assert (link.statistics.dropped, link.statistics.sent) == (10, QUEUE_LIMIT)


@pytest.mark.parametrize("error", [errno.EINVAL, errno.EMSGSIZE, errno.EPERM])
def test_a_frame_that_cannot_be_sent_does_not_hold_up_the_others(
    error: int, link: ScriptedLink, bus: Bus, bench: Bench
) -> None:
    """For example an FD frame on an interface for classic ones, or a missing permission."""
    link.wire.send_errors.extend([0, error, 0])
    send(bus, 1, 2, 3)
    bench.tick()
    assert link.wire.sent == [frame(1), frame(3)]
    assert (link.statistics.sent, link.statistics.refused) == (2, 1)


def test_a_frame_that_waits_keeps_others_of_its_identifier_away(link: ScriptedLink, bus: Bus, bench: Bench) -> None:
    """Each identifier has one transmit buffer, as in a controller: cyclic frames ask, and are not even built."""
    link.wire.send_errors.extend([0, errno.ENOBUFS])
    send(bus, 1, 2, 3)
    bench.tick()
    assert [link.accepts(frame(number).can_id) for number in (1, 2, 3, 4)] == [True, False, False, True]
    bench.tick()
    assert all(link.accepts(frame(number).can_id) for number in (1, 2, 3, 4))


def test_frames_that_do_not_ask_wait_too(link: ScriptedLink, bus: Bus, bench: Bench) -> None:
    """The consecutive frames of a long diagnostic answer have the same identifier, and all go out, in order."""
    link.wire.send_errors.append(errno.ENOBUFS)
    segments = [Frame(0x7E8, bytes([0x21 + number])) for number in range(6)]
    for segment in segments:
        bus.transmit(segment, None)
    bench.tick(2)
    assert link.wire.sent == segments


def test_counters_have_no_gap_however_long_the_interface_takes_little(
    link: ScriptedLink, bus: Bus, bench: Bench
) -> None:
    """A frame every 10 ms with a counter that advances when the frame is accepted; the queue has room now and then."""
    counter = 0
    chance = random.Random(4)
    for tick in range(3_000):
        if tick % 10 == 0 and link.accepts(0x100):
            bus.transmit(Frame(0x100, bytes([counter % 16])), None)
            counter += 1
        link.wire.send_errors.append(errno.ENOBUFS if chance.random() < 0.97 else 0)
        bench.tick()
        if link.wire.send_errors:
            link.wire.send_errors.clear()
    heard = [sent.data[0] for sent in link.wire.sent]
    assert 50 < len(heard) < 300
    assert heard == [number % 16 for number in range(len(heard))]


def test_an_interface_that_is_down_refuses_at_once_and_nothing_old_is_sent_later(
    link: ScriptedLink, bus: Bus, bench: Bench
) -> None:
    """The socket stays: it works again when the interface is up, for which the kernel is asked with back-off."""
    link.on_the_bus = False
    link.wire.receive_error = errno.ENETDOWN
    send(bus, 1, 2)
    bench.tick()
    assert link.trouble == "scripted is down"
    assert not link.accepts(frame(3).can_id)
    send(bus, 3)
    bench.tick(2_000)
    assert (link.statistics.refused, link.wire.sent) == (3, [])
    link.on_the_bus = True
    bench.tick(1_000)
    assert link.trouble == ""
    assert link.accepts(frame(3).can_id)
    send(bus, 4)
    bench.tick()
    assert link.wire.sent == [frame(4)]
    assert not link.wire.closed


def test_what_waits_for_an_interface_that_goes_down_is_refused(link: ScriptedLink, bus: Bus, bench: Bench) -> None:
    link.wire.send_errors.extend([errno.ENOBUFS, errno.ENETDOWN])
    send(bus, 1, 2)
    bench.tick(2)
    assert link.trouble == "scripted is down"
    assert link.statistics.refused == 2
    bench.tick(50)
    assert link.accepts(frame(1).can_id)
    assert link.wire.sent == []


def test_a_frame_that_arrives_ends_the_standstill_at_once(
    link: ScriptedLink, listener: Listener, bus: Bus, bench: Bench
) -> None:
    """Unless the kernel says otherwise: frames from before may still be in the receive buffer."""
    link.on_the_bus = False
    link.wire.receive_error = errno.ENETDOWN
    bench.tick()
    link.wire.inbox.append((pack_frame(frame(1)), [], 0))
    bench.tick()
    assert link.trouble == "scripted is down"
    link.on_the_bus = True
    link.wire.inbox.append((pack_frame(frame(2)), [], 0))
    bench.tick()
    assert listener.frames == [frame(1), frame(2)]
    assert link.trouble == ""


@pytest.mark.parametrize("error", [errno.ENODEV, errno.ENXIO, errno.EBADF, errno.EIO])
@pytest.mark.parametrize("direction", ["receive", "send"])
def test_an_interface_that_is_gone_is_opened_again_after_the_back_off(
    error: int, direction: str, link: ScriptedLink, bus: Bus, bench: Bench
) -> None:
    first = link.wire
    if direction == "receive":
        first.receive_error = error
    else:
        first.send_errors.append(error)
    send(bus, 1, 2)
    bench.tick()
    assert first.closed
    assert "scripted is lost" in link.trouble
    send(bus, 3)
    assert not link.accepts(frame(3).can_id)
    bench.tick(49)
    assert link.wire is first
    bench.tick(2)
    assert link.statistics.reopened == 1
    assert link.trouble == ""
    send(bus, 4)
    bench.tick()
    assert link.wire.sent == [frame(4)]
    assert (link.statistics.sent, link.statistics.refused) == (1, 3)


def test_what_cannot_be_opened_is_tried_again_until_it_can(link: ScriptedLink, bench: Bench) -> None:
    """Lost at 0 ms, it is tried at 50, 150, 350, 750, 1550, 2550 and 3550 ms; it never raises."""
    link.available = False
    link.wire.receive_error = errno.ENODEV
    bench.tick(2551)
    assert link.trouble == "scripted cannot be opened: there is none"
    link.available = True
    bench.tick(999)
    assert link.statistics.reopened == 0
    bench.tick()
    assert link.statistics.reopened == 1


def test_after_closing_nothing_is_taken(link: ScriptedLink) -> None:
    link.close()
    link.receive(frame(1), 0)
    link.flush(0)
    assert link.wire.closed
    assert (link.wire.sent, link.statistics.refused) == ([], 1)
