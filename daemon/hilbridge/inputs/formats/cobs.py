"""Consistent overhead byte stuffing: any bytes, coded so that 0 only ever ends a packet.

Each block is a code n = 1…255 and n - 1 bytes; a block with n < 255 stands for these bytes and a 0, which the last
block does not mean. Source: Cheshire and Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on
Networking 7 (1999).
"""

from typing import Final

_LONGEST: Final = 255
"""Code of a block that no 0 follows."""


def unstuff(packet: bytes) -> bytes | None:
    """The bytes that a packet without its end stands for; None where a block is longer than what is left."""
    data = bytearray()
    position = 0
    while position < len(packet):
        code = packet[position]
        block = packet[position + 1 : position + code]
        if code == 0 or len(block) != code - 1:
            return None
        data += block
        position += code
        if code < _LONGEST and position < len(packet):
            data.append(0)
    return bytes(data)
