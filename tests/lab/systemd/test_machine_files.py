"""What the files beside the units do on a machine that has booted with them: networkd, sysusers, udev and so on."""

import json

from .machine import Machine


def test_networkd_makes_the_virtual_bus(machine: Machine) -> None:
    link = json.loads(machine.run("ip -json -details link show vcan0"))[0]
    assert link["linkinfo"]["info_kind"] == "vcan"
    assert "UP" in link["flags"]
    assert "configured" in machine.run("networkctl --no-pager list vcan0")


def test_the_user_has_no_password_and_no_shell(machine: Machine) -> None:
    *_, home, shell = machine.run("getent passwd hilbridge").split(":")
    assert (home, shell) == ("/var/lib/hilbridge", "/usr/sbin/nologin")
    assert machine.run("passwd --status hilbridge").split()[1] == "L"


def test_the_user_may_open_serial_ports(machine: Machine) -> None:
    assert "dialout" in machine.run("id --name --groups hilbridge").split()
    assert machine.run("stat --format=%G /dev/ttyS0") in {"dialout", "tty"}


def test_its_folders_are_there_after_boot(machine: Machine) -> None:
    folders = machine.run("stat --format='%n %U %a' /var/lib/hilbridge /run/hilbridge")
    assert folders.splitlines() == ["/var/lib/hilbridge hilbridge 750", "/run/hilbridge hilbridge 755"]


def test_udev_understands_the_rules(machine: Machine) -> None:
    """`udevadm test` reads all rules, and complains about those that are wrong."""
    output = machine.run("udevadm test --action=add /sys/class/tty/ttyS0 2>&1")
    assert "70-hilbridge.rules" in output
    assert [line for line in output.splitlines() if "hilbridge" in line and "nvalid" in line] == []


def test_receive_buffers_may_be_large(machine: Machine) -> None:
    assert int(machine.run("cat /proc/sys/net/core/rmem_max")) == 4 * 1024 * 1024
