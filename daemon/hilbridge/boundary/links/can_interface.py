"""The CAN interfaces of the kernel, and their state.

    /sys/class/net/NAME/{type,flags,mtu}   the interfaces
    ioctl SIOCGIFFLAGS                     whether frames are carried now: cheap enough for the tick

Source: linux/if.h, linux/if_arp.h, linux/can.h.
"""

import fcntl
import socket
from pathlib import Path
from struct import Struct
from typing import Final, NamedTuple

from hilbridge.boundary.links.can_frame import FD_SIZE

NETWORK: Final = Path("/sys/class/net")

_ARPHRD_CAN: Final = 280
_IFF_UP: Final = 0x1
_IFF_RUNNING: Final = 0x40
_SIOCGIFFLAGS: Final = 0x8913
_IFREQ: Final = Struct("=16sh22x")
"""struct ifreq: the name, then the flags."""


class CanInterface(NamedTuple):
    """A CAN interface; `fd`: it carries CAN FD frames."""

    name: str
    up: bool
    fd: bool

    def __str__(self) -> str:
        return f"{self.name} ({'up' if self.up else 'down'}{', CAN FD' if self.fd else ''})"


def can_interfaces() -> list[CanInterface]:
    """Return all CAN interfaces of the kernel."""
    folders = sorted(NETWORK.iterdir()) if NETWORK.is_dir() else []
    return [interface for folder in folders if (interface := can_interface(folder.name)) is not None]


def can_interface(name: str) -> CanInterface | None:
    """Return the interface of a name; None if there is none, or if it is not CAN."""
    try:
        kind, flags, mtu = (int((NETWORK / name / fact).read_text(), 0) for fact in ("type", "flags", "mtu"))
    except OSError:  # not an interface, or just deleted
        return None
    return CanInterface(name, bool(flags & _IFF_UP), mtu >= FD_SIZE) if kind == _ARPHRD_CAN else None


def missing_sockets() -> str | None:
    """Return why there are no CAN sockets, as text; None where there are."""
    try:
        socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW).close()
    except OSError as error:
        return error.strerror or str(error)
    return None


def carries(name: str, opened: socket.socket) -> bool:
    """Return whether the interface is up and its controller on the bus, not bus-off; any open socket will do."""
    try:
        answer: bytes = fcntl.ioctl(opened, _SIOCGIFFLAGS, _IFREQ.pack(name.encode(), 0))
    except OSError:  # it is gone: the next call on the socket reports that
        return False
    flags: int = _IFREQ.unpack(answer)[1]
    return flags & (_IFF_UP | _IFF_RUNNING) == _IFF_UP | _IFF_RUNNING
