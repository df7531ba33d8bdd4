"""A socket that hears the requests of testers alone, and so wakes a run between two ticks for nothing else.

The socket of a SocketCAN link is readable after every frame of the bench itself, which comes back as its confirmation.
What rings here is not read: the link has it too.
"""

import errno
import socket
import struct
from collections.abc import Collection
from typing import Final

from hilbridge.base.common.errors import NotNowError
from hilbridge.boundary.links.adapter import interface_name
from hilbridge.boundary.links.can_frame import FD_SIZE
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, REMOTE, STANDARD_MASK

_MOST: Final = 64
"""Frames taken away in a call."""

_FILTER: Final = struct.Struct("=II")
"""struct can_filter: identifier, and which bits of it count."""


class Doorbell:
    """A doorbell on a CAN interface of the kernel; `descriptor` is None while the interface is not there."""

    def __init__(self, channel: str, identifiers: Collection[int]) -> None:
        """`identifiers` (with their flag) are those that ring; `channel` as in a bench file."""
        self._channel: Final = channel
        self._filters: Final = b"".join(_FILTER.pack(one, _mask(one)) for one in sorted(identifiers))
        self._socket: socket.socket | None = None
        self.renew()

    @property
    def descriptor(self) -> int | None:
        """Readable when it has rung."""
        return None if self._socket is None else self._socket.fileno()

    def renew(self) -> None:
        """Open the socket if there is none."""
        if self._socket is not None:
            return
        try:
            opened = socket.socket(socket.AF_CAN, socket.SOCK_RAW | socket.SOCK_NONBLOCK, socket.CAN_RAW)
        except OSError:
            return
        try:
            opened.setsockopt(socket.SOL_CAN_RAW, socket.CAN_RAW_FILTER, self._filters)
            opened.setsockopt(socket.SOL_CAN_RAW, socket.CAN_RAW_FD_FRAMES, 1)
            opened.bind((interface_name(self._channel),))
        except (OSError, NotNowError):
            opened.close()
            return
        self._socket = opened

    def quieten(self) -> None:
        """Take away what has rung; a socket whose interface is gone is closed."""
        if self._socket is None:
            return
        try:
            for _ in range(_MOST):
                self._socket.recv(FD_SIZE)
        except BlockingIOError:
            pass
        except OSError as error:
            if error.errno != errno.ENETDOWN:  # reported once; the socket hears again when the interface is up
                self.close()

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def _mask(identifier: int) -> int:
    return EXTENDED | REMOTE | (EXTENDED_MASK if identifier & EXTENDED else STANDARD_MASK)
