"""The other ends of serial buses, written from what is published of them and with nothing of hilbridge.

K-bus: the notes of the Wilhelm project (piersholt/wilhelm-docs) and of the iBus module (dremeier): source, length of
what follows it, destination, data, exclusive or. LIN: specification 2.2A, chapters 2.3 and 2.8.
"""

from dataclasses import dataclass, field
from functools import reduce


@dataclass
class KbusReader:
    """A reader of a K-bus, in the order of its bytes: `telegrams` as hexadecimal, `refused` for what is none."""

    telegrams: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    rest: bytes = b""

    def feed(self, data: bytes) -> None:
        """Take bytes."""
        self.rest += data
        while len(self.rest) >= 2 and len(self.rest) >= self.rest[1] + 2:
            size = self.rest[1] + 2
            one, self.rest = self.rest[:size], self.rest[size:]
            good = size >= 5 and reduce(lambda a, b: a ^ b, one) == 0
            (self.telegrams if good else self.refused).append(one.hex(" ").upper())


LIN_IDENTIFIERS = {0x00: 0x80, 0x01: 0xC1, 0x10: 0x50, 0x11: 0x11, 0x20: 0x20, 0x21: 0x61, 0x30: 0xF0, 0x3C: 0x3C}
LIN_IDENTIFIERS |= {0x02: 0x42, 0x03: 0x03, 0x08: 0x08, 0x1F: 0x1F, 0x3D: 0x7D}
"""Identifiers with their parity, of the table of protected identifiers in the specification."""


@dataclass
class LinNode:
    """A node of a LIN: it hears frames of the master, and answers headers with `answers`, by protected identifier.

    `lengths`: of the frames that the master answers itself, by protected identifier; `classic`: those with the classic
    checksum.
    """

    lengths: dict[int, int]
    answers: dict[int, bytes]
    classic: frozenset[int] = frozenset()
    frames: list[tuple[int, str]] = field(default_factory=list)
    refused: int = 0
    rest: bytes = b""

    def feed(self, data: bytes) -> bytes:
        """Take bytes; return what is answered."""
        self.rest += data
        answer = b""
        while True:
            begin = self.rest.find(b"\x00\x55")  # a break, and the sync byte
            if begin < 0 or len(self.rest) < begin + 3:
                return answer
            pid = self.rest[begin + 2]
            if pid in self.answers:
                self.rest = self.rest[begin + 3 :]
                whole = self.answers[pid]
                answer += whole + bytes([self.sum(pid, whole)])
                continue
            end = begin + 3 + self.lengths.get(pid, 0) + 1
            if pid not in self.lengths:
                self.refused, self.rest = self.refused + 1, self.rest[begin + 3 :]
                continue
            if len(self.rest) < end:
                return answer
            whole, found = self.rest[begin + 3 : end - 1], self.rest[end - 1]
            self.rest = self.rest[end:]
            if found == self.sum(pid, whole):
                self.frames.append((pid, whole.hex(" ").upper()))
            else:
                self.refused += 1

    def sum(self, pid: int, data: bytes) -> int:
        """Return the checksum: eight bits with the carry added, inverted."""
        total = 0 if pid in self.classic else pid
        for byte in data:
            total += byte
            if total >= 256:
                total -= 255
        return 0xFF - total


@dataclass
class LinMaster:
    """The master of a LIN: it sends headers, and believes answers with the enhanced checksum.

    `answered`: (protected identifier, data in hexadecimal); `missing`: headers behind which nothing came in time.
    """

    lengths: dict[int, int]
    answered: list[tuple[int, str]] = field(default_factory=list)
    refused: int = 0
    missing: int = 0
    waiting: int | None = None
    rest: bytes = b""

    def header(self, pid: int) -> bytes:
        """Return break, sync and an identifier with its parity; what was awaited before is missing."""
        self.missing += self.waiting is not None
        self.waiting, self.rest = pid, b""
        return b"\x00\x55" + bytes([pid])

    def frame(self, pid: int, data: bytes) -> bytes:
        """Return a header with an answer, of the master or of a third node."""
        sent = self.header(pid) + data + bytes([LinNode({}, {}).sum(pid, data)])
        self.waiting = None
        return sent

    def feed(self, data: bytes) -> None:
        """Take what a node answers."""
        self.rest += data
        if self.waiting is None:
            self.refused += len(data)
            return
        size = self.lengths[self.waiting] + 1
        if len(self.rest) < size:
            return
        whole, found = self.rest[: size - 1], self.rest[size - 1]
        good = len(self.rest) == size and found == LinNode({}, {}).sum(self.waiting, whole)
        if good:
            self.answered.append((self.waiting, whole.hex(" ").upper()))
        self.refused += not good
        self.waiting = None
