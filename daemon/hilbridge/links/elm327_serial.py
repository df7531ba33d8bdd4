"""A serial port that is an ELM327's: at its other end hangs a scan tool, by a null-modem cable or a Bluetooth bridge.

    hilbridge    ways: [/dev/ttyUSB0]
    python-OBD   obd.OBD("/dev/ttyUSB1", baudrate=38400)

A line does not tell when one program ends and the next begins, so its device stays as it was set, like a real one,
until the next ATZ. When the port goes away the device goes with it; it is looked for until it is back.
"""

import select
from typing import Final

from hilbridge.common.errors import KeyPath
from hilbridge.links.serial_line import GONE, SerialLine


class Elm327Serial:
    """Its one client is whatever the line leads to. LinkError as of SerialLine."""

    def __init__(self, path: str, baudrate: int, place: KeyPath = ()) -> None:
        self._line: Final = SerialLine(path, baudrate, place)
        self._lost = False

    @property
    def descriptor(self) -> int | None:
        return None if self._lost else self._line.descriptor

    @property
    def trouble(self) -> str:
        return self._line.trouble

    def renew(self, t: int) -> None:
        if self._lost:
            self._lost = False
            self._line.lose(t)
        else:
            self._line.renew(t)

    def enter(self) -> int:
        """The first bytes open the door."""
        poll = select.poll()
        descriptor = self.descriptor
        if descriptor is None:
            raise BlockingIOError
        poll.register(descriptor, select.POLLIN | GONE)
        ((_, events),) = poll.poll(0) or ((descriptor, 0),)
        if events & GONE:
            self._lost = True
        if self._lost or not events & select.POLLIN:
            raise BlockingIOError
        return descriptor

    def leave(self, descriptor: int) -> None:
        """Nothing but a hang-up ends it."""
        self._lost = True

    def close(self) -> None:
        self._line.close()

    def describe(self) -> str:
        return self._line.describe()
