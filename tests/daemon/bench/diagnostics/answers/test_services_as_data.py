"""Services of ISO 14229-1 that no UDS server has, played from data, as udsoncan reads them: 38, 83, 84, 87.

And services of KWP 2000 on CAN (ISO 14230-3), which no client here speaks: their bytes as the standard lists them.
"""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from udsoncan import Baudrate
from udsoncan.client import Client
from udsoncan.exceptions import NegativeResponseException
from udsoncan.services.AccessTimingParameter import AccessTimingParameter
from udsoncan.services.LinkControl import LinkControl
from udsoncan.typing import ClientConfig

from ..uds.tester import Tester, Wire, answers
from .test_server import Unit

DATA: dict[str, Any] = {
    "83 03": "C3 03 00 32 01 F4",
    "83 04 {times*}": {"data": "C3 04"},
    "87 01 12": "C7 01",
    "87 01 ..": {"refuse": "request out of range"},
    "87 02 {rate:3}": "C7 02",
    "87 03": "C7 03",
    "84 {request*}": "C4 {request}",
    "38 04 00 05 {name:5} ..": "78 04 02 01 02 00 00 02 00 08 00 08",
    "36 01": "76 01 48 49",
    "37": "77",
}
KWP = {
    "12 00 04 00 00": "52 00 01 02",
    "17 FF 00": "57 00",
    "18 02 FF 00": "58 01 01 23 E0",
    "1A 80": "5A 80 41",
    "21 F0": "61 F0 00 01",
    "30 {id} 01": "70 {id} 01",
    "3B 98 {date:4}": "7B 98",
    "10 85": {"refuse": "security access denied"},
    "20": "60",
    "82": "C2",
}


class Played:
    """A unit of answers, as the connection of udsoncan wants it."""

    def __init__(self, answers_: dict[str, Any]) -> None:
        self._unit = Unit(answers_)
        self.server = self

    @property
    def t(self) -> int:
        return self._unit.t

    @t.setter
    def t(self, t: int) -> None:
        self._unit.t = t

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        return self._unit.server.request(payload, functional, t)[1]

    def poll(self, t: int) -> bytes | None:
        return self._unit.server.poll(t)


@pytest.fixture
def client() -> Iterator[Client]:
    with Client(Wire(cast(Tester, Played(DATA)))) as made:
        made.set_configs(cast(ClientConfig, {"standard_version": 2013}))
        yield made


def test_udsoncan_reads_and_sets_timing_parameters(client: Client) -> None:
    read = AccessTimingParameter.AccessType.readCurrentlyActiveTimingParameters
    assert answers(client.access_timing_parameter, read).timing_param_record == bytes.fromhex("00 32 01 F4")
    given = AccessTimingParameter.AccessType.setTimingParametersToGivenValues
    assert answers(client.access_timing_parameter, given, b"\x00\x64").access_type_echo == given


def test_udsoncan_changes_the_baud_rate(client: Client) -> None:
    verify = LinkControl.ControlType.verifyBaudrateTransitionWithFixedBaudrate
    assert answers(client.link_control, verify, Baudrate(500_000, Baudrate.Type.Fixed)).control_type_echo == verify
    with pytest.raises(NegativeResponseException, match="RequestOutOfRange"):
        client.link_control(verify, Baudrate(125_000, Baudrate.Type.Fixed))
    specific = LinkControl.ControlType.verifyBaudrateTransitionWithSpecificBaudrate
    assert (
        answers(client.link_control, specific, Baudrate(666_666, Baudrate.Type.Specific)).control_type_echo == specific
    )
    change = LinkControl.ControlType.transitionBaudrate
    assert answers(client.link_control, change).control_type_echo == change


def test_udsoncan_reads_a_file(client: Client) -> None:
    """The service, its block, and the exit."""
    record = answers(client.read_file, "a.txt")
    assert (record.max_length, record.filesize.uncompressed) == (0x102, 8)
    assert answers(client.transfer_data, 1).parameter_records == b"HI"
    assert client.request_transfer_exit() is not None


def test_secured_data_comes_back() -> None:
    """84 has no client: the record is that of a maker."""
    assert Unit(DATA).ask("84 00 01 02") == "C4 00 01 02"


def test_services_of_kwp() -> None:
    unit = Unit(KWP)
    said = {
        "12 00 04 00 00": "52 00 01 02",
        "17 FF 00": "57 00",
        "18 02 FF 00": "58 01 01 23 E0",
        "1A 80": "5A 80 41",
        "21 F0": "61 F0 00 01",
        "30 05 01": "70 05 01",
        "3B 98 20 26 11 27": "7B 98",
        "10 85": "7F 10 33",
        "20": "60",
        "82": "C2",
    }
    assert {request: unit.ask(request) for request in said} == said
