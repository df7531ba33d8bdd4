"""SocketCAN: python-can opens the interface, the tick reads and writes its socket.

A frame costs a system call and a struct that way, and no Message object. Own frames come back as echoes once the
controller has sent them (CAN_RAW_RECV_OWN_MSGS, told apart by MSG_CONFIRM): they confirm transmission and are never
taken for input.
"""

import logging
import os
import socket
from pathlib import Path
from typing import Any, Final

import can

from hilbridge.errors import LinkError
from hilbridge.frames.bus import Bus
from hilbridge.frames.frame import Frame
from hilbridge.links.can_frame import FD_SIZE
from hilbridge.links.socket_link import SocketLink
from hilbridge.settings import BusSettings

RECEIVE_BUFFER: Final = 4 << 20
"""[bytes] asked for; the kernel's default of 208 KiB holds 278 frames, 35 ms of a full 1 Mbit/s bus."""

# linux/can/error.h: classes of error frames, in can_id
BUS_OFF: Final = 0x40
RESTARTED: Final = 0x100

# linux/if_arp.h
ARPHRD_CAN: Final = 280

# asm-generic/socket.h, not named by Python's socket module
SO_RCVBUFFORCE: Final = 33
SO_TIMESTAMPNS: Final = 35
SO_RXQ_OVFL: Final = 40

# python-can logs what it also raises; the link says it in its own words.
logging.getLogger("can").addHandler(logging.NullHandler())


class SocketcanLink(SocketLink):
    """A bus on a CAN interface of the kernel."""

    def __init__(self, bus: Bus, settings: BusSettings) -> None:
        super().__init__(bus)
        self._channel = str(settings.channel)
        self._fd = settings.fd
        self._options = settings.options
        _require_interface(self._channel, self._fd)
        try:
            self._socket = self._open()
        except (OSError, ValueError, TypeError, LinkError) as error:
            raise LinkError(f"{self.describe()}: {error}") from error
        self._working = True

    def describe(self) -> str:
        return f"socketcan {self._channel}"

    def _open(self) -> socket.socket:
        socket.if_nametoindex(self._channel)  # the cheap test, for the many attempts while the interface is missing
        options: dict[str, Any] = dict(self._options)
        try:
            opener = can.Bus(
                interface="socketcan",
                channel=self._channel,
                fd=self._fd,
                receive_own_messages=True,
                ignore_config=True,
                **options,
            )
        except can.CanError as error:
            raise LinkError(str(error)) from error
        with opener:
            opened = socket.socket(fileno=os.dup(opener.fileno()))
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 0)  # asked for by python-can, not needed here
        opened.setsockopt(socket.SOL_SOCKET, SO_RXQ_OVFL, 1)
        try:
            opened.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER)
        except PermissionError:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)  # up to net.core.rmem_max
        return opened

    def _error_frame(self, frame: Frame) -> None:
        super()._error_frame(frame)
        if frame.can_id & BUS_OFF:
            self._condition = f"{self.describe()} is bus-off"
        elif frame.can_id & RESTARTED:
            self._condition = ""


def _require_interface(channel: str, fd: bool) -> None:
    """LinkError, and what to do about it, if there is no such interface, or not one for the bus's frames."""
    try:
        socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW).close()
    except OSError as error:
        raise LinkError(
            f"socketcan {channel}: this kernel, or this user, has no CAN sockets: {os.strerror(error.errno or 0)} "
            "(`modprobe can_raw`; without hardware, `interface: embedded` needs none)"
        ) from error
    try:
        socket.if_nametoindex(channel)
    except OSError as error:
        raise LinkError(
            f"socketcan {channel}: there is no such interface: for a virtual one `ip link add dev {channel} type vcan` "
            f"and `ip link set {channel} up`, for hardware `ip link set {channel} up type can bitrate 500000`"
        ) from error
    if _attribute(channel, "type", ARPHRD_CAN) != ARPHRD_CAN:
        raise LinkError(f"socketcan {channel}: this is not a CAN interface")
    if fd and _attribute(channel, "mtu", FD_SIZE) < FD_SIZE:
        raise LinkError(
            f"socketcan {channel}: 'fd' is set, but the interface carries classic frames only: for a virtual one "
            f"`ip link set {channel} mtu 72`, for hardware add `fd on dbitrate 2000000` to its settings"
        )


def _attribute(channel: str, name: str, default: int) -> int:
    """What the kernel says about an interface in sysfs; the default where there is no sysfs."""
    try:
        return int(Path("/sys/class/net", channel, name).read_text())
    except (OSError, ValueError):
        return default
