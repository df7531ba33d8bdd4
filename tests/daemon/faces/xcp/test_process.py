"""The process of the slave: on a bench that runs, in the log and in the status, and again after it was killed."""

import os
import signal
import socket
import time
from pathlib import Path

from hilbridge.boundary.control.lines import Answer
from hilbridge.client import Client
from hilbridge.client.talks import UnreachableError

from ....program import PATIENCE, Program, running

BENCH = """\
name: served
vehicle: compact
control: {{socket: {folder}/control.sock}}
cockpit: {{enabled: false}}
state: none
inputs: [{{source: demo-driver}}]
xcp: {{port: {port}}}
"""
CONNECT = bytes.fromhex("02000000 FF00")
RPM = bytes.fromhex("08000100 F404000004000200")


def connected(port: int) -> socket.socket:
    master = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    master.sendall(CONNECT)
    assert master.recv(100)[4] == 0xFF
    return master


def status(client: Client) -> Answer:
    """The part `xcp` of the status, once the process of the control socket answers."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return client.status("xcp")
        except UnreachableError:
            assert time.monotonic() < deadline


def port_of(program: Program) -> int:
    return int(program.wait_for("XCP")["where"].rpartition(":")[2])


def test_a_bench_is_served_and_says_so(tmp_path: Path) -> None:
    """A master that is there when the process is killed finds the next one at the same address."""
    bench = tmp_path / "bench.yaml"
    bench.write_text(BENCH.format(folder=tmp_path, port=0), encoding="utf-8")
    with running(bench) as program:
        port = port_of(program)
        with connected(port) as master:
            master.sendall(RPM)
            assert len(master.recv(100)) == 9
            os.kill(program.child("hilbridge.faces.xcp.server"), signal.SIGKILL)
            assert master.recv(100) == b""
        program.wait_for("XCP process restarted", times=1)
        with connected(port), Client(tmp_path / "control.sock") as client:
            row = status(client)["xcp"]["tcp"]
            assert (row["masters"], row["where"]) == (1, f"tcp://127.0.0.1:{port}")
        assert program.stop()["xcp"]["tcp"]["commands"] >= 3


def test_a_port_that_is_taken_is_awaited(tmp_path: Path) -> None:
    """The bench runs meanwhile, and the log says why no master can come."""
    bench = tmp_path / "bench.yaml"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        bench.write_text(BENCH.format(folder=tmp_path, port=port), encoding="utf-8")
        with running(bench) as program:
            assert str(port) in program.wait_for("XCP not open")["reason"]
            taken.close()
            assert port_of(program) == port
            program.stop()
