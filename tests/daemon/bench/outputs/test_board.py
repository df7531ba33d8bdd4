"""The daemon's side of the board protocol; with a board: tests/clients/test_board.py."""

import itertools
import struct
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
from vehiclesim.channels import VEHICLE, InputData, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES

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


class Line:
    """A line that keeps what goes out, taken apart by cobs and crccheck; the bytes are of docs/board-protocol.md."""

    is_open = True

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.takes = True

    def write(self, packet: bytes, t: int) -> bool:
        if self.takes:
            assert packet.endswith(b"\0")
            content = cobs.decode(packet[:-1])
            assert Crc16Ibm3740.calc(content[:-2]) == int.from_bytes(content[-2:], "little")
            self.sent.append(content[:-2])
        return self.takes

    def taken(self) -> list[bytes]:
        sent, self.sent = self.sent, []
        return sent


def of_the_board(*content: int) -> bytes:
    data = bytes(content)
    coded: bytes = cobs.encode(data + Crc16Ibm3740.calc(data).to_bytes(2, "little"))
    return coded + b"\0"


EVERY_KIND: dict[str, Any] = {
    "lamp": {"kind": "digital", "pin": 2, "value": "input.Throttle", "safe": 1},
    "fan": {"kind": "pwm", "pin": 3, "value": "input.Throttle", "safe": 0.5},
    "pedal": {"kind": "analog", "pin": 4, "value": "input.Throttle"},
    "tank": {"kind": "resistance", "pin": 5, "value": {"expression": "2 * input.Throttle"}},
    "speed": {"kind": "frequency", "pin": 6, "value": {"expression": "100 * input.Throttle"}},
    "needle": {"kind": "stepper", "pin": 7, "value": {"expression": "3000 * input.Throttle"}, "speed": 250},
    "crank": {"kind": "wheel", "pin": 8, "pattern": "110010", "per": "cycle"},
}
MEASURES: dict[str, Any] = {
    "in": {"kind": "width", "pin": 9},
    "out": {"kind": "period", "pin": 10},
    "sensor": {"kind": "voltage", "pin": 11},
    "door": {"kind": "switch", "pin": 12},
}
GREETED = of_the_board(1, 1, 7, 4, 2)


def desk() -> tuple[Board, DataBus, Line]:
    settings = BoardSettings.model_validate(
        {"port": "pty", "channels": EVERY_KIND, "measures": MEASURES, "watchdog": 300, "period": 10}
    )
    return Board("desk", settings, MILLISECOND, ()), DataBus(), Line()


def said(board: Board, data: DataBus, line: Line, ticks: range) -> list[bytes]:
    for tick in ticks:
        board.publish(data.channels, line, tick * MILLISECOND)
    return line.taken()


def test_a_board_is_greeted_twice_a_second_until_it_answers_and_set_up_in_order() -> None:
    board, data, line = desk()
    assert board.trouble == ""
    assert said(board, data, line, range(1001)) == [b"\1\1"] * 3
    assert board.statistics.greeted == 3
    board.hear(GREETED, 1001 * MILLISECOND)
    setup = said(board, data, line, range(1001, 1013))
    assert setup[0] == struct.pack("<BH", 7, 300)
    assert setup[1:] == [
        struct.pack("<BBBBiII", 2, 0, 1, 2, 1, 0, 0),
        struct.pack("<BBBBiII", 2, 1, 2, 3, 32768, 0, 0),
        struct.pack("<BBBBiII", 2, 2, 3, 4, 0, 0, 0),
        struct.pack("<BBBBiII", 2, 3, 4, 5, 0, 0, 0),
        struct.pack("<BBBBiII", 2, 4, 5, 6, 0, 0, 0),
        struct.pack("<BBBBiII", 2, 5, 6, 7, 0, 945, 250),
        struct.pack("<BBBBiII", 2, 6, 7, 8, 0, 1, 6) + bytes([0b010011]),
        struct.pack("<BBBBiII", 2, 0, 16, 9, 0, 0, 0),
        struct.pack("<BBBBiII", 2, 1, 17, 10, 0, 0, 0),
        struct.pack("<BBBBiII", 2, 2, 18, 11, 0, 0, 0),
        struct.pack("<BBBBiII", 2, 3, 19, 12, 0, 0, 0),
    ]
    data.channels[0][InputData.THROTTLE] = round(0.75 * ENTRIES[0][InputData.THROTTLE].resolution)
    values = [one for one in said(board, data, line, range(1013, 1541)) if one[0] == 3]
    assert len(values) == 54  # at once, then every 10 ms
    assert struct.unpack("<B7i", values[-1]) == (3, 1, 49151, 49151, 65535, 75000, 945, 0)


def test_the_angle_is_the_integral_of_the_speed() -> None:
    """1000 rpm: a cycle of two turns in 120 ms, which are 2^32; the speed is 139,810,133 by the protocol's page."""
    board, data, line = desk()
    data.channels[VEHICLE][VehicleData.ENGINE_RPM] = round(1000 * ENTRIES[VEHICLE][VehicleData.ENGINE_RPM].resolution)
    board.hear(GREETED, 0)
    packets = [struct.unpack("<BIII", one) for one in said(board, data, line, range(241)) if one[0] == 4]
    assert {one[3] for one in packets} == {139_810_133}
    for (_, time, angle, _), (_, later, after, _) in itertools.pairwise(packets[1:]):
        assert later - time == 20_000
        assert (after - angle) % 2**32 == pytest.approx(2**32 / 12, abs=2)


def test_what_a_board_says_of_itself_is_judged() -> None:
    board, data, line = desk()
    board.hear(of_the_board(1, 2, 7, 4, 2), 0)
    assert board.trouble == "the board speaks version 2 of the protocol, not 1"
    board.hear(of_the_board(1, 1, 6, 4, 2), 0)
    assert board.trouble == "the board has 6 channels, 4 measures, 2 frequencies and wheels"
    board.hear(of_the_board(1, 1, 7, 4, 1), 0)
    assert board.trouble == "the board has 7 channels, 4 measures, 1 frequencies and wheels"
    assert said(board, data, line, range(2)) == [b"\1\1"]
    board.hear(GREETED, 2 * MILLISECOND)
    said(board, data, line, range(2, 600))
    board.hear(of_the_board(6, 1, 7, 4, 0, 0), 600 * MILLISECOND)
    assert board.trouble == "the board's outputs are safe: it hears nothing"
    board.hear(of_the_board(6, 0, 7, 4, 0, 0), 601 * MILLISECOND)
    assert board.trouble == ""
    board.hear(of_the_board(6, 0, 5, 4, 0, 0), 602 * MILLISECOND)
    assert board.trouble == "the board has set up 5 of 7 channels"
    board.hear(of_the_board(6, 0, 7, 4, 0, 0), 603 * MILLISECOND)
    said(board, data, line, range(603, 1700))
    assert board.trouble == "the board does not answer"
    assert said(board, data, line, range(1700, 2300))[0] == b"\1\1"


def test_a_line_that_is_full_loses_no_part_of_the_setup() -> None:
    board, data, line = desk()
    board.hear(GREETED, 0)
    line.takes = False
    assert said(board, data, line, range(5)) == []
    line.takes = True
    assert said(board, data, line, range(5, 7))[0] == struct.pack("<BH", 7, 300)


def test_a_board_that_is_not_armed_hears_nothing() -> None:
    board, data, line = desk()
    board.hear(GREETED, 0)
    board.armed = False
    assert said(board, data, line, range(100)) == []
    assert board.statistics.unarmed == 10
