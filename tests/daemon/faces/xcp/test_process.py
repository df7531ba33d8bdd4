"""The process of the slave: on a bench that runs, in the log and in the status, and again after it was killed."""

import os
import signal
import socket
import time
from pathlib import Path
from typing import cast

import pytest

from hilbridge.base.process.child_process import Child
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.boundary.control.lines import Answer
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.client import Client
from hilbridge.client.talks import UnreachableError
from hilbridge.faces.xcp.process import XcpProcess, open_port
from hilbridge.faces.xcp.samples import Samples
from hilbridge.faces.xcp.server import Server
from hilbridge.faces.xcp.setup import Setup
from hilbridge.files.settings.xcp import XcpSettings

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


def test_a_value_is_held_at_any_pace(tmp_path: Path) -> None:
    """Renewals come by the wall clock; the bench counts seconds of the run, of which there are eight in each."""
    bench = tmp_path / "bench.yaml"
    text = BENCH.format(folder=tmp_path, port=0).replace("xcp: {", "xcp: {write: true, ")
    bench.write_text(text, encoding="utf-8")
    with running(bench, "--pace", "8") as program, connected(port_of(program)) as master:
        with Client(tmp_path / "control.sock") as client:
            status(client)
        master.sendall(bytes.fromhex("0C000100 ED04000004000100 88130000"))
        assert master.recv(100)[4] == 0xFF
        seen = set()
        for _ in range(15):
            time.sleep(0.1)
            master.sendall(bytes.fromhex("08000200 F404000004000100"))
            seen.add(master.recv(100)[5:])
        assert seen == {(5000).to_bytes(4, "little")}
        program.stop()


class Log:
    """The log of a run."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, object]] = []

    def warning(self, _t: int, event: str, **fields: object) -> None:
        self.lines.append((event, fields.get("reason")))


class Living(Child):
    """A process that runs."""

    def poll(self) -> int | None:
        return None

    def end(self, patience: float) -> None:
        """It is none."""


def test_what_the_process_says_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hilbridge.faces.xcp.process.spawn", lambda *_words: Living(0))
    log = Log()
    port = open_port(XcpSettings(port=0))
    process = XcpProcess(SampleMemory.create(), port, Setup("b", 1000, "tcp", "127.0.0.1"), cast(Reporter, log))
    process.start()
    process._theirs.send(b"wrong key from 127.0.0.1:1")
    assert process.poll(0)
    assert process.poll(1)
    process.close()
    assert log.lines == [("XCP slave", "wrong key from 127.0.0.1:1")]


@pytest.mark.parametrize("fault", ["raise SystemExit(3)", "def key(resource):\n    return b''\n"])
def test_a_key_function_that_cannot_be_had_is_told(tmp_path: Path, fault: str) -> None:
    """The slave is there, and locked."""
    keys = tmp_path / "keys.py"
    keys.write_text(fault, encoding="utf-8")
    memory, port = SampleMemory.create(), open_port(XcpSettings(port=0))
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    assert port is not None
    with port, ours, theirs:
        server = Server(memory, port, theirs, Setup("b", 1000, "tcp", "127.0.0.1", unlock=f"{keys}:key"))
        ours.settimeout(PATIENCE)
        assert b"key function cannot be had" in ours.recv(1000)
        server._port.close()
    memory.close()


def test_the_next_tick_is_awaited_for_some_of_its_periods() -> None:
    """But not for so long that a master gives up: its A2L file says 2 s."""
    memory = SampleMemory.create()
    assert Samples(memory, 0.001).patience == pytest.approx(0.1)
    assert Samples(memory, 0.1).patience == pytest.approx(0.4)
    assert Samples(memory, 10.0).patience < 2.0
    memory.close()


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
