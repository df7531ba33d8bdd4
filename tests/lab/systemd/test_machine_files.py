"""What the files beside the units do on a machine that has booted with them: networkd, sysusers, udev and so on."""

import json
import re

from .machine import CHECKOUT, Machine

RULES = CHECKOUT / "systemd/udev/70-hilbridge.rules"


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


def test_an_adapter_starts_a_service_that_is_not_enabled(machine: Machine) -> None:
    """By the line that the rules have as an example, for another interface."""
    (line,) = re.findall(r"^# (SUBSYSTEM==\"net\".*)$", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    machine.run("systemctl stop hilbridge")
    machine.write("/etc/udev/rules.d/71-hilbridge-start.rules", line.replace("can0", "vcan5") + "\n")
    machine.run("udevadm control --reload; ip link add dev vcan5 type vcan")
    machine.until(lambda: machine.show("hilbridge", "ActiveState") == "active")
    machine.run("rm /etc/udev/rules.d/71-hilbridge-start.rules; ip link del vcan5; systemctl stop hilbridge")


def test_networkd_and_udev_understand_the_examples_for_hardware(machine: Machine) -> None:
    """Copied as README.md says, and read by both; a wrong key would be a warning of theirs."""
    machine.run("cp /usr/share/doc/hilbridge/examples/networkd/80-hilbridge-can0.* /etc/systemd/network/")
    machine.run("systemctl restart systemd-networkd; udevadm test-builtin net_setup_link /sys/class/net/lo || true")
    said = [str(entry["MESSAGE"]) for entry in machine.journal("systemd-networkd")]
    said += machine.run("udevadm test-builtin net_setup_link /sys/class/net/vcan0 2>&1 || true").splitlines()
    assert [each for each in said if "80-hilbridge" in each and re.search("nknown|nvalid|ailed", each)] == []
    machine.run("rm /etc/systemd/network/80-hilbridge-can0.*; systemctl restart systemd-networkd")


def test_receive_buffers_may_be_large(machine: Machine) -> None:
    assert int(machine.run("cat /proc/sys/net/core/rmem_max")) == 4 * 1024 * 1024
