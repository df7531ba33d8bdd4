"""hilbridge.service under real systemd on a real vcan: started, watched, reloaded, restarted, stopped."""

import json
import re
from typing import Any

import cantools
import pytest
from cantools.database.can import Database

from hilbridge.base.resources import Kind, find

from .machine import Machine

OFF, ON = -1, 0
"""Positions of the key in DriverInputs."""


def said(machine: Machine, unit: str = "hilbridge") -> list[dict[str, Any]]:
    """What the daemon wrote into the journal: one JSON object in each entry, but for the stacks of an abort."""
    messages = [entry["MESSAGE"] for entry in machine.journal(unit) if entry.get("_COMM") != "systemd"]
    return [json.loads(message) for message in messages if message.startswith("{")]


def test_the_unit_is_started_when_the_bench_ticks(machine: Machine, service: str) -> None:
    """`systemctl start` waits for READY=1 (Type=notify), which the first tick sends."""
    assert machine.show("hilbridge", "ActiveState") == "active"
    assert machine.show("hilbridge", "StatusText").startswith("lab: 50 Hz")
    machine.until(lambda: any(record["event"] == "ready" for record in said(machine)))  # the observer writes it later
    machine.run("timeout 20 candump -n 1 vcan0,180:7FF")


def test_it_runs_without_any_privilege(machine: Machine, service: str) -> None:
    assert machine.run(f"stat --format=%U /proc/{service}") == "hilbridge"
    assert re.search(r"^CapEff:\s+0+$", machine.run(f"cat /proc/{service}/status"), re.MULTILINE)


def test_it_gets_what_the_tick_needs_all_the_same(machine: Machine, service: str) -> None:
    """By the limits of the unit: scheduler class and locked memory. This kernel lacks DMA latency."""
    assert "SCHED_FIFO" in machine.run(f"chrt --pid {service}")
    assert not re.search(r"^VmLck:\s+0 kB$", machine.run(f"cat /proc/{service}/status"), re.MULTILINE)
    refused = {record["step"] for record in said(machine) if record["event"] == "real time refused"}
    assert refused <= {"DMA latency"}


def test_systemd_finds_it_hardly_exposed(machine: Machine) -> None:
    verdict = machine.run("systemd-analyze security --no-pager hilbridge.service | tail -n 1")
    print(verdict)
    figure = re.search(r"(\d+\.\d)", verdict)
    assert figure
    assert float(figure[1]) <= 1.6


def test_entries_of_the_journal_have_fields(machine: Machine, service: str) -> None:
    """Whoever reads `journalctl -o json` finds event and level of everything that the daemon says."""
    assert all({"event", "level"} <= record.keys() for record in said(machine))


def test_a_process_that_hangs_is_restarted_by_the_watchdog(machine: Machine, service: str) -> None:
    restarts = int(machine.show("hilbridge", "NRestarts"))
    machine.run(f"kill -STOP {service}")
    machine.until(lambda: int(machine.show("hilbridge", "NRestarts")) == restarts + 1)
    machine.until(lambda: machine.show("hilbridge", "ActiveState") == "active")
    assert machine.show("hilbridge", "MainPID") not in {service, "0"}
    messages = [str(entry["MESSAGE"]) for entry in machine.journal("hilbridge")]
    assert any("Watchdog timeout" in message for message in messages)
    assert any(message.startswith("Fatal Python error: Aborted") for message in messages)  # where its threads were
    assert "the run before ended by the watchdog" in machine.show("hilbridge", "StatusText")


def test_a_wrong_reload_is_refused_and_survived(machine: Machine, service: str) -> None:
    """The reason has file and line; the same process goes on with what it had."""
    good = machine.run("cat /etc/hilbridge/bench.yaml")
    machine.write("/etc/hilbridge/bench.yaml", good.replace("rate: 50", "rate: fast"))
    try:
        status, _ = machine.ask("systemctl reload hilbridge")
        assert status == 1
        assert "reload refused: /etc/hilbridge/bench.yaml:3" in machine.show("hilbridge", "StatusText")
        machine.until(lambda: any(record["event"] == "reload refused" for record in said(machine)))
    finally:
        machine.write("/etc/hilbridge/bench.yaml", good + "\n")
    machine.run("systemctl reload hilbridge")
    assert "refused" not in machine.show("hilbridge", "StatusText")
    refused = next(record for record in said(machine) if record["event"] == "reload refused")
    assert "/etc/hilbridge/bench.yaml:3" in refused["reason"]
    assert machine.show("hilbridge", "MainPID") == service
    machine.run("timeout 20 candump -n 1 vcan0,180:7FF")


def test_stopping_sends_the_shutdown_frames(machine: Machine, service: str, database: Database) -> None:
    """The last DriverInputs shows a key that is off, where the one before the stop showed it on."""
    heard = "/run/heard.log"
    machine.run(f"systemd-run --unit=heard --property=StandardOutput=file:{heard} candump -L vcan0,180:7FF")
    machine.until(lambda: any(key >= ON for key in keys(machine.run(f"cat {heard}"), database)))
    machine.run("systemctl stop hilbridge")
    machine.run("systemctl stop heard")
    assert keys(machine.run(f"cat {heard}"), database)[-1] == OFF
    assert machine.show("hilbridge", "Result") == "success"
    assert said(machine)[-1]["event"] == "stopped"


def test_what_the_bench_keeps_belongs_to_the_service_alone(machine: Machine, service: str) -> None:
    machine.run("systemctl stop hilbridge")
    assert machine.run("stat --format='%U %a' /var/lib/hilbridge") == "hilbridge 750"
    assert machine.run("stat --format=%U /var/lib/hilbridge/lab.json") == "hilbridge"


def test_several_benches_run_side_by_side(machine: Machine) -> None:
    """hilbridge@NAME runs /etc/hilbridge/benches/NAME.yaml, each with a control socket of its own."""
    bench = machine.run("cat /etc/hilbridge/bench.yaml")
    for name in ("left", "right"):
        machine.write(f"/etc/hilbridge/benches/{name}.yaml", bench.replace("name: lab", f"name: {name}"))
    machine.run("systemctl start hilbridge@left hilbridge@right")
    assert machine.run("systemctl is-active hilbridge@left hilbridge@right") == "active\nactive"
    assert machine.run("cd /run/hilbridge; ls *.sock") == "left.sock\nright.sock"
    machine.run("systemctl stop hilbridge@left hilbridge@right")


@pytest.fixture
def database() -> Database:
    loaded = cantools.database.load_file(find(Kind.DATABASE, "powertrain.dbc"))
    assert isinstance(loaded, Database)
    return loaded


def keys(log: str, database: Database) -> list[int]:
    """The key of every DriverInputs in a candump log: `(time) vcan0 180#0011...`."""
    found = []
    for line in log.splitlines():
        values = database.decode_message(0x180, bytes.fromhex(line.partition("#")[2]), decode_choices=False)
        assert isinstance(values, dict)
        found.append(int(str(values["Key"])))
    return found
