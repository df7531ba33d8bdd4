"""The pins of a lockstep client: a board of the bench file (docs/board-protocol.md) without a wire.

The bench speaks to it as to any board, so what goes out, and when, is the same; its channels are what the client reads,
its measures what the client drives, as numbers of the board protocol. What is driven comes in as the bytes of a board
whose input is recorded: a replay needs no client.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.serial_output import OutputPortStatistics
from hilbridge.boundary.lockstep.lines import LineError, pin
from hilbridge.files.settings.boards import BoardSettings
from hilbridge.frames.codec.board_packets import (
    HELLO,
    MEASURE,
    SETUP,
    STATUS,
    VALUES,
    VERSION,
    number_of,
    packet,
    read_packet,
)

_REPORT: Final = 20 * MILLISECOND
"""[ns] from report to report, as of a board."""

_FIRST_MEASURE: Final = 16
_HIGHEST: Final = {"voltage": 65535, "switch": 1}
_BEYOND: Final = 0x7FFFFFFF


class Pins:
    """The pins of one client. `driven`: how often it has driven one; `board` and `input`: their ports on the bench."""

    def __init__(self, name: str, settings: BoardSettings) -> None:
        self.name: Final = name
        self.settings: Final = settings
        self.driven = 0
        self.board: Final = PinPort(name, self._write, self._reply)
        self.input: Final = PinPort(name, lambda _packet, _t: False, self._measure)
        self._safe: Final = {key: number_of(one, one.safe) for key, one in settings.channels.items()}
        self._watchdog: Final = settings.watchdog * MILLISECOND
        self._kinds: Final = {key: one.kind for key, one in settings.measures.items()}
        self._read = dict(self._safe)
        self._told: dict[str, int] = {}
        self._drives: Final = dict.fromkeys(self._kinds, 0)
        self._set_up: Final[set[int]] = set()
        self._replies = b""
        self._heard = 0  # [ns] the last packet
        self._reported = self._measured = -_REPORT  # [ns]
        self._changed = True

    def greeting(self) -> Iterator[bytes]:
        """Yield the lines that name the pins."""
        self._told = dict(self._read)
        yield from (pin("read", name, value) for name, value in self._read.items())
        yield from (pin("drive", name, value) for name, value in self._drives.items())

    def news(self, t: int) -> Iterator[bytes]:
        """Yield the lines of what has changed before the turn at `t` [ns]; the safe values after a long silence."""
        now: Mapping[str, int] = self._safe if t - self._heard > self._watchdog else self._read
        if now != self._told:
            for name, value in now.items():
                if self._told[name] != value:
                    self._told[name] = value
                    yield pin("read", name, value)

    def drive(self, name: str, value: int) -> None:
        """Take what the client drives. LineError: it has no such pin, or its kind no such value."""
        kind = self._kinds.get(name)
        if kind is None:
            raise LineError(f"drives pin {name!r}, which its board {self.name} does not measure")
        if not 0 <= value <= _HIGHEST.get(kind, _BEYOND):
            raise LineError(f"drives pin {name} to {value}, which is beyond a {kind}")
        self.driven += 1
        self._changed = self._changed or self._drives[name] != value
        self._drives[name] = value

    def _write(self, data: bytes, t: int) -> bool:
        for coded in data.split(b"\0"):
            content = read_packet(coded) if coded else None
            if content is None:
                continue
            kind, facts = content[0], content[1:]
            self._heard = t
            if kind == HELLO:
                self._set_up.clear()
                outputs, inputs = len(self._read), len(self._kinds)
                self._replies += packet(HELLO, bytes([VERSION, outputs, inputs, outputs]))
            elif kind == SETUP:
                self._set_up.add(facts[0] if facts[1] < _FIRST_MEASURE else ~facts[0])
            elif kind == VALUES:
                numbers = struct.unpack(f"<{len(self._read)}i", facts)
                self._read = dict(zip(self._read, numbers, strict=True))
        return True

    def _reply(self, t: int) -> bytes:
        replies, self._replies = self._replies, b""
        if t - self._reported >= _REPORT:
            self._reported = t
            inputs = sum(one < 0 for one in self._set_up)
            facts = struct.pack("<BBBH", t - self._heard > self._watchdog, len(self._set_up) - inputs, inputs, 0)
            replies += packet(STATUS, facts)
        return replies

    def _measure(self, t: int) -> bytes:
        if not self._changed and t - self._measured < _REPORT:
            return b""
        begin = b"\0" if self._measured < 0 else b""
        self._changed, self._measured = False, t
        return begin + packet(MEASURE, struct.pack(f"<{len(self._drives)}I", *self._drives.values()))


class PinPort:
    """A port of the bench that is one side of the pins."""

    descriptor: Final = None
    is_open: Final = True
    trouble: Final = ""

    def __init__(self, name: str, write: Callable[[bytes, int], bool], read: Callable[[int], bytes]) -> None:
        self.statistics: Final = OutputPortStatistics()
        self._name: Final = name
        self._write: Final = write
        self._read: Final = read

    def write(self, packet: bytes, t: int) -> bool:
        """Take a packet."""
        self.statistics.sent += len(packet)
        return self._write(packet, t)

    def poll(self, t: int) -> bytes:
        """Return what the board says at `t` [ns]."""
        data = self._read(t)
        self.statistics.received += len(data)
        return data

    def set_break(self, _on: bool, _t: int) -> bool:
        """Refuse: pins have none."""
        return False

    def close(self) -> None:
        """Do nothing: no port is open."""

    def describe(self) -> str:
        return f"pins of {self._name}"
