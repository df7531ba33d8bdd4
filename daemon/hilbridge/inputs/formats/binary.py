"""Binary frames: fields at fixed places, a CRC behind them, the whole coded by COBS and ended by a byte 0.

Two CRCs of everything before them are known:

    crc16   CRC-16/CCITT as most boards have it: polynomial 0x1021, start 0xFFFF (catalogued as CRC-16/IBM-3740)
    crc32   polynomial 0x04C11DB7, reflected, start and final xor 0xFFFFFFFF (CRC-32/ISO-HDLC, as in Ethernet)
"""

import binascii
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hilbridge.codec.database import unknown
from hilbridge.common.errors import ConfigurationError
from hilbridge.inputs.formats.cobs import unstuff
from hilbridge.inputs.formats.format import CHECKSUM, INCOMPLETE, Readings, Refused
from hilbridge.inputs.signal_conditioner import GARBAGE
from hilbridge.settings.inputs import BinaryField

_TYPES: Final = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "f32": "f"}
_ORDERS: Final = {"little": "<", "big": ">"}


def _crc16(data: bytes) -> int:
    return binascii.crc_hqx(data, 0xFFFF)


_CRCS: Final[Mapping[str, tuple[int, Callable[[bytes], int]]]] = {"crc16": (2, _crc16), "crc32": (4, binascii.crc32)}
"""By name: bytes, and what they hold."""


class BinaryFrames:
    """Takes the fields of these names from a frame laid out as `layout`.

    ConfigurationError: a field that is not in the layout, or is there twice.
    """

    ends = b"\0"

    def __init__(self, fields: Sequence[str], layout: Sequence[BinaryField], crc: str, crc_byte_order: str) -> None:
        structs, self._length = _structs(layout)
        for field in fields:
            if field.lower() not in structs:
                raise unknown("field", field, [one.name for one in layout], ())
        self._fields: Final = [structs[field.lower()] for field in fields]
        self._crc_length, self._crc = _CRCS[crc]
        self._big: Final = crc_byte_order == "big"

    def decode(self, packet: bytes) -> Readings:
        """A frame may be longer than its fields: what else it holds is not wanted."""
        frame = unstuff(packet)
        if frame is None:
            raise Refused(GARBAGE, "a frame is not coded by COBS")
        if len(frame) < self._length + self._crc_length:
            raise Refused(INCOMPLETE, f"a frame of {len(frame)} bytes lacks some of {self._length + self._crc_length}")
        data, crc = frame[: -self._crc_length], frame[-self._crc_length :]
        if int.from_bytes(crc, "big" if self._big else "little") != self._crc(data):
            raise Refused(CHECKSUM, f"a frame of {len(frame)} bytes")
        return [float(layout.unpack_from(data, offset)[0]) for layout, offset in self._fields]


def _structs(layout: Sequence[BinaryField]) -> tuple[dict[str, tuple[struct.Struct, int]], int]:
    """By name in lower case: how a field is read and where; and the bytes up to the end of the last one."""
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
