"""Binary frames: fields at fixed places, a CRC behind them, all of it coded by COBS and ended by a byte 0.

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

from hilbridge.codec.database import unknown
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.words import counted
from hilbridge.inputs.formats.format import CHECKSUM, INCOMPLETE, MakeFormat, Readings
from hilbridge.inputs.signal_conditioner import GARBAGE, Refused
from hilbridge.settings import SerialInput
from hilbridge.settings.inputs import BinaryField

_TYPES: Final = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "f32": "f"}
_ORDERS: Final = {"little": "<", "big": ">"}

_LONGEST_BLOCK: Final = 255
"""Code of a COBS block that no 0 follows."""


def _crc16(data: bytes) -> int:
    return binascii.crc_hqx(data, 0xFFFF)


_CRCS: Final[Mapping[str, tuple[int, Callable[[bytes], int]]]] = {"crc16": (2, _crc16), "crc32": (4, binascii.crc32)}
"""Length [bytes] and function of each CRC by its name."""


class BinaryFrames:
    """Frames as the settings' `fields` lay them out.

    ConfigurationError: a wanted field is not in the layout, or a field is in it twice.
    """

    ends = b"\0"

    def __init__(self, fields: Sequence[str], settings: SerialInput) -> None:
        structs, self._length = _structs(settings.fields)
        for field in fields:
            if field.lower() not in structs:
                raise unknown("field", field, [one.name for one in settings.fields], ())
        self._fields: Final = [structs[field.lower()] for field in fields]
        self._crc_length, self._crc = _CRCS[settings.crc]
        self._big: Final = settings.crc_byte_order == "big"

    def decode(self, packet: bytes) -> Readings:
        """Return the readings of the wanted fields; a frame may hold more bytes than its fields."""
        frame = unstuff(packet)
        if frame is None:
            raise Refused(GARBAGE, "a frame is not coded by COBS")
        if len(frame) < self._length + self._crc_length:
            wanted = self._length + self._crc_length
            raise Refused(INCOMPLETE, f"a frame of {counted(len(frame), 'byte')} lacks some of {wanted}")
        data, crc = frame[: -self._crc_length], frame[-self._crc_length :]
        if int.from_bytes(crc, "big" if self._big else "little") != self._crc(data):
            raise Refused(CHECKSUM, f"a frame of {counted(len(frame), 'byte')}")
        return [float(layout.unpack_from(data, offset)[0]) for layout, offset in self._fields]


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


def _structs(layout: Sequence[BinaryField]) -> tuple[dict[str, tuple[struct.Struct, int]], int]:
    """Return the struct and offset of each field by its name in lower case, and the offset behind the last one."""
    structs: dict[str, tuple[struct.Struct, int]] = {}
    offset = length = 0
    for field in layout:
        name = field.name.lower()
        if name in structs:
            raise ConfigurationError(f"field {field.name!r} is more than once in 'fields'")
        offset = offset if field.offset is None else field.offset
        one = struct.Struct(_ORDERS[field.byte_order] + _TYPES[field.type])
        structs[name] = (one, offset)
        offset += one.size
        length = max(length, offset)
    return structs, length


BINARY_FORMATS: Final[Mapping[str, MakeFormat]] = {"cobs": BinaryFrames}
"""The formats by the names of the bench file."""
