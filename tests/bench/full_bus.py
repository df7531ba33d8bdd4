"""Cost of a full bus for the daemon: 8,000 frames of 8 bytes a second, the capacity of a bus of 1 Mbit/s.

A client sends them over SLCAN, as a CAN adapter does, in short bursts. Slices with and without take turns; missed ticks
are counted by the daemon itself.
"""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import Measurement, Rig

from .ports import slcan_port
from .turns import by_turns

FRAMES_PER_SECOND: Final = 8000
_BUS: Final = "powertrain"
_NAP: Final = 0.0005
"""[s]"""

_TIMEOUT: Final = 10.0
"""[s]"""

_LOST: Final = Quantity("full_bus_lost", "frames lost", "", Aim("at most", 0.0))
_MISSED: Final = Quantity("full_bus_missed", "missed ticks, bus full", "%")
_IDLE: Final = Quantity("full_bus_missed_idle", "missed ticks, bus idle", "%")
_BEYOND: Final = Quantity("full_bus_missed_beyond", "missed ticks, full - idle", "%", Aim("at most", 0.0))


class _Traffic:
    """A client of the bus's SLCAN port; frame number k carries k."""

    def __init__(self, daemon: Daemon) -> None:
        self.sent = 0
        self._client = socket.create_connection(("127.0.0.1", slcan_port(daemon, _BUS)), timeout=_TIMEOUT)
        self._client.sendall(b"O\r")

    def run(self, seconds: float) -> None:
        """Send for some seconds, and read meanwhile what the bench sends."""
        start, first = time.monotonic(), self.sent
        while (elapsed := time.monotonic() - start) < seconds:
            due = first + int(elapsed * FRAMES_PER_SECOND)
            self._client.sendall(b"".join(b"t7008%016X\r" % number for number in range(self.sent, due)))
            self.sent = max(self.sent, due)
            self._drain()
            time.sleep(_NAP)

    def close(self) -> None:
        """Return when the daemon has read everything and closed the connection."""
        self._client.sendall(b"C\r")
        self._client.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while self._client.recv(1 << 16):
                pass
        self._client.close()

    def _drain(self) -> None:
        self._client.setblocking(False)
        with suppress(BlockingIOError):
            while self._client.recv(1 << 16):
                pass
        self._client.settimeout(_TIMEOUT)


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default)
    received = daemon.statistics()["links"][_BUS].get("received", 0)
    idle, full = [], []
    try:
        traffic = _Traffic(daemon)
        for _, at_rest, meanwhile in by_turns(rig.effort, daemon, lambda: traffic.run(rig.effort.slice)):
            idle.append(at_rest)
            full.append(meanwhile)
        traffic.close()
    except OSError as error:
        raise UnavailableError(f"the bus cannot be filled: {error}") from error
    received = daemon.statistics()["links"][_BUS]["received"] - received
    yield _LOST.median([traffic.sent - received], traffic.sent)
    yield _MISSED.median(full)
    yield _IDLE.median(idle)
    yield _BEYOND.median([more - less for more, less in zip(full, idle, strict=True)])


MEASUREMENT: Final = Measurement("1 Mbit/s bus, full", (_LOST, _MISSED, _IDLE, _BEYOND), _measure)
