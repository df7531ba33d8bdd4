"""XCP on Ethernet: packets in a stream of bytes or in datagrams, each behind a header.

    [ length of the packet (16 bits) | counter (16 bits) | packet ]        least significant byte first

The counter of the slave increases with each packet of its own; that of a master is not looked at (ASAM MCD-1 XCP on
Ethernet: lost packets are the master's to notice on UDP, and cannot be lost on TCP).
"""

import struct
from collections.abc import Iterator
from typing import Final

from hilbridge.bench.xcp.layout import ETHERNET

_HEADER: Final = struct.Struct("<HH")
LARGEST: Final = _HEADER.size + ETHERNET.most_command


class FramingError(Exception):
    """Bytes of a stream that are no packets: where the next one begins is not known."""


class Stream:
    """The packets in a stream of bytes of one master."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def packets(self, data: bytes) -> Iterator[bytes]:
        """Yield the packets that are whole by now. FramingError: one is empty, or longer than a command can be."""
        self._rest += data
        while len(self._rest) >= _HEADER.size:
            length, _ = _HEADER.unpack_from(self._rest)
            if not 0 < length <= ETHERNET.most_command:
                raise FramingError(f"a packet of {length} bytes")
            end = _HEADER.size + length
            if len(self._rest) < end:
                return
            packet = bytes(self._rest[_HEADER.size : end])
            del self._rest[:end]
            yield packet


def packets_of(datagram: bytes) -> Iterator[bytes]:
    """Yield the packets of a datagram. FramingError: it does not consist of whole ones."""
    stream = Stream()
    yield from stream.packets(datagram)
    if stream._rest:
        raise FramingError("bytes behind the last packet")


class Framer:
    """The header of each packet of the slave."""

    def __init__(self) -> None:
        self._counter = 0

    def frame(self, packet: bytes) -> bytes:
        """Return a packet behind its header."""
        counter, self._counter = self._counter, (self._counter + 1) & 0xFFFF
        return _HEADER.pack(len(packet), counter) + packet
