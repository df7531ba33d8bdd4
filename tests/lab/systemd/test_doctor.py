"""What `hilbridge doctor` says on a machine with systemd is what the system itself says, and its remedies work."""

import json
from typing import Any

import pytest

from .machine import Machine

DOCTOR = "hilbridge doctor /etc/hilbridge/bench.yaml --json"
OPERATOR = "tester"


def findings(output: str) -> dict[str, Any]:
    """By subject; `service` has several, of which the last is kept."""
    return {finding["subject"]: finding for finding in json.loads(output)["findings"]}


def as_service(machine: Machine, command: str, *properties: str) -> str:
    """The output of a command that systemd runs as the user of the service, with what the properties grant."""
    granted = " ".join(f"--property={line}" for line in properties)
    return machine.run(f"systemd-run --quiet --wait --pipe --uid=hilbridge {granted} {command}")


def limit(machine: Machine, resource: str) -> int:
    """What the kernel allows such a command, as prlimit(1) tells it."""
    return int(as_service(machine, f"prlimit --{resource} --noheadings --raw --output HARD"))


@pytest.fixture(scope="module")
def operator(machine: Machine) -> str:
    """A user of this machine, with the rights of any."""
    machine.run(f"useradd --create-home {OPERATOR}")
    return OPERATOR


def test_without_the_limits_of_the_unit_the_user_lacks_them(machine: Machine) -> None:
    """The limits are those that prlimit finds; the remedies name what grants more."""
    found = findings(as_service(machine, DOCTOR))
    assert found["scheduler"]["state"] == found["memory"]["state"] == "warning"
    assert f"the highest priority allowed is {limit(machine, 'rtprio')}" in found["scheduler"]["text"]
    assert f"the limit is {limit(machine, 'memlock') // 1024} KiB" in found["memory"]["text"]
    assert "LimitRTPRIO=40" in found["scheduler"]["remedy"]
    assert "LimitMEMLOCK=infinity" in found["memory"]["remedy"]


def test_with_the_limits_of_its_remedies_everything_is_granted(machine: Machine) -> None:
    found = findings(as_service(machine, DOCTOR, "LimitRTPRIO=40", "LimitMEMLOCK=infinity"))
    assert (found["scheduler"]["state"], found["memory"]["state"]) == ("good", "good")
    assert found["memory"]["text"] == "locked"


def test_it_promises_the_class_and_the_priority_that_the_service_then_has(machine: Machine, service: str) -> None:
    """chrt(1) finds the same for the running service as the doctor, run by root, for itself."""
    found = findings(machine.run(DOCTOR))
    scheduled = dict(line.rpartition(": ")[::2] for line in machine.run(f"chrt --pid {service}").splitlines())
    policy, priority = (value.split("|")[0] for value in scheduled.values())
    assert found["scheduler"]["text"] == f"{policy}, priority {priority}"
    user, state = machine.show("hilbridge", "User"), machine.show("hilbridge", "ActiveState")
    assert found["service"]["text"] == f"hilbridge.service is {state}, as user {user}"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("LimitRTPRIO=10", "its real-time priority is limited to 10"),
        ("LimitMEMLOCK=65536", "its locked memory is limited to 65536"),
    ],
)
def test_a_drop_in_that_takes_a_limit_away_is_found(machine: Machine, line: str, says: str) -> None:
    """And the line that the remedy names, in a later drop-in, brings it back."""
    folder = "/run/systemd/system/hilbridge.service.d"
    machine.write(f"{folder}/taken.conf", f"[Service]\n{line}\n")
    machine.run("systemctl daemon-reload")
    taken = findings(machine.run(f"runuser --user hilbridge -- {DOCTOR}"))["service"]
    assert (taken["state"], taken["text"]) == ("warning", says)
    machine.write(f"{folder}/taken2.conf", f"[Service]\n{taken['remedy'].rpartition('[Service]: ')[2]}\n")
    machine.run("systemctl daemon-reload")
    assert findings(machine.run(f"runuser --user hilbridge -- {DOCTOR}"))["service"]["state"] == "good"
    machine.run(f"rm {folder}/taken.conf {folder}/taken2.conf; systemctl daemon-reload")


def test_limits_of_a_login_grant_it_too(machine: Machine, operator: str) -> None:
    """The file of systemd/README.md, read at the next login; `su` logs in."""
    login = f"su --login {operator} --command '{DOCTOR}'"
    assert findings(machine.run(login))["scheduler"]["state"] == "warning"
    lines = f"{operator} - rtprio 40\n{operator} - memlock unlimited\n"
    machine.write("/etc/security/limits.d/hilbridge.conf", lines)
    found = findings(machine.run(login))
    assert (found["scheduler"]["state"], found["memory"]["state"]) == ("good", "good")


def test_a_device_that_the_kernel_does_not_have_is_no_reason_not_to_run(machine: Machine) -> None:
    """This one knows no sleep of processors."""
    assert machine.ask("test -e /dev/cpu_dma_latency")[0] == 1
    found = findings(machine.run(DOCTOR))["DMA latency"]
    assert found["state"] == "warning"
    assert found["text"] == "/dev/cpu_dma_latency: No such file or directory"


def test_the_interface_of_the_bench_is_missed_until_the_remedy_is_followed(machine: Machine) -> None:
    """Word by word, but for sudo."""
    machine.run("systemctl stop hilbridge; ip link delete vcan0")
    status, output = machine.ask(DOCTOR)
    missing = findings(output)["interface vcan0"]
    assert (status, missing["state"]) == (0, "awaited")  # the bench begins, and takes it when it comes
    machine.run(missing["remedy"].replace("sudo ", ""))
    assert findings(machine.run(DOCTOR))["interface vcan0"]["state"] == "good"


def test_beside_the_running_service_its_own_ports_are_no_fault(machine: Machine, service: str) -> None:
    """And as root it sees what the user of the service sees: not a bench file that is closed to it."""
    found = findings(machine.run(DOCTOR))
    assert found["user"]["text"] == "hilbridge, as hilbridge.service has it"
    assert not [finding for finding in found.values() if finding["state"] == "error"]
    machine.run("chmod 600 /etc/hilbridge/bench.yaml")
    status, output = machine.ask(DOCTOR)
    machine.run("chmod 644 /etc/hilbridge/bench.yaml")
    assert status == 1
    assert "Permission denied" in findings(output)["bench /etc/hilbridge/bench.yaml"]["text"]
