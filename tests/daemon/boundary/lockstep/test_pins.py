"""The pins of a client as the bench's side of the board protocol sees them (docs/board-protocol.md)."""

import struct
from typing import Final

import pytest
from cobs import cobs  # type: ignore[import-untyped]
from crccheck.crc import Crc16Ibm3740  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.lockstep.lines import LineError
from hilbridge.boundary.lockstep.pins import Pins
from hilbridge.files.settings.boards import BoardSettings

SETTINGS: Final = BoardSettings.model_validate(
    {
        "port": "lockstep",
        "watchdog": 100,
        "channels": {
            "key": {"kind": "digital", "pin": 1, "value": "input.Key"},
            "pedal": {"kind": "pwm", "pin": 2, "value": "input.Throttle", "safe": 1},
        },
        "measures": {"lamp": {"kind": "switch", "pin": 3}, "valve": {"kind": "width", "pin": 4}},
    }
)


def packet(content: bytes) -> bytes:
    coded: bytes = cobs.encode(content + Crc16Ibm3740.calc(content).to_bytes(2, "little"))
    return coded + b"\0"


def said(data: bytes) -> list[bytes]:
    """Return what a board has said, without CRC."""
    return [cobs.decode(one)[:-2] for one in data.split(b"\0") if one]


def test_it_answers_the_greeting_and_reports_what_is_set_up() -> None:
    pins = Pins("wires", SETTINGS)
    pins.board.write(packet(b"\1\1"), 0)
    hello, status = said(pins.board.poll(MILLISECOND))
    assert hello == bytes([1, 1, 2, 2, 2])
    assert status == struct.pack("<BBBBH", 6, 0, 0, 0, 0)
    for number, kind in ((0, 1), (1, 2), (0, 19), (1, 16)):
        pins.board.write(packet(struct.pack("<BBBBiII", 2, number, kind, 5, 0, 0, 0)), 2 * MILLISECOND)
    assert said(pins.board.poll(3 * MILLISECOND)) == []
    assert said(pins.board.poll(21 * MILLISECOND)) == [struct.pack("<BBBBH", 6, 0, 2, 2, 0)]


def test_what_the_client_reads_is_told_once_and_is_safe_after_a_long_silence() -> None:
    pins = Pins("wires", SETTINGS)
    assert list(pins.greeting()) == [b"read key 0\n", b"read pedal 65535\n", b"drive lamp 0\n", b"drive valve 0\n"]
    assert list(pins.news(0)) == []
    pins.board.write(packet(struct.pack("<Bii", 3, 1, 32768)), 5 * MILLISECOND)
    assert list(pins.news(6 * MILLISECOND)) == [b"read key 1\n", b"read pedal 32768\n"]
    assert list(pins.news(105 * MILLISECOND)) == []
    assert list(pins.news(106 * MILLISECOND)) == [b"read key 0\n", b"read pedal 65535\n"]


def test_what_it_drives_is_measured_at_once_and_each_20_ms() -> None:
    pins = Pins("wires", SETTINGS)
    pins.drive("valve", 1500)
    data = pins.input.poll(0)
    assert data[:1] == b"\0"  # a reader drops what comes before the first end
    assert said(data) == [struct.pack("<BII", 5, 0, 1500)]
    assert pins.input.poll(MILLISECOND) == b""
    pins.drive("lamp", 1)
    assert said(pins.input.poll(2 * MILLISECOND)) == [struct.pack("<BII", 5, 1, 1500)]
    assert pins.input.poll(21 * MILLISECOND) == b""
    assert said(pins.input.poll(22 * MILLISECOND)) == [struct.pack("<BII", 5, 1, 1500)]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("key", 1, "does not measure"), ("x", 1, "does not measure"), ("lamp", 2, "beyond a switch"),
     ("valve", 1 << 31, "beyond a width")],
)  # fmt: skip
def test_a_wrong_pin_or_number_is_told(name: str, value: int, words: str) -> None:
    with pytest.raises(LineError, match=words):
        Pins("wires", SETTINGS).drive(name, value)


@given(st.binary(max_size=80))
def test_damaged_packets_change_nothing(data: bytes) -> None:
    pins = Pins("wires", SETTINGS)
    before = list(pins.greeting())
    pins.board.write(data, 0)
    assert list(pins.news(0)) == []
    assert list(pins.greeting()) == before
