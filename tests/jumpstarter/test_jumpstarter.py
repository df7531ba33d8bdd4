"""A bench in Jumpstarter: behind its driver and its gRPC, in a lease on this machine, and over TCP.

For an environment of its own, with the packages of Jumpstarter in it: `make test-jumpstarter`.
"""

import json
import math
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jumpstarter.common.utils import serve

from hilbridge.client import Client, ConfigurationError
from hilbridge.testing.jumpstarter import BenchDriver

from ..pages import blocks
from ..program import CHECKOUT, PATIENCE, Program, demo_bench, running

ARMING = {"steps": [{"set": {"body.TurnSignal": "left"}}, {"arm": {"powertrain": True}}]}
ENDLESS = {"steps": [{"set": {"body.DoorFrontLeft": 1}}, {"wait": {"until": "vehicle.Speed > 900", "timeout": 600}}]}
STATUS = {
    "protocol": 1,
    "time": 1.0,
    "bench": "answering",
    "vehicle": "none",
    "rate_hz": 1,
    "entries": {"vehicle": {"vehicle.Speed": {"value": None, "unit": "m/s"}}},
    "page": "http://127.0.0.1:29540/?token=secret",
}


def socket_of(program: Program) -> str:
    """The control socket of a bench that runs, once it is ready."""
    path = str(program.wait_for("control socket open")["path"])
    program.wait_for("ready")
    return path


@contextmanager
def leased(path: Path | str) -> Iterator[Any]:
    """The client of a lease on a bench that runs."""
    with serve(BenchDriver(bench=str(path), running=True)) as client:
        yield client


def jumpstarter(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command of Jumpstarter beside this Python to its end; sockets of benches lie in the folder."""
    place = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": place, "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE * 2, check=False
    )


@contextmanager
def exporter(folder: Path, where: str) -> Iterator[subprocess.Popen[bytes]]:
    """An exporter of the guide's file that listens; it is there, and gone afterwards."""
    program = [str(Path(sys.executable).parent / "jmp"), "run", "--exporter-config", "exporter.yaml"]
    options = ["--tls-grpc-listener", where, "--tls-grpc-insecure"]
    environment = os.environ | {"XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}
    process = subprocess.Popen([*program, *options], cwd=folder, env=environment)
    try:
        deadline = time.monotonic() + PATIENCE
        host, _, port = where.partition(":")
        while True:
            try:
                socket.create_connection((host, int(port))).close()
                break
            except OSError:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def guide(folder: Path) -> None:
    """Saves the files of the guide."""
    page = (CHECKOUT / "docs/guides/jumpstarter.md").read_text(encoding="utf-8")
    for _, content, name in blocks(page):
        if name:
            (folder / name).write_text(content, encoding="utf-8")


def test_the_guide_in_a_lease_on_this_machine(tmp_path: Path) -> None:
    """`jmp shell` serves the exporter by itself; the bench that it has started ends with it."""
    guide(tmp_path)
    ran = jumpstarter(tmp_path, "jmp", "shell", "--exporter-config", "exporter.yaml", "--", "python", "start.py")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    page = (CHECKOUT / "docs/guides/jumpstarter.md").read_text(encoding="utf-8")
    (said,) = (content for language, content, _ in blocks(page) if language == "text")
    assert ran.stdout.splitlines()[-2:] == said.splitlines()
    assert list(tmp_path.glob("hilbridge/*.sock")) == []


def test_the_commands_of_a_lease(tmp_path: Path) -> None:
    """What one of them holds is still held for the next."""
    guide(tmp_path)
    shell = "; ".join(
        [
            "j car set input.Key start && j car wait 'vehicle.EngineRpm > 700' && j car get input.Key",
            "j car get vehicle.EngineRpn",
            "j car fault 'physics fault.Misfire value=0.2'",
            "j car status",
        ]
    )
    ran = jumpstarter(tmp_path, "jmp", "shell", "--exporter-config", "exporter.yaml", "--", "sh", "-c", shell)
    seconds, key, fault, *status = ran.stdout.splitlines()
    assert seconds.endswith(" s"), ran.stdout + ran.stderr
    assert (key, fault) == ("1", "1")
    assert '  "bench": "demo",' in status
    assert "did you mean vehicle.EngineRpm" in ran.stderr


def test_a_bench_that_runs_is_left_as_it_was(tmp_path: Path) -> None:
    """A lease ends while it holds an entry, a fault and the pedals, and plays a scenario; what others hold stays."""
    with running(demo_bench(tmp_path), "--no-demo-driver") as program:
        path = socket_of(program)
        with Client(path) as other:
            other.set("input.Steer", 0.1)
            with leased(path) as car:
                car.drive(20)
                car.set("body.TurnSignal", "left")
                car.fault("physics fault.Misfire", value=0.2)
                car.command("scenario-start", scenario=ENDLESS, name="endless", keep=True)
                assert other.get("body.TurnSignal") == 1
                assert other.status("scenario")["scenario"]["state"] == "running"
            assert other.get("vehicle.Speed") > 5.0
            assert other.status("scenario")["scenario"]["state"] != "running"
            assert [one["control"] for one in other.status("inputs")["inputs"] if one["source"]] == ["Steer"]
            assert [one["state"] for one in other.status("faults")["faults"]] == ["over"]
            for entry in ("body.TurnSignal", "body.DoorFrontLeft"):
                with pytest.raises(ConfigurationError, match="not held"):
                    other.release(entry)


def test_a_client_that_gives_back_or_does_not(tmp_path: Path) -> None:
    """A block gives back at its end; a client without one leaves it to the end of the lease."""
    with running(demo_bench(tmp_path), "--no-demo-driver") as program:
        path = socket_of(program)
        with Client(path) as other, leased(path) as car:
            car.set("body.TurnSignal", "left")
            car.command("set", entry="body.DoorFrontLeft", value=1, by="somebody else")
            car.give_back()
            for entry in ("body.TurnSignal", "body.DoorFrontLeft"):
                with pytest.raises(ConfigurationError, match="not held"):
                    other.release(entry)


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        ("arm", {"bus": "powertrain"}),
        ("stop", {}),
        ("reload", {}),
        ("record-start", {"folder": "/tmp/x"}),
        ("send", {"bus": "powertrain", "id": 1}),
        ("nothing", {}),
        ("scenario-start", {"scenario": ARMING, "name": "arms"}),
    ],
)
def test_what_is_not_for_a_lease_reaches_no_bench(command: str, keys: dict[str, Any], tmp_path: Path) -> None:
    """There is none: a command that went on would say so."""
    with leased(tmp_path / "none.sock") as car:
        with pytest.raises(ConfigurationError, match="hilbridge ctl"):
            car.command(command, **keys)
        with pytest.raises(ConfigurationError, match="no daemon can be reached"):
            car.status()


@pytest.mark.parametrize(
    "line", ["", "5", "[" * 100_000, '{"command": {}}', '{"command": "scenario-start", "scenario": 5}']
)
def test_lines_that_are_no_commands_are_refused(line: str, tmp_path: Path) -> None:
    with leased(tmp_path / "none.sock") as car:
        assert list(json.loads(car.call("exchange", line))) == ["error"]


class Answering:
    """A bench that knows two answers."""

    def exchange(self, command: Any) -> Any:
        return {"fault": 2**53 + 1} if command["command"] == "fault-add" else dict(STATUS)


class Answered(BenchDriver):
    def _reached(self) -> Any:
        return Answering()


def test_numbers_of_64_bits_cross_and_so_does_a_value_that_there_is_not() -> None:
    """Of gRPC's own values both are lost: they are binary64, and without NaN."""
    with serve(Answered()) as car:
        assert car.fault("physics fault.Misfire value=0.2") == 9007199254740993
        assert math.isnan(car.get("vehicle.Speed"))


def test_the_address_of_the_page_with_its_token_stays_here() -> None:
    with serve(Answered()) as car:
        assert car.status("page", "usual").keys() == STATUS.keys() - {"page"}


def test_an_exporter_that_listens(tmp_path: Path) -> None:
    """A lease over TCP; the bench that was started for it ends with it or with the exporter."""
    guide(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    where = f"127.0.0.1:{port}"
    with exporter(tmp_path, where) as process:
        shell = ["jmp", "shell", "--tls-grpc", where, "--tls-grpc-insecure", "--", "j", "car", "get", "vehicle.Speed"]
        ran = jumpstarter(tmp_path, *shell)
        assert ran.stdout.splitlines()[-1] == "0", ran.stdout + ran.stderr
        assert process.poll() is None
    assert not list(tmp_path.glob("hilbridge/*.sock"))


def test_a_wrong_configuration_says_so() -> None:
    with pytest.raises(ValueError, match="'seed' is for a bench that is started here"):
        BenchDriver(running=True, seed=1)
    with serve(BenchDriver(bench="nosuch")) as car, pytest.raises(ConfigurationError, match="nosuch"):
        car.status()
