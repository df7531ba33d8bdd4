"""What monitoring sees of a running bench: metrics, health, readiness, through deaths and stand-stills."""

import http.client
import json
import os
import re
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ..program import PATIENCE, demo_bench, running


@pytest.fixture
def port() -> int:
    """A TCP port that was free just now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def bench(folder: Path, port: int) -> Path:
    return demo_bench(folder, ("rate: 1000", f"rate: 100\nmetrics: {{port: {port}}}"))


def ask(port: int, path: str) -> tuple[int, str]:
    """Status 0: nobody is there."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        client.request("GET", path)
        response = client.getresponse()
        return response.status, response.read().decode()
    except OSError:
        return 0, ""
    finally:
        client.close()


def wait_for(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def sample(port: int, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", ask(port, "/metrics")[1], re.MULTILINE)
    return float(found[1]) if found else -1.0


@pytest.mark.way_out("metrics")
def test_a_running_bench_is_healthy_ready_and_measured(tmp_path: Path, port: int) -> None:
    """Ticks and frames are counted, and go on."""
    with running(bench(tmp_path, port)) as program:
        program.wait_for("metrics", url=f"http://127.0.0.1:{port}/metrics")
        wait_for(lambda: ask(port, "/readyz")[0] == 200)
        assert ask(port, "/healthz")[0] == 200
        frames = 'hilbridge_bus_frames_total{bus="powertrain",direction="transmitted"}'
        wait_for(lambda: sample(port, frames) > 0)
        before = sample(port, "hilbridge_ticks_total")
        wait_for(lambda: sample(port, "hilbridge_ticks_total") > before > 0)
        assert sample(port, "hilbridge_tick_lateness_seconds_count") > 0
        program.stop()


def test_an_observer_that_is_killed_comes_back_with_its_port(tmp_path: Path, port: int) -> None:
    """The ticks go on meanwhile, and the restart is counted."""
    with running(bench(tmp_path, port)) as program:
        program.wait_for("metrics")
        wait_for(lambda: sample(port, "hilbridge_ticks_total") > 0)
        before = sample(port, "hilbridge_ticks_total")
        os.kill(program.child("hilbridge.boundary.observe.observer"), signal.SIGKILL)
        wait_for(lambda: sample(port, 'hilbridge_process_restarts_total{process="observer"}') == 1)
        assert sample(port, "hilbridge_ticks_total") > before
        program.stop()


def test_a_tick_process_that_hangs_is_not_healthy(tmp_path: Path, port: int) -> None:
    """It is stopped by a signal: the observer, which is another process, says so; when it goes on, it is well again."""
    with running(bench(tmp_path, port)) as program:
        program.wait_for("metrics")
        wait_for(lambda: ask(port, "/healthz")[0] == 200)
        os.kill(program.process.pid, signal.SIGSTOP)
        try:
            wait_for(lambda: ask(port, "/healthz")[0] == 503)
            reasons = json.loads(ask(port, "/healthz")[1])["reasons"]
        finally:
            os.kill(program.process.pid, signal.SIGCONT)
        assert reasons[0].startswith("no tick for ")
        wait_for(lambda: ask(port, "/healthz")[0] == 200)
        program.stop()


def test_a_second_bench_at_the_same_port_runs_without(tmp_path: Path, port: int) -> None:
    """It warns, and the first one keeps its port."""
    file = bench(tmp_path, port)
    with running(file) as first:
        first.wait_for("metrics")
        other = file.with_name("other.yaml")
        other.write_text(file.read_text(encoding="utf-8").replace("name: demo", "name: other"), encoding="utf-8")
        with running(other) as second:
            assert "in use" in second.wait_for("metrics not open")["reason"]
            second.stop()
        assert ask(port, "/healthz")[0] in (200, 503)
        first.stop()


def test_a_bench_that_never_sleeps_gives_its_real_time_class_up(tmp_path: Path) -> None:
    """Overloaded beyond hope, in a class before all other programs, it would keep them from working (RLIMIT_RTTIME)."""
    with running(demo_bench(tmp_path), "--pace", 1000, "--duration", 3600) as program:
        granted = program.wait_for("real time")
        if "SCHED_FIFO" in granted["scheduler"]:
            program.wait_for("real-time class given up")
        assert os.sched_getscheduler(program.process.pid) & ~os.SCHED_RESET_ON_FORK == os.SCHED_OTHER
