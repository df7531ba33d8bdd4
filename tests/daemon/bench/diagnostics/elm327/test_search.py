"""The automatic protocol search: its result, its output, the stored protocol, and its failure."""

import pytest

from hilbridge.frames.codec.frame import Frame
from vehiclesim.channels import InputData

from .scan_tool import Car, ScanTool


@pytest.mark.parametrize(
    ("extended", "bitrate", "number"),
    [(False, 500_000, "A6"), (True, 500_000, "A7"), (False, 250_000, "A8"), (True, 250_000, "A9")],
)
def test_each_can_protocol_is_found(extended: bool, bitrate: int, number: str) -> None:
    """The request follows the search, and its answers are shown once."""
    car = Car(extended, bitrate)
    tool = ScanTool(car, "ATE0", "ATSP0")
    assert tool.ask("0100") == ["SEARCHING...", "41 00 BE 3F A8 13", "41 00 80 00 00 00"]
    assert tool.ask("ATDPN") == [number]
    assert tool.ask("0105") == ["41 05 7B"]


def test_a_found_protocol_is_searched_for_first_next_time(car: Car) -> None:
    tool = ScanTool(car, "ATE0", "ATSP0")
    tool.ask("0100")
    tool.ask("ATPC")
    car.frames.clear()
    assert tool.ask("010C")[0] == "SEARCHING..."
    assert car.frames[0].can_id == 0x7DF
    tool.ask("ATD")
    assert tool.transcript("ATDPN").endswith("A6\r\r>")


def test_a_car_that_is_off_cannot_be_connected_to(car: Car) -> None:
    """And can when it is on; until then every request searches."""
    car.data.input[InputData.KEY] = -1
    tool = ScanTool(car, "ATE0", "ATSP0")
    assert tool.ask("0100") == ["SEARCHING...", "UNABLE TO CONNECT"]
    assert tool.ask("ATDPN") == ["A0"]
    car.data.input[InputData.KEY] = 0
    assert tool.ask("0105") == ["SEARCHING...", "41 05 7B"]


def test_a_protocol_that_does_not_work_is_left_when_automatic(car: Car) -> None:
    tool = ScanTool(car, "ATE0", "ATSPA7")
    assert tool.ask("0105") == ["SEARCHING...", "41 05 7B"]
    assert tool.ask("ATDPN") == ["A6"]


def test_a_search_that_is_stopped_leaves_the_protocol_as_it_was(car: Car) -> None:
    tool = ScanTool(car, "ATE0", "ATSPA7")
    tool.type("0105\r")
    car.tick()
    tool.type("x")
    assert tool.read() == "SEARCHING...\rSTOPPED\r\r>"
    assert tool.ask("ATDPN") == ["A7"]


def test_a_bus_out_of_order_cannot_be_connected_to(car: Car) -> None:
    car.usable = False
    tool = ScanTool(car, "ATE0", "ATSP0")
    assert tool.transcript("0100") == "SEARCHING...\rUNABLE TO CONNECT\r\r>"


def test_a_request_with_a_header_of_its_own_is_searched_for_with_that_of_obd(car: Car) -> None:
    tool = ScanTool(car, "ATE0", "ATSP0", "ATSH7E1")
    assert tool.ask("0100") == ["SEARCHING...", "41 00 80 00 00 00"]
    assert [frame.can_id for frame in car.frames if frame.can_id < 0x7E8] == [0x7DF, 0x7E1]


def test_a_search_ends_also_on_a_bus_where_another_tester_never_stops_asking(car: Car) -> None:
    """The request goes out 50 ms (P2) after the first answer to the probe, though others' answers come every 20 ms."""
    tool = ScanTool(car, "ATE0", "ATSP0")
    tool.type("010C\r")
    for tick in range(100):
        if tick % 20 == 10:
            car.bus.transmit(Frame(0x7DF, bytes.fromhex("0201050000000000")), None)
        car.tick()
    asked = [frame.data[:3].hex() for frame in car.frames if frame.can_id == 0x7DF]
    assert asked.count("020105") == 5
    assert asked.count("02010c") == 1
