"""Bytes of a serial port, in pieces of any size, in every format: samples, or counted as what they are not."""

from typing import Any

from hilbridge.bench.inputs.serial_line import SerialLineSource
from hilbridge.files.settings import SerialInput

_FORMATS: list[dict[str, Any]] = [
    {"format": "pairs"},
    {"format": "json"},
    {"format": "csv", "columns": ["throttle", "brake", "key"]},
    {"format": "nmea", "sentence": "HB", "columns": ["throttle", "brake", "key"]},
    {"format": "cobs", "fields": [{"name": name, "type": "f32"} for name in ("throttle", "brake", "key")]},
    {
        "format": "cobs",
        "crc": "crc32",
        "fields": [
            {"name": name, "type": kind} for name, kind in (("throttle", "u16"), ("brake", "i8"), ("key", "i32"))
        ],
    },
]
_SIGNALS = {
    "Throttle": {"field": "throttle", "minimum": 0, "maximum": 1023, "dead_zone": 0.02, "smoothing": 10},
    "Brake": {"field": "brake", "minimum": 900, "maximum": 80, "gamma": 2},
    "Key": {"field": "key"},
}
_SOURCES = [
    SerialLineSource(SerialInput.model_validate({"source": "serial", "port": "pty", "signals": _SIGNALS, **each}))
    for each in _FORMATS
]
SEEDS = [
    b"\x00\x09throttle=512 key=1\n",
    b'\x01\x05{"throttle": 512, "key": 1}\r\n',
    b"\x02\x03512,0,1\n",
    b"\x03\x20$HB,512,0,1*63\r\n",
    b"\x04\x08\x01\x01\x02\x44\x01\x01\x01\x01\x03\x12\x34\x00",
]


def one_input(data: bytes) -> None:
    if len(data) > 2:
        source, size = _SOURCES[data[0] % len(_SOURCES)], data[1] + 1
        source.feed(b"", 0, "unplugged")
        source.feed(b"", 0)
        for number, start in enumerate(range(2, len(data), size)):
            source.feed(data[start : start + size], number)
