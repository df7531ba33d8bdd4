"""From a stream of bytes to packets: what stands between two ends.

What precedes the first end after the port was opened is thrown away, because the tail of a packet can look like one.
"""

from typing import Final

MAXIMUM_PACKET: Final = 256
"""Bytes of a packet, its end not counted; a longer one is dropped up to its end."""

MAXIMUM_PACKETS: Final = 16
"""Packets of one portion that are looked at, the newest ones; at 1,000 portions a second no board sends more."""

PATIENCE: Final = 4096
"""Bytes without any end after which the stream is none of this format."""


class Packets:
    """Splits what comes in any portions. `overlong`, `flooded` and `endless` count what was dropped so far.

    `endless` grows by one with every PATIENCE bytes without an end: wrong baud rate, wrong format, no line ends.
    """

    def __init__(self, ends: bytes) -> None:
        self.overlong = 0
        self.flooded = 0
        self.endless = 0
        self._end: Final = ends[-1:]
        self._other: Final = ends[:-1]
        self._pending = b""
        self._skipping = True
        self._run = 0  # bytes since the last end

    def reset(self) -> None:
        """The port was opened: the rest of a packet that began before is not looked at."""
        self._pending = b""
        self._skipping = True
        self._run = 0

    def split(self, data: bytes) -> list[bytes]:
        """The packets that end in `data`, without those that are empty, too long or too many."""
        if self._other:
            data = data.replace(self._other, self._end)
        if self._end not in data:
            self._extend(data)
            return []
        first, *whole, rest = data.split(self._end)
        self._extend(first)
        if not self._skipping:
            whole.insert(0, self._pending)
        self._pending, self._skipping, self._run = b"", False, 0
        self.endless += sum(len(packet) // PATIENCE for packet in whole)
        fitting = [packet for packet in whole if packet and not self._is_overlong(packet)]
        self._extend(rest)
        self.flooded += max(len(fitting) - MAXIMUM_PACKETS, 0)
        return fitting[-MAXIMUM_PACKETS:]

    def _extend(self, part: bytes) -> None:
        """Bytes of a packet whose end has not come."""
        before = self._run
        self._run += len(part)
        self.endless += self._run // PATIENCE - before // PATIENCE
        if not self._skipping:
            self._pending += part
            if self._is_overlong(self._pending):
                self._pending, self._skipping = b"", True

    def _is_overlong(self, packet: bytes) -> bool:
        overlong = len(packet) > MAXIMUM_PACKET
        self.overlong += overlong
        return overlong
