"""Packets of the board protocol (docs/board-protocol.md): a type, its facts and a CRC, coded by COBS, ended by a 0."""

from typing import Final

from hilbridge.files.settings.boards import BoardChannel
from hilbridge.frames.codec.packed import crc16, stuff, unstuff

VERSION: Final = 1
HELLO, SETUP, VALUES, ENGINE, MEASURE, STATUS, WATCHDOG = range(1, 8)
"""Types of packets."""

_SCALES: Final = {"pwm": 65535, "analog": 65535, "resistance": 65535, "frequency": 1000}
_HIGHEST: Final = {"digital": 1, "pwm": 65535, "analog": 65535, "resistance": 65535, "stepper": 100_000}

_LEAST: Final = 3
"""[byte] Type and CRC."""


def packet(kind: int, facts: bytes) -> bytes:
    """Return a packet with its end."""
    content = bytes([kind]) + facts
    return stuff(content + crc16(content).to_bytes(2, "little")) + b"\0"


def read_packet(coded: bytes) -> bytes | None:
    """Return type and facts of a packet without its end; None where it is damaged."""
    content = unstuff(coded)
    if content is None or len(content) < _LEAST or crc16(content[:-2]) != int.from_bytes(content[-2:], "little"):
        return None
    return content[:-2]


def number_of(channel: BoardChannel, value: float) -> int:
    """Return what a channel is told for a value in its kind's unit."""
    if channel.kind == "digital":
        return int(value != 0)
    number = value * _SCALES.get(channel.kind, 1)
    highest = channel.steps if channel.kind == "stepper" else _HIGHEST.get(channel.kind, 0x7FFFFFFF)
    return round(min(max(number, 0), highest))
