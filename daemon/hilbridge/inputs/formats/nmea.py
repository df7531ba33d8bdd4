"""Sentences in the manner of NMEA 0183: `$HB,512,1*hh`.

hh is the exclusive or of the bytes between `$` and `*`, in two hexadecimal digits; it is required. Sentences whose
first word is another one are meant for others.
"""

import re
from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Final

from hilbridge.inputs.formats.columns import Columns
from hilbridge.inputs.formats.format import CHECKSUM, LINE_ENDS, Readings, Refused, shown
from hilbridge.inputs.signal_conditioner import GARBAGE

_CHECKSUM: Final = re.compile(rb"\*[0-9A-Fa-f]{2}")
_CHECKSUM_LENGTH: Final = 3


class Sentences:
    """The columns behind the word `address`."""

    ends = LINE_ENDS

    def __init__(self, fields: Sequence[str], columns: Sequence[str], address: str) -> None:
        self._address: Final = address.encode()
        self._columns: Final = Columns(fields, columns)

    def decode(self, packet: bytes) -> Readings | None:
        """What stands before the `$` is the rest of a sentence that lost its end."""
        sentence = packet[packet.rfind(b"$") + 1 :]
        body, checksum = sentence[:-_CHECKSUM_LENGTH], sentence[-_CHECKSUM_LENGTH:]
        if b"$" not in packet or not _CHECKSUM.fullmatch(checksum):
            raise Refused(GARBAGE, f"{shown(packet)} is no sentence $...*hh")
        if int(checksum[1:], 16) != reduce(xor, body, 0):
            raise Refused(CHECKSUM, shown(packet))
        address, _, cells = body.partition(b",")
        return self._columns.decode(cells) if address == self._address else None
