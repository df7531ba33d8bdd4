"""The stored state of the running program: refused starts, and backups while it runs."""

import os
import socket
from pathlib import Path

from hilbridge.boundary.record.state import read_state

from ..program import demo_bench, hilbridge, running


def test_on_a_state_that_cannot_be_read_no_run_begins(tmp_path: Path) -> None:
    """Status 2, the reason on standard error, and as the line of `systemctl status`."""
    state = tmp_path / "state.json"
    state.mkdir()
    bench = demo_bench(tmp_path, ("name: demo", f"name: demo\nstate: {state}"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(10)
        environment = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        run = hilbridge("run", bench, "--no-web", env=environment)
        told = manager.recv(4096).decode()
    reason = f"the stored state {state} cannot be read: Is a directory. No run begins"
    assert run.returncode == 1  # a service tries again: a disk may come late
    assert reason in run.stderr
    assert told.startswith(f"STATUS=not started: {reason}")
    assert "\n" not in told
    assert state.is_dir()


def test_a_backup_of_a_bench_that_runs(tmp_path: Path) -> None:
    """It is consistent and can be restored once the bench has ended, and not before."""
    state, copy = tmp_path / "kept/state.json", tmp_path / "copy.json"
    bench = demo_bench(tmp_path, ("name: demo", f"name: demo\nstate: {state}"))
    assert hilbridge("run", bench, "--no-web", "--duration", 1, "--log", "json").returncode == 0
    with running(bench, "--no-web", "--log", "json") as program:
        program.wait_for("ready")
        assert hilbridge("state", "backup", bench, "-o", copy).returncode == 0
        refused = hilbridge("state", "restore", copy, bench)
        assert refused.returncode == 2
        assert "end it" in refused.stderr
        program.stop()
    assert hilbridge("state", "restore", copy, bench).returncode == 0
    assert read_state(state) == read_state(copy)
    assert sorted(each.name for each in state.parent.iterdir() if ".json" in each.name) == [
        "state.json", "state.json.at-start", "state.json.lock", "state.json.previous",
    ]  # fmt: skip
