"""The common part of SocketCAN and helper process: a link with frames as datagrams on a non-blocking socket."""

import errno
import socket
import sys
from abc import ABC, abstractmethod
from collections import deque
from typing import Final

from hilbridge.base.common.backoff import Backoff
from hilbridge.base.common.errors import LinkError, NotNowError, reason_of
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.adapter import Adapter
from hilbridge.boundary.links.can_frame import CLASSIC_SIZE, FD_SIZE, LARGEST_REPORT, pack_frame, unpack_frame
from hilbridge.boundary.links.link import LinkStatistics, read_allowance
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import ERROR, Frame

FRAMES_PER_MILLISECOND: Final = 64
"""Datagrams read; a full 1 Mbit/s bus has eight. The rest stays in the receive buffer."""
QUEUE_LIMIT: Final = 256
"""Frames waiting for an interface that is full."""
PATIENCE: Final = 1_000 * MILLISECOND
"""[ns] after which a frame that the interface has not taken is given up; N_As of ISO 15765-2."""
RELIEF: Final = 1_000 * MILLISECOND
"""[ns] without a refused frame before the trouble counts as over; else it would come and go with every frame."""

ANCILLARY_SIZE: Final = socket.CMSG_SPACE(4)

_SIZES: Final = {CLASSIC_SIZE, FD_SIZE}

_FULL: Final = {errno.EAGAIN, errno.ENOBUFS}
_UNFIT: Final = {errno.EINVAL, errno.EMSGSIZE, errno.EPERM, errno.EACCES}


class SocketLink(ABC):
    """A link on a socket of struct can_frame and canfd_frame; subclasses open it and know its peculiarities.

    A frame that finds the interface full waits in order for the next ticks, as it would in a controller's transmit
    buffers: until the interface takes it, or PATIENCE is over. Meanwhile no other cyclic frame of its identifier is
    accepted, so that each has one buffer and what goes out later is at most one frame old. A frame that finds the
    interface lost, down or bus-off is refused at once: nothing old is sent when it comes back. A frame the interface
    took is never sent again. An interface that is late at the start is one that is lost: it is awaited in the same way.
    """

    def __init__(self, bus: Bus, period: int) -> None:
        """`period` [ns] of a tick."""
        self.statistics = LinkStatistics()
        self.descriptor = None  # it is readable in nearly every tick: its own frames come back
        self.replaced = False
        """Whether it is back with another adapter; until this is set back it takes no frames."""
        self.came_virtual = False
        """Whether an interface that was not there at the start has come, and is virtual."""

        self._adapter: Adapter | None = None  # that of the last socket, where it is known
        self._bus = bus
        self._socket: socket.socket | None = None
        self._working = False  # frames are accepted; implies a socket
        self._allowance = read_allowance(FRAMES_PER_MILLISECOND, period)
        self._backoff = Backoff()
        self._queue: deque[tuple[int, int, bytes]] = deque()  # time of queueing [ns], can_id, datagram
        self._waiting: set[int] = set()  # can_id of what the last flush has left in the queue
        self._discarded = 0  # the kernel's overflow counter of this socket
        self._loss = ""  # why there is no socket
        self._standstill = ""  # why the interface is there, but carries no frames; over when one arrives
        self._retry = Backoff()  # of asking whether it carries frames again
        self._refusal = ""  # why frames were not taken; over when they are taken again for RELIEF
        self._refused_at = 0

    # -- what subclasses provide --------------------------------------------------------------------------------------

    @abstractmethod
    def _open(self) -> socket.socket:
        """Open the socket, non-blocking; OSError or LinkError when that fails."""

    @abstractmethod
    def describe(self) -> str:
        """Return one line for people: what it is and how it is reached."""

    def describe_adapter(self) -> str:
        """Return what is known of the adapter; empty for nothing."""
        return "" if self._adapter is None else str(self._adapter)

    def _opened(self, t: int) -> None:
        """Note that the socket was opened after the start."""
        self._backoff.succeeded(t)
        self._working = True
        self._loss = ""
        self.statistics.reopened += 1

    def _carries(self, opened: socket.socket) -> bool:
        """Return whether an interface that came to a standstill may be tried again."""
        return True

    def _error_frame(self, frame: Frame, t: int) -> None:
        """Take an error frame, with which the interface reports an error on the bus."""
        self.statistics.errors += 1

    def _report(self, datagram: bytes, t: int) -> None:
        """Take a datagram that is no frame."""
        self.statistics.errors += 1

    # -- the interface of a link --------------------------------------------------------------------------------------

    @property
    def trouble(self) -> str:
        return self._loss or self._standstill or self._refusal

    def accepts(self, can_id: int) -> bool:
        return self._working and not self._standstill and not self.replaced and can_id not in self._waiting

    def poll(self, t: int) -> None:
        if self._socket is None:
            if self._backoff.due(t):
                self._open_again(t)
            return
        try:
            for _ in range(self._allowance.drain(t)):
                datagram, ancillary, flags, _ = self._socket.recvmsg(LARGEST_REPORT, ANCILLARY_SIZE)
                if ancillary:
                    self._count_overflow(ancillary[0][2])
                if len(datagram) in _SIZES:
                    self._take(datagram, flags, t)
                else:
                    self._report(datagram, t)
                    if self._socket is None:
                        return
        except BlockingIOError:
            pass
        except OSError as error:
            self._receive_failed(error, t)
        if self._standstill and self._retry.due(t):  # then there is a socket
            self._try_again(self._socket, t)

    def receive(self, frame: Frame, t: int) -> None:
        if not self._working or self._standstill or self.replaced:
            self.statistics.refused += 1
        elif len(self._queue) >= QUEUE_LIMIT:
            self.statistics.dropped += 1
        else:
            self._queue.append((t, frame.can_id, pack_frame(frame)))

    def flush(self, t: int) -> None:
        queue = self._queue
        if not queue:
            return
        while queue and self._socket is not None:
            try:
                self._socket.send(queue[0][2])
            except OSError as error:
                if not self._send_failed(error, t):
                    break
            else:
                self.statistics.sent += 1
                queue.popleft()
                if self._refusal and t - self._refused_at >= RELIEF:
                    self._refusal = ""
        self._waiting = {can_id for _, can_id, _ in queue}

    def close(self) -> None:
        self._shut()

    def _take(self, datagram: bytes, flags: int, t: int) -> None:
        if flags & socket.MSG_CONFIRM:
            self.statistics.confirmed += 1
        else:
            frame = unpack_frame(datagram)
            if frame.can_id & ERROR:
                self._error_frame(frame, t)
                return
            self.statistics.received += 1
            self._bus.transmit(frame, self)
        if self._standstill and self._socket is not None and self._carries(self._socket):
            self._standstill = ""

    def _count_overflow(self, counter: bytes) -> None:
        """Count by SO_RXQ_OVFL: received frames that the kernel has discarded since this socket exists, modulo 2^32."""
        discarded = int.from_bytes(counter, sys.byteorder)
        self.statistics.overflowed += (discarded - self._discarded) & 0xFFFFFFFF
        self._discarded = discarded

    # -- the start ----------------------------------------------------------------------------------------------------

    def _know(self, adapter: Adapter, *, armed: bool) -> None:
        """Compare the adapter that is opened with the one before.

        One of which nothing says that it is the same is another one, unless the bench file arms the bus (`armed`).
        """
        before, self._adapter = self._adapter, adapter
        if before is not None and (adapter.differs(before) or not (armed or adapter.is_surely(before))):
            self.replaced, self.came_virtual = True, False
            self.statistics.replaced += 1

    def _start(self, *, waits: bool) -> None:
        """Open the socket before the first tick. LinkError: it can never be. `waits`: what cannot be now is awaited."""
        try:
            self._socket = self._open()
        except (OSError, NotNowError) as error:
            if not waits:
                place = error.place if isinstance(error, NotNowError) else ()
                raise NotNowError(f"{self.describe()}: {reason_of(error)}", place) from error
            self._await(error, 0)
        except LinkError as error:
            raise LinkError(f"{self.describe()}: {error}", error.place) from error
        else:
            self._working = True

    # -- failures -----------------------------------------------------------------------------------------------------

    def _receive_failed(self, error: OSError, t: int) -> None:
        if error.errno == errno.ENETDOWN:  # reported once; the same socket works again when the interface is up
            self.statistics.errors += 1
            self._stand_still("is down", t)
        else:
            self._lose(reason_of(error), t)

    def _send_failed(self, error: OSError, t: int) -> bool:
        """Keep, refuse or lose the frame at the head of the queue; return whether to continue with the next one."""
        if error.errno in _FULL:
            while self._queue and t - self._queue[0][0] >= PATIENCE:
                self._refuse_first("takes no frames: its transmit queue is full", t)
            return False
        if error.errno in _UNFIT:
            self._refuse_first(f"refuses a frame: {reason_of(error)}", t)
            return True
        if error.errno == errno.ENETDOWN:
            self._stand_still("is down", t)
        else:
            self._lose(reason_of(error), t)
        return False

    def _refuse_first(self, reason: str, t: int) -> None:
        self._queue.popleft()
        self.statistics.refused += 1
        self._refusal = f"{self.describe()} {reason}"
        self._refused_at = t

    def _refuse_queue(self) -> None:
        self.statistics.refused += len(self._queue)
        self._queue.clear()
        self._waiting.clear()

    def _stand_still(self, reason: str, t: int) -> None:
        """Note that the interface carries no frames for now; the socket stays, and still receives."""
        self._refuse_queue()
        self._standstill = f"{self.describe()} {reason}"
        self._retry.failed(t)

    def _try_again(self, opened: socket.socket, t: int) -> None:
        if self._carries(opened):
            self._standstill = ""
            self._retry.succeeded(t)
        else:
            self._retry.failed(t)

    def _lose(self, reason: str, t: int) -> None:
        """Close a socket that has become useless; a new one is opened after the back-off."""
        self.statistics.errors += 1
        self._shut()
        self._loss = f"{self.describe()} is lost: {reason}"
        self._backoff.failed(t)

    def _open_again(self, t: int) -> None:
        try:
            self._socket = self._open()
        except (OSError, LinkError) as error:
            self._await(error, t)
        else:
            self._opened(t)

    def _await(self, error: OSError | LinkError, t: int) -> None:
        """Note that the socket cannot be opened at `t`; another attempt follows."""
        self._loss = f"{self.describe()} cannot be opened: {reason_of(error)}"
        self._backoff.failed(t)

    def _shut(self) -> None:
        self._refuse_queue()
        self._working = False
        self._standstill = self._refusal = ""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            self._discarded = 0
