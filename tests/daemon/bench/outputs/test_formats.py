"""Packets that go out; the standard library and the packages cobs and crccheck read them."""

import csv
import json
import math
import struct
from typing import Any

import pytest
from cobs import cobs  # type: ignore[import-untyped]
from crccheck.crc import Crc16Ibm3740, Crc32  # type: ignore[import-untyped]

from hilbridge.bench.outputs.formats import FORMATS
from hilbridge.files.settings.inputs import BinaryField
from hilbridge.files.settings.outputs import OutputSettings

LAYOUT = [
    BinaryField(name="kmh", type="i16", byte_order="big"),
    BinaryField(name="rpm", type="u16", offset=3),
    BinaryField(name="lambda", type="f32"),
]
VALUES = {"rpm": "vehicle.EngineRpm", "kmh": "vehicle.Speed", "lambda": "vehicle.EngineLoad"}


def encode(*values: float, **keys: Any) -> bytes:
    """The packet of rpm, kmh and lambda, with 0, 1 and 3 decimals."""
    settings = OutputSettings.model_validate({"port": "pty", "values": VALUES} | keys)
    return FORMATS[settings.format](settings, (0, 1, 3)).encode(values)


def test_text_has_the_decimals_of_each_value() -> None:
    assert encode(812.4, -3.26, 0.98) == b"rpm=812 kmh=-3.3 lambda=0.980\r\n"
    assert next(csv.reader([encode(812, 0, 1, format="csv").decode()])) == ["812", "0.0", "1.000"]
    assert json.loads(encode(812, 1e7, 1, format="json")) == {"rpm": 812, "kmh": 1e7, "lambda": 1}


def test_what_is_not_available_is_no_number() -> None:
    """An empty column keeps the others in their places; a pair is left out, as a reader keeps what it had."""
    assert encode(math.nan, 50, math.nan) == b"kmh=50.0\r\n"
    assert encode(math.nan, 50, 1, format="csv") == b",50.0,1.000\r\n"
    assert json.loads(encode(math.nan, 50, 1, format="json")) == {"rpm": None, "kmh": 50, "lambda": 1}


def test_an_nmea_sentence_has_its_checksum() -> None:
    """NMEA 0183: the exclusive or of what stands between $ and *."""
    sentence = encode(812, 0, 1, format="nmea", sentence="DASH")
    body = b"DASH,812,0.0,1.000"
    checksum = 0
    for byte in body:
        checksum ^= byte
    assert sentence == b"$%b*%02X\r\n" % (body, checksum)


@pytest.mark.parametrize(("crc", "calculation", "size"), [("crc16", Crc16Ibm3740, 2), ("crc32", Crc32, 4)])
@pytest.mark.parametrize("order", ["little", "big"])
def test_a_cobs_frame_has_fields_and_crc(crc: str, calculation: Any, size: int, order: str) -> None:
    packet = encode(6200, -13, 0.5, format="cobs", fields=LAYOUT, crc=crc, crc_byte_order=order)
    assert packet.endswith(b"\0")
    frame = cobs.decode(packet[:-1])
    data = struct.pack(">h", -13) + b"\0" + struct.pack("<Hf", 6200, 0.5)
    assert frame == data + calculation.calc(data).to_bytes(size, order)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((70_000, 40_000, 1e300), (65535, 32767, 3.4028234663852886e38)),
        ((-1, -40_000, -1e300), (0, -32768, -3.4028234663852886e38)),
        ((812.6, 49.5, 0.25), (813, 50, 0.25)),
    ],
)
def test_numbers_are_rounded_and_held_at_the_ends_of_their_fields(
    values: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    packet = encode(*values, format="binary", head="A5 5a", fields=LAYOUT)
    assert packet[:2] == b"\xa5\x5a"
    (kmh,), (rpm, share) = struct.unpack_from(">h", packet, 2), struct.unpack_from("<Hf", packet, 5)
    assert (rpm, kmh, share) == expected


def test_not_available_in_a_field() -> None:
    """All ones, the lowest number with a sign, not a number."""
    packet = encode(math.nan, math.nan, math.nan, format="binary", fields=LAYOUT)
    assert packet[:5] == b"\x80\x00\x00\xff\xff"
    assert math.isnan(struct.unpack_from("<f", packet, 5)[0])


def test_an_ardu_stim_hears_f_and_the_speed() -> None:
    """As its own program sends it: 'f', then the rpm as writeInt16LE (speeduino/Ardu-Stim, UI/renderer.js)."""
    settings = OutputSettings.model_validate(
        {"port": "pty", "format": "ardustim", "values": {"rpm": "vehicle.EngineRpm"}}
    )
    assert FORMATS["ardustim"](settings, (0,)).encode([3000]) == b"f\xb8\x0b"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"format": "binary"}, "needs 'fields'"),
        ({"format": "csv", "head": "A5"}, "belongs to 'format: binary'"),
        ({"format": "cobs", "fields": LAYOUT[:2]}, "unknown field 'lambda'"),
        ({"format": "cobs", "fields": [*LAYOUT, BinaryField(name="oil", type="u8")]}, "field 'oil' has no value"),
        ({"format": "ardustim"}, "unknown field 'kmh'"),
    ],
)
def test_keys_and_fields_fit_the_format(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        encode(1, 2, 3, **keys)
