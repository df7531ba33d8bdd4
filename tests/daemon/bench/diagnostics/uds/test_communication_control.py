"""Service 28."""

import pytest
from udsoncan import CommunicationType

from .tester import Tester, answers


def test_udsoncan_silences_the_control_unit_and_lets_it_speak_again() -> None:
    """Sub-functions 01 and 03 are silence, 00 and 02 are not; the hook hears of changes."""
    tester = Tester().extended()
    client = tester.client()
    normal = CommunicationType(CommunicationType.Subnet.node, normal_msg=True)
    for control in (1, 3, 0, 3, 2):
        assert answers(client.communication_control, control, normal).control_type_echo == control
    assert tester.communication.switched == [False, True, False, True]


def test_network_management_alone_changes_nothing() -> None:
    """The control unit has none."""
    tester = Tester().extended()
    assert tester.ask("28 03 02") == "68 03"
    assert tester.communication.switched == []
    assert tester.ask("28 83 F3") == ""
    assert tester.communication.switched == [False]


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("28 04 01", "12"),
        ("28 01", "13"),
        ("28 01 01 00", "13"),
        ("28 01 00", "31"),
        ("28 01 04", "31"),
        ("28 01 21", "31"),
    ],
)
def test_what_does_not_exist_is_refused(request_: str, code: str) -> None:
    """Nodes behind this one, other lengths, reserved kinds, other networks."""
    tester = Tester().extended()
    assert tester.ask(request_) == f"7F 28 {code}"
    assert tester.communication.switched == []


def test_a_node_is_addressed_by_its_number() -> None:
    """04 silences and 05 lets speak (ISO 14229-1:2020, 10.5); another node's number is refused."""
    tester = Tester(node=0x0A12).extended()
    assert tester.ask("28 04 01 0A 12") == "68 04"
    assert tester.communication.switched == [False]
    assert tester.ask("28 05 01 0A 13") == "7F 28 31"
    assert tester.ask("28 05 01") == "7F 28 13"
    assert tester.ask("28 00 01 0A 12") == "7F 28 13"
    assert tester.ask("28 05 01 0A 12") == "68 05"
    assert tester.communication.switched == [False, True]
