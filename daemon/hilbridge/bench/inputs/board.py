"""The measurements of a board, as a source of controls: packets of the type MEASURE (docs/board-protocol.md)."""

import struct
from collections.abc import Sequence
from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.inputs.formats.format import CHECKSUM, INCOMPLETE, Readings, shown
from hilbridge.bench.inputs.serial_line import PacketSource
from hilbridge.bench.inputs.signal_conditioner import Refused
from hilbridge.files.settings import BoardInput
from hilbridge.frames.codec.board_packets import MEASURE
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.packed import crc16, unstuff
from vehiclesim.entries import STANDARD, Entries

_LEAST: Final = 3
"""[byte] Type and CRC."""


class BoardSource(PacketSource):
    """The samples of the measures of one board."""

    def __init__(
        self, settings: BoardInput, measures: Sequence[str], place: KeyPath = (), entries: Entries = STANDARD
    ) -> None:
        """`measures`: those of the board, in their order. ConfigurationError: see PacketSource and Measurements."""
        super().__init__(
            f"board {settings.board}", settings, lambda fields: Measurements(fields, measures), place, entries
        )


class Measurements:
    """The measures of one board, in the order of the bench file: 32 bits each; other packets are meant for others.

    ConfigurationError: the board has no such measure.
    """

    ends = b"\0"

    def __init__(self, fields: Sequence[str], measures: Sequence[str]) -> None:
        for field in fields:
            if field not in measures:
                raise unknown("measure", field, measures, ())
        self._places: Final = [measures.index(field) for field in fields]
        self._layout: Final = struct.Struct(f"<{len(measures)}I")

    def decode(self, packet: bytes) -> Readings | None:
        """Return the readings of the wanted measures."""
        content = unstuff(packet)
        if content is None or len(content) < _LEAST:
            raise Refused(INCOMPLETE, shown(packet))
        if crc16(content[:-2]) != int.from_bytes(content[-2:], "little"):
            raise Refused(CHECKSUM, shown(packet))
        if content[0] != MEASURE:
            return None
        if len(content) != _LEAST + self._layout.size:
            raise Refused(INCOMPLETE, f"a packet of {len(content)} bytes")
        numbers = self._layout.unpack_from(content, 1)
        return [float(numbers[place]) for place in self._places]
