"""What the daemon tells systemd: ready, status, alive, stopping. The protocol is that of sd_notify(3).

Each message is one datagram to the socket that $NOTIFY_SOCKET names. It is sent without waiting: when systemd does not
keep up, it is lost, and the next one counts.
"""

import os
import socket
from collections.abc import MutableMapping
from typing import Final

from hilbridge.common.units import MICROSECOND


class Notifier:
    """Speaks to the service manager that started this process, or to nobody.

    `watchdog_period` [ns]: how often `alive` is wanted at least, half of what the service manager asks for; None where
    it does not watch.
    """

    def __init__(self, environment: MutableMapping[str, str] = os.environ) -> None:
        """Takes the addresses out of the environment, so that no child speaks in this process's name."""
        address = environment.pop("NOTIFY_SOCKET", "")
        microseconds = environment.pop("WATCHDOG_USEC", "")
        watched = environment.pop("WATCHDOG_PID", str(os.getpid()))
        self.watchdog_period: Final = (
            int(microseconds) * MICROSECOND // 2 if microseconds.isdigit() and watched == str(os.getpid()) else None
        )
        self._socket: socket.socket | None = None
        if address.startswith(("/", "@")):
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
            self._address = "\0" + address[1:] if address.startswith("@") else address

    @property
    def listening(self) -> bool:
        """A service manager wants to hear from this process."""
        return self._socket is not None

    def ready(self, status: str) -> None:
        """Start-up, or a reload, is complete."""
        self._send(f"READY=1\nSTATUS={status}")

    def status(self, status: str) -> None:
        """One line for `systemctl status`."""
        self._send(f"STATUS={status}")

    def alive(self) -> None:
        """Feeds the watchdog."""
        self._send("WATCHDOG=1")

    def reloading(self, monotonic: int) -> None:
        """A reload begins; `monotonic` [ns] is the time of the clock of this name."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={monotonic // MICROSECOND}")

    def stopping(self) -> None:
        """The run is ending."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Says no more."""
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    def _send(self, message: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError:  # full, or gone: there is nobody left to tell
            return
