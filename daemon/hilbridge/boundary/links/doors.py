"""The doors through which programs connect to a server: TCP ports, and pseudo terminals.

    SLCAN     python-can    can.Bus(interface="slcan", channel="/dev/pts/5")
              the kernel    slcand -o -s6 /dev/pts/5 slcan0; ip link set slcan0 up
    ELM327    python-OBD    obd.OBD("/dev/pts/5")

A pseudo terminal has one client at a time: the program that has its other end open. A serial port as a door is in
serial_line.py.
"""

import contextlib
import errno
import os
import select
import socket
import termios
import tty
from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeVar

from hilbridge.base.common.addresses import LOOPBACK, is_loopback
from hilbridge.base.common.backoff import Backoff
from hilbridge.base.common.errors import KeyPath, LinkError, NotNowError, reason_of

SEND_BUFFER: Final = 64 << 10
"""[bytes] asked of the kernel for one client; with the default of 4 MB a client could read half a minute late."""

BACKLOG: Final = 16
"""Connections that the kernel keeps until they are accepted."""


class Door(Protocol):
    """An entrance for clients, and the owner of their descriptors. Once it is made, no call raises but `enter`."""

    @property
    def descriptor(self) -> int | None:
        """Readable when a client wants to come in; None while the door cannot be used."""

    @property
    def trouble(self) -> str:
        """Why the door cannot be used at present; empty while it can, and before the first `renew`."""

    def renew(self, t: int) -> None:
        """Open a door that cannot be used (yet, or any more), if an attempt is due at `t` [ns]."""

    def enter(self) -> int:
        """Return the descriptor of a new client, non-blocking. BlockingIOError: there is none; OSError: it fails."""

    def leave(self, descriptor: int) -> None:
        """Close the connection of a client."""

    def close(self) -> None:
        """Let no more clients in."""

    def describe(self) -> str:
        """Return how a program connects."""


W = TypeVar("W")


def open_all(ways: Iterable[W], open_door: Callable[[W], Door]) -> list[Door]:
    """Open a door for each of the `ways`; when one cannot be opened, close the others and raise its LinkError."""
    with contextlib.ExitStack() as on_failure:
        doors: list[Door] = []
        for way in ways:
            doors.append(door := open_door(way))
            on_failure.callback(door.close)
        on_failure.pop_all()
    return doors


class ListeningSocket:
    """A socket each of whose connections is a client.

    One that is bound alone listens from the first `renew` on: before that nothing would answer, and a program that
    comes too early is refused at once in place of being kept waiting.
    """

    def __init__(self, listener: socket.socket, description: str) -> None:
        self._listener: Final = listener
        self._listens = bool(listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
        self._description: Final = description
        self._connections: Final[dict[int, socket.socket]] = {}
        self._backoff: Final = Backoff()
        self.trouble = ""

    @property
    def descriptor(self) -> int | None:
        return self._listener.fileno() if self._listens else None

    def renew(self, t: int) -> None:
        """Listen. Where connections of the last run linger, another program may have had the port first."""
        if not self._backoff.due(t):
            return
        try:
            _begin(self._listener)
        except OSError as error:
            self.trouble = f"{self._description}: {reason_of(error)}"
            self._backoff.failed(t)
        else:
            self.trouble = ""
            self._listens = True

    def enter(self) -> int:
        connection, _ = self._listener.accept()
        connection.setblocking(False)
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._connections[connection.fileno()] = connection
        return connection.fileno()

    def leave(self, descriptor: int) -> None:
        connection = self._connections.pop(descriptor)
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
        connection.close()

    def close(self) -> None:
        self._listener.close()

    def describe(self) -> str:
        return self._description


def listen(port: int, address: str = LOOPBACK) -> ListeningSocket:
    """Listen on a TCP port of an IP address; port 0 takes any free one. OSError when it cannot be had."""
    listener = _bound(port, address)
    try:
        _begin(listener)
    except OSError:
        listener.close()
        raise
    return _entrance(listener, address)


def open_port(port: int, name: str, place: KeyPath = (), address: str = LOOPBACK) -> ListeningSocket:
    """Bind a TCP port of an IP address for what `name` says; it listens from the first `renew` on.

    NotNowError, with the key: it cannot be had.
    """
    return _entrance(open_listener(port, name, place, address), address)


def open_listener(port: int, name: str, place: KeyPath = (), address: str = LOOPBACK) -> socket.socket:
    """Return the socket of `open_port`."""
    try:
        return _bound(port, address)
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise NotNowError(
                f"this machine has no address {address}; `ip address` lists those that it has", place
            ) from error
        raise NotNowError(
            f"the {name} port {in_url(address)}:{port} cannot be opened: {reason_of(error)} (is another program using "
            "it? 0 takes any free port)",
            place,
        ) from error


def _bound(port: int, address: str) -> socket.socket:
    """Return a socket that has a port to itself; with SO_REUSEADDR two could be bound to it until one listens."""
    is_v6 = ":" in address
    listener = socket.socket(socket.AF_INET6 if is_v6 else socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    try:
        if is_v6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        try:
            listener.bind((address, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            _share(listener)  # connections of the last run may linger
            listener.bind((address, port))
    except OSError:
        listener.close()
        raise
    return listener


def _begin(listener: socket.socket) -> None:
    """Listen; the connections inherit that they let the next run have the port."""
    _share(listener)
    listener.listen(BACKLOG)


def _share(listener: socket.socket) -> None:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def _entrance(listener: socket.socket, address: str) -> ListeningSocket:
    reach = "" if is_loopback(address) else ", open to the network"
    return ListeningSocket(listener, f"socket://{in_url(address)}:{listener.getsockname()[1]}{reach}")


def in_url(address: str) -> str:
    """Return an IP address as part of a URL (RFC 3986)."""
    return f"[{address}]" if ":" in address else address


def make_terminal() -> tuple[int, int, str]:
    """Make a pty; return the descriptors of our end and of the programs' end, and the name of the latter.

    Raw mode, so that every byte arrives as it was written and none is echoed. NotNowError where there is none left.
    """
    try:
        own, other = os.openpty()
    except OSError as error:
        raise NotNowError(f"a pseudo terminal cannot be made: {error.strerror}") from error
    tty.setraw(other)
    return own, other, os.ttyname(other)


class _Terminal:
    """Our end of a pty. A program is a client from its first bytes on; while no program has it open it is hung up."""

    def __init__(self) -> None:
        self.descriptor: int | None = None
        self.trouble = ""
        self._make()

    def enter(self) -> int:
        ((descriptor, events),) = self._poll.poll(0) or ((-1, 0),)
        if not events & select.POLLIN:
            raise BlockingIOError
        return descriptor

    def close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None

    def describe(self) -> str:
        return f"pty {self.name}"

    def _make(self) -> None:
        self.descriptor, other, self.name = make_terminal()
        os.close(other)
        os.set_blocking(self.descriptor, False)
        self._poll = select.poll()
        self._poll.register(self.descriptor, select.POLLIN)


class SlcanTerminal(_Terminal):
    """A pty that is an SLCAN adapter: for programs that know serial ports only, and for the kernel.

    When a program closes its end the pty is made anew, and may have another name: a line discipline, settings and
    unread bytes that were left behind would trouble the next program.
    """

    def __init__(self) -> None:
        self._backoff: Final = Backoff()
        super().__init__()

    def renew(self, t: int) -> None:
        if self._backoff.due(t):
            try:
                self._make()
            except LinkError as error:
                self.trouble = str(error)
                self._backoff.failed(t)
            else:
                self.trouble = ""

    def leave(self, descriptor: int) -> None:
        self.close()
        self.trouble = f"the program on {self.name} has gone"


class Elm327Terminal(_Terminal):
    """A pty that is an ELM327's serial port: its name stays the same while programs come and go.

    Between two programs it is hung up; what one has not read, and how it had set the line, the next does not find.
    """

    def renew(self, t: int) -> None:
        """Do nothing: the pty can always be used."""

    def leave(self, descriptor: int) -> None:
        """Empty the line in both directions and set it up anew, from the programs' end."""
        with contextlib.suppress(OSError, termios.error):
            other = os.open(self.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                termios.tcflush(other, termios.TCIOFLUSH)
                tty.setraw(other)
            finally:
                os.close(other)
