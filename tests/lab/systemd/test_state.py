"""The stored state of the service in the hands of an operator: backed up, copied back as root, restored."""

import json
from collections.abc import Iterator

import pytest

from .machine import Machine

STATE = "/var/lib/hilbridge/lab.json"
BACKUP = "/root/backup.json"

DRIVEN = 123_456_000_000
"""[mm]"""

DRIVE = (
    "from pathlib import Path; from hilbridge.boundary.record.state import read_state, store_state; "
    f"path = Path('{STATE}'); state = read_state(path); state['vehicle']['odometer'] = {DRIVEN}; "
    "store_state(path, state)"
)
"""Makes the kilometres of a long life, which no test has time for."""


def odometer(machine: Machine, file: str = STATE) -> int:
    """[mm] What the file says."""
    return int(json.loads(machine.run(f"cat {file}"))["state"]["vehicle"]["odometer"])


@pytest.fixture
def driven(machine: Machine) -> Iterator[None]:
    """The service has run, has a state, and is stopped."""
    machine.run("systemctl start hilbridge && systemctl stop hilbridge")
    machine.run(f'/usr/lib/hilbridge/bin/python -c "{DRIVE}"')
    machine.run(f"rm -f {BACKUP}; hilbridge state backup -o {BACKUP}")
    yield
    machine.ask("systemctl stop hilbridge; systemctl reset-failed hilbridge")


def test_a_backup_that_root_has_copied_back_is_not_overwritten(machine: Machine, driven: None) -> None:
    """It belongs to root then, and the service cannot read it: it does not start, and says why and what to type."""
    machine.run(f"umask 077; rm {STATE}; cp {BACKUP} {STATE}")
    before = machine.run(f"stat --format='%U %a' {STATE}; sha256sum {STATE}")
    assert before.startswith("root 600")
    status, _ = machine.ask("systemctl start hilbridge")
    assert status
    machine.until(lambda: "cannot be read: Permission denied" in machine.show("hilbridge", "StatusText"))
    machine.ask("systemctl stop hilbridge; systemctl reset-failed hilbridge")
    said = [str(entry["MESSAGE"]) for entry in machine.journal("hilbridge")]
    assert any(f"sudo hilbridge state restore {STATE} {STATE}" in line for line in said)
    assert machine.run(f"stat --format='%U %a' {STATE}; sha256sum {STATE}") == before

    machine.run(f"umask 077; hilbridge state restore {STATE} {STATE}")
    assert machine.run(f"stat --format='%U %G %a' {STATE}") == "hilbridge hilbridge 640"
    machine.run("systemctl start hilbridge")
    machine.run("systemctl stop hilbridge")
    assert odometer(machine) >= DRIVEN


def test_a_backup_is_made_at_any_time_and_restored_when_nothing_runs(machine: Machine, driven: None) -> None:
    machine.run("systemctl start hilbridge")
    machine.run("hilbridge state backup -o /root/running.json")
    assert odometer(machine, "/root/running.json") >= DRIVEN
    status, output = machine.ask(f"hilbridge state restore {BACKUP}")
    assert status == 2
    assert "systemctl stop hilbridge" in output
    machine.run(f"systemctl stop hilbridge; rm {STATE} /root/running.json")
    machine.run(f"umask 077; hilbridge state restore {BACKUP}")
    machine.run("systemctl start hilbridge")
    assert machine.run(f"stat --format='%U %a' {STATE}") == "hilbridge 640"
    machine.run("systemctl stop hilbridge")
    assert odometer(machine) >= DRIVEN
