"""A bench of the real program on the fabric: the answers are those of `ctl`, and its end is seen."""

import json
import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from ..fabric import free_port, stranger, wait_for, watching
from ..program import demo_bench, hilbridge, running

BENCH = """
name: NAME
vehicle: compact
rate: 20
buses: {powertrain: {interface: embedded, raw: {Alive: {id: 0x123, data: 00 01, period: 100}}}}
state: none
fabric: {port: PORT}
"""


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

        os.kill(program.child("hilbridge.faces.fabric.server"), signal.SIGKILL)
        assert program.wait_for("fabric process restarted")["times"] == 1
        watch.wait_for("desk  gone", "desk  up")

        orphan = program.child("hilbridge.faces.fabric.server")
        program.process.kill()
        watch.wait_for("desk  gone")
        wait_for(lambda: not Path(f"/proc/{orphan}").exists())
        program.process.wait()


def names(port: int) -> set[str]:
    """The benches that `hilbridge lab` lists."""
    return {bench["bench"] for bench in json.loads(hilbridge("lab", "--port", port, "list", "--json").stdout or "[]")}


@pytest.mark.nightly
def test_of_eight_benches_all_are_listed_and_the_killed_one_is_missed(tmp_path: Path) -> None:
    """They are whole programs, paced; the others are still there when one has gone."""
    port, desks = free_port(), {f"desk{number}" for number in range(8)}
    with ExitStack() as lab:
        programs = {}
        for name in desks:
            file = tmp_path / f"{name}.yaml"
            file.write_text(BENCH.replace("NAME", name).replace("PORT", str(port)), encoding="utf-8")
            programs[name] = lab.enter_context(running(file, "--pace", "1"))
        for program in programs.values():
            program.wait_for("fabric", where=f"tcp/127.0.0.1:{port}")
        wait_for(lambda: names(port) == desks)
        with watching(port) as watch:
            watch.wait_for(*(f"{name}  up" for name in desks))
            programs["desk3"].process.kill()
            watch.wait_for("desk3  gone")
        wait_for(lambda: names(port) == desks - {"desk3"})
