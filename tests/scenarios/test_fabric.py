"""A bench of the real program on the fabric: the answers are those of `ctl`, and its end is seen."""

import json
import os
import signal
from pathlib import Path

from ..fabric import free_port, stranger, wait_for, watching
from ..program import Program, demo_bench, hilbridge, running


def fabric_process(program: Program) -> int | None:
    """The process of the fabric, which the tick process has started."""
    pid = program.process.pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
        if b"hilbridge.fabric.server" in Path(f"/proc/{child}/cmdline").read_bytes():
            return int(child)
    return None


def test_a_bench_is_found_followed_and_gone(tmp_path: Path) -> None:
    """Status and values are those of the control socket; the process may die, and dies with its bench."""
    port, control = free_port(), tmp_path / "control.sock"
    bench = demo_bench(tmp_path, ("name: demo", "name: desk"))
    own = f"\nstate: none\ncontrol: {{socket: {control}}}\nfabric: {{port: {port}}}\n"
    bench.write_text(bench.read_text(encoding="utf-8") + own, encoding="utf-8")
    with watching(port) as watch, running(bench) as program:
        program.wait_for("fabric", where=f"tcp/127.0.0.1:{port}")
        watch.wait_for("desk  up")

        by_socket = json.loads(hilbridge("ctl", "--bench", control, "--json", "status").stdout)
        [[_, by_fabric]] = stranger(port, "get", "hilbridge/desk/command", '{"command": "status"}')
        assert by_fabric.keys() == by_socket.keys() - {"page"}
        assert by_fabric["fabric"] == {"where": f"tcp/127.0.0.1:{port}", "trouble": "", "restarts": 0, "allow": []}
        [[_, heard]] = stranger(port, "hear", "hilbridge/desk/bus/powertrain", 1)
        assert "100" in {frame["id"] for frame in heard["frames"]}
        [[_, entry]] = stranger(port, "get", "hilbridge/desk/entries/auxiliary.BatteryVoltage")
        assert 8 < entry["value"] < 16

        killed = fabric_process(program)
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        assert program.wait_for("fabric process restarted")["times"] == 1
        watch.wait_for("desk  gone", "desk  up")

        orphan = fabric_process(program)
        program.process.kill()
        watch.wait_for("desk  gone")
        wait_for(lambda: not Path(f"/proc/{orphan}").exists())
        program.process.wait()
