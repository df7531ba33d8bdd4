"""The doctor in the place of the service: what its user may, and which ports are its own.

systemd is a script here that answers `systemctl show`; users, permissions and sockets are the kernel's. What only root
can try is tried in a process of its own.
"""

import grp
import json
import os
import pwd
import resource
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from hilbridge.commands import doctor_service
from hilbridge.commands.cli import main
from hilbridge.commands.doctor_machine import State
from hilbridge.commands.doctor_service import Ports
from hilbridge.commands.service_unit import Unit, unit_of, units

from .systemd import Show, systemctl, unit

OTHER = "nobody"
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")


@pytest.fixture
def bench() -> Iterator[Path]:
    """In a folder that other users may read, as pytest's are not."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "car.yaml").write_text("name: car\n", encoding="utf-8")
        file = folder / "bench.yaml"
        file.write_text("name: test\nvehicle: ./car.yaml\n", encoding="utf-8")
        yield file


@pytest.fixture
def systemd(bench: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    return systemctl(bench.with_name("bin"), monkeypatch)


def test_the_unit_of_a_bench_is_that_whose_command_line_names_it(systemd: Show, bench: Path) -> None:
    """By the same file, whatever its path; drop-ins may have changed the command."""
    link = bench.with_name("link.yaml")
    link.symlink_to(bench)
    systemd(unit("/etc/hilbridge/other.yaml"), unit(f"--log json {link}", "hilbridge@left.service"))
    found = unit_of(bench)
    assert found is not None
    assert found.name == "hilbridge@left.service"
    systemd(unit("/etc/hilbridge/other.yaml"))
    assert unit_of(bench) is None


@pytest.mark.parametrize("answer", ["", "\n\n", "nonsense", "Id=hilbridge.service\nExecStart={ argv[]='a ; }"])
def test_whatever_systemctl_answers_is_survived(systemd: Show, bench: Path, answer: str) -> None:
    systemd()
    (bench.parent / "bin/answer").write_text(answer, encoding="utf-8")
    for one in units():
        assert (one.bench, one.is_running, one.user) == ("", False, "root")


def test_a_machine_without_systemctl_has_no_units(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert units() == []


@pytest.fixture
def served() -> Iterator[int]:
    """A loopback TCP port at which this process listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def test_a_port_of_the_running_unit_is_no_fault(served: int) -> None:
    """Another program's is, and so is one that is taken while the unit does not run."""
    own = Ports(Unit("hilbridge.service", {"MainPID": str(os.getpid())})).tcp(served)
    assert (own.state, own.text) == (State.GOOD, "held by hilbridge.service, which runs this bench")
    with subprocess.Popen(["sleep", "60"]) as stranger:
        for other in (None, *(Unit("hilbridge.service", {"MainPID": str(pid)}) for pid in (0, stranger.pid))):
            assert Ports(other).tcp(served).state is State.ERROR
        stranger.terminate()


def test_udp_ports_and_control_groups_are_known_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes of a unit are those of its control group, not its main process alone."""
    monkeypatch.setattr(doctor_service, "CONTROL_GROUPS", tmp_path)
    group = tmp_path / "system.slice/hilbridge.service"
    group.mkdir(parents=True)
    (group / "cgroup.procs").write_text(f"1\n{os.getpid()}\n", encoding="ascii")
    properties = {"MainPID": "1", "ControlGroup": "/system.slice/hilbridge.service", "User": "root"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
        assert Ports(Unit("hilbridge.service", properties)).udp(port).state is not State.ERROR


def in_a_process(work: Callable[[], Any]) -> Any:
    """What a function returns, as JSON knows it, in a forked process, which may become another user."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(writer, json.dumps(work()).encode())
            status = 0
        except BaseException:  # noqa: BLE001 - the child must not go on with the tests
            os.write(writer, traceback.format_exc().encode())
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as result:
        content = result.read()
    assert os.waitpid(child, 0)[1] == 0, content
    return json.loads(content)


def examined(bench: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The findings of the doctor by subject, from a process of its own."""
    main(["doctor", "demo", "--json"])  # is of no unit; imports what another user may not be able to read
    capsys.readouterr()

    def work() -> Any:
        file = bench.with_name("report")
        with file.open("w", encoding="utf-8") as sys.stdout:  # opened by root
            main(["doctor", str(bench), "--json"])
        return {"report": json.loads(file.read_text(encoding="utf-8")), "ids": os.getresuid()}

    result = in_a_process(work)
    found = {finding["subject"]: finding for finding in result["report"]["findings"]}
    return {"ids": result["ids"], "can_run": result["report"]["can_run"], **found}


@as_root
def test_root_looks_with_the_eyes_of_the_unit(systemd: Show, bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bench file and a serial device that only root may open are errors, as they will be for the service."""
    device = bench.with_name("tty")
    os.mknod(device, 0o020600, os.makedev(1, 3))
    inputs = f"inputs:\n  - {{source: serial, port: {device}, signals: {{Key: {{}}}}}}\n"
    bench.write_text(bench.read_text(encoding="utf-8") + inputs, encoding="utf-8")
    systemd(unit(bench, user=OTHER))
    found = examined(bench, capsys)
    assert found["ids"] == [pwd.getpwnam(OTHER).pw_uid] * 3
    assert found["can_run"] is False
    assert found[f"serial port {device}"]["text"] == "may not be opened by this user"
    device.chmod(0o666)
    assert examined(bench, capsys)["can_run"] is True
    bench.chmod(0o600)
    closed = examined(bench, capsys)[f"bench {bench}"]
    assert "Permission denied" in closed["text"]
    assert "chgrp nobody" in closed["remedy"]


@as_root
def test_the_limits_and_groups_of_the_unit_are_taken_over() -> None:
    """Before the rights of root are gone; `dialout` as the unit says it beside the user's own groups."""

    def work() -> Any:
        properties = unit("x", user=OTHER) | {"SupplementaryGroups": "dialout", "LimitMEMLOCK": "4096"}
        finding = doctor_service.become(Unit("hilbridge.service", properties))
        limits = resource.getrlimit(resource.RLIMIT_MEMLOCK)
        return finding.state.value, limits, os.getgroups(), os.environ["HOME"]

    state, limits, groups, home = in_a_process(work)
    assert (state, limits, home) == ("good", [4096, 4096], pwd.getpwnam(OTHER).pw_dir)
    assert grp.getgrnam("dialout").gr_gid in groups


def test_a_user_of_a_unit_that_does_not_exist_is_an_error() -> None:
    finding = doctor_service.become(Unit("hilbridge.service", {"User": "no-such-user"}))
    assert finding.state is State.ERROR
