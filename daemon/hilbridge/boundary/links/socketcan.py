"""The link to a CAN interface of the kernel: python-can opens it, the tick reads and writes its socket.

A frame costs a system call and a struct that way, and no Message object. Own frames come back as echoes once the
controller has sent them (CAN_RAW_RECV_OWN_MSGS, told apart by MSG_CONFIRM): they confirm transmission and are never
taken for input.
"""

import logging
import os
import socket
from typing import Final

from hilbridge.base.common.errors import LinkError, NotNowError
from hilbridge.base.common.lasting_files import is_there
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.adapter import Adapter, interface_name, read_adapter
from hilbridge.boundary.links.can_frame import BUS_OFF, RESTARTED, count_error_frame
from hilbridge.boundary.links.can_interface import NETWORK, can_interface, carries, missing_sockets
from hilbridge.boundary.links.python_can import open_interface, require_options
from hilbridge.boundary.links.socket_link import SocketLink
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame

RECEIVE_BUFFER: Final = 4 << 20
"""[bytes] asked for; the kernel's default of 208 KiB holds 278 frames, 35 ms of a full 1 Mbit/s bus."""

# asm-generic/socket.h, not named by Python's socket module
SO_RCVBUFFORCE: Final = 33
SO_TIMESTAMPNS: Final = 35
SO_RXQ_OVFL: Final = 40

# python-can logs what it also raises; the link reports it in its own words.
logging.getLogger("can").addHandler(logging.NullHandler())


class SocketcanLink(SocketLink):
    """A bus on a CAN interface of the kernel."""

    def __init__(self, bus: Bus, settings: BusSettings, period: int = MILLISECOND, *, waits: bool = False) -> None:
        super().__init__(bus, period)
        self._wanted = str(settings.channel)
        self._channel = self._wanted
        """Name of the interface: that of an adapter may be another one after each loss."""
        self._hardware = settings.hardware
        self._armed = settings.armed or settings.hardware is False
        self._fd = settings.fd
        self._options = settings.options
        try:
            require_options("socketcan", self._options)
        except LinkError as error:
            raise LinkError(f"{self.describe()}: {error}", error.place) from error
        self._start(waits=waits)

    def describe(self) -> str:
        found = f" ({self._channel})" if self._channel != self._wanted else ""
        return f"socketcan {self._wanted}{found}"

    def _open(self) -> socket.socket:
        self._channel = self._wanted
        self._channel = interface_name(self._wanted)
        _require_interface(self._channel, self._fd)  # cheap, for the many attempts while the interface is missing
        adapter = self._read_adapter()
        opener = open_interface("socketcan", self._channel, self._options, fd=self._fd, receive_own_messages=True)
        with opener:
            opened = socket.socket(fileno=os.dup(opener.fileno()))
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 0)  # asked for by python-can, not needed here
        opened.setsockopt(socket.SOL_SOCKET, SO_RXQ_OVFL, 1)
        try:
            opened.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER)
        except PermissionError:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)  # up to net.core.rmem_max
        if self._adapter is None:
            self.came_virtual = self._hardware is None and adapter.is_virtual
        self._know(adapter, armed=self._armed)
        return opened

    def _read_adapter(self) -> Adapter:
        """Return the adapter, one without any facts where the kernel does not say.

        NotNowError: it must not be taken for a virtual one.
        The gate of a bus that was virtual at the start lets frames pass that no hardware may get.
        """
        adapter = read_adapter(self._channel)
        known = adapter if isinstance(adapter, Adapter) else None
        was_virtual = self._hardware is False and self._adapter is not None and self._adapter.is_virtual
        if was_virtual and (known is None or not known.is_virtual):
            now = known or f"not known ({adapter})"
            raise NotNowError(f"it was virtual at the start and is {now} now: start the bench again", ("channel",))
        return known or Adapter()

    def _try_again(self, opened: socket.socket, t: int) -> None:
        """Lose an interface that has got another name, or whose name another one has got: the socket is still its."""
        number = 0 if self._adapter is None else self._adapter.number
        if number and not _is_called(number, self._channel):
            self._lose(f"the interface is not called {self._channel} any more", t)
        else:
            super()._try_again(opened, t)

    def _carries(self, opened: socket.socket) -> bool:
        return carries(self._channel, opened)

    def _error_frame(self, frame: Frame, t: int) -> None:
        count_error_frame(frame, self.statistics)
        if frame.can_id & BUS_OFF:
            self._stand_still("is bus-off", t)
        elif frame.can_id & RESTARTED:
            self._standstill = ""


def _is_called(number: int, name: str) -> bool:
    try:
        return socket.if_nametoindex(name) == number
    except OSError:
        return False


def _require_interface(channel: str, fd: bool) -> None:
    """Raise NotNowError, with a remedy, if there is no such interface, or it is not set up for the bus's frames.

    LinkError: what has this name is no CAN interface.
    """
    if (reason := missing_sockets()) is not None:
        raise NotNowError(
            f"this kernel, or this user, has no CAN sockets: {reason} "
            "(`modprobe can_raw`; without hardware, `interface: embedded` needs none)"
        )
    try:
        socket.if_nametoindex(channel)
    except OSError as error:
        raise NotNowError(
            f"there is no such interface: for a virtual one `ip link add dev {channel} type vcan` "
            f"and `ip link set {channel} up`, for hardware `ip link set {channel} up type can bitrate 500000`",
            ("channel",),
        ) from error
    interface = can_interface(channel)
    if interface is None:
        if not is_there(NETWORK / channel):
            raise NotNowError("it has just gone", ("channel",))
        raise LinkError("this is not a CAN interface", ("channel",))
    if fd and not interface.fd:
        raise NotNowError(
            f"'fd' is set, but the interface carries classic frames only: for a virtual one "
            f"`ip link set {channel} mtu 72`, for hardware add `fd on dbitrate 2000000` to its settings",
            ("fd",),
        )
