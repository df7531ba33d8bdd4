"""What a board measures moves controls; the packages cobs and crccheck write its packets."""

import struct

import pytest
from cobs import cobs  # type: ignore[import-untyped]
from crccheck.crc import Crc16Ibm3740  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.board import BoardSource
from hilbridge.files.settings import BoardInput

MEASURES = ["pedal", "injection"]
SIGNALS = {
    "Throttle": {"field": "pedal", "minimum": 0, "maximum": 50_000},
    "request.EngineTorqueLimit": {"field": "injection", "scale": 0.02, "offset": -30},
}


def source(**signals: object) -> BoardSource:
    settings = {"source": "board", "board": "stand", "signals": signals or SIGNALS}
    return BoardSource(BoardInput.model_validate(settings), MEASURES, ("inputs", 0))


def packet(kind: int, facts: bytes) -> bytes:
    content = bytes([kind]) + facts
    return bytes(cobs.encode(content + Crc16Ibm3740.calc(content).to_bytes(2, "little"))) + b"\0"


def measured(pedal: int, injection: int) -> bytes:
    return packet(5, struct.pack("<II", pedal, injection))


def values(one: BoardSource) -> list[float]:
    return [binding.control.to_value(value) for binding, value in zip(one.bindings, one.values, strict=True)]


def test_measures_become_values_of_controls() -> None:
    """Half of the travel; 6 ms of injection are 6000 * 0.02 - 30 Nm. What is meant for others has no effect."""
    one = source()
    one.feed(b"\0" + measured(25_000, 6000) + packet(6, bytes(5)) + packet(1, bytes(4)), 1)
    assert values(one) == [0.5, 90.0]
    assert one.status().accepted == 1
    assert not any(one.status().rejected.values())


def test_a_damaged_packet_does_not_count() -> None:
    one = source()
    damaged = bytearray(measured(25_000, 6000))
    damaged[3] ^= 1
    one.feed(b"\0" + bytes(damaged) + packet(5, bytes(4)), 1)
    assert one.status().accepted == 0
    assert sum(one.status().rejected.values()) == 2


def test_a_measure_that_the_board_lacks_is_refused_at_its_signal() -> None:
    with pytest.raises(ConfigurationError, match="unknown measure 'ignition'") as error:
        source(**{"request.EngineTorque": {"field": "ignition"}})
    assert error.value.place == ("inputs", 0, "signals", "request.EngineTorque")


@given(st.lists(st.binary(max_size=80)))
def test_no_bytes_raise(data: list[bytes]) -> None:
    one = source()
    for number, part in enumerate(data):
        one.feed(part, number)
