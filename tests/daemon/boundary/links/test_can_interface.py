"""CAN interfaces of a kernel that the test makes up."""

import socket
from pathlib import Path

import pytest

from hilbridge.boundary.links import can_interface
from hilbridge.boundary.links.can_interface import CanInterface, can_interfaces, carries

from ....benches import make_up_kernel


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """/sys/class/net: can0 is down, vcan0 up with CAN FD, eth0 no CAN, and a file that is no interface."""
    interfaces = (("can0", 280, "0x40080", 16), ("vcan0", 280, "0xc1", 72), ("eth0", 1, "0x1003", 1500))
    make_up_kernel(tmp_path, monkeypatch, interfaces)
    return tmp_path


def test_interfaces_are_found_with_their_state(kernel: Path) -> None:
    assert can_interfaces() == [CanInterface("can0", up=False, fd=False), CanInterface("vcan0", up=True, fd=True)]
    assert [str(each) for each in can_interfaces()] == ["can0 (down)", "vcan0 (up, CAN FD)"]


@pytest.mark.parametrize("name", ["eth0", "can9", "bonding_masters", "../../etc"])
def test_what_is_no_can_interface_is_none(kernel: Path, name: str) -> None:
    assert can_interface.can_interface(name) is None


def test_a_kernel_without_network_has_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(can_interface, "NETWORK", tmp_path / "net")
    assert can_interfaces() == []


def test_whether_an_interface_carries_frames_is_asked_of_the_kernel() -> None:
    """Any interface will do to see it: the loopback is up, another does not exist."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        assert carries("lo", opened)
        assert not carries("hbnone0", opened)
