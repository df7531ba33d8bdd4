"""A bus of a running bench as a test sees it: through python-can, beside the other control units."""

import re
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

import can

from hilbridge.base.common.errors import ConfigurationError, NotNowError
from hilbridge.boundary.links.adapter import interface_name
from hilbridge.boundary.links.helper_process import frame_of, message_of
from hilbridge.files.settings import BusSettings
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing.wire import Wire

_READER_TIMEOUT: Final = 0.05
"""[s] in which python-can's thread notices that the wire is closed."""


def interface_of(name: str, settings: BusSettings, link: str) -> dict[str, Any]:
    """Return the parameters of python-can for a bus; `link` describes the bench's own way to it.

    ConfigurationError: the bench has the only adapter.
    """
    if settings.interface == "socketcan":
        try:
            channel = interface_name(str(settings.channel))
        except NotNowError as error:
            raise ConfigurationError(f"the bus {name!r}: {error}", may_pass=True) from None
        return {"interface": "socketcan", "channel": channel, "fd": settings.fd}
    port = re.search(r"slcan on [^;]*?(socket://[^\s;]+)", link)
    if settings.interface == "embedded" and port is not None:
        # The port knows no bit rate; python-can requires one.
        return {"interface": "slcan", "channel": port[1], "bitrate": 500_000, "sleep_after_open": 0}
    had = "it has no SLCAN port" if settings.interface == "embedded" else "the bench has its adapter for itself"
    raise ConfigurationError(
        f"no test reaches the bus {name!r}: {had}; connect a second adapter, and name it: "
        f"buses={{{name!r}: {{'interface': ..., 'channel': ...}}}}"
    )


class RealWire(Wire):
    """A bus through an interface of python-can. Frames have the time at which its thread received them.

    ConfigurationError: the interface cannot be opened.
    """

    def __init__(self, name: str, parameters: Mapping[str, Any], began: int) -> None:
        """`began` [ns] of the monotonic clock is time 0."""
        super().__init__(name)
        self._began: Final = began
        self._arrived: Final[deque[tuple[int, can.Message]]] = deque()
        try:
            self._interface: Final = can.Bus(ignore_config=True, **parameters)
        except Exception as error:
            raise ConfigurationError(f"the bus {name!r} cannot be opened: {error}") from error
        self._reader: Final = can.Notifier(self._interface, [self._take], timeout=_READER_TIMEOUT)

    def _take(self, message: can.Message) -> None:
        self._arrived.append((time.monotonic_ns() - self._began, message))

    def poll(self, t: int) -> None:
        """Bring frames from the bus to the nodes, and those of the nodes, at `t` [ns], onto the bus."""
        while self._arrived:
            arrived, message = self._arrived.popleft()
            self.nodes.transmit(frame_of(message), self._socket)
            self.nodes.exchange(arrived)
        self.nodes.exchange(t)
        frames, self._socket.arrived = self._socket.arrived, []
        for frame in frames:
            self._send(frame)

    def _send(self, frame: Frame) -> None:
        try:
            self._interface.send(message_of(frame))
        except can.CanError as error:
            raise ConfigurationError(f"the bus {self.nodes.name!r} takes no frame: {error}") from error

    def close(self) -> None:
        """Leave the bus."""
        self._reader.stop()
        self._interface.shutdown()
