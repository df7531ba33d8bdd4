"""Probes tell what is there and what is not, say how to get it, and leave everything as it was."""

import gc
import os
import socket
from pathlib import Path

import can.interfaces
import pytest

from hilbridge.boundary.links.adapter import Adapter
from hilbridge.commands import doctor_machine
from hilbridge.commands.doctor_machine import Finding, State
from hilbridge.files.settings.realtime import RealTimeSettings

from ...benches import make_up_kernel

CAN_SOCKETS_MISSING = "the kernel has no SocketCAN"


def test_every_finding_that_is_not_good_says_what_to_do() -> None:
    """Whatever this machine is."""
    findings = [
        *doctor_machine.software(),
        *doctor_machine.real_time(RealTimeSettings()),
        doctor_machine.socketcan(),
        doctor_machine.serial_ports(),
    ]
    assert {finding.subject for finding in findings} >= {"hilbridge", "libraries", "model", "scheduler", "SocketCAN"}
    assert all(finding.remedy for finding in findings if finding.state is not State.GOOD)
    assert not any(finding.remedy for finding in findings if finding.state is State.GOOD)


def test_a_missing_library_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it."""
    monkeypatch.setattr(doctor_machine, "LIBRARIES", ("numpy", "no-such-library"))
    missing, *_ = (finding for finding in doctor_machine.software() if finding.state is State.ERROR)
    assert missing.text == "no-such-library is not installed"
    assert missing.remedy.endswith("-m pip install no-such-library")


def test_the_real_time_probe_leaves_the_process_as_it_was() -> None:
    """Scheduler class, garbage collector and locked memory are the same afterwards."""

    def state() -> tuple[object, ...]:
        locked = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmLck")]
        return os.sched_getscheduler(0), os.sched_getparam(0), gc.isenabled(), gc.get_freeze_count(), locked

    before = state()
    list(doctor_machine.real_time(RealTimeSettings()))
    assert state() == before


def test_a_real_time_step_that_is_refused_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it a bench runs, but its ticks are later."""

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    states = {finding.subject: finding.state for finding in doctor_machine.real_time(RealTimeSettings())}
    assert states["scheduler"] is State.WARNING
    assert states["collector"] is State.GOOD


def test_a_free_port_is_good_and_a_used_one_is_not() -> None:
    """A probe that found a port free has not taken it."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        used = doctor_machine.tcp_port(port)
    assert (used.state, str(port) in used.remedy) == (State.ERROR, True)
    assert (
        doctor_machine.tcp_port(port)
        == doctor_machine.tcp_port(port)
        == Finding(f"TCP port {port}", State.GOOD, "free")
    )


# -- CAN interfaces, on a kernel that the test makes up -------------------------------------------------------------


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """/sys/class/net of a kernel with CAN: can0 is down, can1 up, vcan0 up with CAN FD, eth0 no CAN."""
    can = (("can0", 280, "0x40080", 16), ("can1", 280, "0x40081", 16), ("vcan0", 280, "0xc1", 72))
    make_up_kernel(tmp_path, monkeypatch, (*can, ("eth0", 1, "0x1003", 1500)))
    monkeypatch.setattr(doctor_machine, "missing_sockets", lambda: None)
    return tmp_path


def test_can_interfaces_are_listed_with_their_state(kernel: Path) -> None:
    """Other interfaces and files are not."""
    assert doctor_machine.socketcan().text == "can0 (down); can1 (up); vcan0 (up, CAN FD)"


@pytest.mark.parametrize(
    ("name", "fd", "text", "remedy"),
    [
        ("can1", False, "can1 (up)", ""),
        ("vcan0", True, "vcan0 (up, CAN FD)", ""),
        ("can1", True, "carries no CAN FD frames", "mtu 72"),
        ("can0", False, "is down", "sudo ip link set can0 up type can bitrate"),
        ("vcan7", False, "does not exist (CAN interfaces: can0, can1, vcan0)", "sudo ip link add vcan7 type vcan"),
        ("can7", False, "does not exist (CAN interfaces: can0, can1, vcan0)", "plug in the adapter"),
        (
            "can7",
            False,
            "does not exist (CAN interfaces: can0, can1, vcan0)",
            "a virtual one: sudo ip link add can7",
        ),
    ],
)
def test_an_interface_must_exist_and_be_up_and_carry_what_the_bus_sends(
    kernel: Path, name: str, fd: bool, text: str, remedy: str
) -> None:
    """What may still come, or come up, is awaited by the bench; the remedy is a command."""
    finding = doctor_machine.can_interface(name, fd=fd)
    assert finding.text == text
    assert remedy in finding.remedy
    assert (finding.state is State.GOOD) is (remedy == "")
    assert (finding.state is State.AWAITED) is text.startswith(("is down", "does not exist"))


def test_an_adapter_that_the_bench_names_is_awaited_and_listed_with_its_number(
    kernel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = doctor_machine.can_interface("adapter:A1", fd=False)
    assert (absent.subject, absent.state) == ("interface adapter:A1", State.AWAITED)
    monkeypatch.setattr(doctor_machine, "read_adapter", lambda _: Adapter("can", "serial number A1, channel 0x0"))
    device = kernel / "devices/1-2"
    device.mkdir(parents=True)
    (device / "serial").write_text("A1\n")
    (kernel / "can1/device").symlink_to(device)
    found = doctor_machine.can_interface("adapter:A1", fd=False)
    assert (found.state, found.text[:10]) == (State.GOOD, "can1 (up),")
    assert "serial number A1, channel 0x0" in doctor_machine.socketcan().text


def test_without_can_sockets_no_interface_helps(kernel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a machine it is a warning, for a bus that needs them an error."""
    monkeypatch.setattr(doctor_machine, "missing_sockets", lambda: "Address family not supported by protocol")
    assert doctor_machine.socketcan().state is State.WARNING
    finding = doctor_machine.can_interface("can1", fd=False)
    assert finding.state is State.ERROR
    assert finding.text.startswith(CAN_SOCKETS_MISSING)


def test_an_interface_of_python_can_must_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """`virtual` is plain Python; others need the maker's library."""
    assert doctor_machine.python_can_interface("virtual").state is State.GOOD
    monkeypatch.setitem(can.interfaces.BACKENDS, "virtual", ("no_such_driver", "Bus"))
    finding = doctor_machine.python_can_interface("virtual")
    assert finding.state is State.ERROR
    assert finding.text == "cannot be loaded: No module named 'no_such_driver'"


# -- serial ports ---------------------------------------------------------------------------------------------------


def test_a_serial_port_must_be_a_device_that_this_user_may_open(tmp_path: Path) -> None:
    """A pseudo terminal is one; a plain file and an impossible name are not; a missing one is awaited by the bench."""
    master, slave = os.openpty()
    try:
        assert doctor_machine.serial_port(os.ttyname(slave)).state is State.GOOD
    finally:
        os.close(master)
        os.close(slave)
    (tmp_path / "file").touch()
    states = {f"{tmp_path}/file": State.ERROR, f"{tmp_path}/missing": State.AWAITED, "x\0y": State.ERROR}
    for path, state in states.items():
        finding = doctor_machine.serial_port(path)
        assert (finding.state, finding.remedy != "") == (state, True)


def test_a_port_of_another_group_is_told_with_the_command_that_joins_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual trouble: /dev/ttyACM0 belongs to dialout."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(doctor_machine, "_group", lambda _: "dialout")
    finding = doctor_machine.serial_port("/dev/null")
    assert finding.state is State.ERROR
    assert finding.remedy.startswith("sudo usermod -aG dialout ")


def test_nobody_is_told_to_join_a_powerful_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that belongs to root needs a rule for the port, not a user in root's group."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(doctor_machine, "_group", lambda _: "root")
    assert "usermod" not in doctor_machine.serial_port("/dev/null").remedy
