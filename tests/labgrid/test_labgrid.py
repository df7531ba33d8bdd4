"""A bench as a resource of labgrid, with labgrid's own coordinator, exporter and client on loopback.

For an environment of its own, with labgrid in it: `make test-labgrid`.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ..program import CHECKOUT, PATIENCE, Program, demo_bench, running
from ..ssh_server import ssh_server

ENVIRONMENT = """
imports: [hilbridge.faces.labgrid]
targets:
  main:
    resources: {{RemotePlace: {{name: {place}}}}}
    drivers: {{HilbridgeDriver: {{}}}}
"""

ALICE = {"LG_USERNAME": "alice", "LG_HOSTNAME": "desk-1"}
BOB = {"LG_USERNAME": "bob", "LG_HOSTNAME": "desk-2"}


class Lab(NamedTuple):
    """A bench, its export as `near`, as a machine that is reached by SSH exports it as `far`, and a place for each."""

    folder: Path
    bench: Program
    variables: dict[str, str]

    def client(self, user: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).parent / "labgrid-client"), *words]
        return subprocess.run(
            command,
            env=os.environ | self.variables | user,
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    @contextmanager
    def user_program(self, place: str, user: dict[str, str], *options: str) -> "Iterator[subprocess.Popen[str]]":
        file = self.folder / f"{place}.yaml"
        file.write_text(ENVIRONMENT.format(place=place))
        with subprocess.Popen(
            [sys.executable, "-m", "tests.labgrid.user", str(file), *options],
            env=os.environ | self.variables | user, cwd=CHECKOUT, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            yield process

    def seen_by(self, place: str, user: dict[str, str]) -> Any:
        with self.user_program(place, user) as process:
            printed, errors = process.communicate(timeout=2 * PATIENCE)
        assert process.returncode == 0, errors
        return json.loads(printed)


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def is_listed(lab: Lab, exporter: str) -> bool:
    return f"{exporter}/stand" in lab.client(ALICE, "resources").stdout


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def program(*words: str, variables: dict[str, str], log: Path) -> Iterator[None]:
    with (
        log.open("w") as output,
        subprocess.Popen(words, env=os.environ | variables, stdout=output, stderr=output) as it,
    ):
        yield
        it.terminate()
        try:
            it.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            it.kill()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    coordinator = folder / "coordinator"  # keeps the places in its working folder
    coordinator.mkdir()
    resources = folder / "exporter.yaml"
    resources.write_text("stand: {HilbridgeBench: {bench: demo}}\n")
    with ExitStack() as stack:
        programs = stack.enter_context(ssh_server(coordinator))
        variables = {
            "LG_COORDINATOR": f"127.0.0.1:{port}",
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONUNBUFFERED": "1",
        }
        labgrid = Path(sys.executable).parent / "labgrid-coordinator"
        words = ("bash", "-c", f"cd {coordinator}; exec {sys.executable} {labgrid} --listen 127.0.0.1:{port}")
        stack.enter_context(program(*words, variables=variables, log=folder / "coordinator.log"))
        wait_until(lambda: is_open(port), "the coordinator listens")
        bench = stack.enter_context(running(demo_bench(folder)))
        exporter = (sys.executable, "-m", "hilbridge.faces.labgrid.exporter", str(resources), "--hostname", "127.0.0.1")
        for name, options in (("near", ()), ("far", ("--isolated",))):
            stack.enter_context(
                program(*exporter, "--name", name, *options, variables=variables, log=folder / f"{name}.log")
            )
        it = Lab(folder, bench, variables)
        for name in ("near", "far"):
            wait_until(partial(is_listed, it, name), f"{name} is exported")
            for action in (["create"], ["add-match", f"{name}/stand/NetworkHilbridgeBench"], ["acquire"]):
                done = it.client(ALICE, "-p", name, *action)
                assert done.returncode == 0, done.stdout + done.stderr
        yield it


@pytest.mark.parametrize("place", ["near", "far"])
def test_who_has_the_place_drives_the_bench_and_hears_its_bus(lab: Lab, place: str) -> None:
    """On the bench's machine directly, from another one by labgrid's SSH connection: by what labgrid's file says."""
    seen = lab.seen_by(place, ALICE)
    assert seen["rpm"] > 2000
    assert seen["rpm on the bus"] > 2000
    assert seen["throttle"] == pytest.approx(0.6, abs=0.01)
    assert "input.Throttle" in seen["refusal"]
    own_port = f"socket://127.0.0.1:{slcan_port(lab)}"
    assert (seen["channel"] == own_port) == (place == "near")
    assert seen["control"].startswith("hilbridge-") == (place == "far"), seen
    assert not list(Path("/tmp").glob(f"{seen['control']}/control.sock"))


def slcan_port(lab: Lab) -> int:
    """The port that the program logged."""
    logged = next((one for one in lab.bench.records if one["event"] == "bus open"), None)
    logged = logged or lab.bench.wait_for("bus open")
    return int(logged["link"].partition("127.0.0.1:")[2].split()[0])


def test_nobody_else_has_it_meanwhile(lab: Lab) -> None:
    taken = lab.client(BOB, "-p", "near", "acquire")
    assert taken.returncode != 0
    assert "already acquired by desk-1/alice" in taken.stdout + taken.stderr
    with lab.user_program("near", BOB) as process:
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    assert "acquired" in errors


def test_a_bench_that_is_killed_is_no_longer_available(lab: Lab) -> None:
    """labgrid deactivates the driver then, and lists the resource no more."""
    with lab.user_program("near", ALICE, "--until-gone") as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["rpm"] > 2000
        os.kill(lab.bench.process.pid, signal.SIGKILL)
        state, errors = process.communicate(timeout=2 * PATIENCE)
    assert process.returncode == 0, errors
    assert json.loads(state) == {"state": "bound"}
    wait_until(lambda: lab.client(ALICE, "resources").stdout == "", "no bench is there")
