"""Packets of serial boards: numbers at fixed places, a CRC of them, and COBS, which leaves 0 to end a packet.

Two CRCs of everything before them are known:

    crc16   CRC-16/CCITT as most boards have it: polynomial 0x1021, start 0xFFFF (catalogued as CRC-16/IBM-3740)
    crc32   polynomial 0x04C11DB7, reflected, start and final xor 0xFFFFFFFF (CRC-32/ISO-HDLC, as in Ethernet)

Consistent overhead byte stuffing codes any bytes so that 0 only ever ends a packet. Each block is a code n = 1…255 and
n - 1 bytes; a block with n < 255 stands for these bytes and a 0, except for the last block, which has no 0. Source:
Cheshire and Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking 7 (1999).
"""

import binascii
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.inputs import BinaryField

TYPES: Final = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "f32": "f"}
"""Format characters of `struct` by the types of the bench file."""

_ORDERS: Final = {"little": "<", "big": ">"}

_LONGEST_BLOCK: Final = 255
"""Code of a COBS block that no 0 follows."""


def crc16(data: bytes) -> int:
    """Return the CRC named crc16."""
    return binascii.crc_hqx(data, 0xFFFF)


CRCS: Final[Mapping[str, tuple[int, Callable[[bytes], int]]]] = {"crc16": (2, crc16), "crc32": (4, binascii.crc32)}
"""Length [bytes] and function of each CRC by its name."""


def stuff(data: bytes) -> bytes:
    """Code bytes by COBS, without the 0 that ends the packet."""
    packet = bytearray()
    parts = data.split(b"\0")
    longest = _LONGEST_BLOCK - 1
    for number, part in enumerate(parts, 1):
        for start in range(0, len(part) - longest + 1, longest):
            packet.append(_LONGEST_BLOCK)
            packet += part[start : start + longest]
        rest = len(part) % longest
        if rest or not part or number < len(parts):
            packet.append(rest + 1)
            packet += part[len(part) - rest :]
    return bytes(packet)


def unstuff(packet: bytes) -> bytes | None:
    """Decode a COBS packet without its end; None where a block is longer than the rest of the packet."""
    data = bytearray()
    position = 0
    while position < len(packet):
        code = packet[position]
        block = packet[position + 1 : position + code]
        if code == 0 or len(block) != code - 1:
            return None
        data += block
        position += code
        if code < _LONGEST_BLOCK and position < len(packet):
            data.append(0)
    return bytes(data)


def structs(layout: Sequence[BinaryField]) -> tuple[dict[str, tuple[struct.Struct, int]], int]:
    """Return the struct and offset of each field by its name in lower case, and the offset behind the last one.

    ConfigurationError: a field is in the layout twice.
    """
    found: dict[str, tuple[struct.Struct, int]] = {}
    offset = length = 0
    for field in layout:
        name = field.name.lower()
        if name in found:
            raise ConfigurationError(f"field {field.name!r} is more than once in 'fields'")
        offset = offset if field.offset is None else field.offset
        one = struct.Struct(_ORDERS[field.byte_order] + TYPES[field.type])
        found[name] = (one, offset)
        offset += one.size
        length = max(length, offset)
    return found, length
