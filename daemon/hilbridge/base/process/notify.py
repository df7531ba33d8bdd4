"""The service manager: what is reported to systemd, and when the tick is healthy enough to feed its watchdog.

The protocol is that of sd_notify(3): each message is one datagram to the socket that $NOTIFY_SOCKET names. It is sent
without waiting: when systemd does not keep up, it is lost, and the next one counts.
"""

import os
import socket
from collections.abc import MutableMapping
from contextlib import closing
from typing import Final

from hilbridge.base.common.units import MICROSECOND

WORST: Final = 0.5
"""Share of the ticks that may be missed: a bench that does less than half of its work is better started anew."""


class TickHealth:
    """A judgement of the ticks since the last one: healthy if some were done, and at least half of those due."""

    def __init__(self) -> None:
        self._ticks = 0
        self._missed = 0

    def is_good(self, ticks: int, missed: int) -> bool:
        """Return whether the tick is healthy; `ticks` were done and `missed` not, both since the start."""
        done, lost = ticks - self._ticks, missed - self._missed
        self._ticks, self._missed = ticks, missed
        return done > 0 and lost <= WORST * (done + lost)


class Notifier:
    """The connection to the service manager that started this process; without one, messages go nowhere.

    `watchdog_period` [ns]: how often `alive` is wanted at least, half of what the service manager asks for; None where
    it does not watch.
    """

    def __init__(self, environment: MutableMapping[str, str] = os.environ) -> None:
        """Take the addresses out of the environment, so that no child sends in this process's name."""
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
        """Whether a service manager takes messages of this process."""
        return self._socket is not None

    def ready(self, status: str) -> None:
        """Report that start-up, or a reload, is complete."""
        self._send(f"READY=1\nSTATUS={status}")

    def status(self, status: str) -> None:
        """Send one line for `systemctl status`."""
        self._send(f"STATUS={status}")

    def alive(self) -> None:
        """Feed the watchdog."""
        self._send("WATCHDOG=1")

    def reloading(self, monotonic: int) -> None:
        """Report that a reload begins; `monotonic` [ns] is the time of the clock of this name."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={monotonic // MICROSECOND}")

    def stopping(self) -> None:
        """Report that the run is ending."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Send no more."""
        if self._socket is not None:
            self._socket.close()
        self._socket = None

    def _send(self, message: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError:  # the socket is full, or the service manager has gone
            return


def leave_word(status: str, address: str) -> None:
    """Send a line for `systemctl status` to the service manager at an address, by a program that ends; "": none."""
    with closing(Notifier({"NOTIFY_SOCKET": address})) as notifier:
        notifier.status(status)
