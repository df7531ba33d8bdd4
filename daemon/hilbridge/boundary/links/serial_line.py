"""A serial port that may be unplugged and plugged in again; as a door, it has one client."""

import contextlib
import os
import select
import stat
import termios
from pathlib import Path
from typing import Final

import serial

from hilbridge.base.common.backoff import Backoff
from hilbridge.base.common.errors import KeyPath, LinkError, reason_of
from hilbridge.files.settings.lines import Parity

GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL
"""Events of a port that was hung up or unplugged."""


_PARITIES: Final = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}


class SerialLine:
    """A serial line, set up by pyserial; `descriptor` is non-blocking, and None while the port is missing.

    A port that is missing, at start or later, is looked for with back-off. A path to anything but a serial port
    is an error at start: LinkError, with the key `place`.
    """

    def __init__(self, path: str, baudrate: int, place: KeyPath = (), parity: Parity = "none") -> None:
        self.trouble = ""
        self._path: Final = path
        self._baudrate: Final = baudrate
        self._parity: Final = parity
        self._port: serial.Serial | None = None
        self._backoff = Backoff()
        self._open(0)
        if self._port is None:
            _require_serial(path, place)

    @property
    def descriptor(self) -> int | None:
        return None if self._port is None else int(self._port.fileno())

    def renew(self, t: int) -> None:
        """Open a missing port, if another attempt is due at `t` [ns]."""
        if self._port is None and self._backoff.due(t):
            self._open(t)

    def lose(self, t: int) -> None:
        """Close the port because it was unplugged, or failed."""
        with contextlib.suppress(OSError):
            self.close()
        self.trouble = f"{self.describe()} was unplugged"
        self._backoff.failed(t)

    def close(self) -> None:
        """Close the port."""
        port, self._port = self._port, None
        if port is not None:
            with contextlib.suppress(OSError, termios.error):
                port.break_condition = False  # not every driver ends it
            port.close()

    def describe(self) -> str:
        """Return one line for people: the port and its baud rate."""
        return f"serial {self._path} at {self._baudrate} baud"

    def _open(self, t: int) -> None:
        try:
            parity = _PARITIES[self._parity]
            self._port = serial.Serial(self._path, self._baudrate, parity=parity, timeout=0, exclusive=True)
            _hear_errors(self._port.fileno(), has_parity=self._parity != "none")
        except (serial.SerialException, OSError, ValueError, termios.error) as error:
            self.trouble = f"{self.describe()} cannot be opened: {reason_of(error)}"
            self._backoff.failed(t)
        else:
            self._backoff.succeeded(t)
            self.trouble = ""


class Elm327Serial:
    """A serial port as a door of the ELM327: its one client is the scan tool at the other end of the line.

        hilbridge    ways: [/dev/ttyUSB0]
        python-OBD   obd.OBD("/dev/ttyUSB1", baudrate=38400)

    The tool is connected by a null-modem cable or a Bluetooth bridge. A line does not show when one program ends and
    the next begins, so its device stays as it was set, like a real one, until the next ATZ. When the port goes away the
    device goes with it; it is looked for until it is back. LinkError as of SerialLine.
    """

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
        """Return the descriptor of the line once it has bytes to read."""
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
        """Note that the port has gone: the connection of a line has no other end."""
        self._lost = True

    def close(self) -> None:
        self._line.close()

    def describe(self) -> str:
        return self._line.describe()


def _hear_errors(descriptor: int, *, has_parity: bool) -> None:
    """Let the kernel hand over what pyserial leaves to chance: a break, or a byte of wrong parity, is read as 0.

    BRKINT would empty the queues in its place; IGNBRK and IGNPAR would drop it; PARMRK would add bytes (termios(3)).
    """
    if not os.isatty(descriptor):
        return
    attributes = termios.tcgetattr(descriptor)
    attributes[0] &= ~(termios.BRKINT | termios.IGNBRK | termios.IGNPAR | termios.PARMRK)
    if has_parity:
        attributes[0] |= termios.INPCK
    termios.tcsetattr(descriptor, termios.TCSANOW, attributes)


def _require_serial(path: str, place: KeyPath) -> None:
    """Raise LinkError if the file at `path` can never be a serial port."""
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return  # missing, for now
    if stat.S_ISCHR(mode):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return  # not permitted, or not plugged in: this may change
        try:
            if os.isatty(descriptor):
                return
        finally:
            os.close(descriptor)
    raise LinkError(f"{path} is not a serial port", place)
