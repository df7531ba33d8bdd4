"""Sessions on the fabric, and where those of one machine meet.

    bench ──client──┐
    bench ──client──┼── 127.0.0.1:29600 ── router, in the process of whichever bench found the port free
    lab   ──client──┘

Zenoh finds others by multicast or by an address. Multicast would leave the machine, so all have one address. Who has it
is settled by the kernel, which lets one bind it; when that one dies, all others are disconnected at once, one of them
takes its place, and they are back within some 0.1 s. With a configuration file of Zenoh's nothing of this is done.
"""

import contextlib
import json
import socket
from pathlib import Path
from typing import Any, Final

import zenoh

from hilbridge.base.common.errors import ConfigurationError

_PATIENCE_MS: Final = 1000
_RETRY_MS: Final = 100


class FabricError(ConfigurationError):
    """The fabric cannot be reached."""


class Connection:
    """A connection to the fabric: with Zenoh's configuration file, or to the meeting point on loopback.

    `keeps`: the meeting point is kept by this process where no one else does. FabricError: there is none.
    """

    def __init__(self, port: int, config: Path | None, *, keeps: bool) -> None:
        self._port: Final = port
        self._endpoint: Final = f"tcp/127.0.0.1:{port}"
        self._keeps: Final = keeps and config is None
        self._open: Final = contextlib.ExitStack()
        self._has_place = False
        self.where: Final = self._endpoint if config is None else str(config)
        self._keep()
        try:
            chosen = self._to_meeting_point() if config is None else zenoh.Config.from_file(str(config))
            self.session: Final = self._open.enter_context(zenoh.open(chosen))
        except (zenoh.ZError, OSError) as error:
            self._open.close()
            raise FabricError(f"no fabric at {self.where}: {_reason(error)}") from None

    @property
    def is_connected(self) -> bool:
        """Whether there is anybody on the other side, as far as this session knows."""
        return bool(self.session.info.routers_zid() or self.session.info.peers_zid())

    def tend(self) -> None:
        """Take the place of the meeting point if that is gone; call it some ten times a second."""
        if not self.is_connected:
            self._keep()

    def close(self) -> None:
        """Leave the fabric, in a way that others see at once."""
        self._open.close()

    def _keep(self) -> None:
        if self._keeps and not self._has_place and _is_free(self._port):
            listen = {"endpoints": [self._endpoint], "timeout_ms": 0, "exit_on_failure": True}
            with contextlib.suppress(zenoh.ZError):  # someone else has it
                self._open.enter_context(zenoh.open(_loopback("router", listen=listen)))
                self._has_place = True

    def _to_meeting_point(self) -> zenoh.Config:
        retry = {"period_init_ms": _RETRY_MS, "period_max_ms": 2 * _RETRY_MS, "period_increase_factor": 1.0}
        connect = {
            "endpoints": [self._endpoint],
            "timeout_ms": _PATIENCE_MS,
            "exit_on_failure": True,
            "retry": retry,
        }
        return _loopback("client", connect=connect)


def _is_free(port: int) -> bool:
    """Return whether no one listens there: fifty benches that ask Zenoh at once keep each other from work."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def _loopback(mode: str, **keys: Any) -> zenoh.Config:
    """Return a configuration that looks for no one and listens nowhere but as `keys` say."""
    scouting = {"multicast": {"enabled": False}, "gossip": {"enabled": False}}
    return zenoh.Config.from_json5(json.dumps({"mode": mode, "scouting": scouting, **keys}))


def _reason(error: Exception) -> str:
    """Return what Zenoh says, without the places in its source."""
    return str(error).split(" at /", 1)[0]
