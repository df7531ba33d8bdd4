"""The daemon's side of the board protocol; with a board: tests/clients/test_board.py."""

from typing import Any

import pytest
from cobs import cobs  # type: ignore[import-untyped]
from crccheck.crc import Crc16Ibm3740  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.outputs.board import Board
from hilbridge.files.settings.boards import BoardSettings
from vehiclesim.databus import DataBus

WHEELS = {"crank": {"kind": "wheel", "pin": 6}}


class Sink:
    """Takes every packet, of a size that a board can take: 66 bytes, and what COBS adds."""

    is_open = True

    def write(self, packet: bytes, t: int) -> bool:
        assert len(packet) <= 68
        return True


@given(st.lists(st.binary(max_size=300), max_size=8))
def test_nothing_a_board_says_raises_or_grows(data: list[bytes]) -> None:
    daemon = Board("desk", BoardSettings.model_validate({"port": "pty", "channels": WHEELS}), MILLISECOND, ())
    for number, one in enumerate(data):
        daemon.hear(one, number)
    assert len(daemon._rest) <= 129


@given(st.integers(1, 7), st.binary(max_size=60))
def test_no_sound_packet_with_any_content_raises(kind: int, facts: bytes) -> None:
    daemon = Board("desk", BoardSettings.model_validate({"port": "pty", "channels": WHEELS}), MILLISECOND, ())
    content = bytes([kind]) + facts
    daemon.hear(cobs.encode(content + Crc16Ibm3740.calc(content).to_bytes(2, "little")) + b"\0", 0)
    daemon.publish(DataBus().channels, Sink(), MILLISECOND)


@pytest.mark.parametrize(
    ("channel", "place", "message"),
    [
        ({"kind": "wheel", "pin": 6, "pattern": "60-4"}, ("pattern",), "none of 60-2"),
        ({"kind": "wheel", "pin": 6, "pattern": [128, 2]}, ("pattern",), "260 levels"),
        ({"kind": "wheel", "pin": 6, "missing": [59]}, ("missing",), "has 58"),
        ({"kind": "wheel", "pin": 6, "offset": 4}, ("offset",), "the nearest is 3"),
        ({"kind": "pwm", "pin": 6, "value": "vehicle.Rpm"}, ("value", "from"), "unknown data bus entry"),
    ],
)
def test_errors_have_their_place(channel: dict[str, Any], place: tuple[str, ...], message: str) -> None:
    settings = BoardSettings.model_validate({"port": "pty", "channels": {"one": channel}})
    with pytest.raises(ConfigurationError, match=message) as error:
        Board("desk", settings, MILLISECOND, ("boards", "desk"))
    assert error.value.place == ("boards", "desk", "channels", "one", *place)
