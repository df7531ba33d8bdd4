"""Formats of the packets that go out: text as serial inputs read it, and binary frames.

A format turns the values of the bench file, in their order and NaN where one is not available, into a packet with its
end. To add one: its class and a row of the table at the end of this file, and its name in files/settings/outputs.py.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import xor
from typing import Final, Protocol

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.outputs import OutputSettings
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.packed import CRCS, TYPES, structs, stuff

LINE_END: Final = b"\r\n"

_LARGEST_FLOAT: Final = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]


class OutputFormat(Protocol):
    """A way to write values."""

    def encode(self, values: Sequence[float]) -> bytes:
        """Return the packet of these values."""


class _Text:
    """Numbers as text, each with its decimals."""

    def __init__(self, settings: OutputSettings, decimals: Sequence[int]) -> None:
        del settings
        self._formats: Final = [f"%.{count}f" for count in decimals]

    def _texts(self, values: Sequence[float]) -> list[str]:
        """Return the numbers; an empty text for one that is not available."""
        return [pattern % value if value == value else "" for pattern, value in zip(self._formats, values, strict=True)]


class Pairs(_Text):
    """`rpm=812 kmh=0.00`."""

    def __init__(self, settings: OutputSettings, decimals: Sequence[int]) -> None:
        super().__init__(settings, decimals)
        self._names: Final = list(settings.values)

    def encode(self, values: Sequence[float]) -> bytes:
        texts = zip(self._names, self._texts(values), strict=True)
        return " ".join([f"{name}={text}" for name, text in texts if text]).encode() + LINE_END


class Columns(_Text):
    """`812,0.00`."""

    def encode(self, values: Sequence[float]) -> bytes:
        return ",".join(self._texts(values)).encode() + LINE_END


class NmeaSentences(_Text):
    """`$HB,812,0.00*hh`; hh is the exclusive or of the bytes between `$` and `*`."""

    def __init__(self, settings: OutputSettings, decimals: Sequence[int]) -> None:
        super().__init__(settings, decimals)
        self._address: Final = settings.sentence

    def encode(self, values: Sequence[float]) -> bytes:
        body = ",".join([self._address, *self._texts(values)]).encode()
        return b"$%b*%02X" % (body, reduce(xor, body, 0)) + LINE_END


class JsonLines(_Text):
    """`{"rpm": 812, "kmh": 0.00}`; null is a value that is not available."""

    def __init__(self, settings: OutputSettings, decimals: Sequence[int]) -> None:
        super().__init__(settings, decimals)
        self._names: Final = [json.dumps(name) for name in settings.values]

    def encode(self, values: Sequence[float]) -> bytes:
        texts = zip(self._names, self._texts(values), strict=True)
        return ("{" + ", ".join([f"{name}: {text or 'null'}" for name, text in texts]) + "}").encode() + LINE_END


class Fields:
    """Numbers at fixed places behind the bytes of a head; bytes without a field are 0.

    ConfigurationError: a value without a field, or a field without a value.
    """

    def __init__(self, settings: OutputSettings, decimals: Sequence[int]) -> None:
        del decimals
        layout = settings.layout
        places, length = structs(layout.fields)
        kinds = {field.name.lower(): field.type for field in layout.fields}
        values = [name.lower() for name in settings.values]
        for name in settings.values:
            if name.lower() not in places:
                raise unknown("field", name, [field.name for field in layout.fields], ("values", name))
        if missing := [field.name for field in layout.fields if field.name.lower() not in values]:
            raise ConfigurationError(f"field {missing[0]!r} has no value", ("values",))
        head = bytes.fromhex(layout.head)
        self._packet: Final = bytearray(head + bytes(length))
        self._fields: Final = [(places[name][0], len(head) + places[name][1], *_limits(kinds[name])) for name in values]

    def encode(self, values: Sequence[float]) -> bytes:
        packet = self._packet
        for (layout, offset, lowest, highest, missing, convert), value in zip(self._fields, values, strict=True):
            number = min(max(value, lowest), highest) if value == value else missing
            layout.pack_into(packet, offset, convert(number))
        return bytes(packet)


class CobsFrames(Fields):
    """The fields, their CRC, coded by COBS, and a 0."""

    def __init__(self, settings: OutputSettings, decimals: Sequence[int]) -> None:
        super().__init__(settings, decimals)
        self._crc_length, self._crc = CRCS[settings.crc]
        self._big: Final = settings.crc_byte_order == "big"

    def encode(self, values: Sequence[float]) -> bytes:
        data = super().encode(values)
        return stuff(data + self._crc(data).to_bytes(self._crc_length, "big" if self._big else "little")) + b"\0"


def _limits(kind: str) -> tuple[float, float, float, Callable[[float], float]]:
    """Return lowest and highest number of a type, that for "not available", and what makes a number of the type."""
    if kind == "f32":
        return -_LARGEST_FLOAT, _LARGEST_FLOAT, float("nan"), float
    bits = 8 * struct.calcsize(f"<{TYPES[kind]}")
    if kind.startswith("u"):
        return 0, (1 << bits) - 1, (1 << bits) - 1, round
    return -(1 << bits - 1), (1 << bits - 1) - 1, -(1 << bits - 1), round


FORMATS: Final[Mapping[str, Callable[[OutputSettings, Sequence[int]], OutputFormat]]] = {
    "pairs": Pairs,
    "csv": Columns,
    "nmea": NmeaSentences,
    "json": JsonLines,
    "cobs": CobsFrames,
    "binary": Fields,
    "ardustim": Fields,
}
"""The formats by the names of the bench file."""
