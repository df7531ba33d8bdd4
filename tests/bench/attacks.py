"""What attackers do at the doors of a bench, as fast as they can: each attack holds one door until it is told to end.

A door says how somebody connects there; what was sent and how often somebody came in is counted at it. An attacker has
patience for a moment: who does not take his bytes gets them then.
"""

import os
import random
import socket
import struct
import threading
import time
import tty
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from typing import Any, Final, Protocol

MOMENT: Final = 0.02
"""[s] between two bytes that drip, and before a door that let nobody in is tried again."""

NAP: Final = 0.001
"""[s] that an attacker waits for room, and that somebody waits between two looks for an answer."""

PATIENCE: Final = 10.0
"""[s] for a connection, and for the answer to somebody who behaves well."""

CROWD: Final = 1000
"""Connections at the same time, as far as they are taken."""

DRIPS: Final = 100
"""Connections that say a byte now and then."""

_ABORT: Final = struct.pack("ii", 1, 0)
"""SO_LINGER that resets a connection instead of closing it."""

_CHUNK: Final = 1 << 16


class Connection(Protocol):
    """One line to the bench."""

    def send(self, data: bytes) -> int:
        """Send what there is room for; OSError when the line has ended."""

    def drain(self) -> bytes:
        """Return what has come."""

    def abort(self) -> None:
        """End it as rudely as it can be ended."""

    def close(self) -> None:
        """End it."""


class Stream:
    """A connection by a socket."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._line.setblocking(False)

    def send(self, data: bytes) -> int:
        try:
            return self._line.send(data)
        except BlockingIOError:
            time.sleep(NAP)
            return 0

    def drain(self) -> bytes:
        try:
            if data := self._line.recv(_CHUNK):
                return data
        except BlockingIOError:
            return b""
        raise ConnectionError("it was closed")

    def abort(self) -> None:
        with suppress(OSError):
            self._line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORT)
        self._line.close()

    def close(self) -> None:
        self._line.close()


class _Terminal:
    """A connection by a pseudo terminal, or by the end of one."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def send(self, data: bytes) -> int:
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:
            time.sleep(NAP)
            return 0

    def drain(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return b""

    def abort(self) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._descriptor)


class Door:
    """A way in: how one connects there, and what has been done to it so far."""

    def __init__(self, name: str, connect: Callable[[], Connection]) -> None:
        self.name: Final = name
        self.connections = 0
        self.bytes = 0
        self._connect: Final = connect

    @classmethod
    def of_socket(cls, name: str, family: int, address: Any, kind: int = socket.SOCK_STREAM) -> "Door":
        """Return a door at an address."""

        def connect() -> Connection:
            line = socket.socket(family, kind)
            line.settimeout(PATIENCE)
            try:
                line.connect(address)
            except BaseException:
                line.close()
                raise
            return Stream(line)

        return cls(name, connect)

    @classmethod
    def of_terminal(cls, name: str, path: str) -> "Door":
        """Return a door at a pseudo terminal."""

        def connect() -> Connection:
            descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            tty.setraw(descriptor)
            return _Terminal(descriptor)

        return cls(name, connect)

    @classmethod
    def of_line(cls, name: str, descriptor: int) -> "Door":
        """Return a door at the far end of a serial line, which stays open."""
        return cls(name, lambda: _Terminal(os.dup(descriptor)))

    def connect(self) -> Connection:
        self.connections += 1
        return self._connect()

    def send(self, line: Connection, data: bytes) -> int:
        """Send what there is room for; return how much it was."""
        sent = line.send(data)
        self.bytes += sent
        return sent


Attack = Callable[[Door, random.Random, threading.Event], None]


def _again(ended: threading.Event, visit: Callable[[], None]) -> None:
    """Come again and again; a connection that ends, or none, is no reason to stay away."""
    while not ended.is_set():
        try:
            visit()
        except OSError:
            ended.wait(MOMENT)


def saying(make: Callable[[random.Random], bytes], *, hello: bytes = b"", reads: bool = True) -> Attack:
    """Say something after the other without a pause, and hear the answers or leave them lie."""

    def attack(door: Door, chance: random.Random, ended: threading.Event) -> None:
        def visit() -> None:
            line = door.connect()
            try:
                door.send(line, hello)
                while not ended.is_set():
                    rest = make(chance)
                    while rest and not ended.is_set():
                        rest = rest[door.send(line, rest) :]
                        if reads:
                            line.drain()
            finally:
                line.close()

        _again(ended, visit)

    return attack


def one_of(*said: bytes) -> Callable[[random.Random], bytes]:
    """Return what says one of these at random."""
    return lambda chance: chance.choice(said)


def junk(chance: random.Random) -> bytes:
    """Return random bytes."""
    return chance.randbytes(4096)


def endless(begin: bytes = b"") -> Attack:
    """Begin a line and never end it."""
    return saying(one_of(b"x" * _CHUNK), hello=begin)


def resetting(hello: bytes) -> Attack:
    """Connect, say something, reset."""

    def attack(door: Door, chance: random.Random, ended: threading.Event) -> None:
        def visit() -> None:
            line = door.connect()
            try:
                door.send(line, hello)
            finally:
                line.abort()

        _again(ended, visit)

    return attack


def crowding(hello: bytes = b"") -> Attack:
    """Open connections, as many as are taken, keep them for a moment, leave, come again."""

    def attack(door: Door, chance: random.Random, ended: threading.Event) -> None:
        def visit() -> None:
            with ExitStack() as lines:
                for _ in range(CROWD):
                    if ended.is_set():
                        break
                    line = door.connect()
                    lines.callback(line.close)
                    door.send(line, hello)
                ended.wait(MOMENT)

        _again(ended, visit)

    return attack


def dripping(text: bytes) -> Attack:
    """Say it byte by byte on many connections, each of which is always about to say something."""

    def attack(door: Door, chance: random.Random, ended: threading.Event) -> None:
        def visit() -> None:
            with ExitStack() as resources:
                lines = []
                for _ in range(DRIPS):
                    lines.append(line := door.connect())
                    resources.callback(line.close)
                for number in range(len(text)):
                    for line in lines:
                        with suppress(OSError):
                            door.send(line, text[number : number + 1])
                    if ended.wait(MOMENT):
                        return

        _again(ended, visit)

    return attack


def deflate_bomb(size: int) -> bytes:
    """Return so many zeros [byte] as the payload of one compressed message (RFC 7692, 7.2.1)."""
    packer = zlib.compressobj(9, wbits=-15)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush(zlib.Z_SYNC_FLUSH)
    return packed.removesuffix(b"\0\0\xff\xff")


def message(payload: bytes, first: int = 0x81, announced: int | None = None) -> bytes:
    """Return a message of a WebSocket client, masked with zeros (RFC 6455, 5.2); `announced`: the length it claims."""
    length = len(payload) if announced is None else announced
    if length < 126:
        head = struct.pack(">BB", first, 0x80 | length)
    elif length < 1 << 16:
        head = struct.pack(">BBH", first, 0x80 | 126, length)
    else:
        head = struct.pack(">BBQ", first, 0x80 | 127, length)
    return head + bytes(4) + payload


class Attackers:
    """An attack by some at once, each in a thread on these processors, until `end`."""

    def __init__(self, door: Door, attack: Attack, count: int, processors: set[int]) -> None:
        self._ended: Final = threading.Event()

        def work(seed: int) -> None:
            os.sched_setaffinity(0, processors)
            attack(door, random.Random(seed), self._ended)

        self._threads: Final[Sequence[threading.Thread]] = [
            threading.Thread(target=work, args=(seed,), daemon=True) for seed in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Wait for the attackers to leave."""
        self._ended.set()
        for thread in self._threads:
            thread.join(2 * PATIENCE)
