"""Binary frames: fields at fixed places, a CRC behind them, all of it coded by COBS and ended by a byte 0.

COBS and the CRCs are described in frames/codec/packed.py.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from hilbridge.base.common.words import counted
from hilbridge.bench.inputs.formats.format import CHECKSUM, INCOMPLETE, MakeFormat, Readings
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, Refused
from hilbridge.files.settings import SerialInput
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.packed import CRCS, structs, unstuff


class BinaryFrames:
    """Frames as the settings' `fields` lay them out.

    ConfigurationError: a wanted field is not in the layout, or a field is in it twice.
    """

    ends = b"\0"

    def __init__(self, fields: Sequence[str], settings: SerialInput) -> None:
        known, self._length = structs(settings.fields)
        for field in fields:
            if field.lower() not in known:
                raise unknown("field", field, [one.name for one in settings.fields], ())
        self._fields: Final = [known[field.lower()] for field in fields]
        self._crc_length, self._crc = CRCS[settings.crc]
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


BINARY_FORMATS: Final[Mapping[str, MakeFormat]] = {"cobs": BinaryFrames}
"""The formats by the names of the bench file."""
