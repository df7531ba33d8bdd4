"""What an ELM327 keeps: programmable parameters, identifier, byte, calibration. Source: ELM327 data sheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.diagnostics.elm327.chip import ProgrammableParameters
from hilbridge.bench.diagnostics.elm327.protocols import CanProtocol, DataFormat
from hilbridge.bench.diagnostics.elm327.session import Setup

from .scan_tool import Car, ScanTool

DELIVERED = [
    "00:FF F  01:FF F  02:FF F  03:32 F",
    "04:01 F  05:FF F  06:F1 F  07:09 F",
    "08:FF F  09:00 F  0A:0A F  0B:FF F",
    "0C:68 F  0D:0D F  0E:9A F  0F:D5 F",
    "10:0D F  11:00 F  12:FF F  13:32 F",
    "14:50 F  15:0A F  16:FF F  17:6D F",
    "18:00 F  19:62 F  1A:FF F  1B:FF F",
    "1C:03 F  1D:0F F  1E:FF F  1F:FF F",
    "20:FF F  21:FF F  22:FF F  23:FF F",
    "24:00 F  25:00 F  26:00 F  27:FF F",
    "28:FF F  29:FF F  2A:38 F  2B:02 F",
    "2C:E0 F  2D:04 F  2E:80 F  2F:0A F",
]


def test_the_parameters_as_delivered_make_the_chip_of_the_data_sheet(tool: ScanTool) -> None:
    assert tool.ask("ATPPS") == DELIVERED
    assert ProgrammableParameters().setup() == Setup()


def test_a_parameter_is_set_then_switched_on_and_in_force_after_a_reset(tool: ScanTool) -> None:
    """The example of the data sheet: headers on by default. PP FF switches all."""
    assert tool.ask("ATPP 01 SV 00") == ["OK"]
    assert tool.ask("ATD") == ["OK"]
    tool.ask("ATE0")
    assert tool.ask("0105") == ["41 05 7B"]
    assert tool.ask("ATPP 01 ON") == ["OK"]
    assert tool.ask("ATPPS")[0] == "00:FF F  01:00 N  02:FF F  03:32 F"
    assert tool.ask("0105") == ["41 05 7B"]
    for reset in ("ATD", "ATZ", "ATWS"):
        tool.ask(reset)
        tool.ask("ATE0")
        assert tool.ask("0105") == ["7E8 03 41 05 7B 00 00 00 00"]
    assert tool.ask("ATPP FF OFF") == ["OK"]
    tool.ask("ATD")
    tool.ask("ATE0")
    assert tool.ask("0105") == ["41 05 7B"]


@pytest.mark.parametrize("command", ["ATPP30SV00", "ATPP30ON", "ATPP01SV", "ATPP01", "ATPPFFSV00"])
def test_parameters_that_do_not_exist_are_refused(tool: ScanTool, command: str) -> None:
    assert tool.ask(command) == ["?"]


def test_user_protocols_come_from_their_parameters() -> None:
    """FORScan reaches the second bus of a Ford in this way: 11 bits, variable length, 500/4 kbit/s."""
    parameters = ProgrammableParameters()
    parameters.set(0x2C, 0xC1)
    parameters.set(0x2D, 0x02)
    parameters.set(0x2B, 0x01)
    parameters.switch(0xFF, on=True)
    assert parameters.protocols() == {
        "A": CanProtocol(500_000, extended=True, format=DataFormat.J1939),
        "B": CanProtocol(250_000, extended=False, format=DataFormat.ISO_15765, variable=True),
        "C": CanProtocol(50_000, extended=False, format=DataFormat.NONE),
    }


def test_a_user_protocol_set_by_parameters_reaches_the_car() -> None:
    tool = ScanTool(Car(bitrate=125_000), "ATE0", "ATPP2CSV81", "ATPP2CON", "ATPP2DSV04", "ATPP2DON")
    tool.ask("ATWS")
    tool.ask("ATE0")
    tool.ask("ATSPB")
    assert tool.ask("0105") == ["41 05 7B"]
    assert tool.ask("ATDP") == ["USER1 (CAN 11/125)"]


def test_what_is_stored_belongs_to_the_adapter_and_not_to_the_client(car: Car) -> None:
    """The next client finds it: parameters, the byte, the identifier, the calibration of the voltage."""
    first = ScanTool(car, "ATE0", "ATSD7E", "AT@3HILBRIDGE001", "ATCV1300", "ATPP09SVFF", "ATPP09ON")
    assert first.ask("AT@3HILBRIDGE002") == ["?"]
    car.adapters.unplug(first.elm)
    second = ScanTool(car)
    assert second.transcript("ATRD") == "7E\r\r>"
    assert second.ask("AT@2") == ["HILBRIDGE001"]
    assert second.ask("ATRV") == ["13.0V"]
    second.ask("ATCV0000")
    assert second.ask("ATRV") == ["12.6V"]


def test_an_identifier_is_unknown_before_it_is_set(tool: ScanTool) -> None:
    assert tool.ask("AT@2") == ["?"]


@given(st.binary(max_size=48), st.sets(st.integers(0, 47)))
def test_no_value_of_a_parameter_breaks_a_reset(values: bytes, on: set[int]) -> None:
    parameters = ProgrammableParameters()
    for number, value in enumerate(values):
        parameters.set(number, value)
    for number in on:
        parameters.switch(number, on=True)
    parameters.setup()
    parameters.protocols()
    assert len(list(parameters.lines())) == 12
